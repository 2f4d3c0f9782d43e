/// How much of what a model writes may be believed, by what is published of it: it decides how strictly its sentences
/// are checked.
public enum WriterClass: String, Sendable, Hashable, CaseIterable {
    /// Fewer than 4 in 100 of its summaries hold anything unfounded: checked leniently.
    case strong
    /// More do, or nobody has published how many: checked strictly.
    case unknown
    /// Below 500 million parameters about half of what a model says is wrong: only what it copies is shown.
    case small

    /// - Parameters:
    ///   - parameters: Nil where they were not counted.
    ///   - errorRate: Of 100 summaries, those with anything that the text does not bear out; nil: not published.
    public init(parameters: Int64?, errorRate: Double?) {
        if let parameters, parameters < 500_000_000 {
            self = .small
        } else if let errorRate, errorRate < 4 {
            self = .strong
        } else {
            self = .unknown
        }
    }
}
