/// How far a model's sentences can be trusted, by its published error rate. It decides how strictly they are checked.
public enum WriterClass: String, Sendable, Hashable, CaseIterable {
    /// Fewer than 4 in 100 of its summaries contain anything unsupported: checked leniently.
    case strong
    /// More do, or the rate is not published: checked strictly.
    case unknown
    /// Below 500 million parameters, about half of a model's statements are wrong: only copied text is shown.
    case small

    /// - Parameters:
    ///   - parameters: Nil where the number is unknown.
    ///   - errorRate: The percentage of summaries with anything that the text does not support; nil where it is not
    ///     published.
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
