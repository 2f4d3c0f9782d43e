import Foundation
public import PulseCore

/// Articles, bookmarks and statistics as JSON: objects with their keys in alphabetical order. Keys do not change
/// between releases; docs/guide.md lists them.
public enum HistoryJSON {
    /// An object with the key `articles`, in the order of the list.
    public static func list(_ readings: [Reading]) -> String {
        JSONText.render(["articles": readings.map { ArticleJSON($0) }])
    }

    /// The same, and of those that were found by their meaning how near they are.
    public static func found(_ found: [(reading: Reading, nearness: Double?)]) -> String {
        JSONText.render([
            "articles": found.map {
                Extended(article: ArticleJSON($0.reading), more: Nearness(nearness: rounded($0.nearness)))
            }
        ])
    }

    private static func rounded(_ nearness: Double?) -> Double? { nearness.map { ($0 * 100).rounded() / 100 } }

    /// One article, with its texts.
    public static func show(_ reading: Reading) -> String {
        let article = reading.article
        return JSONText.render(
            Extended(
                article: ArticleJSON(reading),
                more: Texts(
                    author: article.author, summary: article.summary, content: article.content, origin: reading.origin))
        )
    }

    public static func statistics(_ statistics: HistoryStatistics) -> String { JSONText.render(statistics) }

    /// An object with the key `articles`: each as in a list, and how much it is like the article that was asked about.
    public static func related(
        _ related: [(reading: Reading, likeness: Double, isSameStory: Bool, nearness: Double?)]
    ) -> String {
        JSONText.render([
            "articles": related.map { reading, likeness, isSameStory, nearness in
                Extended(
                    article: ArticleJSON(reading),
                    more: Likeness(
                        likeness: (likeness * 100).rounded() / 100, sameStory: isSameStory,
                        nearness: rounded(nearness)))
            }
        ])
    }

    /// An object with the key `bookmarks`.
    public static func bookmarks(_ bookmarks: [Bookmark]) -> String {
        JSONText.render([
            "bookmarks": bookmarks.map { bookmark in
                Extended(
                    article: ArticleJSON(bookmark.article),
                    more: Saved(savedAt: bookmark.savedAt))
            }
        ])
    }

    /// An article with further keys in one object.
    private struct Extended<More: Encodable>: Encodable {
        let article: ArticleJSON
        let more: More

        func encode(to encoder: any Encoder) throws {
            try article.encode(to: encoder)
            try more.encode(to: encoder)
        }
    }

    private struct Texts: Encodable {
        let author: String?
        let summary, content, origin: String
    }

    private struct Likeness: Encodable {
        let likeness: Double
        let sameStory: Bool
        let nearness: Double?
    }

    private struct Nearness: Encodable { let nearness: Double? }

    private struct Saved: Encodable { let savedAt: Date? }
}

/// An article with all its fields as one line of JSON, which `import jsonl` reads back unchanged.
public enum ArticleLine {
    /// Ends with a line feed.
    public static func text(_ reading: Reading) -> String { text(Line(reading)) }

    public static func text(_ bookmark: Bookmark) -> String { text(Line(bookmark)) }

    private static func text(_ line: Line) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(line) else { preconditionFailure("a line that cannot be encoded") }
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    private struct Line: Encodable {
        let id: String
        let url: String?
        let title, description, content: String
        let author: String?
        let source, category: String
        let language, publishedAt: String?
        var readAt: String?
        var readAtExact: Bool?
        var origin: String?
        var savedAt: String?
        /// The texts are plain and must not be parsed as HTML.
        let form = "stored"

        private enum CodingKeys: String, CodingKey {
            case id, url, title, description, content, author, source, category, language, origin, form
            case publishedAt = "published_at"
            case readAt = "read_at"
            case readAtExact = "read_at_exact"
            case savedAt = "saved_at"
        }

        private init(_ article: Article) {
            id = article.id
            url = article.url
            title = article.title
            description = article.summary
            content = article.content
            author = article.author
            source = article.source
            category = article.category.name
            language = article.language
            publishedAt = article.publishedAt.map(Timestamp.text)
        }

        init(_ reading: Reading) {
            self.init(reading.article)
            readAt = Timestamp.text(reading.readAt)
            readAtExact = reading.isExact
            origin = reading.origin
        }

        init(_ bookmark: Bookmark) {
            self.init(bookmark.article)
            // The importer recognises a bookmark by this key. A duration of zero stands for the time of the import.
            savedAt = bookmark.savedAt.map(Timestamp.text) ?? "-PT0S"
        }
    }
}
