import PulseCore
import PulsePlatform
import PulseText

extension Query {
    /// The article with the same URL and the same title, or with any title if this source has not reported it. ?4 to ?6
    /// are `WebURL.spellings`. Two ids and two titles from one source for one URL mean two articles: some feeds link
    /// every item to their front page.
    static let sameURL = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE id IN (SELECT id FROM articles WHERE url IN (?1, ?4, ?5, ?6) ORDER BY id LIMIT \(mostOnPage))
            AND \(isNotFeedSpecific) AND (title = ?2 OR NOT EXISTS (
                SELECT 1 FROM reads WHERE reads.article = articles.id AND reads.origin = ?3))
        ORDER BY id LIMIT 1
        """

    /// A page with more articles than this is a front page; comparing each of them with all would take too long.
    static let mostOnPage = 100

    /// Whether the article's id was not made from its URL by `ArticleKey.inFeed`.
    static let isNotFeedSpecific = "substr(identifier, -length(url) - 1) <> '#' || url"
}

/// Writes articles in one transaction, with prepared statements: finds, inserts or updates, and records the read.
struct ArticleWriter {
    enum Outcome { case added, updated, unchanged, removed }

    private let byIdentifier: Statement
    private let byURL: Statement
    private let insertArticle: Statement
    private let updateArticle: Statement
    private let insertAlias: Statement
    private let upsertRead: Statement
    private let removals: Removals
    private let entries: EntryJoin?

    init(_ connection: borrowing Connection) throws {
        byIdentifier = try connection.prepare(Query.byIdentifier)
        byURL = try connection.prepare(Query.sameURL)
        insertArticle = try connection.prepare(
            """
            INSERT INTO articles (identifier, key, \(Article.detailColumns), read_at, read_exact, read_origin)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
            """)
        updateArticle = try connection.prepare(
            """
            UPDATE articles SET (\(Article.detailColumns)) = (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            WHERE id = ?1
            """)
        insertAlias = try connection.prepare("INSERT OR IGNORE INTO aliases (identifier, article) VALUES (?1, ?2)")
        // The earliest time wins, but an exact one replaces an approximate one of the same origin.
        upsertRead = try connection.prepare(
            """
            INSERT INTO reads (article, origin, read_at, is_exact) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (article, origin) DO UPDATE SET read_at = excluded.read_at, is_exact = excluded.is_exact
            WHERE excluded.is_exact > is_exact OR (excluded.is_exact = is_exact AND excluded.read_at < read_at)
            """)
        removals = try Removals(connection, from: .articles)
        entries = try EntryJoin(connection)
    }

    func write(_ reading: Reading) throws -> Outcome {
        var reading = reading
        var aliases: Set<String> = []
        if let entries { (reading.article, aliases) = try entries.join(reading.article) }
        // A feed's URL of a page may have tracking parameters that a browser's lacks: they are removed, unless the id
        // was made from the URL.
        if ArticleKey.feed(of: reading.article) == nil {
            reading.article.url = reading.article.url.map(WebURL.stored)
        }
        let article = reading.article
        guard let known = try find(reading) else {
            // An article that was read again after it was removed comes back.
            if let removedAt = try removals.date(of: article), !reading.isExact || reading.readAt <= removedAt {
                return .removed
            }
            try insertArticle.run(
                [.text(article.id), .text(article.key)] + article.details + [
                    .time(reading.readAt), SQLValue(reading.isExact), .text(reading.origin),
                ])
            let row = insertArticle.lastInsertedRow
            for alias in aliases { try insertAlias.run([.text(alias), .integer(row)]) }
            _ = try record(reading, row: row)
            return .added
        }
        for alias in aliases.union([article.id]) where alias != known.article.id {
            try insertAlias.run([.text(alias), .integer(known.row)])
        }
        let merged = known.article.merged(with: article)
        if merged != known.article { try updateArticle.run([.integer(known.row)] + merged.details) }
        let noted = try record(reading, row: known.row)
        return noted || merged != known.article ? .updated : .unchanged
    }

    private func find(_ reading: Reading) throws -> (row: Int64, article: Article)? {
        let article = reading.article
        if let known = try byIdentifier.first([.text(article.id)], ReadingRow.article) { return known }
        // An entry about another publisher's page is known by its id only.
        guard let url = article.url, ArticleKey.feed(of: article) == nil else { return nil }
        return try byURL.first(
            [.text(url), .text(article.title), .text(reading.origin)] + WebURL.spellings(of: url).map { .text($0) },
            ReadingRow.article)
    }

    /// Returns whether anything changed.
    private func record(_ reading: Reading, row: Int64) throws -> Bool {
        try upsertRead.run([.integer(row), .text(reading.origin), .time(reading.readAt), SQLValue(reading.isExact)])
        return upsertRead.changes > 0
    }
}

extension Article {
    /// The article after another import: longer texts replace shorter ones, gaps are filled, nothing is emptied.
    func merged(with newer: Article) -> Article {
        var merged = self
        if newer.content.utf8.count > content.utf8.count {
            merged.content = newer.content
            if !newer.title.isEmpty { merged.title = newer.title }
        }
        if newer.summary.utf8.count > summary.utf8.count { merged.summary = newer.summary }
        if title.isEmpty { merged.title = newer.title }
        if source.isEmpty { merged.source = newer.source }
        if category == .general { merged.category = newer.category }
        merged.url = url ?? newer.url
        merged.author = author ?? newer.author
        merged.language = language ?? newer.language
        merged.publishedAt = publishedAt ?? newer.publishedAt
        return merged
    }

    /// The article with its gaps filled from another publisher's version; nothing is replaced.
    func completed(with other: Article) -> Article {
        var other = other
        if !content.isEmpty { other.content = "" }
        if !summary.isEmpty { other.summary = "" }
        if !title.isEmpty { other.title = "" }
        return merged(with: other)
    }
}
