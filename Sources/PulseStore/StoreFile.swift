import Foundation
import PulseCore
import Synchronization

/// The file of a store. Its mode is 0600 and that of its folder 0700, because what someone reads is private.
enum StoreFile {
    /// Held while the file is created. POSIX drops all locks of a process on a file as soon as it closes ANY descriptor
    /// of it
    /// (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_), so
    /// no other thread may open the file in SQLite between our `open` and our `close`.
    private static let creation = Mutex(())

    /// Creates missing folders and the empty file.
    static func create(at path: String) throws(PulseError) {
        if let folder = parent(of: path) { try createFolder(folder) }
        try creation.withLock { _ throws(PulseError) in
            if exists(path) { return }
            // The mode is set at creation, so that no other user can ever open the file; a umask only clears bits. The
            // -wal and -shm files get the file's mode (SQLite's os_unix.c, findCreateFileMode).
            let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
            if descriptor >= 0 {
                close(descriptor)
            } else if errno != EEXIST {
                throw PulseError(creating: path, errno: errno)
            }
        }
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The path before the last slash; nil for a name in the current folder, and for the root. Not by Foundation,
    /// because that of Swift 6.3 on Linux crashes on the parent of a path of one letter.
    static func parent(of path: String) -> String? {
        let path = path.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
        let parent = path.drop { $0 != UInt8(ascii: "/") }.drop { $0 == UInt8(ascii: "/") }
        return parent.isEmpty ? nil : String(decoding: parent.reversed(), as: UTF8.self)
    }

    private static func createFolder(_ folder: String) throws(PulseError) {
        if exists(folder) { return }
        if let parent = parent(of: folder) { try createFolder(parent) }
        if mkdir(folder, 0o700) != 0, errno != EEXIST { throw PulseError(creating: folder, errno: errno) }
    }
}

extension PulseError {
    fileprivate init(creating path: String, errno code: Int32) {
        let reason = String(cString: strerror(code))
        switch code {
        case EACCES, EPERM:
            self.init(
                .permission, "\(path) cannot be made: \(reason).",
                hint: "Give yourself the right to write there, or choose another place with --store.")
        case EROFS:
            self.init(
                .permission, "\(path) cannot be made: \(reason).", hint: "Choose another place with --store.")
        case ENOSPC, EDQUOT:
            self.init(
                .cannotWrite, "\(path) cannot be made: the disk is full.",
                hint: "Free some space and run the command again.")
        default:
            self.init(
                .cannotWrite, "\(path) cannot be made: \(reason).", hint: "Check the path given to --store.")
        }
    }
}
