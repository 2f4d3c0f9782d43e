import Foundation

/// A lock on a file of its own, held for as long as its owner lives.
///
/// It is the kernel's (flock), so that no stale one can stay behind: it goes with the descriptor, also when the process
/// is killed. No child inherits the descriptor.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// - Parameter waits: Whether to wait for whoever holds it; otherwise that is `nil`.
    init?(_ path: String, waits: Bool = false) throws(Failure) {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw WholeFile.failure("Opening \(path)", errno) }
        while flock(opened, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            close(opened)
            if number == EWOULDBLOCK { return nil }
            throw WholeFile.failure("Locking \(path)", number)
        }
        descriptor = opened
    }

    deinit { close(descriptor) }
}

extension StateFolder {
    /// The lock of whoever makes or sends a digest, or clears away what was made.
    func delivery() throws(Failure) -> FileLock {
        guard let lock = try lock("lock") else {
            throw Failure(
                .tryAgain, "Busy: another pulse-digest is making or sending a digest. Try again when it is done.")
        }
        return lock
    }
}
