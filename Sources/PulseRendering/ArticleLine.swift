import Foundation
public import PulseCore

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
