public import PulseCore
import PulsePlatform
import PulseText

public import struct Foundation.Date

/// Removed articles or bookmarks, as hashes of the id, and of URL and title.
struct Removals {
    enum List: String { case articles = "article", bookmarks = "bookmark" }

    /// Nil if nothing was removed, so that most imports skip the queries.
    private let find: Statement?
    private let list: List

    init(_ connection: borrowing Connection, from list: List) throws {
        self.list = list
        let first = try connection.integer("SELECT 1 FROM removed WHERE list = ?1 LIMIT 1", [.text(list.rawValue)])
        let sql = "SELECT removed_at FROM removed WHERE list = ?1 AND hash = ?2"
        find = try first == nil ? nil : connection.prepare(sql)
    }

    /// When the article was removed; nil if it was not.
    func date(of article: Article) throws -> Date? {
        guard let find else { return nil }
        for hash in Self.hashes(of: article) {
            let time = try find.first([.text(list.rawValue), .text(hash)]) { $0.integer(0) }
            if let time { return Instant.date(time) }
        }
        return nil
    }

    static func note(_ article: Article, from list: List, at date: Date, in connection: borrowing Connection) throws {
        for hash in hashes(of: article) {
            try connection.query(
                "INSERT OR REPLACE INTO removed (list, hash, removed_at) VALUES (?1, ?2, ?3)",
                [.text(list.rawValue), .text(hash), .time(date)])
        }
    }

    static func forget(_ article: Article, from list: List, in connection: borrowing Connection) throws {
        for hash in hashes(of: article) {
            try connection.query(
                "DELETE FROM removed WHERE list = ?1 AND hash = ?2", [.text(list.rawValue), .text(hash)])
        }
    }

    private static func hashes(of article: Article) -> [String] {
        let name = ContentHash.of(["id", article.id])
        guard let address = article.url.flatMap(WebURL.identity) else { return [name] }
        // With the title, because some feeds link every item to their front page.
        return [name, ContentHash.of(["url", address, article.title])]
    }
}

extension Store {
    /// Removes an article from the history: its texts (also those from feeds), its reads, its words in the index, and
    /// all cached answers, since these do not say which articles they are from. Titles and quoted sentences stay in
    /// digests, and so does a bookmark. Neither imports nor feeds bring the article back, unless it is read again.
    ///
    /// - Parameter id: Any of the article's ids.
    /// - Returns: Whether it was there.
    public func remove(_ id: String, at date: Date) throws -> Bool { try !remove([id], at: date).isEmpty }

    /// The same for several articles: all of them or, on failure, none. Returns the ids that were there.
    public func remove(_ ids: [String], at date: Date) throws -> Set<String> {
        let removed = try transaction {
            var removed: Set<String> = []
            var isIndexed = false
            for id in ids {
                guard let found = try connection.first(Query.byIdentifier, [.text(id)], ReadingRow.article) else {
                    continue
                }
                var article = found.article
                let aliases = try connection.rows(
                    "SELECT identifier FROM aliases WHERE article = ?1", [.integer(found.row)]
                ) { $0.text(0) ?? "" }
                let page = article.url.flatMap(WebURL.page)
                for name in [article.id] + aliases {
                    try connection.query(Query.emptied, [.text(name), SQLValue(page)])
                    article.id = name
                    try Removals.note(article, from: .articles, at: date, in: connection)
                }
                if try connection.integer("SELECT 1 FROM words_docsize WHERE id = ?1", [.integer(found.row)]) != nil {
                    isIndexed = true
                }
                try connection.query("DELETE FROM articles WHERE id = ?1", [.integer(found.row)])
                try emptyInArchive([found.article.id] + aliases)
                removed.insert(id)
            }
            guard !removed.isEmpty else { return removed }
            try connection.query("DELETE FROM answers")
            // The next import reads every row again, and reports what it left out.
            try connection.query("DELETE FROM source_rows")
            // FTS5 only marks deleted text; merging all segments removes it. In the transaction: both or none.
            if isIndexed { try connection.execute("INSERT INTO words (words) VALUES ('optimize')") }
            return removed
        }
        // secure_delete overwrites the file's bytes; older pages are in the -wal file and in a migration's copy.
        if !removed.isEmpty {
            StoreUpgrade(at: path).removeCopies()
            _ = try attempt { try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        return removed
    }

    /// Whether the article was ever removed, also if it was read again since.
    public func isRemoved(_ article: Article) throws -> Bool {
        try attempt { try Removals(connection, from: .articles).date(of: article) != nil }
    }
}
