public import struct Foundation.Date

/// One news article as the reader's source gave it, its texts already plain: no markup, no control characters.
public struct Article: Sendable, Hashable, Codable {
    /// What the source calls it: an opaque identifier such as `world/2024/jan/01/slug`, or the URL where it gave none.
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
    /// A BCP 47 language tag, such as `pt-BR`, where the source told.
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

    /// Sixteen hexadecimal digits that stand for the article everywhere a person types or reads an id.
    public var key: String { ArticleKey.make(from: id) }

    /// Whether there is anything to read but the title.
    public var hasBody: Bool { !content.isEmpty || !summary.isEmpty }

    /// What there is to read, the longest form first: content, else the teaser, else the title.
    public var text: String {
        if !content.isEmpty { return content }
        return summary.isEmpty ? title : summary
    }
}
