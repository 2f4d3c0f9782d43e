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

    public static func statistics(_ statistics: HistoryStatistics) -> String { JSONText.render(Numbers(statistics)) }

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
                    more: Saved(savedAt: bookmark.savedAt.map(JSONText.date)))
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

        private enum CodingKeys: String, CodingKey {
            case likeness, nearness
            case sameStory = "same_story"
        }
    }

    private struct Nearness: Encodable { let nearness: Double? }

    private struct Saved: Encodable {
        let savedAt: String?

        private enum CodingKeys: String, CodingKey { case savedAt = "saved_at" }
    }

    private struct Numbers: Encodable {
        let articles, sources, daysRead, digests, approximate: Int
        let firstReadAt, lastReadAt: String?
        let categories: [Count]

        struct Count: Encodable {
            let name: String
            let articles: Int
        }

        private enum CodingKeys: String, CodingKey {
            case articles, sources, digests, approximate, categories
            case daysRead = "days_read"
            case firstReadAt = "first_read_at"
            case lastReadAt = "last_read_at"
        }

        init(_ statistics: HistoryStatistics) {
            articles = statistics.articles
            sources = statistics.sources
            daysRead = statistics.daysRead
            digests = statistics.digests
            approximate = statistics.approximate
            firstReadAt = statistics.firstReadAt.map(JSONText.date)
            lastReadAt = statistics.lastReadAt.map(JSONText.date)
            categories = statistics.categories.map { Count(name: $0.category.name, articles: $0.articles) }
        }
    }
}
