public import Foundation

/// Free disk space.
public enum Disk {
    /// Bytes free for this user on the disk of a file or folder; nil where the system does not report it. POSIX
    /// statvfs: f_bavail is the number of free blocks "available to non-privileged process", in units of f_frsize.
    public static func freeSpace(in path: String) -> Int64? {
        var info = statvfs()
        guard statvfs(path, &info) == 0 else { return nil }
        let (bytes, overflow) = UInt64(info.f_bavail).multipliedReportingOverflow(by: UInt64(info.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }
}

/// A file's metadata, enough to notice that it was changed or replaced.
public struct FileStamp: Equatable, Sendable {
    /// Bytes.
    public let size: Int64
    /// Last modification, nanoseconds since 1970.
    public let modified: Int64
    public let isRegular: Bool
    private let device: UInt64
    private let inode: UInt64

    public init(_ info: stat) {
        #if canImport(Darwin)
            let time = info.st_mtimespec
        #else
            let time = info.st_mtim
        #endif
        size = Int64(info.st_size)
        modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        isRegular = info.st_mode & S_IFMT == S_IFREG
        device = UInt64(truncatingIfNeeded: info.st_dev)
        inode = UInt64(info.st_ino)
    }

    /// Follows symbolic links; nil if there is no file, or no permission.
    public init?(path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.init(info)
    }

    /// Whether both are the same file, under any names.
    public func isSameFile(as other: FileStamp) -> Bool {
        device == other.device && inode == other.inode
    }
}
