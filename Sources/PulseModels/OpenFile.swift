import Foundation

/// An open file: the owner of a descriptor, which is closed when the owner goes.
///
/// Every call is repeated when a signal interrupts it (EINTR), and what fails is told with the file's path.
struct OpenFile: ~Copyable {
    let path: String
    let descriptor: Int32

    init(reading path: String) throws(ModelError) {
        try self.init(path, O_RDONLY, or: .cannotRead, "Opening \(path)")
    }

    /// Made when it is not there, with mode 0644 less the umask; never emptied.
    init(writing path: String) throws(ModelError) {
        try self.init(path, O_RDWR | O_CREAT, or: .cannotWrite, "Writing to \(path)")
    }

    private init(_ path: String, _ flags: Int32, or code: ModelError.Code, _ action: String) throws(ModelError) {
        let opened = open(path, flags | O_CLOEXEC, 0o644)
        guard opened >= 0 else { throw .system(code, action, errno: errno) }
        self.path = path
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    /// Fills the buffer from `offset` on; fewer bytes than it holds mean the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ModelError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
            if count == 0 { break }
            if count > 0 {
                filled += count
            } else if errno != EINTR {
                throw .system(.cannotRead, "Reading \(path)", errno: errno)
            }
        }
        return filled
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ModelError) {
        try Self.write(bytes, to: descriptor, at: offset, of: path)
    }

    /// For libcurl's callback, which cannot hold the owner itself.
    static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64, of path: String
    ) throws(ModelError) {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw .system(.cannotWrite, "Writing to \(path)", errno: errno)
            }
        }
    }

    func empty() throws(ModelError) {
        try Self.empty(descriptor, of: path)
    }

    static func empty(_ descriptor: Int32, of path: String) throws(ModelError) {
        guard ftruncate(descriptor, 0) == 0 else { throw .system(.cannotWrite, "Emptying \(path)", errno: errno) }
    }

    /// Returns once the bytes are on the disk.
    func sync() throws(ModelError) {
        guard fsync(descriptor) == 0 else { throw .system(.cannotWrite, "Writing \(path) to the disk", errno: errno) }
    }

    /// The file's size, age and identity, of the file that is open, whatever its path means by now.
    func stamp() throws(ModelError) -> FileStamp {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw .system(.cannotRead, "Looking at \(path)", errno: errno) }
        return FileStamp(info)
    }
}
