/// The processors of the machine, as far as they concern this process.
public struct Processors: Sendable, Hashable {
    /// Physical cores that the process may run on. ggml's threads spin while they wait for one another, so a second
    /// one on the same core only slows the first.
    public var cores: Int
    /// Processors that the control group grants; nil: no limit.
    public var quota: Double?
    /// Others that have something to compute right now.
    public var busy: Int

    init(cores: Int, quota: Double? = nil, busy: Int = 0) {
        self.cores = max(1, cores)
        self.quota = quota
        self.busy = max(0, busy)
    }

    /// Threads worth having: more than the scheduler grants are stopped in the middle of every period.
    public var usable: Int { min(cores, max(1, Int(quota ?? Double(cores)))) }
}
