public import Foundation
import PulseCore

/// Fault injection for tests: one write fails, as on a full disk, or all from one on, as after a kill.
package enum WriteFault {
    /// Called with a name before each durable write; returns the errno to fail with. Nil outside tests.
    @TaskLocal package static var number: (@Sendable (String) -> Int32?)?

    /// With this errno, a transaction finds the history locked.
    package static let lock = EAGAIN

    fileprivate static func check(_ action: Message) throws {
        if let number = number?("\(action)") { throw PulseError(action, errno: number) }
    }
}

/// Reads files whole, and replaces them atomically.
public enum AtomicFile {
    /// The bytes of a file; nil if there is none. A pipe, a device or a folder throws `.cannotRead`.
    public static func read(_ path: String) throws -> Data? {
        // Without O_NONBLOCK, opening a pipe waits for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw PulseError("Cannot read \(path)", errno: errno, .cannotRead)
        }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, FileStamp(info).isRegular else {
            throw PulseError(.cannotRead, "\(path) is not a regular file.")
        }
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes.append(contentsOf: buffer[..<count])
            } else if errno != EINTR {
                throw PulseError("Cannot read \(path)", errno: errno, .cannotRead)
            }
        }
    }

    /// Like `read`, but a dangling link throws instead of counting as no file.
    public static func readRegular(_ path: String) throws -> Data? {
        var info = stat()
        if lstat(path, &info) != 0, errno == ENOENT { return nil }
        guard let bytes = try read(path) else { throw PulseError("Cannot read \(path)", errno: ENOENT, .cannotRead) }
        return bytes
    }

    /// Whether the path is a regular file, a link to one, or nothing: no pipe, device or folder.
    public static func isRegular(_ path: String) -> Bool { FileStamp(path: path)?.isRegular ?? true }

    /// The permissions with which to replace a file: those that it has, or those of a new one.
    public static func mode(of path: String, new: mode_t) -> mode_t {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mode & 0o666 : new
    }

    /// Replaces the file atomically: a full disk, a power failure or a kill leaves the old one. The temporary file has
    /// a fixed name, so that a killed writer leaves at most one; writers of a file must therefore use a `FileLock`.
    public static func write(_ bytes: Data, to path: String, mode: mode_t) throws {
        try write(to: path, mode: mode) { put in try put(bytes) }
    }

    /// Produces a file's bytes in pieces.
    public typealias Body = ((Data) throws -> Void) throws -> Void

    /// The same for contents that are produced in pieces.
    public static func write(to path: String, mode: mode_t, _ body: Body) throws {
        try prepare(to: path, mode: mode, body).commit()
    }

    /// A complete temporary file on disk, beside the file that it will replace.
    public struct Prepared: Sendable {
        fileprivate let new, path: String

        /// Replaces the file, which needs no more disk space.
        public func commit() throws {
            try WriteFault.check("Cannot write \(path)")
            guard Foundation.rename(new, path) == 0 else {
                let number = errno
                discard()
                throw PulseError("Cannot write \(path)", errno: number)
            }
            syncFolder((path as NSString).deletingLastPathComponent)
        }

        public func discard() { unlink(new) }
    }

    /// Writes a temporary file for `commit`, so that a result can be recorded right after an irrevocable action.
    public static func prepare(to path: String, mode: mode_t, _ body: Body) throws -> Prepared {
        let folder = (path as NSString).deletingLastPathComponent
        let new = "\(folder)/.\((path as NSString).lastPathComponent).new"
        try WriteFault.check("Cannot write \(new)")
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard descriptor >= 0 else {
            if errno == ENOENT {
                throw PulseError(
                    .cannotWrite, "\(path) cannot be written: there is no folder \(folder).",
                    hint: "Make it first, or name another place.")
            }
            throw PulseError("Cannot write \(path)", errno: errno)
        }
        defer { close(descriptor) }
        do {
            try body { bytes in
                let number = fill(descriptor, with: bytes)
                guard number == 0 else { throw PulseError("Cannot write \(path)", errno: number) }
            }
            guard fsync(descriptor) == 0 else { throw PulseError("Cannot write \(path)", errno: errno) }
        } catch {
            unlink(new)
            throw error
        }
        return Prepared(new: new, path: path)
    }

    /// Renames a file within its folder, which needs no disk space.
    public static func rename(_ path: String, to other: String) throws {
        try WriteFault.check("Cannot rename \(path)")
        guard Foundation.rename(path, other) == 0 else { throw PulseError("Cannot rename \(path)", errno: errno) }
        syncFolder((path as NSString).deletingLastPathComponent)
    }

    /// Removes a file; one that does not exist is no error.
    public static func remove(_ path: String) throws {
        try WriteFault.check("Cannot remove \(path)")
        guard unlink(path) == 0 || errno == ENOENT else { throw PulseError("Cannot remove \(path)", errno: errno) }
        syncFolder((path as NSString).deletingLastPathComponent)
    }

    /// Restores what `read` returned: the bytes, creating missing folders, or no file at all.
    public static func restore(_ bytes: Data?, to path: String, mode: mode_t) throws {
        guard let bytes else { return try remove(path) }
        try makeFolder((path as NSString).deletingLastPathComponent)
        try write(bytes, to: path, mode: mode)
    }

    /// Creates a folder and its parents, with mode 0700.
    public static func makeFolder(_ path: String) throws {
        if let stamp = FileStamp(path: path) {
            if stamp.isFolder { return }
            throw PulseError("Cannot make the folder \(path)", errno: ENOTDIR)
        }
        if let parent = parent(of: path) { try makeFolder(parent) }
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw PulseError("Cannot make the folder \(path)", errno: errno) }
    }

    /// The path before the last slash; nil: none. Foundation's crashes for a path of one letter (Swift 6.3 on Linux).
    package static func parent(of path: String) -> String? {
        let path = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
        let parent = path.drop { $0 != UInt8(ascii: "/") }.drop { $0 == UInt8(ascii: "/") }
        return parent.isEmpty ? nil : String(decoding: parent.reversed(), as: UTF8.self)
    }

    /// - Returns: 0, or the errno of a failed write.
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

    /// Syncs a folder, so that names created or removed in it survive a power failure. Errors are ignored: the old
    /// state, which a power failure may then bring back, is valid too, and some file systems refuse to sync a folder
    /// (EINVAL) because they need not.
    public static func syncFolder(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

public enum Disk {
    /// Bytes free for this user on the disk of a file or folder; nil if the system does not report it. POSIX
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
    public let isFolder: Bool
    private let device: UInt64
    private let inode: UInt64

    public init(_ info: stat) {
        #if canImport(Darwin)
            let time = info.st_mtimespec
        #else
            let time = info.st_mtim
        #endif
        size = Int64(info.st_size)
        // Wraps after the year 2262, and a file's time may be later; it is only compared.
        modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        isRegular = info.st_mode & S_IFMT == S_IFREG
        isFolder = info.st_mode & S_IFMT == S_IFDIR
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
    public func isSameFile(as other: FileStamp) -> Bool { device == other.device && inode == other.inode }
}
