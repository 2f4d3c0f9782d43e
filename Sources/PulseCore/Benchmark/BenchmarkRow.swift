/// One line of a benchmark: one thing measured, or two in pairs.
public struct BenchmarkRow: Sendable, Hashable, Codable {
    /// What the figures are in.
    public enum Unit: String, Sendable, Hashable, Codable {
        case seconds, milliseconds, mebibytes, tokensPerSecond, articlesPerSecond, megabytes
    }

    /// What a row is to reach.
    public enum Goal: Sendable, Hashable, Codable {
        case atLeast(Double)
        case atMost(Double)

        public func isMet(by value: Double) -> Bool {
            switch self {
            case .atLeast(let bound): value >= bound
            case .atMost(let bound): value <= bound
            }
        }
    }

    /// A short name to choose it by.
    public var id: String
    /// What is measured; for a pair, what is compared with what: "one at a time / in one batch".
    public var title: String
    public var unit: Unit
    /// What `value` is compared with; nil where one thing is measured alone.
    public var baseline: Samples?
    public var value: Samples
    /// For the ratio where there is a baseline, else for the median.
    public var goal: Goal?
    /// Rounds that were measured while other processes used the processor, and do not count.
    public var disturbed: Int
    /// True where no round was undisturbed, so that disturbed ones had to count.
    public var isDoubtful: Bool
    /// More to know about it, without a full stop: "1,912 tokens in, 672 out".
    public var detail: String

    public init(
        id: String, title: String, unit: Unit, baseline: Samples? = nil, value: Samples, goal: Goal? = nil,
        disturbed: Int = 0, isDoubtful: Bool = false, detail: String = ""
    ) {
        self.id = id
        self.title = title
        self.unit = unit
        self.baseline = baseline
        self.value = value
        self.goal = goal
        self.disturbed = disturbed
        self.isDoubtful = isDoubtful
        self.detail = detail
    }

    /// The median of the pairs' ratios, baseline to value.
    public var ratio: Double? { baseline.flatMap { $0.ratios(to: value).median } }

    /// Whether the goal is reached; nil where there is none, or nothing was measured.
    public var isGoalMet: Bool? {
        guard let goal, let figure = baseline == nil ? value.median : ratio else { return nil }
        return goal.isMet(by: figure)
    }
}
