/// The watch over one generation: whether it was cancelled, whether one of its deadlines has passed, and whether the
/// machine can still go on.
import Synchronization

final class Watch: Sendable {
    private let deadlines: Deadlines
    private let now: @Sendable () -> Duration
    private let start: Duration
    private let lastProgress: Mutex<Duration>
    private let isCancelled = Atomic(false)
    private let memory: MemoryWatch?

    /// `now` is the time since some fixed moment.
    init(_ deadlines: Deadlines, memory: MemoryWatch? = nil, now: @escaping @Sendable () -> Duration) {
        self.deadlines = deadlines
        self.memory = memory
        self.now = now
        start = now()
        lastProgress = Mutex(start)
    }

    /// May be called from any thread.
    func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    /// A token came, or a chunk of the prompt was read.
    func noteProgress() {
        let time = now()
        lastProgress.withLock { $0 = time }
    }

    /// Why the generation must stop; nil: it may go on.
    var verdict: EngineError.Code? {
        if isCancelled.load(ordering: .relaxed) { return .cancelled }
        guard deadlines != .none || memory != nil else { return nil }
        let time = now()
        if memory?.isShort(at: time) == true { return .tooLittleMemory }
        if let overall = deadlines.overall, time - start > overall { return .outOfTime }
        if let stall = deadlines.stall, time - lastProgress.withLock({ $0 }) > stall { return .stalled }
        return nil
    }

    /// The verdict as an error with its sentence.
    func check() throws(EngineError) {
        switch verdict {
        case nil: return
        case .outOfTime?:
            throw EngineError(
                .outOfTime, "The model was not done within \(Self.seconds(deadlines.overall)). Allow it more time.")
        case .stalled?:
            throw EngineError(
                .stalled,
                "The model wrote nothing for \(Self.seconds(deadlines.stall)). Allow it more time, or choose a smaller model."
            )
        case .tooLittleMemory?: throw MemoryWatch.error(while: "the model was at work")
        case .some:
            throw EngineError(.cancelled, "Stopped.")
        }
    }

    private static func seconds(_ duration: Duration?) -> String {
        guard let duration else { return "its time" }
        return duration.formatted
    }
}

extension Duration {
    /// "90 seconds", "1 second", "0.25 seconds".
    fileprivate var formatted: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        if rest == 0 { return whole == 1 ? "1 second" : "\(whole) seconds" }
        var digits = "\(rest)"
        digits = String(repeating: "0", count: 3 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits) seconds"
    }
}
