import PulseCore
import PulseSQL

import struct Foundation.Date

/// The columns of `articles` that make a reading, and the reading they make.
enum ReadingRow {
    static let columns = """
        articles.identifier, articles.url, articles.author, articles.source, articles.category, articles.language, \
        articles.published_at, articles.read_at, articles.read_exact, articles.read_origin, articles.title, \
        articles.summary, articles.content, articles.id
        """

    static func rowid(_ row: borrowing Statement) -> Int64 { row.integer(13) ?? 0 }

    static func reading(_ row: borrowing Statement) -> Reading {
        let article = Article(
            id: row.text(0) ?? "",
            url: row.text(1),
            title: row.text(10) ?? "",
            summary: row.text(11) ?? "",
            content: row.text(12) ?? "",
            author: row.text(2),
            source: row.text(3) ?? "",
            category: Category(row.text(4) ?? ""),
            language: row.text(5),
            publishedAt: row.integer(6).map(Instant.date))
        return Reading(
            article: article, readAt: Instant.date(row.integer(7) ?? 0), origin: row.text(9) ?? "",
            isExact: row.integer(8) != 0)
    }
}

/// A time as the store keeps it: whole milliseconds since 1970-01-01T00:00Z, exact to compare and to read back.
enum Instant {
    /// Times outside the years 1 to 9999, such as `Date.distantFuture` of a careless source, become the nearest inside.
    static func milliseconds(_ date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds.isFinite else { return 0 }
        return Int64(min(max(milliseconds, -62_135_596_800_000), 253_402_300_799_999))
    }

    static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
