public import Foundation

/// Files that are read and replaced as one, wherever they are.
public enum WholeFile {
    /// The bytes of a file; nil where there is none.
    public static func read(_ path: String) throws(SystemError) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw SystemError("Reading \(path)", errno: errno, .cannotRead)
        }
        defer { close(descriptor) }
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                throw SystemError("Reading \(path)", errno: errno, .cannotRead)
            }
        }
    }

    /// Puts a file in place whole, or leaves what was there: also when the disk is full, the power fails or the process
    /// is killed. The new file has a fixed name until then, so that a killed writer leaves one behind at most; writers of
    /// one file take turns (`FileLock`).
    public static func write(_ bytes: Data, to path: String, mode: mode_t) throws(SystemError) {
        let folder = (path as NSString).deletingLastPathComponent
        let new = "\(folder)/.\((path as NSString).lastPathComponent).new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw SystemError("Writing \(path)", errno: errno) }
        defer { close(descriptor) }
        var fault = fill(descriptor, with: bytes)
        if fault == 0, fsync(descriptor) != 0 { fault = errno }
        if fault == 0, rename(new, path) != 0 { fault = errno }
        guard fault == 0 else {
            unlink(new)
            throw SystemError("Writing \(path)", errno: fault)
        }
        syncFolder(folder)
    }

    /// A file that is there no more is no fault.
    public static func remove(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("Removing \(path)", errno: errno) }
        syncFolder((path as NSString).deletingLastPathComponent)
    }

    /// Puts back what `read` has found, also where that was nothing.
    public static func restore(_ bytes: Data?, to path: String, mode: mode_t) throws(SystemError) {
        if let bytes { try write(bytes, to: path, mode: mode) } else { try remove(path) }
    }

    /// Makes a folder and those above it, readable by this user only.
    public static func makeFolder(_ path: String) throws(SystemError) {
        var info = stat()
        if stat(path, &info) == 0 {
            if info.st_mode & S_IFMT == S_IFDIR { return }
            throw SystemError("Making the folder \(path)", errno: ENOTDIR)
        }
        let parent = (path as NSString).deletingLastPathComponent
        if !parent.isEmpty, parent != path { try makeFolder(parent) }
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw SystemError("Making the folder \(path)", errno: errno) }
    }

    /// - Returns: 0, or the errno that stopped it.
    private static func fill(_ descriptor: Int32, with bytes: Data) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }

    /// A new name is on the disk when its folder is. Some file systems refuse (EINVAL), and have nothing to do then; a
    /// name that is lost with the power is a file as it was before.
    private static func syncFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
