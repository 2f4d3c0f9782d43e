/// A passage of an article that was found for a question.
public struct Passage: Sendable, Hashable {
    public let reading: Reading
    /// Consecutive sentences of the article; its title if it has no text.
    public let text: String
    /// Cosine similarity to the question, at most 1. Nil: the passage was found by its words.
    public let score: Double?
    /// Further reports of the same story.
    public let others: [Reading]

    public init(reading: Reading, text: String, score: Double?, others: [Reading] = []) {
        self.reading = reading
        self.text = text
        self.score = score
        self.others = others
    }
}

/// The filters in a question.
public struct AppliedFilter: Sendable, Hashable {
    public let period: Period?
    /// Publications; empty: all.
    public let sources: [String]
    /// Whether the search went beyond these filters, to better matches.
    public let isBeyond: Bool
    /// The publications that the wider search was limited to; empty: it was not limited.
    public let kept: [String]

    public init(period: Period?, sources: [String], isBeyond: Bool = false, kept: [String] = []) {
        self.period = period
        self.sources = sources
        self.isBeyond = isBeyond
        self.kept = kept
    }
}

/// A text made from articles: the answer to a question, with the passages found for it, or several articles in one
/// text.
public struct Reply: Sendable, Hashable {
    /// Empty if several articles are summed up.
    public let question: String
    /// Which articles were searched.
    public let basis: DigestBasis
    /// The question's filters; nil if it has none.
    public let searched: AppliedFilter?
    /// The question's words that no article has.
    public let missing: [String]
    /// The answer's sentences with their articles; empty if there is no answer.
    public let sentences: [Sentence]
    /// Whether the searched articles do not answer the question. Where this is false and there are no sentences, the
    /// model's answer could not be used, or no model was asked.
    public let isUnanswered: Bool
    /// The best first, one per story.
    public let passages: [Passage]
    /// The reader's language.
    public let language: Language
    /// Nil if no model was asked.
    public let model: ModelIdentity?
    /// See `Digest.unusable`.
    public let unusable: String?
    /// How many of the model's sentences did not pass the check.
    public let refused: Int
    /// What was done with those.
    public let check: CheckMode
    /// Whether the model may only quote.
    public let quotesOnly: Bool
    public let timing: Timing
    /// The numbers by which the user named the articles, by their ids; nil: their positions in `sources` count.
    public let numbers: [String: String]?
    /// Whether nothing that was searched is about the question.
    public let isUnrelated: Bool
    /// How many of the searched articles could be compared by their words only, because they have no vectors yet.
    public let byWordsOnly: Int

    public init(
        question: String, basis: DigestBasis = .read, searched: AppliedFilter? = nil, missing: [String] = [],
        sentences: [Sentence] = [], isUnanswered: Bool = false, passages: [Passage], language: Language,
        model: ModelIdentity? = nil, unusable: String? = nil, refused: Int = 0, check: CheckMode = .replace,
        quotesOnly: Bool = false, timing: Timing = Timing(), numbers: [String: String]? = nil,
        isUnrelated: Bool = false, byWordsOnly: Int = 0
    ) {
        self.question = question
        self.basis = basis
        self.searched = searched
        self.missing = missing
        self.sentences = sentences
        self.isUnanswered = isUnanswered
        self.passages = passages
        self.language = language
        self.model = model
        self.unusable = unusable
        self.refused = refused
        self.check = check
        self.quotesOnly = quotesOnly
        self.timing = timing
        self.numbers = numbers
        self.isUnrelated = isUnrelated
        self.byWordsOnly = byWordsOnly
    }

    /// The articles, in the order of their numbers from 1: those that the text cites, in its order, and then those of
    /// the other passages. With `numbers`, in the order of the passages.
    public var sources: [Reading] {
        let readings = passages.map(\.reading)
        if numbers != nil { return readings }
        let cited = Set(sentences.flatMap(\.sources))
        return Reply.cited(by: sentences, in: passages) + readings.filter { !cited.contains($0.article.id) }
    }

    /// How many of the sources are listed below the text: those that it cites; with `numbers`, all that the user named.
    public var listedCount: Int { numbers?.count ?? Reply.cited(by: sentences, in: passages).count }

    /// How commands name a source of the last answer. Plain numbers are those of the last digest.
    public static func name(ofSource number: Int) -> String { "a\(number)" }

    /// The cited articles. An article's position here is its number in the answer.
    public static func cited(by sentences: [Sentence], in passages: [Passage]) -> [Reading] {
        var seen: Set<String> = []
        return sentences.flatMap(\.sources).filter { seen.insert($0).inserted }.compactMap { id in
            passages.lazy.flatMap { [$0.reading] + $0.others }.first { $0.article.id == id }
        }
    }
}
