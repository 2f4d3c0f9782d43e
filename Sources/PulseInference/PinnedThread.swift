import Dispatch
import Foundation
import Synchronization

/// A thread as the executor of an actor. It runs the actor's jobs in order, and ends when the executor is freed.
final class PinnedThread: SerialExecutor {
    private static let common = Mutex(PinnedThread())

    /// The one thread on which the program calls libllama.
    static var shared: PinnedThread { common.withLock(\.self) }

    /// Replaces `shared`, because its thread is blocked for ever.
    static func replaceShared() { common.withLock { $0 = PinnedThread() } }

    private let jobs = JobQueue()

    /// In bytes, like a main thread's: ggml keeps its graphs' bookkeeping on the stack. Foundation's 512 KiB are too
    /// few.
    private static let stackSize = 8 << 20

    init() {
        let jobs = self.jobs
        let thread = Thread {
            jobs.owner.withLock { $0 = ThreadIdentity.current }
            while let job = jobs.next() { job() }
        }
        thread.stackSize = Self.stackSize
        thread.start()
    }

    deinit { jobs.close() }

    func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            jobs.add { continuation.resume(returning: Result(catching: body)) }
        }
        return try result.get()
    }

    /// Like `run`, for a caller that cannot suspend, and may already be on the thread, as in an engine's callback.
    func sync<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard !isCurrent else { return try body() }
        let done = DispatchSemaphore(value: 0)
        let value = Mutex<Result<Value, Failure>?>(nil)
        jobs.add {
            let result = Result(catching: body)
            value.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let value = value.withLock({ $0 }) else { preconditionFailure("the job was not run") }
        return try value.get()
    }

    private var isCurrent: Bool { jobs.owner.withLock { $0 == ThreadIdentity.current } }

    func checkIsolated() { precondition(isCurrent, "not on the engine's thread") }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The job retains the executor: an actor's last job frees the actor, and the executor must outlive that job.
        jobs.add { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// A FIFO queue of jobs for one thread that waits for them.
private final class JobQueue: Sendable {
    /// The thread that runs them; nil before it starts.
    let owner = Mutex<UInt64?>(nil)
    private let jobs = Mutex<[@Sendable () -> Void]>([])
    // A Mutex has no condition to wait for; the semaphore counts the added jobs, and the close.
    private let added = DispatchSemaphore(value: 0)

    func add(_ job: @escaping @Sendable () -> Void) {
        jobs.withLock { $0.append(job) }
        added.signal()
    }

    /// No jobs may be added after this.
    func close() { added.signal() }

    /// Waits for the next job; nil when the queue is closed and empty.
    func next() -> (@Sendable () -> Void)? {
        added.wait()
        return jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}

/// Ties a handle of libllama to its thread: libllama has no locks, and a call from another would corrupt memory.
struct ThreadConfinement {
    private let owner = ThreadIdentity.current

    func check() { precondition(owner == ThreadIdentity.current, "libllama was called from a second thread") }
}

enum ThreadIdentity {
    /// A number that identifies the calling thread while it lives.
    static var current: UInt64 {
        #if canImport(Darwin)
            var number: UInt64 = 0
            // pthread_threadid_np(3): a null thread is the calling one.
            pthread_threadid_np(nil, &number)
            return number
        #else
            // pthread_self(3). Glibc's `gettid` is not imported into Swift.
            return UInt64(pthread_self())
        #endif
    }
}
