import Foundation
import PulseCore
import Synchronization

/// Watches the memory while a model is loaded and computes: now and then it checks whether the machine can still go on.
/// A process that stops by itself says why and keeps what it has printed; one that the kernel kills does neither.
final class MemoryWatch: Sendable {
    private struct State {
        var nextLook: Duration = .zero
        var judge = PressureJudge()
        var isShort = false
    }

    private let state = Mutex(State())
    private let sample: @Sendable () -> PressureSample

    /// Between two looks. A look reads a few small files, some tenths of a millisecond.
    private static let interval: Duration = .milliseconds(250)

    init(sample: @escaping @Sendable () -> PressureSample) {
        self.sample = sample
    }

    /// True when it is time to stop; it stays true. May be asked as often as one likes, from any thread.
    /// - Parameter time: Since some fixed moment.
    func isShort(at time: Duration) -> Bool {
        state.withLock { state in
            guard !state.isShort, time >= state.nextLook else { return state.isShort }
            state.nextLook = time + Self.interval
            state.isShort = state.judge.isShort(sample(), at: time)
            return state.isShort
        }
    }

    static func error(while what: Message) -> PulseError {
        PulseError(
            .tryAgain,
            "The machine ran out of memory while \(what), so this was stopped before the system would have to.",
            hint: "Try again when other programs take less, or choose a smaller model.")
    }
}

/// Decides from samples, one after another, whether to stop.
struct PressureJudge {
    private var last: (sample: PressureSample, time: Duration)?
    private var stalledSince: Duration?

    /// With less than this left, the kernel is about to choose a process to kill. One look is enough: a program that
    /// takes memory fast has taken the rest before the next look, and until then nobody waits for any.
    static let least: UInt64 = 24 << 20
    /// This share of the time all processes are stalled …
    private static let stalledShare = 0.5
    /// … for so long: then the weights are read from the disk again for every token, and that will not end.
    private static let patience: Duration = .seconds(15)

    mutating func isShort(_ sample: PressureSample, at time: Duration) -> Bool {
        defer { last = (sample, time) }
        if sample.isCritical || sample.left.map({ $0 < Self.least }) ?? false { return true }
        guard let last, time > last.time else { return false }
        guard let before = last.sample.stalled, let after = sample.stalled, after >= before,
            (after - before) / (time - last.time) >= Self.stalledShare
        else {
            stalledSince = nil
            return false
        }
        let since = stalledSince ?? last.time
        stalledSince = since
        return time - since >= Self.patience
    }
}

/// The state of the memory at one moment.
struct PressureSample: Sendable, Hashable {
    /// Bytes that are free, without swapping; nil: not known.
    var left: UInt64?
    /// The time since the system's start in which no process got on because all that had work were waiting for memory;
    /// nil: not known.
    var stalled: Duration?
    /// The system itself calls it critical.
    var isCritical = false
}

#if canImport(Darwin)
    extension PressureSample {
        /// macOS compresses and swaps long before anything is killed, and says how bad it is: 1 is normal, 2 a warning,
        /// 4 critical (dispatch/source.h, DISPATCH_MEMORYPRESSURE_CRITICAL).
        static func current() -> PressureSample {
            var level: Int32 = 0
            var size = MemoryLayout<Int32>.size
            let isKnown = sysctlbyname("kern.memorystatus_vm_pressure_level", &level, &size, nil, 0) == 0
            return PressureSample(isCritical: isKnown && level >= 4)
        }
    }
#else
    extension PressureSample {
        /// `root` is where `/proc` and `/sys` are found.
        static func current(root: String = "") -> PressureSample {
            PressureSample(
                left: [MemoryBudget.machine(root: root), ControlGroup.memoryLeft(root: root)].compactMap(\.self).min(),
                stalled: stalled(root: root))
        }

        /// Pressure stall information (kernel, accounting/psi): of this process's own control group if there is one of
        /// version 2, else of the machine.
        ///
        ///     some avg10=0.00 avg60=0.00 avg300=0.00 total=2551471
        ///     full avg10=0.00 avg60=0.00 avg300=0.00 total=1432879
        private static func stalled(root: String) -> Duration? {
            let group = ControlGroup.folders(of: nil, root: root).first.map { "\($0)/memory.pressure" }
            let text = [group, "\(root)/proc/pressure/memory"].lazy.compactMap { path in
                path.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
            }.first { !$0.isEmpty }
            let fields = (text ?? "").split(separator: "\n").first { $0.hasPrefix("full ") }?.split(separator: " ")
            guard let total = fields?.last, total.hasPrefix("total="), let microseconds = Int64(total.dropFirst(6))
            else { return nil }
            return .microseconds(microseconds)
        }
    }
#endif
