public import PulseCore
import PulsePlatform

public import struct Foundation.Date

extension Query {
    private static let bookmarkColumns = "id, saved_at, " + Article.columns
    static let bookmarkByIdentifier = "SELECT \(bookmarkColumns) FROM bookmarks WHERE identifier = ?1"
    static let bookmarks =
        "SELECT \(bookmarkColumns) FROM bookmarks ORDER BY coalesce(saved_at, added_at) DESC, identifier"
    /// A page may have several ids: see `Query.sameURL`. ?5: the id was made by `ArticleKey.inFeed`.
    static let bookmark = """
        SELECT \(bookmarkColumns) FROM bookmarks
        WHERE identifier = ?1 OR NOT ?5 AND id IN (SELECT id FROM bookmarks WHERE url = ?2 ORDER BY id LIMIT \(mostOnPage))
            AND \(isNotFeedSpecific) AND (title = ?3 OR origin <> ?4)
        ORDER BY identifier = ?1 DESC, id LIMIT 1
        """
}

extension Store {
    /// All bookmarks, the latest first.
    public func bookmarks() throws -> [Bookmark] { try rows(Query.bookmarks, [], Self.bookmark) }

    /// Stores all bookmarks of a source or, on failure, none, and returns the number of new ones. A known one gets new
    /// texts, and its earliest time counts. Those removed before are only stored if the reader wants that.
    public func keep(_ bookmarks: [Bookmark], origin: String, at date: Date, isWanted: Bool = false) throws -> Int {
        try transaction {
            let removals = try Removals(connection, from: .bookmarks)
            var added = 0
            for bookmark in bookmarks {
                if try removals.date(of: bookmark.article) != nil {
                    guard isWanted else { continue }
                    try Removals.forget(bookmark.article, from: .bookmarks, in: connection)
                }
                if try write(bookmark, origin: origin, at: date) { added += 1 }
            }
            return added
        }
    }

    /// Removes bookmarks by their articles' ids, and returns how many. Imports do not bring them back.
    public func removeBookmarks(_ ids: [String], at date: Date) throws -> Int {
        try transaction {
            var removed = 0
            for id in ids {
                guard let known = try first(Query.bookmarkByIdentifier, [.text(id)]) else { continue }
                try connection.query("DELETE FROM bookmarks WHERE identifier = ?1", [.text(id)])
                try Removals.note(known.bookmark.article, from: .bookmarks, at: date, in: connection)
                removed += 1
            }
            return removed
        }
    }

    /// Returns whether the bookmark is new.
    private func write(_ bookmark: Bookmark, origin: String, at date: Date) throws -> Bool {
        let article = bookmark.article
        let known = try first(
            Query.bookmark,
            [
                .text(article.id), SQLValue(article.url), .text(article.title), .text(origin),
                SQLValue(ArticleKey.feed(of: article) != nil),
            ])
        guard let known else {
            try connection.query(
                """
                INSERT INTO bookmarks (identifier, origin, added_at, saved_at, \(Article.detailColumns))
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
                """,
                [.text(article.id), .text(origin), .time(date)] + Self.values(bookmark))
            return true
        }
        let merged = Bookmark(
            article: known.bookmark.article.merged(with: article),
            savedAt: [known.bookmark.savedAt, bookmark.savedAt].compactMap(\.self).min())
        guard merged != known.bookmark else { return false }
        try connection.query(
            """
            UPDATE bookmarks
            SET saved_at = ?2, (\(Article.detailColumns)) = (?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            WHERE id = ?1
            """, [.integer(known.row)] + Self.values(merged))
        return false
    }

    /// The columns that insert and update share, in the order of both.
    private static func values(_ bookmark: Bookmark) -> [SQLValue] {
        [SQLValue(bookmark.savedAt.map(Instant.milliseconds))] + bookmark.article.details
    }

    private func first(_ sql: String, _ values: [SQLValue]) throws -> (row: Int64, bookmark: Bookmark)? {
        try connection.first(sql, values) { ($0.integer(0) ?? 0, Self.bookmark($0)) }
    }

    private static func bookmark(_ row: Statement) -> Bookmark {
        Bookmark(article: Article(row, from: 2), savedAt: row.integer(1).map(Instant.date))
    }
}
