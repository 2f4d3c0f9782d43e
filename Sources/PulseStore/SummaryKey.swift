/// What a kept text is found by: all that it depends on. Change one part, and it is another text.
public struct SummaryKey: Sendable, Hashable {
    /// What is kept for it.
    public enum Kind: String, Sendable {
        /// A `KeptSummary`.
        case summary
        /// A `KeptAnswer`.
        case answer
    }

    /// The hash over all parts, 64 hexadecimal digits.
    public let hash: String
    let model: String
    let language: String

    /// - Parameters:
    ///   - kind: Of what is kept.
    ///   - content: `ContentHash` of what the text tells of.
    ///   - model: What tells this model from every other, and from the same file with another content.
    ///   - prompt: `ContentHash` of the prompt's own text, without the article's.
    ///   - language: A BCP 47 tag.
    ///   - parameters: Whatever else decides what is written: how it is sampled, how long it may be, what part of the
    ///     article it is about.
    public init(
        _ kind: Kind = .summary, content: String, model: String, prompt: String, language: String,
        parameters: [String: String]
    ) {
        let settings = parameters.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        self.hash = ContentHash.of([kind.rawValue, content, model, prompt, language] + settings)
        self.model = model
        self.language = language
    }
}
