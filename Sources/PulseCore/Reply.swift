/// A part of an article that was found for a question.
public struct Passage: Sendable, Hashable {
    public let reading: Reading
    /// Sentences of the article, in a row; its title where it has nothing else.
    public let text: String
    /// How near it is to the question: the cosine of the two, at most 1. Nil: it was found by its words.
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

/// What is said from articles: to a question, and what was found for it; or of several articles in one text.
public struct Reply: Sendable, Hashable {
    /// Empty where several articles are summed up.
    public let question: String
    /// What was searched.
    public let basis: Basis
    /// The answer, each sentence with its articles; empty where nothing says so, or no model was asked.
    public let sentences: [Sentence]
    /// Whether what was searched does not say it. Otherwise, where there is no answer, a model's was no use.
    public let isDenied: Bool
    /// The best first, one a story.
    public let passages: [Passage]
    /// The reader's.
    public let language: Language
    /// Nil where no model was asked.
    public let model: ModelIdentity?
    /// How many of the model's sentences the passages do not bear out.
    public let refused: Int
    /// What became of those.
    public let check: CheckMode
    public let timing: Timing
    /// What the articles are called, by their ids; nil: by their places among the sources.
    public let numbers: [String: Int]?

    public init(
        question: String, basis: Basis = .read, sentences: [Sentence] = [], isDenied: Bool = false,
        passages: [Passage], language: Language,
        model: ModelIdentity? = nil, refused: Int = 0, check: CheckMode = .replace, timing: Timing = Timing(),
        numbers: [String: Int]? = nil
    ) {
        self.question = question
        self.basis = basis
        self.sentences = sentences
        self.isDenied = isDenied
        self.passages = passages
        self.language = language
        self.model = model
        self.refused = refused
        self.check = check
        self.timing = timing
        self.numbers = numbers
    }

    /// The articles by their numbers, from 1: those that the answer cites, in the order in which it does, and then the
    /// others that were found. Where they have numbers of their own, in the order of the passages.
    public var sources: [Reading] {
        if numbers != nil { return passages.map(\.reading) }
        return Reply.cited(by: sentences, in: passages) + passages.map(\.reading).filter { !cites($0.article.id) }
    }

    /// How many of the sources are listed below the text: those that it cites, and all that somebody has named.
    public var cited: Int { numbers?.count ?? Reply.cited(by: sentences, in: passages).count }

    private func cites(_ id: String) -> Bool { sentences.contains { $0.sources.contains(id) } }

    /// The number of an article among these sentences' sources is its place here.
    public static func cited(by sentences: [Sentence], in passages: [Passage]) -> [Reading] {
        var seen: Set<String> = []
        return sentences.flatMap(\.sources).filter { seen.insert($0).inserted }.compactMap { id in
            passages.lazy.flatMap { [$0.reading] + $0.others }.first { $0.article.id == id }
        }
    }
}
