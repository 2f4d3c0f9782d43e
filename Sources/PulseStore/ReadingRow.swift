import PulseCore
import PulsePlatform

import struct Foundation.Date

/// The columns of an article, the same in `articles`, `entries` and `bookmarks`.
extension Article {
    static let columns = "identifier, " + detailColumns
    /// All columns but the identifier, which never changes.
    static let detailColumns = "url, author, source, category, language, published_at, title, summary, content"

    /// Reads the columns `columns`, which begin at an index of the row.
    init(_ row: Statement, from first: Int = 0) {
        self.init(
            id: row.text(first) ?? "", url: row.text(first + 1), title: row.text(first + 7) ?? "",
            summary: row.text(first + 8) ?? "", content: row.text(first + 9) ?? "", author: row.text(first + 2),
            source: row.text(first + 3) ?? "", category: Category(row.text(first + 4) ?? ""),
            language: row.text(first + 5), publishedAt: row.integer(first + 6).map(Instant.date))
    }

    var details: [SQLValue] {
        [
            SQLValue(url), SQLValue(author), .text(source), .text(category.name), SQLValue(language),
            SQLValue(publishedAt.map(Instant.milliseconds)), .text(title), .text(summary), .text(content),
        ]
    }
}

/// The columns of `articles` for a reading, and their conversion.
enum ReadingRow {
    static let columns = Article.columns + ", read_at, read_exact, read_origin, id"

    static func reading(_ row: Statement) -> Reading {
        Reading(
            article: Article(row), readAt: Instant.date(row.integer(10) ?? 0), origin: row.text(12) ?? "",
            isExact: row.integer(11) != 0)
    }

    static func article(_ row: Statement) -> (row: Int64, article: Article) { (row.integer(13) ?? 0, Article(row)) }
}

/// A stored time: whole milliseconds since 1970-01-01T00:00Z, so that comparing and reading back are exact.
enum Instant {
    /// Clamped to the years 1 to 9999; a careless source may have `Date.distantFuture`.
    static func milliseconds(_ date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds.isFinite else { return 0 }
        return Int64(min(max(milliseconds, Double(bounds.lowerBound)), Double(bounds.upperBound)))
    }

    /// Clamped, because a damaged store may hold times that no calendar can format.
    static func date(_ milliseconds: Int64) -> Date {
        let milliseconds = min(max(milliseconds, bounds.lowerBound), bounds.upperBound)
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    private static let bounds: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
}

extension SQLValue {
    static func time(_ date: Date) -> SQLValue { .integer(Instant.milliseconds(date)) }
}
