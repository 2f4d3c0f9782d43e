public import struct Foundation.Date

/// What a reader read, told: the one value that every format is rendered from.
public struct Digest: Sendable, Hashable {
    /// A story, and what is told of it.
    public struct Entry: Sendable, Hashable {
        public let story: Story
        /// Empty where its title is all there is to tell.
        public let sentences: [Sentence]

        public init(story: Story, sentences: [Sentence]) {
            self.story = story
            self.sentences = sentences
        }
    }

    /// What the stories of a section have in common.
    public enum Heading: Sendable, Hashable, Codable {
        case category(Category)
        /// The articles of a publication that names no categories.
        case source(String)
        /// What would stand alone under a heading of its own.
        case more

        /// What `--category` and `history list` know it by; nil for `more`.
        public var name: String? {
            switch self {
            case .category(let category): category.name
            case .source(let name): name
            case .more: nil
            }
        }
    }

    /// Stories under one heading, the weightiest first.
    public struct Section: Sendable, Hashable {
        public let heading: Heading
        public var entries: [Entry]
        /// Further stories, of which the title is told.
        public let titled: [Story]
        /// How many articles were read beside these.
        public let omitted: Int

        public init(heading: Heading, entries: [Entry], titled: [Story] = [], omitted: Int = 0) {
            self.heading = heading
            self.entries = entries
            self.titled = titled
            self.omitted = omitted
        }

        /// In the order of their numbers.
        public var stories: [Story] { entries.map(\.story) + titled }
        public var readings: [Reading] { stories.flatMap(\.readings) }
    }

    /// When the digest was made.
    public var date: Date
    /// What was read in this time is in it.
    public var period: Period
    public let language: Language
    /// Nil where no model wrote: the publications' own sentences are told.
    public var model: ModelIdentity?
    public var sections: [Section]
    /// How many days in a row, up to the digest's own, have something read; 0 where that is not known.
    public var daysInARow: Int
    /// How many articles the reader's muted words and sources have kept out.
    public var muted: Int
    /// How many of the model's sentences their stories do not bear out; they are not shown.
    public var refused: Int
    public var timing: Timing

    public init(
        date: Date, period: Period, language: Language, model: ModelIdentity? = nil, sections: [Section],
        daysInARow: Int = 0, muted: Int = 0, refused: Int = 0, timing: Timing = Timing()
    ) {
        self.date = date
        self.period = period
        self.language = language
        self.model = model
        self.sections = sections
        self.daysInARow = daysInARow
        self.muted = muted
        self.refused = refused
        self.timing = timing
    }

    /// Every story that is told or titled; a story's number is its place here, counted from 1.
    public var stories: [Story] { sections.flatMap(\.stories) }
    /// Every article of these stories.
    public var readings: [Reading] { sections.flatMap(\.readings) }
    /// How many articles were read beside these.
    public var omitted: Int { sections.reduce(0) { $0 + $1.omitted } }
    /// How many publications the articles are from; those whose name is unknown do not count.
    public var sources: Int { Set(readings.map(\.article.source)).subtracting([""]).count }
    public var sentences: [Sentence] { sections.flatMap { $0.entries.flatMap(\.sentences) } }
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
