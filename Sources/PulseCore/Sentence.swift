import PulseText

/// A sentence of a digest or a summary, and the articles behind it.
public struct Sentence: Sendable, Hashable, Codable {
    public let text: String
    /// The title of the article that it was taken from, where the sentence does not stand by itself; it is shown in
    /// front of it.
    public let title: String?
    /// The ids of the articles that say so; the one that it was taken from comes first.
    public let sources: [String]
    public let origin: Origin
    /// Which of the model's words the articles do not bear out, as ranges of characters of the text, in order. Nil: the
    /// sentence passed the check, or was not checked.
    public let doubtful: [Range<Int>]?

    /// How a sentence came about.
    public enum Origin: String, Sendable, Hashable, Codable {
        /// A publication's, word for word.
        case copied
        /// A publication's, with words left out.
        case shortened
        /// The model's own words. Its story supports them, unless some are marked as doubtful or nothing was checked.
        case written
        /// A publication's, in place of what the model wrote and the story does not support.
        case replaced
    }

    public init(
        text: String, title: String? = nil, sources: [String], origin: Origin, doubtful: [Range<Int>]? = nil
    ) {
        self.text = text
        self.title = title
        self.sources = sources
        self.origin = origin
        self.doubtful = doubtful
    }

    /// Whether the words are a publication's, and so are shown as a quotation.
    public var isQuotation: Bool { origin != .written }

    /// The words without any mark of whose they are: the title, where it stands in front, and the text.
    public var plain: String { title.map { "\($0) — \(text)" } ?? text }

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

/// What becomes of a sentence of a model's that its story does not bear out.
public enum CheckMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// The publication's own sentence takes its place.
    case replace
    /// It stays, and the doubtful words are marked.
    case mark
    /// It stays: nothing is checked.
    case off
}

extension Sequence<Sentence> {
    /// The sentences one after another.
    public var joinedText: String { reduce("") { $0 + Sentence.gap(after: $0) + $1.plain } }
}
