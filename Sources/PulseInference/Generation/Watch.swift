import PulseCore
import PulseText
import Synchronization

/// Decides whether work must stop: because it was cancelled, a deadline has passed, or memory is short.
final class Watch: Sendable {
    private let deadlines: Deadlines
    private let now: @Sendable () -> Duration
    private let start: Duration
    private let lastProgress: Mutex<Duration>
    private let isCancelled = Atomic(false)
    private let memory: MemoryWatch?

    /// - Parameter now: the time since a fixed moment.
    init(_ deadlines: Deadlines, memory: MemoryWatch? = nil, now: @escaping @Sendable () -> Duration) {
        self.deadlines = deadlines
        self.memory = memory
        self.now = now
        start = now()
        lastProgress = Mutex(start)
    }

    /// May be called from any thread.
    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    /// Called after each token, and after each chunk of a prefill.
    func noteProgress() {
        let time = now()
        lastProgress.withLock { $0 = time }
    }

    enum Verdict { case cancelled, tooLittleMemory, outOfTime, stalled }

    /// The reason to stop; nil: go on.
    var verdict: Verdict? {
        if isCancelled.load(ordering: .relaxed) { return .cancelled }
        guard deadlines != .none || memory != nil else { return nil }
        let time = now()
        if memory?.isShort(at: time) == true { return .tooLittleMemory }
        if let overall = deadlines.overall, time - start > overall { return .outOfTime }
        if let stall = deadlines.stall, time - lastProgress.withLock({ $0 }) > stall { return .stalled }
        return nil
    }

    /// To be called once a second. Returns the error of a verdict if work goes on `seconds` calls after it.
    func overdue(by seconds: Int) -> @Sendable () -> PulseError? {
        let late = Atomic(0)
        return { [self] in
            guard verdict != nil, late.wrappingAdd(1, ordering: .relaxed).newValue > seconds else { return nil }
            do { try check() } catch { return error.asPulseError }
            return nil
        }
    }

    func check() throws {
        switch verdict {
        case nil: return
        case .cancelled?: throw PulseError(.interrupted, "Stopped.")
        case .tooLittleMemory?: throw MemoryWatch.error(while: "the model was at work")
        case .outOfTime?:
            throw PulseError(
                .tryAgain, "The model did not finish within \((deadlines.overall ?? .zero).formatted).",
                hint: "To give it more time: --timeout SECONDS (0: no limit)")
        case .stalled?:
            throw PulseError(
                .tryAgain, "The model wrote nothing for \((deadlines.stall ?? .zero).formatted).",
                hint: "Choose a smaller model. To give this one more time: --stall-timeout SECONDS (0: no limit)")
        }
    }
}

extension Duration {
    /// "90 seconds", "1 second", "0.25 seconds".
    fileprivate var formatted: Message {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        if rest == 0 { return whole == 1 ? "1 second" : "\(whole) seconds" }
        var digits = rest.padded(3)
        while digits.hasSuffix("0") { digits.removeLast() }
        return "\(whole).\(digits) seconds"
    }
}
