public import Foundation
public import PulseCore

/// Files that are read and replaced as a whole.
public enum WholeFile {
    /// The bytes of a file; nil if there is none.
    public static func read(_ path: String) throws(PulseError) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw PulseError("Reading \(path)", errno: errno, .cannotRead)
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
                throw PulseError("Reading \(path)", errno: errno, .cannotRead)
            }
        }
    }

    /// The same of a file that nobody may have put there by mistake: a link that leads nowhere is not taken for no file,
    /// and a pipe or a device is not waited for.
    public static func readRegular(_ path: String) throws(PulseError) -> Data? {
        var info = stat()
        if lstat(path, &info) != 0, errno == ENOENT { return nil }
        guard stat(path, &info) == 0 else { throw PulseError("Reading \(path)", errno: errno, .cannotRead) }
        guard isRegular(path) else { throw PulseError(.cannotRead, "\(path) is not a regular file.") }
        return try read(path)
    }

    /// Whether it is a file, or a link to one, or nothing at all; and no pipe, device or folder.
    public static func isRegular(_ path: String) -> Bool {
        FileStamp(path: path)?.isRegular ?? true
    }

    /// Writes the whole file, or leaves what was there: also when the disk is full, the power fails or the process is
    /// killed. Until it is whole, the new file has a fixed name, so that a killed writer leaves at most one behind;
    /// those who write the same file take turns (`FileLock`).
    public static func write(_ bytes: Data, to path: String, mode: mode_t) throws(PulseError) {
        try write(to: path, mode: mode) { put throws(PulseError) in try put(bytes) }
    }

    /// Hands out the file's bytes, a part at a time.
    public typealias Body = ((Data) throws(PulseError) -> Void) throws(PulseError) -> Void

    /// The same for what is not all in memory at once.
    public static func write(to path: String, mode: mode_t, _ body: Body) throws(PulseError) {
        try prepare(to: path, mode: mode, body).commit()
    }

    /// A file that is whole and on the disk, beside the one whose place it takes.
    public struct Prepared: Sendable {
        fileprivate let new, path: String

        /// Puts it in place, which takes no more room on the disk.
        public func commit() throws(PulseError) {
            guard rename(new, path) == 0 else {
                let fault = errno
                discard()
                throw PulseError("Writing \(path)", errno: fault)
            }
            syncFolder((path as NSString).deletingLastPathComponent)
        }

        public func discard() { unlink(new) }
    }

    /// Writes a file that `commit` puts in place: for what must be noted after something that cannot be taken back.
    public static func prepare(to path: String, mode: mode_t, _ body: Body) throws(PulseError) -> Prepared {
        let folder = (path as NSString).deletingLastPathComponent
        let new = "\(folder)/.\((path as NSString).lastPathComponent).new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            if errno == ENOENT {
                throw PulseError(
                    .cannotWrite, "\(path) cannot be written: there is no folder \(folder).",
                    hint: "Make it first, or name another place.")
            }
            throw PulseError("Writing \(path)", errno: errno)
        }
        defer { close(descriptor) }
        do throws(PulseError) {
            try body { bytes throws(PulseError) in
                let fault = fill(descriptor, with: bytes)
                guard fault == 0 else { throw PulseError("Writing \(path)", errno: fault) }
            }
            guard fsync(descriptor) == 0 else { throw PulseError("Writing \(path)", errno: errno) }
        } catch {
            unlink(new)
            throw error
        }
        return Prepared(new: new, path: path)
    }

    /// Removes a file; one that does not exist is no error.
    public static func remove(_ path: String) throws(PulseError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw PulseError("Removing \(path)", errno: errno) }
        syncFolder((path as NSString).deletingLastPathComponent)
    }

    /// Puts back what `read` has found: the bytes, in a folder that is made if it is missing, or no file at all.
    public static func restore(_ bytes: Data?, to path: String, mode: mode_t) throws(PulseError) {
        guard let bytes else { return try remove(path) }
        try makeFolder((path as NSString).deletingLastPathComponent)
        try write(bytes, to: path, mode: mode)
    }

    /// Makes a folder and those above it, readable by this user only.
    public static func makeFolder(_ path: String) throws(PulseError) {
        var info = stat()
        if stat(path, &info) == 0 {
            if info.st_mode & S_IFMT == S_IFDIR { return }
            throw PulseError("Making the folder \(path)", errno: ENOTDIR)
        }
        let parent = (path as NSString).deletingLastPathComponent
        if !parent.isEmpty, parent != path { try makeFolder(parent) }
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw PulseError("Making the folder \(path)", errno: errno) }
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

    /// Puts the names in a folder on the disk, where a new one is only when its folder is. Some file systems refuse to
    /// sync a folder (EINVAL) because they need not; and if the power fails before this, the name is as it was, which
    /// is no error either.
    public static func syncFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
