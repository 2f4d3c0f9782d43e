import CLlama
import Foundation

struct ComputeThreads: ~Copyable {
    private let pool: Threadpool?
    private var governor: ThreadGovernor
    private let isGoverned: Bool

    /// Attaches threads to a context that has just been opened.
    init(of context: OpaquePointer, _ choice: ThreadChoice) {
        governor = ThreadGovernor(most: choice.most, first: choice.first)
        isGoverned = !choice.isFixed && choice.most > 1
        // A single thread is the calling one.
        pool = choice.most > 1 ? Threadpool(threads: choice.most) : nil
        pool?.attach(to: context)
        apply(to: context)
    }

    /// Runs a computation and adapts the number of threads for the next one.
    mutating func run(on context: OpaquePointer, _ compute: () -> Int32) -> Int32 {
        guard isGoverned else { return compute() }
        let start = ProcessTimes()
        let status = compute()
        let end = ProcessTimes()
        let before = governor.threads
        // Mapped weights are read from the disk at their first use: threads that waited for that were not preempted.
        if end.pageWaits - start.pageWaits < 50 {
            governor.note(wall: end.wall - start.wall, processor: end.processor - start.processor)
        }
        if governor.threads != before { apply(to: context) }
        return status
    }

    private func apply(to context: OpaquePointer) {
        llama_set_n_threads(context, Int32(governor.threads), Int32(governor.threads))
    }
}

/// A ggml thread pool. Without one, ggml starts and ends threads for every token. Must be freed after its context.
struct Threadpool: ~Copyable {
    private let pointer: ggml_threadpool_t
    private let free: Free

    private typealias New = @convention(c) (UnsafeMutablePointer<ggml_threadpool_params>?) -> ggml_threadpool_t?
    private typealias Free = @convention(c) (ggml_threadpool_t?) -> Void

    /// Nil if the library has no thread pools, or no thread can be started.
    init?(threads: Int) {
        // ggml-cpu may be loaded dynamically, so its functions are looked up by name (ggml-backend.h).
        guard let device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU),
            let registry = ggml_backend_dev_backend_reg(device),
            let new = ggml_backend_reg_get_proc_address(registry, "ggml_threadpool_new"),
            let free = ggml_backend_reg_get_proc_address(registry, "ggml_threadpool_free")
        else { return nil }
        var parameters = ggml_threadpool_params_default(Int32(threads))
        // How long a thread spins, 0...100. At 1 it is awake for the next token; the default burns a core for 0.1 s.
        parameters.poll = 1
        guard let pointer = unsafeBitCast(new, to: New.self)(&parameters) else { return nil }
        self.pointer = pointer
        self.free = unsafeBitCast(free, to: Free.self)
    }

    deinit { free(pointer) }

    func attach(to context: OpaquePointer) { llama_attach_threadpool(context, pointer, nil) }
}

/// Adapts the number of compute threads.
///
/// ggml divides each operation among its threads, and all spin until the last is done. So when another program takes a
/// core, all wait for one, and decoding becomes ten times slower. With one thread less, only its share is lost.
///
/// A spinning thread uses its core fully: if the threads together had less processor time than wall-clock time, some
/// were preempted. Whether a core is free again is found by trying for a moment, less and less often.
struct ThreadGovernor {
    let most: Int
    private(set) var threads: Int

    private var window: (wall: Duration, processor: Duration) = (.zero, .zero)
    /// The computing time before one more thread is tried.
    private var untilTry: Duration
    private var patience: Duration
    private var isTrying = false

    /// Measurements are collected over this time, because the system schedules cores in milliseconds.
    private static let window: Duration = .milliseconds(100)
    private static let (leastPatience, mostPatience) = (Duration.milliseconds(250), Duration.seconds(16))
    /// The wait after a failed try, in multiples of its length, so that trying takes less than a twentieth of the time.
    private static let waitPerTry = 20

    /// For `most` and `first` see `ThreadChoice`.
    init(most: Int, first: Int? = nil) {
        self.most = max(1, most)
        threads = min(max(1, first ?? most), self.most)
        untilTry = Self.leastPatience
        patience = Self.leastPatience
    }

    mutating func note(wall: Duration, processor: Duration) {
        window.wall += wall
        window.processor += processor
        guard window.wall >= Self.window else { return }
        let (wall, running) = (window.wall, window.processor / window.wall)
        window = (.zero, .zero)

        // Some processor time is missing because of interrupts and short-lived processes.
        if Double(threads) - running > max(0.25, 0.04 * Double(threads)) {
            patience = isTrying ? max(min(patience * 2, Self.mostPatience), wall * Self.waitPerTry) : Self.leastPatience
            untilTry = patience
            isTrying = false
            threads = max(1, min(threads - 1, Int(running.rounded())))
        } else if isTrying {
            isTrying = false
            patience = Self.leastPatience
            untilTry = patience
        } else if threads < most {
            untilTry -= wall
            guard untilTry <= .zero else { return }
            threads += 1
            isTrying = true
        }
    }
}

/// Wall-clock time, and the processor time of all threads of this process (clock_gettime(3)).
private struct ProcessTimes {
    let wall = Self.time(CLOCK_MONOTONIC)
    let processor = Self.time(CLOCK_PROCESS_CPUTIME_ID)
    /// The number of waits for the disk because of page faults (getrusage(2)).
    let pageWaits: Int

    init() {
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_SELF, &usage)
        #else
            // Glibc declares RUSAGE_SELF as an enumeration case, but the function takes a number.
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #endif
        pageWaits = usage.ru_majflt
    }

    private static func time(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}

/// The number of compute threads, and the reason.
public struct ThreadChoice: Sendable, Hashable {
    /// The number if no other program needs a core.
    public var most: Int
    /// The number at the start.
    public var first: Int
    /// Whether the number never changes, because the user asked for it, or because nothing could indicate a better one.
    public var isFixed: Bool
    public var reason: Reason

    public enum Reason: Sendable, Hashable {
        case asked
        /// The model is so small that threads would mostly wait for each other.
        case smallModel
        /// One for each physical core that the process may use, minus the busy ones at the start.
        case cores(busy: Int)
        case quota
    }

    static func fixed(_ count: Int) -> ThreadChoice {
        ThreadChoice(most: max(1, count), first: max(1, count), isFixed: true, reason: .asked)
    }

    /// The choice beside other devices. It is fixed, because threads that wait for them look like preempted ones.
    func beside(_ placement: Placement?) -> ThreadChoice {
        guard let placement, placement.layers > 0 else { return self }
        return ThreadChoice(most: first, first: first, isFixed: true, reason: reason)
    }

    /// Models with fewer bytes are computed by one thread. With 6 MB on two cores, a second one raises 1,300 tokens a
    /// second to 1,800; but beside a busy process two make 30 to 500, where one makes 1,250.
    static let smallModel: UInt64 = 64 << 20
}

extension ThreadChoice {
    /// The number that was asked for, else by the file's bytes and the processors.
    init(asked: Int?, modelSize: UInt64, processors: Processors) {
        if let asked {
            self = .fixed(asked)
        } else if modelSize < Self.smallModel {
            self.init(most: 1, first: 1, isFixed: false, reason: .smallModel)
        } else {
            let most = processors.usable
            let isQuota = most < processors.cores
            // Busy cores are left to other programs. The governor notices when they become free.
            let first = max(1, min(most, processors.cores - processors.busy))
            self.init(most: most, first: first, isFixed: false, reason: isQuota ? .quota : .cores(busy: most - first))
        }
    }
}
