import Foundation

/// What the file system says about a file without reading it: enough to notice that it was changed or replaced.
struct FileStamp: Equatable {
    /// Bytes.
    let size: Int64
    /// Last modification, nanoseconds since 1970.
    let modified: Int64
    let isRegular: Bool
    private let device: UInt64
    private let inode: UInt64

    init(_ info: stat) {
        size = Int64(info.st_size)
        modified = info.modifiedNanoseconds
        isRegular = info.st_mode & S_IFMT == S_IFREG
        device = UInt64(truncatingIfNeeded: info.st_dev)
        inode = UInt64(info.st_ino)
    }

    /// Follows symbolic links; nil where there is nothing, or nothing that may be looked at.
    init?(path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.init(info)
    }

    /// What the files in a folder and below come to, in bytes.
    static func bytes(under folder: String) -> Int64 {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.compactMap { FileStamp(path: "\(folder)/\($0)") }.filter(\.isRegular).reduce(0) { $0 + $1.size }
    }

    /// Whether both are the same file on the disk, under whatever names.
    func isSameFile(as other: FileStamp) -> Bool {
        device == other.device && inode == other.inode
    }
}
