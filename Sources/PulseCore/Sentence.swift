import PulseText

/// A sentence of a digest or a summary, and the articles behind it.
public struct Sentence: Sendable, Hashable, Codable {
    public let text: String
    /// The ids of the articles that say so; the one that it was taken from comes first.
    public let sources: [String]
    public let origin: Origin

    /// How a sentence came about.
    public enum Origin: String, Sendable, Hashable, Codable {
        /// A publication's, word for word, with its title in front where it does not stand by itself.
        case copied
        /// A publication's, with words left out.
        case shortened
        /// The model's own words, which its story supports.
        case written
        /// A publication's, in place of what the model wrote and the story does not support.
        case replaced
    }

    public init(text: String, sources: [String], origin: Origin) {
        self.text = text
        self.sources = sources
        self.origin = origin
    }

    /// In words, and in bytes: sentences of news have two or three hundred, and what is much longer is a list or an
    /// attack.
    private static let (fewestWords, longest) = (5, 1500)

    /// Whether a text ends as a sentence does, and is neither too short nor too long for one.
    package static func isWhole(_ text: String) -> Bool {
        Sentences.isClosed(text) && text.utf8.count <= longest
            && (text.split(whereSeparator: \.isSpace).count >= fewestWords || Sentences.isUnspaced(text))
    }

    /// What to put between a text and the sentence that follows it: nothing in scripts without spaces.
    public static func gap(after text: String) -> String {
        text.isEmpty || text.suffix(2).contains(where: Sentences.isUnspacedMark) ? "" : " "
    }
}

extension Sequence<Sentence> {
    /// The sentences one after another.
    public var joinedText: String { reduce("") { $0 + Sentence.gap(after: $0) + $1.text } }
}
