import Foundation
import PulseCore
import PulsePlatform

extension FeedReaderDatabase {
    /// https://freshrss.org. The tables are those of `app/SQL/install.sql.sqlite.php` in FreshRSS/FreshRSS. `feed` also
    /// holds passwords, which are not read.
    static let freshRSS = FeedReaderDatabase(
        name: "freshrss", program: "FreshRSS",
        summary: "FreshRSS's db.sqlite",
        details: """
            The database of one user, where FreshRSS keeps it in SQLite: users/NAME/db.sqlite in its data folder, which
            often only the web server's user may read. Since version 1.28 it holds when an article was read.
            """,
        defaultPaths: { environment in
            ["/var/www/FreshRSS/data/users", "/usr/share/FreshRSS/data/users", "/var/lib/freshrss/users"].flatMap {
                folder in
                let users = ImportEnvironment.entries(of: folder)
                // `_` holds the default settings of new users.
                return (users.isEmpty ? [folder + "/admin"] : users.filter { !$0.hasSuffix("/_") })
                    .map { $0 + "/db.sqlite" }
            }
        },
        files: ["db.sqlite"],
        isOurs: {
            $0.has("entry", "id", "guid", "title", "content", "link", "date", "is_read", "is_favorite", "id_feed")
                && $0.has("feed", "id", "url", "name", "category") && $0.has("category", "id", "name")
        },
        schemas: { database, tables in
            let hasTimes = tables.has("entry", "lastUserModified")
            let first =
                hasTimes
                ? try database.rows("SELECT min(lastUserModified) FROM entry WHERE lastUserModified > 0") {
                    $0.integer(0)
                }.first ?? nil : nil
            return [
                ReaderSchema(
                    tables: """
                        entry AS item LEFT JOIN feed ON feed.id = item.id_feed
                            LEFT JOIN category ON category.id = feed.category
                        """,
                    rowID: "item.rowid", isRead: "item.is_read", isStarred: "item.is_favorite",
                    // Marked by a filter: FreshRSS records the time only if the user does it.
                    isReadOnArrival: first.map {
                        "item.is_read AND coalesce(item.lastUserModified, 0) = 0 AND item.id / 1000000 > \($0)"
                    } ?? "0",
                    guid: "item.guid", feed: unescaped("feed.url"), url: unescaped("item.link"),
                    title: unescaped("item.title"), content: "item.content", contentType: "'text/html'",
                    // `FreshRSS_Entry::authors` stores ";Ana; Eva".
                    author: """
                        replace(ltrim(\(unescaped(tables.optional("entry", "author", as: "item"))), '; '), '; ', ', ')
                        """,
                    source: unescaped("feed.name"),
                    // Category 1 is "Uncategorized", translated.
                    category: "CASE WHEN category.id > 1 THEN \(unescaped("category.name")) END",
                    publishedAt: "item.date",
                    // 0 for entries that were read before 1.28, or marked by a filter.
                    readAt: hasTimes ? "nullif(item.lastUserModified, 0)" : nil,
                    // An id is a time in microseconds.
                    arrivedAt: "item.id / 1000000.0")
            ]
        },
        hasAccounts: true)

    /// SQL that undoes PHP's `htmlspecialchars`, with which names and URLs are stored.
    private static func unescaped(_ column: String) -> String {
        let characters = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#039;", "''"), ("&amp;", "&")]
        let replaced = characters.reduce(column) { "replace(\($0), '\($1.0)', '\($1.1)')" }
        // Most have nothing to replace, and each call of replace() makes a copy.
        return "CASE WHEN instr(\(column), '&') THEN \(replaced) ELSE \(column) END"
    }
}
