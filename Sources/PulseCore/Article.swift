import PulseText
import Synchronization

public import struct Foundation.Date

/// One news article as its source gave it. Its texts are plain: no markup, no control characters.
public struct Article: Sendable, Hashable, Codable {
    /// The source's identifier, such as `world/2024/jan/01/slug`; the URL if it has none.
    public var id: String
    public var url: String?
    public var title: String { didSet { detected = Detected() } }
    /// The publisher's teaser; empty if there is none.
    public var summary: String { didSet { detected = Detected() } }
    /// The whole text, its paragraphs separated by blank lines; empty if the source has none.
    public var content: String { didSet { detected = Detected() } }
    public var author: String?
    /// The publication's name, such as `The Guardian`; empty if it is unknown.
    public var source: String
    public var category: Category
    /// A BCP 47 language tag, such as `pt-BR`, if the source gives one.
    public var language: String? { didSet { detected = Detected() } }
    public var publishedAt: Date?
    private var detected = Detected()

    private enum CodingKeys: CodingKey {
        case id, url, title, summary, content, author, source, category, language, publishedAt
    }

    /// A cache of `writtenLanguage` that all copies of the article share. It follows from the texts, so it is not
    /// compared.
    private final class Detected: Sendable, Hashable {
        let language = Mutex<String??>(nil)

        static func == (_: Detected, _: Detected) -> Bool { true }
        func hash(into _: inout Hasher) {}
    }

    public init(
        id: String, url: String? = nil, title: String, summary: String = "", content: String = "",
        author: String? = nil, source: String = "", category: Category = .general, language: String? = nil,
        publishedAt: Date? = nil
    ) {
        self.id = id
        self.url = url
        self.title = title
        self.summary = summary
        self.content = content
        self.author = author
        self.source = source
        self.category = category
        self.language = language
        self.publishedAt = publishedAt
    }

    /// Sixteen hexadecimal digits that name the article on the command line.
    public var key: String { ArticleKey.make(from: id) }

    /// Whether there is any text but the title.
    public var hasBody: Bool { !body.isEmpty }

    /// The content, else the summary; empty if there is neither.
    package var body: String { content.isEmpty ? summary : content }

    /// The body; the title if there is no body.
    public var text: String { hasBody ? body : title }
}

extension Article {
    /// The language the article is written in, as a tag without region or variant (`pt`, `zh`, `und-Cyrl`); nil if
    /// it is unknown.
    ///
    /// The text is more reliable than `language`, because whole feeds carry the `en-US` of their software's defaults.
    /// `language` decides when the text is too short to detect anything, when only its script was detected, or when
    /// it is a language that cannot be detected.
    public var writtenLanguage: String? {
        detected.language.withLock { known in
            if let known { return known }
            let found = detectedLanguage
            known = .some(found)
            return found
        }
    }

    private var detectedLanguage: String? {
        let stated = language.flatMap(Article.primaryTag)
        let front = String([title, summary, String(content.prefix(Article.inspected))].joined(separator: "\n"))
        guard let found = LanguageDetector.language(of: front) else { return stated }
        guard let stated else { return found }
        // A stated language is more precise than a script that several languages share.
        if found.hasPrefix("und-"), !LanguageDetector.isInLatinLetters(stated) { return stated }
        // The detector tells the languages that the program writes from all others. Another language that it finds may
        // be a neighbour of the stated one.
        let mayBeNeighbour = LanguageDetector.isInLatinLetters(found) && Language(rawValue: found) == nil
        return mayBeNeighbour && LanguageDetector.isUnknownInLatinLetters(stated) ? stated : found
    }

    /// The language to summarise the article in: its own if the program writes it, else the reader's. A translation
    /// shares no words with its source, so it could not be checked.
    public func language(or reader: Language) -> Language { supportedLanguage ?? reader }

    /// The language it is written in, if the program writes that; else nil.
    package var supportedLanguage: Language? { writtenLanguage.flatMap(Language.init) }

    /// Whether a model can be asked about the article. In a language that the program does not write, the answer could
    /// not be checked; and a small model spends several tokens on each letter of a script that it hardly knows.
    public var canBeAskedAbout: Bool { writtenLanguage.map { Language(rawValue: $0) != nil } ?? true }

    private static let inspected = 2000

    /// `pt` of `pt-BR`, `PT_br` or `pt`; nil for `und` and for what is no BCP 47 tag.
    private static func primaryTag(_ tag: String) -> String? {
        let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        let isTag = (2...3).contains(primary.utf8.count) && primary.utf8.allSatisfy(\.isASCIILetter)
        return isTag && !["und", "mul", "zxx"].contains(primary) ? primary : nil
    }
}

/// The short name of an article, like git's abbreviated hashes: a hash of the article's id. Any unique prefix of it
/// works, too.
public enum ArticleKey {
    /// Digits shown in lists. The chance that any two of ten thousand articles share a prefix of this length is one in
    /// six.
    public static let shortLength = 7

    /// An id that includes the feed, because another feed's entry or another publisher's page may have the same id. A
    /// user name and password in the feed's URL are left out.
    package static func inFeed(_ id: String, _ feed: String) -> String {
        (WebURL.hasUser(feed) ? WebURL.withoutUser(feed) : feed) + "#" + id
    }

    /// The feed of an article whose id `inFeed` made from its URL; nil for any other article.
    package static func feed(of article: Article) -> String? {
        guard let url = article.url, article.id.hasSuffix("#" + url) else { return nil }
        return String(article.id.dropLast(url.count + 1))
    }

    /// Ids with the same key stay two articles; a prefix that fits both is reported as ambiguous.
    public static func make(from id: String) -> String { ShortHash.of(id) }
}

/// An article that the reader bookmarked, read or not. `savedAt` is nil if the source does not give a time.
public struct Bookmark: Sendable, Hashable {
    public let article: Article
    public let savedAt: Date?

    public init(article: Article, savedAt: Date?) {
        self.article = article
        self.savedAt = savedAt
    }
}

/// The category of an article, as its source names it.
public struct Category: Sendable, Hashable, Comparable, Codable, RawRepresentable {
    /// Lower case, without surrounding space; never empty.
    public let name: String

    /// Any spelling. An empty name becomes `general`, and so does a URL, which Google's feeds have as a category.
    public init(_ name: String) {
        let plain = PlainText.line(name).lowercased()
        self.name = plain.isEmpty || plain.contains("://") ? "general" : plain
    }

    public init(rawValue: String) { self.init(rawValue) }
    public var rawValue: String { name }

    public static let general = Category("general")

    /// Common categories; their order decides between sections of equal weight.
    public static let known: [Category] = [
        "world", "politics", "business", "technology", "science", "health", "sports", "entertainment",
    ].map { Category($0) }

    /// The name as a heading: acronyms in upper case (“AI”), Reddit's names (`r/harbours`) as they are, others with the
    /// first letter in upper case.
    public var title: String {
        if name.hasPrefix("r/") { return name }
        let words = name.split(separator: " ", omittingEmptySubsequences: false).enumerated().map { place, word in
            if Category.acronyms.contains(String(word)) { return word.uppercased() }
            return place == 0 ? word.prefix(1).uppercased() + word.dropFirst() : String(word)
        }
        return words.joined(separator: " ")
    }

    /// Acronyms that are common as categories and hardly ever meant as words.
    private static let acronyms: Set<String> = [
        "ai", "api", "bbc", "cia", "css", "diy", "eu", "f1", "fbi", "gdp", "gpu", "hiv", "html", "ibm", "imf", "lgbt",
        "lgbtq", "llm", "llms", "mlb", "nasa", "nato", "nba", "nfl", "nhl", "ngo", "nhs", "ok", "pc", "php", "sql",
        "tv", "ufo", "ui", "uk", "usa", "ux", "vpn", "vr", "who",
    ]

    /// Whether it says nothing about its articles: “News”.
    package var isVague: Bool { self == .general || Category.vague.contains(name) }

    private static let vague = Set(Language.allCases.flatMap(\.vagueCategories))

    /// The heading in a language; an unknown category is the same in every language.
    public func title(in language: Language) -> String { language.categories[name] ?? title }

    /// Known categories first, in their order; then the others by name; `general` last.
    public static func < (left: Category, right: Category) -> Bool {
        (left.rank, left.name) < (right.rank, right.name)
    }

    private var rank: Int {
        if self == .general { return Category.known.count + 1 }
        return Category.known.firstIndex(of: self) ?? Category.known.count
    }
}
