import PulseText

/// A sentence of a digest or a summary, and the articles behind it.
public struct Sentence: Sendable, Hashable, Codable {
    public let text: String
    /// The title of the quoted article, shown before a sentence that is unclear without it; else nil.
    public let title: String?
    /// The ids of the articles that support the sentence; the quoted one comes first.
    public let sources: [String]
    public let origin: Origin
    /// Words of the model that the articles do not support, as ranges of characters of the text, in order. Nil: the
    /// sentence passed the check, or was not checked.
    public let doubtful: [Range<Int>]?

    /// Where a sentence comes from.
    public enum Origin: String, Sendable, Hashable, Codable {
        /// Quoted from a publication.
        case copied
        /// Quoted from a publication, with words left out.
        case shortened
        /// Written by the model. The story supports it, unless words are marked as doubtful or the check is off.
        case written
        /// Quoted from a publication in place of a model's sentence that failed the check.
        case replaced
    }

    public init(text: String, title: String? = nil, sources: [String], origin: Origin, doubtful: [Range<Int>]? = nil) {
        self.text = text
        self.title = title
        self.sources = sources
        self.origin = origin
        self.doubtful = doubtful
    }

    /// Whether the sentence is shown as a quotation.
    public var isQuotation: Bool { origin != .written }

    /// The text without quotation marks, after the title if there is one.
    public var plain: String { title.map { "\($0) — \(text)" } ?? text }

    /// In words, and in bytes. Sentences of news have two or three hundred bytes; a much longer one is a list or an
    /// attack.
    private static let (fewestWords, longest) = (5, 1500)

    /// Whether a text ends as a sentence does, and is neither too short nor too long for one.
    package static func isWhole(_ text: String) -> Bool {
        Sentences.isClosed(text) && text.utf8.count <= longest
            && (text.split(whereSeparator: \.isSpace).count >= fewestWords || Sentences.isUnspaced(text))
    }

    /// The separator between a text and the next sentence: empty in scripts without spaces.
    public static func gap(after text: String) -> String {
        text.isEmpty || text.suffix(2).contains(where: Sentences.isUnspacedMark) ? "" : " "
    }
}

/// What is done with a model's sentence that the story does not support.
public enum CheckMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// A publication's sentence replaces it.
    case replace
    /// It is shown, with the doubtful words marked.
    case mark
    /// Nothing is checked.
    case off
}

extension Sequence<Sentence> {
    /// The sentences in a row.
    public var joinedText: String { reduce("") { $0 + Sentence.gap(after: $0) + $1.plain } }
}

/// How far a model's sentences can be trusted, by its published error rate. It decides how strictly they are checked.
public enum ModelReliability: String, Sendable, Hashable, CaseIterable {
    /// Fewer than 4 in 100 of its summaries contain anything unsupported: checked leniently.
    case strong
    /// More do, or the rate is not published: checked strictly.
    case unknown
    /// Below 500 million parameters, about half of a model's statements are wrong: only copied text is shown.
    case small

    /// - Parameters:
    ///   - parameters: Nil if the number is unknown.
    ///   - errorRate: The percentage of summaries with anything that the text does not support; nil if it is not
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

/// A sentence's vectors by an encoder model: one per token.
public struct TokenVectors: Sendable {
    /// The tokens' ids in the encoder's vocabulary.
    public var tokens: [Int32]
    /// The index of the piece that each token is part of.
    public var pieces: [Int]
    /// `tokens.count` vectors one after another, each normalised to length 1.
    public var values: [Float]

    public init(tokens: [Int32], pieces: [Int], values: [Float]) {
        self.tokens = tokens
        self.pieces = pieces
        self.values = values
    }
}

/// Encodes sentences. Each is given as its pieces: words and punctuation.
public typealias SentenceEncoder = @Sendable ([[String]]) throws -> [TokenVectors]
