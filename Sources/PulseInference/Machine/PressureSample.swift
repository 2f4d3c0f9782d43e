/// How the memory stands at one moment.
struct PressureSample: Sendable, Hashable {
    /// Bytes still to be had, without swapping; nil: not known.
    var left: UInt64?
    /// The time since the system's start in which nobody got on, because all who had something to do waited for
    /// memory; nil: not told.
    var allWaited: Duration?
    /// The system itself calls it critical.
    var isCritical = false
}

/// Decides from samples, one after another, whether to stop.
struct PressureJudge {
    private var last: (sample: PressureSample, time: Duration)?
    private var thrashingSince: Duration?

    /// With less than this left, the kernel is about to choose somebody to kill. One look is enough: a program that
    /// takes memory fast has taken the rest before the next, and until it has, nobody waits for any.
    static let least: UInt64 = 24 << 20
    /// This share of the time nothing gets on at all …
    static let thrashing = 0.5
    /// … for so long: then the weights are read from the disk again for every token, and that will not end.
    static let patience: Duration = .seconds(15)

    mutating func isShort(_ sample: PressureSample, at time: Duration) -> Bool {
        defer { last = (sample, time) }
        if sample.isCritical || sample.left.map({ $0 < Self.least }) ?? false { return true }
        guard let last, time > last.time else { return false }
        let all = share(last.sample.allWaited, sample.allWaited, of: time - last.time)
        guard let all, all >= Self.thrashing else {
            thrashingSince = nil
            return false
        }
        let since = thrashingSince ?? last.time
        thrashingSince = since
        return time - since >= Self.patience
    }

    private func share(_ before: Duration?, _ after: Duration?, of time: Duration) -> Double? {
        guard let before, let after, after >= before else { return nil }
        return (after - before) / time
    }
}
