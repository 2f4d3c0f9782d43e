import Foundation

/// A lock on a file of its own, held for as long as its owner lives.
///
/// It is the kernel's (flock), so that no stale one can stay behind: it goes with the descriptor, also when the process
/// is killed. No child inherits the descriptor.
public struct FileLock: ~Copyable, Sendable {
    private let descriptor: Int32

    /// - Parameter waits: Whether to wait for whoever holds it; otherwise that is `nil`.
    public init?(_ path: String, waits: Bool = false) throws(SystemError) {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw SystemError("Opening \(path)", errno: errno) }
        while flock(opened, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            close(opened)
            if number == EWOULDBLOCK { return nil }
            throw SystemError("Locking \(path)", errno: number)
        }
        descriptor = opened
    }

    deinit { close(descriptor) }
}
