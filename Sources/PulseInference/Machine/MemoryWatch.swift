/// The watch over the memory while a model is loaded and computes: now and then it looks whether the machine can still
/// go on. A process that stops by itself says why and keeps what it has printed; one that the kernel kills does neither.
import Synchronization

final class MemoryWatch: Sendable {
    private struct State {
        var nextLook: Duration = .zero
        var judge = PressureJudge()
        var isShort = false
    }

    private let state = Mutex(State())
    private let sample: @Sendable () -> PressureSample

    /// Between two looks. A look reads a few small files, some tenths of a millisecond.
    static let interval: Duration = .milliseconds(250)

    init(sample: @escaping @Sendable () -> PressureSample = { PressureSample.current() }) {
        self.sample = sample
    }

    /// True when it is time to stop; it stays true. To be asked as often as one likes, from any thread.
    /// - Parameter time: Since some fixed moment.
    func isShort(at time: Duration) -> Bool {
        state.withLock { state in
            guard !state.isShort, time >= state.nextLook else { return state.isShort }
            state.nextLook = time + Self.interval
            state.isShort = state.judge.isShort(sample(), at: time)
            return state.isShort
        }
    }

    static func error(while what: String) -> EngineError {
        EngineError(
            .tooLittleMemory,
            "The machine ran out of memory while \(what), so this was stopped before the system would have to. Try again when other programs take less, or choose a smaller model."
        )
    }
}
