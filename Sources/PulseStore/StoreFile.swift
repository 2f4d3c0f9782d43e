import Foundation
import PulseCore
import Synchronization

/// The file of a store: only its owner can read it (0600), in a folder that only its owner can enter (0700), because
/// what someone reads is private.
enum StoreFile {
    /// Held while the file is made. POSIX drops every lock that a process has on a file as soon as it closes ANY
    /// descriptor of it
    /// (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_), so
    /// no other thread may hand the file to SQLite between our `open` and our `close`.
    private static let creation = Mutex(())

    /// Makes the folders and the empty file where they are missing.
    static func create(at path: String) throws(PulseError) {
        if let folder = parent(of: path) { try createFolder(folder) }
        try creation.withLock { _ throws(PulseError) in
            if exists(path) { return }
            // The mode is given at creation, so that others can never open the file; a umask only takes bits away. The
            // -wal and -shm files take the file's mode (SQLite's os_unix.c, findCreateFileMode).
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

    /// The path before the last slash; nil for a name in the current folder, and for the root. By hand, because the
    /// Foundation of Swift 6.3 on Linux ends the program over the parent of a path of one letter.
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
