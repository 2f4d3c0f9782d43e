import Foundation
import PulseCore
import PulsePlatform

/// An open file. Owns a descriptor.
///
/// Every call is repeated after a signal (EINTR), and every error names the file.
struct OpenFile: ~Copyable {
    let path: String
    let descriptor: Int32

    init(reading path: String) throws {
        try self.init(path, O_RDONLY, or: .cannotRead, "Opening \(path) failed")
    }

    /// Creates the file if it is missing, with mode 0644 less the umask. Does not truncate it.
    init(writing path: String) throws {
        try self.init(path, O_RDWR | O_CREAT, or: .cannotWrite, "Writing to \(path) failed")
    }

    private init(_ path: String, _ flags: Int32, or code: PulseError.Code, _ action: Message) throws {
        let opened = open(path, flags | O_CLOEXEC, 0o644)
        guard opened >= 0 else { throw PulseError(action, errno: errno, code) }
        self.path = path
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Reads the whole file in chunks of a mebibyte at most. `body` gets a chunk and the offset of its end.
    func forEachChunk(_ body: (UnsafeRawBufferPointer, Int64) throws -> Void) throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        var offset: Int64 = 0
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count == 0 { return }
            if count > 0 {
                offset += Int64(count)
                try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]), offset)
            } else if errno != EINTR {
                throw PulseError("Reading \(path) failed", errno: errno, .cannotRead)
            }
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(written))
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw PulseError("Writing to \(path) failed", errno: errno)
            }
        }
    }

    func empty() throws {
        guard ftruncate(descriptor, 0) == 0 else { throw PulseError("Emptying \(path) failed", errno: errno) }
    }

    func sync() throws {
        guard fsync(descriptor) == 0 else { throw PulseError("Writing \(path) to the disk failed", errno: errno) }
    }

    /// The stamp of the open file, even if its path was replaced.
    func stamp() throws -> FileStamp {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else {
            throw PulseError("Looking at \(path) failed", errno: errno, .cannotRead)
        }
        return FileStamp(info)
    }
}

/// The file of an unfinished download, `<file>.part`, locked while this value exists.
///
/// The lock is an flock on the file itself, which ends with the descriptor, also when the program is killed.
struct PartFile: ~Copyable {
    let file: OpenFile

    /// Opens or creates the file, and waits until no other pull holds it. `onWait` is called once if it has to wait.
    ///
    /// Throws `.cannotWrite`, `.permission` or what `cancellation` throws.
    init(claiming path: String, cancellation: Cancellation, onWait: () -> Void) throws {
        var hasWaited = false
        while true {
            let file = try OpenFile(writing: path)
            // Polled, because a blocking flock could not be cancelled.
            while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
                let number = errno
                guard number == EWOULDBLOCK || number == EINTR else {
                    throw PulseError("Locking \(path) failed", errno: number)
                }
                if !hasWaited { onWait() }
                hasWaited = true
                try cancellation.sleep(.milliseconds(100))
            }
            // If the previous holder has renamed or removed the file, the lock is on a file without a name.
            let stamp = try file.stamp()
            if let named = FileStamp(path: path), named.isSameFile(as: stamp) {
                self.file = file
                return
            }
        }
    }

    /// Whether no pull holds it.
    static func isFree(_ path: String) -> Bool {
        guard let file = try? OpenFile(reading: path) else { return true }
        return flock(file.descriptor, LOCK_EX | LOCK_NB) == 0
    }

    func size() throws -> Int64 { try file.stamp().size }

    /// Removes an empty file: a pull that fails at once leaves no trace. A run that waits for the lock notices.
    func discardIfEmpty() { if (try? size()) == 0 { unlink(file.path) } }

    /// Renames the complete file, replacing another. To survive a power cut, its bytes must be synced before; the
    /// folder is synced here.
    func finish(as destination: String) throws {
        guard rename(file.path, destination) == 0 else {
            throw PulseError("Renaming \(file.path) to \(destination) failed", errno: errno)
        }
        AtomicFile.syncFolder((destination as NSString).deletingLastPathComponent)
    }
}
