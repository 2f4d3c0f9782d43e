import PulseText

public import struct Foundation.Date

/// One news article as the reader's source gave it, its texts already plain: no markup, no control characters.
public struct Article: Sendable, Hashable, Codable {
    /// The source's own identifier, such as `world/2024/jan/01/slug`, or the URL where it gave none.
    public var id: String
    public var url: String?
    public var title: String
    /// The publisher's own teaser; empty where there is none.
    public var summary: String
    /// The whole text, paragraphs separated by blank lines; empty where the source keeps none.
    public var content: String
    public var author: String?
    /// The publication's name, such as `The Guardian`; empty where it is unknown.
    public var source: String
    public var category: Category
    /// A BCP 47 language tag, such as `pt-BR`, where the source gives one.
    public var language: String?
    public var publishedAt: Date?

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

    /// Sixteen hexadecimal digits, by which people name the article on the command line.
    public var key: String { ArticleKey.make(from: id) }

    /// Whether there is anything to read but the title.
    public var hasBody: Bool { !body.isEmpty }

    /// The content, else the teaser; empty where there is neither.
    package var body: String { content.isEmpty ? summary : content }

    /// The longest text there is: the body, else the title.
    public var text: String { hasBody ? body : title }
}

extension Article {
    /// The language the article is written in, as a tag without region or variant (`pt`, `zh`, `und-Cyrl`); nil where
    /// it is not known.
    ///
    /// The text counts for more than what the source says, because whole feeds carry the `en-US` that their software
    /// came with. The source decides where the text is too short to tell, unless the text is in another script.
    public var writtenLanguage: String? {
        let told = language.flatMap(Article.primaryTag)
        let front = String([title, summary, String(content.prefix(Article.inspected))].joined(separator: "\n"))
        guard let found = LanguageDetector.language(of: front) else { return told }
        // The source says more than a script that several languages share.
        if found.hasPrefix("und-"), let told, !LanguageDetector.isInLatinLetters(told) { return told }
        return found
    }

    /// The language to write about the article in: its own where the program has it, else the reader's. A translation
    /// shares no words with its source, so it could not be checked.
    public func language(or reader: Language) -> Language { writtenLanguage.flatMap(Language.init) ?? reader }

    /// Whether a model can be asked about the article: in a language that the program does not write, its answer could
    /// not be checked, and a small model would spend several tokens on each letter of a script that it hardly knows.
    public var canBeAskedAbout: Bool { writtenLanguage.map { Language(rawValue: $0) != nil } ?? true }

    private static let inspected = 2000

    /// `pt` of `pt-BR`, `PT_br` or `pt`; nil for what is no tag of BCP 47, and for `und`.
    private static func primaryTag(_ tag: String) -> String? {
        let primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
        guard (2...3).contains(primary.utf8.count), primary.utf8.allSatisfy({ (97...122).contains($0) }),
            primary != "und", primary != "mul", primary != "zxx"
        else { return nil }
        return primary
    }
}

/// The short name of an article, like git's: a hash of its id. Any prefix that only one article has names it too.
public enum ArticleKey {
    /// How many digits the lists show. Ten thousand articles share one prefix of this length about once in five.
    public static let shortLength = 7

    /// The id of an entry whose own id is another feed's.
    package static func inFeed(_ id: String, _ feed: String) -> String { feed + "#" + id }

    /// The feed of an article that is known as an entry of its feed alone, though it links to a page; nil of any other.
    package static func feed(of article: Article) -> String? {
        guard let url = article.url, article.id.hasSuffix("#" + url) else { return nil }
        return String(article.id.dropLast(url.count + 1))
    }

    /// Two ids that share a key stay two articles; a prefix that fits both is reported as ambiguous.
    public static func make(from id: String) -> String { ShortHash.of(id) }
}
