public import struct Foundation.Date

/// A digest of what was read. Every format is rendered from this value.
public struct Digest: Sendable, Hashable {
    /// A story and its sentences.
    public struct Entry: Sendable, Hashable {
        public let story: Story
        /// Empty where only its title is shown; of a week, what was told last.
        public let sentences: [Sentence]
        /// Where the reader was told the story last, if these sentences are only what is new in it.
        public let update: Update?
        /// Of a week: what was told of the story on each of its days, the oldest first.
        public let course: [Telling]

        public init(story: Story, sentences: [Sentence], update: Update? = nil, course: [Telling] = []) {
            self.story = story
            self.sentences = sentences
            self.update = update
            self.course = course
        }
    }

    /// A story of an earlier digest.
    public struct Update: Sendable, Hashable, Codable {
        /// The digest's.
        public let day: Day
        /// The story's in that digest, from 1.
        public let number: Int
        /// What the digest told of it; nil where that is not known.
        public let told: String?

        public init(day: Day, number: Int, told: String? = nil) {
            self.day = day
            self.number = number
            self.told = told
        }
    }

    /// What was told of a story on one day.
    public struct Telling: Sendable, Hashable, Codable {
        public let day: Day
        public let sentences: [Sentence]

        public init(day: Day, sentences: [Sentence]) {
            self.day = day
            self.sentences = sentences
        }
    }

    /// What the stories of a section have in common.
    public enum Heading: Sendable, Hashable, Codable {
        case category(Category)
        /// Articles of a publication that has no categories.
        case source(String)
        /// Stories that are too few for a heading of their own.
        case more

        /// The name that `--category` and `history list` take; nil for `more`.
        public var name: String? {
            switch self {
            case .category(let category): category.name
            case .source(let name): name
            case .more: nil
            }
        }
    }

    /// Stories under one heading, those that most publications tell first.
    public struct Section: Sendable, Hashable {
        public let heading: Heading
        public var entries: [Entry]
        /// Further stories, shown by title only.
        public let titled: [Story]
        /// How many more articles were read.
        public var omitted: Int

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
    /// What its stories are.
    public var basis: Basis
    /// The digest covers what was read, came in or was saved in this time.
    public var period: Period
    /// Whether it tells the courses of a week's stories.
    public var isWeek: Bool
    public let language: Language
    /// Nil where no model was used: all sentences are the publications' own.
    public var model: ModelIdentity?
    public var sections: [Section]
    /// The ids of all that was read in the period: told, named, counted or muted.
    public var considered: Set<String> = []
    /// How many days in a row, up to the digest's own, something was read; 0 where that is not known.
    public var daysInARow: Int
    /// How many articles the reader's muted words and sources have kept out.
    public var muted: Int
    /// How many of the model's sentences their stories do not bear out.
    public var refused: Int
    /// What became of those.
    public var check: CheckMode
    public var timing: Timing

    public init(
        date: Date, basis: Basis = .read, period: Period, isWeek: Bool = false, language: Language,
        model: ModelIdentity? = nil,
        sections: [Section], daysInARow: Int = 0, muted: Int = 0, refused: Int = 0,
        check: CheckMode = .replace, timing: Timing = Timing()
    ) {
        self.date = date
        self.basis = basis
        self.period = period
        self.isWeek = isWeek
        self.language = language
        self.model = model
        self.sections = sections
        self.daysInARow = daysInARow
        self.muted = muted
        self.refused = refused
        self.check = check
        self.timing = timing
    }

    /// All stories. A story's number is its position here, counted from 1.
    public var stories: [Story] { sections.flatMap(\.stories) }
    /// Every article of these stories.
    public var readings: [Reading] { sections.flatMap(\.readings) }
    /// How many more articles were read.
    public var omitted: Int { sections.reduce(0) { $0 + $1.omitted } }
    /// How many publications the articles are from, not counting unknown ones.
    public var sources: Int { Set(readings.map(\.article.source)).subtracting([""]).count }
    public var sentences: [Sentence] { sections.flatMap { $0.entries.flatMap(\.sentences) } }

    /// The same without the stories that take most room, whose articles are counted: who wants much is the first to
    /// get nothing.
    /// - Parameters:
    ///   - largest: How many of the largest are left out.
    ///   - mostReadings: How many articles of a story are named.
    ///   - longestLink: In bytes; what is longer is left out.
    public func cut(largest: Int = 0, mostReadings: Int = .max, longestLink: Int) -> Digest {
        func size(_ story: Story, _ sentences: [Sentence]) -> Int {
            story.readings.prefix(mostReadings).reduce(sentences.reduce(0) { $0 + $1.text.utf8.count }) {
                let link = $1.article.url?.utf8.count ?? 0
                return $0 + $1.article.title.utf8.count + (link > longestLink ? 0 : link)
            }
        }
        let sizes = sections.flatMap { section in
            section.entries.map { ($0.story.lead.id, size($0.story, $0.sentences)) }
                + section.titled.map { ($0.lead.id, size($0, [])) }
        }
        // Of two that are alike, the one that stands lower.
        let out = Set(sizes.reversed().sorted { $0.1 > $1.1 }.prefix(largest).map(\.0))
        func shortened(_ story: Story) -> Story {
            Story(
                story.readings.prefix(mostReadings).map { reading in
                    var reading = reading
                    if let url = reading.article.url, url.utf8.count > longestLink { reading.article.url = nil }
                    return reading
                })
        }
        var digest = self
        digest.sections = sections.map { section in
            let entries = section.entries.filter { !out.contains($0.story.lead.id) }.map { entry in
                Entry(
                    story: shortened(entry.story), sentences: entry.sentences, update: entry.update,
                    course: entry.course)
            }
            var cut = Section(
                heading: section.heading, entries: entries,
                titled: section.titled.filter { !out.contains($0.lead.id) }.map(shortened))
            cut.omitted = section.omitted + section.readings.count - cut.readings.count
            return cut
        }
        return digest
    }
}

/// The model that wrote.
public struct ModelIdentity: Sendable, Hashable, Codable {
    public let name: String
    /// The file's hash in lower-case hexadecimal digits; nil where it was not computed.
    public let sha256: String?

    public init(name: String, sha256: String?) {
        self.name = name
        self.sha256 = sha256
    }
}

/// How long the model took, and how much it read and wrote.
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

/// A summary of one article.
public struct Summary: Sendable, Hashable {
    public let article: Article
    public let sentences: [Sentence]
    /// The reader's.
    public let language: Language
    /// Nil where no model wrote.
    public let model: ModelIdentity?
    /// How many of the model's sentences the article does not bear out.
    public let refused: Int
    /// What became of those.
    public let check: CheckMode
    /// True where the model was given only the front of the article.
    public let isShortened: Bool
    public let timing: Timing

    public init(
        article: Article, sentences: [Sentence], language: Language, model: ModelIdentity? = nil, refused: Int = 0,
        check: CheckMode = .replace, isShortened: Bool = false, timing: Timing = Timing()
    ) {
        self.article = article
        self.sentences = sentences
        self.language = language
        self.model = model
        self.refused = refused
        self.check = check
        self.isShortened = isShortened
        self.timing = timing
    }

    public var text: String { sentences.joinedText }
}
