import Foundation
public import PulseCore

/// A lock on a file that exists only to be locked, held for as long as its owner lives.
///
/// The lock is the kernel's (flock): it goes with the descriptor, also when the process is killed, so no stale lock can
/// stay behind. Children do not inherit the descriptor.
public struct FileLock: ~Copyable, Sendable {
    private let descriptor: Int32

    /// Takes the lock; nil if somebody else holds it.
    public init?(_ path: String) throws(PulseError) {
        guard let descriptor = try Self.lock(path, LOCK_EX | LOCK_NB) else { return nil }
        self.descriptor = descriptor
    }

    /// Takes the lock, after waiting for whoever holds it.
    public init(waitingFor path: String) throws(PulseError) {
        guard let descriptor = try Self.lock(path, LOCK_EX) else {
            throw PulseError("Locking \(path)", errno: EWOULDBLOCK)
        }
        self.descriptor = descriptor
    }

    /// Unlocked by name: a child that has been forked and not yet been replaced by its program has the descriptor, too,
    /// and would keep the lock for that moment.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Runs `body` and then lets the lock go, whether or not `body` throws.
    public consuming func hold<Result>(_ body: () throws(PulseError) -> Result) throws(PulseError) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body()
    }

    /// Runs `body` and then lets the lock go, whether or not `body` throws.
    public consuming func hold<Result>(
        _ body: () async throws(PulseError) -> Result
    ) async throws(PulseError) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try await body()
    }

    /// The descriptor of the locked file; nil if the lock is taken and `operation` does not wait.
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
