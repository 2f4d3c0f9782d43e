public import Foundation
import PulseText

/// A digest. Every format is rendered from this value.
public struct Digest: Sendable, Hashable {
    /// A story and its sentences.
    public struct Entry: Sendable, Hashable {
        public var story: Story
        /// Empty if only the title is shown. In a week's digest, the sentences of the story's last day.
        public var sentences: [Sentence]
        /// The last digest that had the story, if `sentences` hold only what is new since; else nil.
        public var update: Update?
        /// Whether it is an opinion column on the story, not a report of news.
        public var isComment: Bool
        /// In a week's digest, the story's sentences on each of its days, the oldest first; else empty.
        public let days: [DayReport]
        /// Sentences from two reports that contradict each other, the later one last; else empty.
        public var differences: [Sentence]
        /// Why it ranks here, the strongest reason first; empty if there is none. Not stored.
        public var reasons: [Reason] = []

        public init(
            story: Story, sentences: [Sentence], update: Update? = nil, isComment: Bool = false,
            days: [DayReport] = [], differences: [Sentence] = []
        ) {
            self.story = story
            self.sentences = sentences
            self.update = update
            self.isComment = isComment
            self.days = days
            self.differences = differences
        }
    }

    /// Why a story ranks where it does.
    public enum Reason: Sendable, Hashable {
        /// How many publications report it.
        case publications(Int)
        /// Words, a category or a publication that the reader follows.
        case followed
        /// What the reader likes, as articles spell it; empty if only the meaning is near.
        case liked([String])
    }

    /// A story's entry in an earlier digest.
    public struct Update: Sendable, Hashable, Codable {
        /// The day of that digest.
        public let day: Day
        /// The story's number in that digest, from 1.
        public let number: Int
        /// The story's sentences in that digest; nil if they are unknown.
        public let text: String?

        private enum CodingKeys: String, CodingKey { case day, number, text = "told" }

        public init(day: Day, number: Int, text: String? = nil) {
            self.day = day
            self.number = number
            self.text = text
        }
    }

    /// How commands name a story of the last mail.
    public static func name(ofMailed number: Int) -> String { "m\(number)" }

    /// A story with nothing new since an earlier digest.
    public struct Repeat: Sendable, Hashable, Codable {
        public let title: String
        /// The digest that had it.
        public let update: Update

        public init(title: String, update: Update) { (self.title, self.update) = (title, update) }
    }

    /// A story's sentences of one day.
    public struct DayReport: Sendable, Hashable, Codable {
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
        /// A publication whose articles have no category.
        case source(String)
        /// Stories whose own headings would have too few stories.
        case more
        /// The stories that most publications report, whatever their categories.
        case top

        /// The name that `--category` and `history list` take; nil for `more` and `top`.
        public var name: String? {
            switch self {
            case .category(let category): category.name
            case .source(let name): name
            case .more, .top: nil
            }
        }
    }

    /// Stories under one heading; those in most publications come first.
    public struct Section: Sendable, Hashable {
        public let heading: Heading
        public var entries: [Entry]
        /// More stories, shown by title only.
        public let titled: [Story]
        /// How many articles are not shown.
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
        /// How many articles it has, shown or not.
        public var total: Int { readings.count + omitted }
    }

    /// When the digest was made.
    public var date: Date
    /// Which articles its stories are made of.
    public var basis: DigestBasis
    /// Articles read, received or saved in this time are covered.
    public var period: Period
    /// Whether it is a week's digest, with each story's sentences day by day.
    public var isWeek: Bool
    public let language: Language
    /// Nil if no model was used: all sentences are the publications' own.
    public var model: ModelIdentity?
    /// The name of the model that should have written but could not be used; else nil.
    public var unusable: String?
    public var sections: [Section]
    /// Stories of earlier digests with nothing new.
    public var toldBefore: [Repeat]
    /// The ids of all articles of the period, whether shown, listed by title, only counted, or muted.
    public var considered: Set<String> = []
    /// On how many consecutive days, up to the digest's day, something was read; 0 if that is unknown.
    public var daysInARow: Int
    /// How many articles were left out by the reader's muted words and sources.
    public var muted: Int
    /// How many were left out because an earlier digest told them.
    public var toldArticles = 0
    /// When the articles of the period were read, whether they are shown or not; nil: only those shown are known.
    public var times: [Date]?
    /// How many of the model's sentences did not pass the check.
    public var refused: Int
    /// What was done with those.
    public var check: CheckMode
    /// How many stories have a sentence that the model chose from their articles; nil if it writes its own.
    public var chosen: Int?
    public var timing: Timing

    public init(
        date: Date, basis: DigestBasis = .read, period: Period, isWeek: Bool = false, language: Language,
        model: ModelIdentity? = nil, unusable: String? = nil, sections: [Section], toldBefore: [Repeat] = [],
        daysInARow: Int = 0, muted: Int = 0, refused: Int = 0, check: CheckMode = .replace, chosen: Int? = nil,
        timing: Timing = Timing()
    ) {
        self.date = date
        self.basis = basis
        self.period = period
        self.isWeek = isWeek
        self.language = language
        self.model = model
        self.unusable = unusable
        self.sections = sections
        self.toldBefore = toldBefore
        self.daysInARow = daysInARow
        self.muted = muted
        self.refused = refused
        self.check = check
        self.chosen = chosen
        self.timing = timing
    }

    /// All stories. A story's number is its position here, from 1.
    public var stories: [Story] { sections.flatMap(\.stories) }
    /// Every article of these stories.
    public var readings: [Reading] { sections.flatMap(\.readings) }
    /// How many articles are not shown.
    public var omitted: Int { sections.reduce(0) { $0 + $1.omitted } }
    /// How many publications the articles are from: at least one. Articles without a publication's name count by their
    /// site.
    public var sources: Int {
        let names = readings.map(\.article).map { article in
            article.source.isEmpty ? article.url.flatMap { URL(string: $0)?.host } ?? "" : article.source
        }
        return max(1, Set(names).subtracting([""]).count)
    }
    public var sentences: [Sentence] { sections.flatMap { $0.entries.flatMap(\.sentences) } }

    /// A smaller copy: the largest stories are left out and their articles counted as omitted, so that one huge story
    /// does not cost the reader the whole digest.
    ///
    /// - Parameters:
    ///   - largest: How many of the largest stories are left out.
    ///   - mostReadings: How many articles each story keeps.
    ///   - longestLink: In bytes; longer links are removed.
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
        // Of two stories of the same size, the one further down is left out first.
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
                var entry = entry
                entry.story = shortened(entry.story)
                return entry
            }
            var cut = Section(
                heading: section.heading, entries: entries,
                titled: section.titled.filter { !out.contains($0.lead.id) }.map(shortened))
            cut.omitted = section.total - cut.readings.count
            return cut
        }
        return digest
    }
}

/// The model that wrote a digest or a summary.
public struct ModelIdentity: Sendable, Hashable, Codable {
    public let name: String
    /// The file's hash in lower-case hexadecimal digits; nil if it was not computed.
    public let sha256: String?

    /// - Parameter name: Of a file, which may have any characters; only the printable ones are kept.
    public init(name: String, sha256: String?) {
        self.name = PlainText.line(name)
        self.sha256 = sha256
    }
}

/// The model's loading time, prefill (`prompt`) and decode (`output`).
public struct Timing: Sendable, Hashable, Codable {
    public var load = Duration.zero
    public var promptTokens = 0
    public var prompt = Duration.zero
    public var outputTokens = 0
    public var output = Duration.zero

    public init() {}

    public var total: Duration { load + prompt + output }
}

/// A summary of one article.
public struct Summary: Sendable, Hashable {
    public let article: Article
    public let sentences: [Sentence]
    /// The reader's language.
    public let language: Language
    /// Nil if no model was used.
    public let model: ModelIdentity?
    /// See `Digest.unusable`.
    public let unusable: String?
    /// How many of the model's sentences did not pass the check.
    public let refused: Int
    /// What was done with those.
    public let check: CheckMode
    /// Whether the model was given only the beginning of the article.
    public let isShortened: Bool
    public let timing: Timing

    public init(
        article: Article, sentences: [Sentence], language: Language, model: ModelIdentity? = nil,
        unusable: String? = nil, refused: Int = 0, check: CheckMode = .replace, isShortened: Bool = false,
        timing: Timing = Timing()
    ) {
        self.article = article
        self.sentences = sentences
        self.language = language
        self.model = model
        self.unusable = unusable
        self.refused = refused
        self.check = check
        self.isShortened = isShortened
        self.timing = timing
    }

    public var text: String { sentences.joinedText }
}

/// Which articles a digest covers.
public enum DigestBasis: String, Sendable, CaseIterable, Codable {
    /// Articles that the reader read.
    case read
    /// Unread entries of the reader's feeds.
    case unread
    /// Bookmarked articles, read or not.
    case bookmarks
    /// `read` and `unread`; unread stories are marked as such.
    case readAndUnread = "read,unread"
}
