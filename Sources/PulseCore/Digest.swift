public import struct Foundation.Date

/// What a reader read, told: the one value that every format is rendered from.
public struct Digest: Sendable, Hashable {
    /// One category's paragraph and the articles it tells of.
    public struct Section: Sendable, Hashable {
        public let category: Category
        public let text: String
        public let sentences: [Sentence]
        /// In the order in which the model saw them.
        public let stories: [Story]
        /// How many articles of the category were read and are not told of.
        public let omitted: Int
        /// How many of the stories' leads the model saw the front of only.
        public let shortened: Int
        /// What became of sentences that the articles did not support.
        public let corrections: Corrections
        /// The language the section is told in where it is not the digest's: `pt`, `und-Cyrl`. A category has a section
        /// for each language its articles are told in.
        public let foreignLanguage: String?

        public init(
            category: Category, text: String, sentences: [Sentence], stories: [Story], omitted: Int, shortened: Int,
            corrections: Corrections = Corrections(), foreignLanguage: String? = nil
        ) {
            self.category = category
            self.text = text
            self.sentences = sentences
            self.stories = stories
            self.omitted = omitted
            self.shortened = shortened
            self.corrections = corrections
            self.foreignLanguage = foreignLanguage
        }

        /// Every article of the stories, in their order.
        public var articles: [Article] { stories.flatMap(\.readings).map(\.article) }
    }

    /// When the digest was made.
    public var date: Date
    /// What was read in this time is in it.
    public var period: Period
    public let language: Language
    public var model: ModelIdentity
    public let sections: [Section]
    /// Every article told of, in the order of the sections.
    public let readings: [Reading]
    /// How many days in a row, up to the digest's own, have something read; 0 where that is not known.
    public var daysInARow: Int
    /// How many articles the reader's muted words and sources have kept out.
    public var muted: Int
    public var timing: Timing

    public init(
        date: Date, period: Period, language: Language, model: ModelIdentity, sections: [Section],
        readings: [Reading], daysInARow: Int = 0, muted: Int = 0, timing: Timing
    ) {
        self.date = date
        self.period = period
        self.language = language
        self.model = model
        self.sections = sections
        self.readings = readings
        self.daysInARow = daysInARow
        self.muted = muted
        self.timing = timing
    }

    public var sourceCount: Int { readings.sourceCount }

    /// How many articles of each category were read, told of or not; in the order of the sections.
    public var topics: [(category: Category, articles: Int)] {
        DigestOverview(self).topics.map { ($0.category, $0.articles) }
    }

    /// What became of sentences that the articles did not support, in all sections.
    public var corrections: Corrections { sections.reduce(Corrections()) { $0 + $1.corrections } }

    /// Whether a sentence is not supported by its articles.
    public var hasDoubts: Bool { sections.contains { $0.sentences.contains { !$0.isGrounded } } }
}

extension Sequence<Reading> {
    /// How many different publications these are from; those whose name is unknown do not count.
    public var sourceCount: Int { Set(map(\.article.source)).subtracting([""]).count }
}

/// A sentence of a digest or a summary, and what stands behind it.
public struct Sentence: Sendable, Hashable, Codable {
    public let text: String
    /// The ids of the articles that support it, the best first; empty where none does.
    public let sources: [String]
    /// True where its supporting articles hold every number and every name in it.
    public let isGrounded: Bool
    public let origin: Origin

    /// How a sentence came about.
    public enum Origin: String, Sendable, Hashable, Codable {
        /// The model's own words.
        case model
        /// Chosen by the model, in the words of an article.
        case copied
        /// Put in by the program, in the words of an article, for one of the model's that the articles did not support.
        case publisher
    }

    public init(text: String, sources: [String], isGrounded: Bool, origin: Origin = .model) {
        self.text = text
        self.sources = sources
        self.isGrounded = isGrounded
        self.origin = origin
    }
}

/// Which model wrote.
public struct ModelIdentity: Sendable, Hashable, Codable {
    public let name: String
    /// Lower-case hexadecimal digits of the file's hash; nil where it was not asked for.
    public let sha256: String?

    public init(name: String, sha256: String?) {
        self.name = name
        self.sha256 = sha256
    }
}

/// What making it took.
public struct Timing: Sendable, Hashable, Codable {
    public var load: Duration
    public var promptTokens: Int
    public var prompt: Duration
    public var outputTokens: Int
    public var output: Duration

    public init(
        load: Duration = .zero, promptTokens: Int = 0, prompt: Duration = .zero, outputTokens: Int = 0,
        output: Duration = .zero
    ) {
        self.load = load
        self.promptTokens = promptTokens
        self.prompt = prompt
        self.outputTokens = outputTokens
        self.output = output
    }
}
