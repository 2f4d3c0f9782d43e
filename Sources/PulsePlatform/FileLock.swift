import Foundation
import PulseCore

/// An exclusive lock between processes, by flock(2). It ends with the descriptor, even if the process is killed; no
/// child inherits it.
public struct FileLock: ~Copyable, Sendable {
    private let descriptor: Int32

    /// Takes the lock; nil if another process holds it.
    public init?(_ path: String) throws {
        guard let descriptor = try Self.lock(path, LOCK_EX | LOCK_NB) else { return nil }
        self.descriptor = descriptor
    }

    /// Takes the lock, and blocks the thread while another process holds it.
    public init(waitingFor path: String) throws {
        guard let descriptor = try Self.lock(path, LOCK_EX) else {
            throw PulseError("Cannot lock \(path)", errno: EWOULDBLOCK)
        }
        self.descriptor = descriptor
    }

    /// Unlocked explicitly, because between fork and exec a child has a copy of the descriptor and would keep the lock.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Runs `body` and then releases the lock, also when `body` throws.
    public consuming func hold<Result>(_ body: () throws -> Result) throws -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body()
    }

    /// Runs `body` and then releases the lock, also when `body` throws.
    public consuming func hold<Result>(_ body: () async throws -> Result) async throws -> Result {
        defer { withExtendedLifetime(self) {} }
        return try await body()
    }

    /// The locked descriptor; nil if the lock is taken and `operation` does not wait.
    private static func lock(_ path: String, _ operation: Int32) throws -> Int32? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PulseError("Cannot open \(path)", errno: errno) }
        while flock(descriptor, operation) != 0 {
            let number = errno
            if number == EINTR { continue }
            close(descriptor)
            if number == EWOULDBLOCK { return nil }
            throw PulseError("Cannot lock \(path)", errno: number)
        }
        return descriptor
    }
}

/// Exclusive locks on numbers: each locks one byte of a file (fcntl(2)), and belongs to the open file description, not
/// to the process.
public struct RecordLocks: ~Copyable, Sendable {
    private let descriptor: Int32
    private let path: String

    public init(_ path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PulseError("Cannot open \(path)", errno: errno) }
        self.path = path
    }

    /// Unlocked explicitly: see `FileLock`.
    deinit {
        _ = set(flock(F_UNLCK))
        close(descriptor)
    }

    /// Locks a number, from 0 on; false if another holds it.
    public func take(_ number: Int64) throws -> Bool {
        while set(flock(F_WRLCK, from: number, count: 1)) != 0 {
            let error = errno
            if error == EAGAIN || error == EACCES { return false }
            guard error == EINTR else { throw PulseError("Cannot lock \(path)", errno: error) }
        }
        return true
    }

    public func release(_ number: Int64) { _ = set(flock(F_UNLCK, from: number, count: 1)) }

    private func set(_ lock: flock) -> Int32 {
        var lock = lock
        return fcntl(descriptor, Self.setOfOpenFile, &lock)
    }

    #if os(Linux)
        /// `F_OFD_SETLK`, which Swift does not see in Glibc's headers.
        private static let setOfOpenFile: Int32 = 37
    #else
        private static let setOfOpenFile = F_OFD_SETLK
    #endif
}

/// Tells background work whether a user waits: each command holds a read lock (fcntl(2)) on a file while it runs.
///
/// Background work never takes this lock, because at its low priority it might hold it for long. It does take the
/// history's write lock to store an answer; others then wait for at most a connection's `busyTimeout`.
public final class ActivityLock: Sendable {
    private let descriptor: Int32

    /// Takes the read lock for this process; nil if there is no file, because nothing has run in the background.
    public init?(marking path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var lock = flock(F_RDLCK)
        _ = fcntl(descriptor, F_SETLK, &lock)
    }

    /// For the background process, which only asks `isTaken`.
    public init(watching path: String) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw PulseError("Cannot open \(path)", errno: errno) }
    }

    deinit { close(descriptor) }

    /// Whether another process holds the read lock.
    public var isTaken: Bool {
        var lock = flock(F_WRLCK)
        return fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }
}

extension flock {
    /// A lock on bytes of a file. A count of 0 means all that follow.
    fileprivate init(_ type: some BinaryInteger, from start: Int64 = 0, count: Int64 = 0) {
        self.init()
        l_type = Int16(type)
        l_whence = Int16(SEEK_SET)
        l_start = off_t(start)
        l_len = off_t(count)
    }
}
