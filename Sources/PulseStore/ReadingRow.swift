import PulseCore
import PulseSQL

/// A row of `articles` as a value, and the columns to select for it.
enum ReadingRow {
    /// Of the table, or the alias, called `articles`.
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
