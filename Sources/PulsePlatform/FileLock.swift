import Foundation
public import PulseCore

/// The lock is the kernel's (flock). It ends with the descriptor, also when the process is killed, so no stale lock
/// stays behind. Children do not inherit the descriptor.
public struct FileLock: ~Copyable, Sendable {
    private let descriptor: Int32

    /// Takes the lock; nil if another process holds it.
    public init?(_ path: String) throws(PulseError) {
        guard let descriptor = try Self.lock(path, LOCK_EX | LOCK_NB) else { return nil }
        self.descriptor = descriptor
    }

    /// Takes the lock, and blocks the thread while another process holds it.
    public init(waitingFor path: String) throws(PulseError) {
        guard let descriptor = try Self.lock(path, LOCK_EX) else {
            throw PulseError("Locking \(path)", errno: EWOULDBLOCK)
        }
        self.descriptor = descriptor
    }

    /// Unlocked explicitly, because between fork and exec a child has a copy of the descriptor and would keep the lock.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Runs `body` and then releases the lock, also when `body` throws.
    public consuming func hold<Result>(_ body: () throws(PulseError) -> Result) throws(PulseError) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body()
    }

    /// Runs `body` and then releases the lock, also when `body` throws.
    public consuming func hold<Result>(
        _ body: () async throws(PulseError) -> Result
    ) async throws(PulseError) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try await body()
    }

    /// The locked descriptor; nil if the lock is taken and `operation` does not wait.
    private static func lock(_ path: String, _ operation: Int32) throws(PulseError) -> Int32? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PulseError("Opening \(path)", errno: errno) }
        while flock(descriptor, operation) != 0 {
            let number = errno
            if number == EINTR { continue }
            close(descriptor)
            if number == EWOULDBLOCK { return nil }
            throw PulseError("Locking \(path)", errno: number)
        }
        return descriptor
    }
}
