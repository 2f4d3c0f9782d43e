/// How many threads compute at the moment.
///
/// ggml splits each step of a computation among its threads, and all wait, spinning, until the last is done. So when
/// another program takes a core away, all wait for the thread that was on it, and decoding falls to a tenth. One thread
/// less, and nobody waits: the speed falls by that thread's share and no further.
///
/// A thread that spins takes its core whole. So threads that together took less processor time than the clock says were
/// kept from running: that is how the governor knows, whatever the system. Whether there is room again it only learns
/// by trying, for a moment, and less and less often while there is none.
struct ThreadGovernor {
    let most: Int
    private(set) var threads: Int

    private var window: (wall: Duration, processor: Duration) = (.zero, .zero)
    /// Computing time until one more is tried.
    private var untilTry: Duration
    private var patience: Duration
    private var isTrying = false

    /// Shorter computations are taken together until they are so long: a processor is given and taken in milliseconds.
    static let window: Duration = .milliseconds(100)
    static let leastPatience: Duration = .milliseconds(250)
    static let mostPatience: Duration = .seconds(16)
    /// The wait after a try that failed, in lengths of that try: what trying costs stays below a twentieth.
    static let waitPerTry = 20

    /// - Parameters:
    ///   - most: Threads where nobody else needs a core.
    ///   - first: Those to begin with.
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
