import Foundation
import PulseCore
import Synchronization

/// Watches memory while a model is loaded and computes, by checking now and then whether the machine can go on. A
/// process that stops by itself explains why and leaves its output; one that the kernel kills does neither.
final class MemoryWatch: Sendable {
    private struct State {
        var nextCheck: Duration = .zero
        var judge = PressureJudge()
        var isShort = false
    }

    private let state = Mutex(State())
    private let sample: @Sendable () -> PressureSample

    /// Between two checks. A check reads a few small files in some tenths of a millisecond.
    private static let interval: Duration = .milliseconds(250)

    init(sample: @escaping @Sendable () -> PressureSample) { self.sample = sample }

    /// Whether to stop; stays true. May be called often, from any thread.
    /// - Parameter time: since a fixed moment.
    func isShort(at time: Duration) -> Bool {
        state.withLock { state in
            guard !state.isShort, time >= state.nextCheck else { return state.isShort }
            state.nextCheck = time + Self.interval
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

/// Decides from consecutive samples whether to stop.
struct PressureJudge {
    private var last: (sample: PressureSample, time: Duration)?
    private var stalledSince: Duration?

    /// In bytes. With less, the kernel is about to kill the process. One sample is enough: the rest of the memory may
    /// be gone before the next.
    static let least: UInt64 = 24 << 20
    /// Memory is short if all processes are stalled for at least this share of the time, for as long as `patience`.
    private static let stalledShare = 0.5
    /// If it lasts this long, the weights are being read from the disk for every token, which will not end.
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

struct PressureSample: Sendable, Hashable {
    /// Bytes available without swapping; nil: unknown.
    var left: UInt64?
    /// The total time since boot in which all processes that had work were waiting for memory; nil: unknown.
    var stalled: Duration?
    var isCritical = false

    #if canImport(Darwin)
        /// The reported pressure: 1 is normal, 2 a warning, 4 critical (dispatch/source.h).
        static func current() -> PressureSample {
            var level: Int32 = 0
            var size = MemoryLayout<Int32>.size
            let isKnown = sysctlbyname("kern.memorystatus_vm_pressure_level", &level, &size, nil, 0) == 0
            return PressureSample(isCritical: isKnown && level >= 4)
        }
    #else
        /// `root` is where `/proc` and `/sys` are found.
        static func current(root: String = "") -> PressureSample {
            PressureSample(left: MemoryBudget.current(root: root).least, stalled: stalled(root: root))
        }

        /// Pressure stall information (kernel, accounting/psi) of this process's control group (version 2), else of the
        /// machine.
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
    #endif
}

/// The memory that this process may still allocate, in bytes. Nil means that no limit is known.
public struct MemoryBudget: Sendable, Hashable {
    /// Available on the machine without swapping.
    public var machine: UInt64?
    /// Left by the limits of control groups.
    public var group: UInt64?

    /// The lesser of those that are known.
    public var least: UInt64? { [machine, group].compactMap(\.self).min() }

    #if canImport(Darwin)
        /// The free memory now. macOS compresses and swaps before it refuses, so the machine's memory is the limit.
        public static func current() -> MemoryBudget { MemoryBudget(machine: ProcessInfo.processInfo.physicalMemory) }
    #else
        /// The free memory now. `root` is where `/proc` and `/sys` are mounted.
        public static func current(root: String = "") -> MemoryBudget {
            MemoryBudget(machine: machine(root: root), group: ControlGroup.memoryLeft(root: root))
        }

        /// proc_meminfo(5), `MemAvailable`: "available for starting new applications, without swapping". Includes page
        /// cache, and so a model file that was read before, which is right: the needed memory includes the weights.
        private static func machine(root: String) -> UInt64? {
            let text = (try? String(contentsOfFile: "\(root)/proc/meminfo", encoding: .utf8)) ?? ""
            let entry = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
            // "MemAvailable:   22653000 kB"
            return entry?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }.map { $0 * 1024 }
        }
    #endif
}
