import PulseCore
import PulsePlatform

import struct Foundation.Date

/// How a table keeps an article: `articles`, `entries` and `bookmarks` have the same columns for it.
extension Article {
    static let columns = "identifier, " + detailColumns
    /// All but the identifier, which stays what it was.
    static let detailColumns = "url, author, source, category, language, published_at, title, summary, content"

    /// What is in `columns`.
    /// - Parameter first: the place of the identifier among the row's columns.
    init(_ row: Statement, from first: Int = 0) {
        self.init(
            id: row.text(first) ?? "", url: row.text(first + 1), title: row.text(first + 7) ?? "",
            summary: row.text(first + 8) ?? "", content: row.text(first + 9) ?? "", author: row.text(first + 2),
            source: row.text(first + 3) ?? "", category: Category(row.text(first + 4) ?? ""),
            language: row.text(first + 5), publishedAt: row.integer(first + 6).map(Instant.date))
    }

    /// What `detailColumns` take.
    var details: [SQLValue] {
        [
            SQLValue(url), SQLValue(author), .text(source), .text(category.name), SQLValue(language),
            SQLValue(publishedAt.map(Instant.milliseconds)), .text(title), .text(summary), .text(content),
        ]
    }
}

/// The columns of `articles` that make a reading, and the reading they make.
enum ReadingRow {
    static let columns = Article.columns + ", read_at, read_exact, read_origin, id"

    static func reading(_ row: Statement) -> Reading {
        Reading(
            article: Article(row), readAt: Instant.date(row.integer(10) ?? 0), origin: row.text(12) ?? "",
            isExact: row.integer(11) != 0)
    }

    static func article(_ row: Statement) -> (row: Int64, article: Article) { (row.integer(13) ?? 0, Article(row)) }
}

/// A time as the store keeps it: whole milliseconds since 1970-01-01T00:00Z, exact to compare and to read back.
enum Instant {
    /// Times outside the years 1 to 9999, such as `Date.distantFuture` of a careless source, become the nearest inside.
    static func milliseconds(_ date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds.isFinite else { return 0 }
        return Int64(min(max(milliseconds, Double(bounds.lowerBound)), Double(bounds.upperBound)))
    }

    /// What lies outside these years is of a damaged store; no calendar could write it down.
    static func date(_ milliseconds: Int64) -> Date {
        let milliseconds = min(max(milliseconds, bounds.lowerBound), bounds.upperBound)
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    private static let bounds: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
}
