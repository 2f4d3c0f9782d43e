/// How the memory stands at one moment.
struct PressureSample: Sendable, Hashable {
    /// Bytes still to be had, without swapping; nil: not known.
    var left: UInt64?
    /// The time since the system's start in which some process waited for memory; nil: not told.
    var someWaited: Duration?
    /// The same, in which all did that had something to do.
    var allWaited: Duration?
    /// The system itself calls it critical.
    var isCritical = false
}

/// Decides from samples, one after another, whether to stop.
struct PressureJudge {
    private var last: (sample: PressureSample, time: Duration)?
    private var isLow = false
    private var thrashingSince: Duration?

    /// With less than this left, the kernel is about to choose somebody to kill.
    static let least: UInt64 = 16 << 20
    /// What shows that low memory hurts: this share of the time, somebody waits for some.
    static let hurting = 0.05
    /// This share of the time nothing gets on at all …
    static let thrashing = 0.5
    /// … for so long: then the weights are read from the disk again for every token, and that will not end.
    static let patience: Duration = .seconds(15)

    mutating func isShort(_ sample: PressureSample, at time: Duration) -> Bool {
        defer { last = (sample, time) }
        if sample.isCritical { return true }
        guard let last, time > last.time else { return false }
        let some = share(last.sample.someWaited, sample.someWaited, of: time - last.time)
        let all = share(last.sample.allWaited, sample.allWaited, of: time - last.time)

        // Where the kernel does not tell who waits, being low twice in a row has to do.
        let wasLow = isLow
        isLow = sample.left.map { $0 < Self.least } ?? false
        if isLow, some.map({ $0 >= Self.hurting }) ?? wasLow { return true }

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
