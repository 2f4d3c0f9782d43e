import Dispatch
import Foundation
public import PulseCore
import Synchronization

/// Runs blocking work on a thread of its own, because those of Swift's pool, one per core, must not block.
public enum BlockingThread {
    /// Runs `body` on a new thread. Cancelling the task sets the `Cancellation`; `body` should then throw `error` soon.
    public static func run<Value: Sendable>(
        cancelledBy error: PulseError = .interrupted, _ body: @escaping @Sendable (Cancellation) throws -> Value
    ) async throws -> Value {
        let cancellation = Cancellation(throwing: error)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    ignoreBrokenPipes()
                    continuation.resume(with: Result { try body(cancellation) })
                }
            }
        } onCancel: {
            cancellation.request()
        }
    }

    /// Writing to a child or a server that has closed the connection raises SIGPIPE, which would end the program. "A
    /// SIGPIPE signal shall also be sent to the thread" (POSIX write, EPIPE), so this thread blocks it.
    private static func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

/// A request to stop, for work that blocks its thread and so cannot use `Task.isCancelled`.
public final class Cancellation: Sendable {
    private let requested = Atomic(false)
    private let wakeUp = DispatchSemaphore(value: 0)
    private let error: PulseError

    /// - Parameter error: What `check` and `sleep` throw.
    public init(throwing error: PulseError = .interrupted) { self.error = error }

    public var isRequested: Bool { requested.load(ordering: .relaxed) }

    public func request() {
        requested.store(true, ordering: .relaxed)
        wakeUp.signal()
    }

    /// Throws once the stop was requested.
    public func check() throws { if isRequested { throw error } }

    /// Blocks for `duration`, or throws as soon as the stop is requested.
    public func sleep(_ duration: Duration) throws {
        try check()
        _ = wakeUp.wait(timeout: .now() + .milliseconds(duration.milliseconds))
        try check()
    }
}

/// The CPU time of the calling thread, which does not depend on how busy the machine is.
public enum ThreadTime {
    public static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// Background work, with low priority.
public enum Background {
    /// Gives this process processors and disks only when no other one wants them. A refusal is ignored.
    public static func enter() {
        #if canImport(Darwin)
            // setpriority(2): "PRIO_DARWIN_BG … lower its scheduling priority, disk IO and network traffic".
            setpriority(PRIO_DARWIN_PROCESS, 0, PRIO_DARWIN_BG)
        #else
            // A policy belongs to a thread, and a new one inherits its creator's (sched(7)), so this is repeated until
            // there is no new thread. SCHED_IDLE is 5 in sched.h, sets the disk class too, and is not imported into
            // Swift.
            let idle: Int32 = 5
            var seen: Set<pid_t> = []
            while true {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
                let threads = Set(names.compactMap { pid_t($0) }).subtracting(seen)
                if threads.isEmpty { return }
                for thread in threads {
                    var parameters = sched_param()
                    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(thread), 19)
                    sched_setscheduler(thread, idle, &parameters)
                }
                seen.formUnion(threads)
            }
        #endif
    }
}
