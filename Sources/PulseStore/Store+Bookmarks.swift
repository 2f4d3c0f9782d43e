public import PulseCore
import PulsePlatform
import PulseText

public import struct Foundation.Date

extension Query {
    private static let bookmarkColumns = "id, saved_at, " + Article.columns
    static let bookmarkByIdentifier = "SELECT \(bookmarkColumns) FROM bookmarks WHERE identifier = ?1"
    static let bookmarks =
        "SELECT \(bookmarkColumns) FROM bookmarks ORDER BY coalesce(saved_at, added_at) DESC, identifier"
    /// The same page may have another id in another source: see `Query.sameURL`; ?5: whether it is a feed's alone.
    static let bookmark = """
        SELECT \(bookmarkColumns) FROM bookmarks
        WHERE identifier = ?1 OR NOT ?5 AND url = ?2 AND \(isNoFeedsAlone) AND (title = ?3 OR origin <> ?4)
        ORDER BY identifier = ?1 DESC, id LIMIT 1
        """
}

/// What the reader marked to keep, read or not.
extension Store {
    /// All bookmarks, the latest first.
    public func bookmarks() throws(PulseError) -> [Bookmark] {
        try attempt { () throws(SQLError) in
            var bookmarks: [Bookmark] = []
            try connection.query(Query.bookmarks) { row throws(SQLError) in bookmarks.append(Self.bookmark(row)) }
            return bookmarks
        }
    }

    /// Keeps bookmarks: all of the call or, when it fails, none. One that is there already stays one, completed by what
    /// is new, and its earliest time counts.
    /// - Parameters:
    ///   - origin: the source that has them.
    ///   - isWanted: true where the reader asks for them, and not only a source: what was removed before is kept again.
    /// - Returns: how many were not there before.
    public func keep(
        _ bookmarks: [Bookmark], origin: String, at date: Date, isWanted: Bool = false
    ) throws(PulseError) -> Int {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
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
    }

    /// Removes bookmarks by the ids of their articles. Imports do not bring them back.
    /// - Returns: how many were there.
    public func removeBookmarks(_ ids: [String], at date: Date) throws(PulseError) -> Int {
        let removed = try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
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
        return removed
    }

    /// Whether it is new.
    private func write(_ bookmark: Bookmark, origin: String, at date: Date) throws(SQLError) -> Bool {
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
                [.text(article.id), .text(origin), .integer(Instant.milliseconds(date))] + Self.values(bookmark))
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

    private func first(
        _ sql: String, _ values: [SQLValue]
    ) throws(SQLError) -> (row: Int64, bookmark: Bookmark)? {
        var found: (Int64, Bookmark)?
        try connection.query(sql, values) { row throws(SQLError) in
            found = (row.integer(0) ?? 0, Self.bookmark(row))
        }
        return found
    }

    private static func bookmark(_ row: Statement) -> Bookmark {
        Bookmark(article: Article(row, from: 2), savedAt: row.integer(1).map(Instant.date))
    }
}

/// What the reader removed, by hashes of its id, and of its address and title.
struct Removals {
    enum List: String { case articles = "article", bookmarks = "bookmark" }

    /// Nil where nothing was removed: then no import pays for the question.
    private let find: Statement?
    private let list: List

    init(_ connection: borrowing Connection, from list: List) throws(SQLError) {
        self.list = list
        let isAny =
            try connection.integer("SELECT 1 FROM removed WHERE list = ?1 LIMIT 1", [.text(list.rawValue)]) != nil
        find =
            isAny ? try connection.prepare("SELECT removed_at FROM removed WHERE list = ?1 AND hash = ?2") : nil
    }

    /// When the article was removed; nil where it was not.
    func date(of article: Article) throws(SQLError) -> Date? {
        guard let find else { return nil }
        for hash in Self.hashes(of: article) {
            let time = try find.first([.text(list.rawValue), .text(hash)]) { $0.integer(0) }
            if let time { return Instant.date(time) }
        }
        return nil
    }

    static func note(
        _ article: Article, from list: List, at date: Date, in connection: borrowing Connection
    ) throws(SQLError) {
        for hash in hashes(of: article) {
            try connection.query(
                "INSERT OR REPLACE INTO removed (list, hash, removed_at) VALUES (?1, ?2, ?3)",
                [.text(list.rawValue), .text(hash), .integer(Instant.milliseconds(date))])
        }
    }

    static func forget(
        _ article: Article, from list: List, in connection: borrowing Connection
    ) throws(SQLError) {
        for hash in hashes(of: article) {
            try connection.query(
                "DELETE FROM removed WHERE list = ?1 AND hash = ?2", [.text(list.rawValue), .text(hash)])
        }
    }

    private static func hashes(of article: Article) -> [String] {
        let name = ContentHash.of(["id", article.id])
        guard let address = article.url.flatMap(WebURL.identity) else { return [name] }
        // Some feeds link every item to their front page.
        return [name, ContentHash.of(["url", address, article.title])]
    }
}

extension Store {
    /// Removes an article from the history: its texts, also those that feeds brought, when it was read, its words in
    /// the search index, and every answer of a model, since an answer does not say whose words it holds. Digests stay
    /// as they were made, and so does a bookmark. Neither imports nor feeds bring it back, unless it is read again.
    /// - Parameter id: any of the article's ids.
    /// - Returns: whether it was there.
    public func remove(_ id: String, at date: Date) throws(PulseError) -> Bool {
        let isRemoved = try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                var found: (row: Int64, article: Article)?
                try connection.query(Query.byIdentifier, [.text(id)]) { row throws(SQLError) in
                    found = ReadingRow.article(row)
                }
                guard let found else { return false }
                var article = found.article
                var names = [article.id]
                try connection.query(
                    "SELECT identifier FROM aliases WHERE article = ?1", [.integer(found.row)]
                ) { row throws(SQLError) in
                    if let name = row.text(0) { names.append(name) }
                }
                let page = article.url.flatMap(WebURL.page)
                for name in names {
                    try connection.query(Query.emptied, [.text(name), SQLValue(page)])
                    article.id = name
                    try Removals.note(article, from: .articles, at: date, in: connection)
                }
                let isIndexed =
                    try connection.integer("SELECT 1 FROM words_docsize WHERE id = ?1", [.integer(found.row)]) != nil
                try connection.query("DELETE FROM articles WHERE id = ?1", [.integer(found.row)])
                try connection.query("DELETE FROM answers")
                // The next import looks at everything once more, and says what it left out.
                try connection.query("DELETE FROM source_rows")
                // The index only notes that a text is gone; merged into one, it no longer has its words.
                if isIndexed { try connection.execute("INSERT INTO words (words) VALUES ('optimize')") }
                return true
            }
        }
        // Deleted bytes are overwritten in the file (secure_delete), but older pages stay in the -wal file, and all of
        // them in a copy from before an upgrade.
        if isRemoved {
            StoreUpgrade(at: path).removeCopies()
            _ = try attempt { () throws(SQLError) in try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        return isRemoved
    }
}
