import Foundation

/// How many threads compute at the moment.
///
/// ggml splits each step of a computation among its threads, and all wait, spinning, until the last is done. So when
/// another program takes a core away, all wait for the thread that was on it, and decoding falls to a tenth. One thread
/// less, and nobody waits: the speed falls by that thread's share and no further.
///
/// A spinning thread uses its core fully. So if the threads together had less processor time than wall-clock time, some
/// were kept from running: that tells the governor on every system. Whether a core is free again it only learns by
/// trying for a moment, and it tries less and less often while none is.
struct ThreadGovernor {
    let most: Int
    private(set) var threads: Int

    private var window: (wall: Duration, processor: Duration) = (.zero, .zero)
    /// Computing time until one more is tried.
    private var untilTry: Duration
    private var patience: Duration
    private var isTrying = false

    /// Shorter computations are added up to this length, because the system gives and takes cores in milliseconds.
    private static let window: Duration = .milliseconds(100)
    private static let leastPatience: Duration = .milliseconds(250)
    private static let mostPatience: Duration = .seconds(16)
    /// The wait after a try that failed, in lengths of that try: what trying costs stays below a twentieth.
    private static let waitPerTry = 20

    /// - Parameters:
    ///   - most: Threads when no other program needs a core.
    ///   - first: Threads at the start.
    init(most: Int, first: Int? = nil) {
        self.most = max(1, most)
        threads = min(max(1, first ?? most), self.most)
        untilTry = Self.leastPatience
        patience = Self.leastPatience
    }

    /// Takes note of a computation: how long it took by the clock, and how much processor time.
    mutating func note(wall: Duration, processor: Duration) {
        window.wall += wall
        window.processor += processor
        guard window.wall >= Self.window else { return }
        let (wall, running) = (window.wall, window.processor / window.wall)
        window = (.zero, .zero)

        if Double(threads) - running > allowance {
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

    /// Threads' worth of time that may be missing: interrupts, and what runs for a moment on every machine.
    private var allowance: Double { max(0.25, 0.04 * Double(threads)) }
}

/// Wall-clock time, and the processor time of all threads of this process (clock_gettime(3)).
enum ProcessClock {
    struct Reading {
        var wall: Duration
        var processor: Duration
        /// How often a thread has waited for the disk because of a page fault in a mapped file (getrusage(2)).
        var pageWaits: Int
    }

    static func now() -> Reading {
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_SELF, &usage)
        #else
            // Glibc declares it as an enumeration's case, and takes a number.
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #endif
        return Reading(
            wall: time(CLOCK_MONOTONIC), processor: time(CLOCK_PROCESS_CPUTIME_ID), pageWaits: usage.ru_majflt)
    }

    private static func time(_ clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
