/// A sentence of a digest or a summary, and the articles behind it.
public struct Sentence: Sendable, Hashable, Codable {
    public let text: String
    /// The ids of the articles that say so, the one whose words they are first.
    public let sources: [String]
    public let origin: Origin

    /// How a sentence came about.
    public enum Origin: String, Sendable, Hashable, Codable {
        /// A publication's, word for word, with its title in front where it does not stand by itself.
        case copied
        /// A publication's, with words left out.
        case shortened
        /// The model's own words, that its story bears out.
        case written
        /// A publication's, because the story does not bear out what the model wrote.
        case replaced
    }

    public init(text: String, sources: [String], origin: Origin) {
        self.text = text
        self.sources = sources
        self.origin = origin
    }

    /// What belongs between a text and the sentence that follows it: nothing in scripts that leave no space there.
    public static func gap(after text: String) -> String {
        text.isEmpty || text.last.map("。！？｡".contains) == true ? "" : " "
    }
}

extension Sequence<Sentence> {
    /// The sentences one behind the other.
    public var joinedText: String { reduce("") { $0 + Sentence.gap(after: $0) + $1.text } }
}
