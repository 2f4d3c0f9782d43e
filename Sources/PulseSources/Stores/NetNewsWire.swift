import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform

extension FeedReaderDatabase {
    /// https://netnewswire.com. The tables are those of `ArticlesDatabase.swift` in Ranchero-Software/NetNewsWire.
    static let netNewsWire = FeedReaderDatabase(
        name: "netnewswire", program: "NetNewsWire",
        summary: "NetNewsWire's DB.sqlite3",
        details: """
            Each of its accounts has a folder with a database: name one, or the first that is found is read.
            NetNewsWire keeps no reading times: see newsboat. What it marked as read by itself, because it was older
            than half a year when it came, is left out.
            """,
        defaultPaths: { environment in
            let accounts = [
                "Containers/com.ranchero.NetNewsWire-Evergreen/Data/Library/Application Support",
                "Application Support",
            ].map { "\(environment.home)/Library/\($0)/NetNewsWire/Accounts" }
            let found = accounts.flatMap(ImportEnvironment.entries(of:)).map { $0 + "/DB.sqlite3" }
                .filter(FileManager.default.fileExists(atPath:))
            return found.isEmpty ? accounts.map { $0 + "/OnMyMac/DB.sqlite3" } : found
        },
        files: ["DB.sqlite3", "OnMyMac/DB.sqlite3"],
        isOurs: {
            $0.has("articles", "articleID", "feedID", "title", "contentHTML", "contentText", "url", "datePublished")
                && $0.has("statuses", "articleID", "read", "starred", "dateArrived")
        },
        schemas: { _, tables in
            // The authors moved from tables of their own into a column in April 2026.
            let author =
                tables.has("articles", "authors")
                ? "CASE WHEN json_valid(item.authors) THEN json_extract(item.authors, '$[0].name') END"
                : tables.has("authorsLookup", "authorID", "articleID") && tables.has("authors", "authorID", "name")
                    ? """
                    (SELECT authors.name FROM authorsLookup JOIN authors USING (authorID)
                        WHERE authorsLookup.articleID = item.articleID LIMIT 1)
                    """ : "NULL"
            let markdown = tables.optional("articles", "markdown", as: "item")
            let external = tables.optional("articles", "externalURL", as: "item")
            let url = "coalesce(nullif(item.url, ''), nullif(\(external), ''))"
            return [
                ReaderSchema(
                    tables: "articles AS item JOIN statuses AS status ON status.articleID = item.articleID",
                    rowID: "item.rowid", isRead: "status.read", isStarred: "status.starred",
                    // `ArticleStatus.staleIntervalInSeconds`.
                    isReadOnArrival: """
                        status.read AND item.datePublished > 0
                            AND status.dateArrived - item.datePublished > 183 * 86400
                        """,
                    guid: "coalesce(\(url), item.articleID)", feed: "item.feedID", url: url, title: "item.title",
                    summary: tables.optional("articles", "summary", as: "item"),
                    content: "coalesce(nullif(item.contentHTML, ''), nullif(\(markdown), ''), item.contentText)",
                    contentType: "CASE WHEN item.contentHTML <> '' THEN 'text/html' ELSE 'text/plain' END",
                    author: author, publishedAt: "item.datePublished", arrivedAt: "status.dateArrived")
            ]
        },
        feeds: { path, _ in try netNewsWireFeeds(beside: path) },
        hasAccounts: true)

    /// The names and folders of feeds. The user's names take precedence over those in Subscriptions.opml. Accounts of
    /// services have ids of their own for feeds, which FeedSettings.db maps to URLs.
    private static func netNewsWireFeeds(beside path: String) throws -> [String: ReaderFeed] {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let list = folder.appendingPathComponent("Subscriptions.opml").path
        var feeds = FileManager.default.fileExists(atPath: list) ? try subscriptions(list) : [:]
        let settings = folder.appendingPathComponent("FeedSettings.db").path
        guard FileManager.default.fileExists(atPath: settings) else { return feeds }
        let database = try SourceDatabase(path: settings, program: "NetNewsWire")
        guard ReaderTables(try database.tables()).has("feedSettings", "feedURL", "feedID", "editedName") else {
            return feeds
        }
        let rows = try database.rows("SELECT feedURL, feedID, editedName FROM feedSettings") {
            (url: $0.text(0) ?? "", id: $0.text(1) ?? "", name: $0.text(2)?.nonEmpty)
        }
        for row in rows {
            var feed = feeds[row.url] ?? ReaderFeed()
            feed.name = row.name ?? feed.name
            feeds[row.url] = feed
            if !row.id.isEmpty { feeds[row.id] = feed }
        }
        return feeds
    }

    /// The feeds in an OPML file; none if it is not OPML, because the articles can be imported without it.
    private static func subscriptions(_ path: String) throws -> [String: ReaderFeed] {
        guard let list = FileManager.default.contents(atPath: path) else {
            throw PulseError(reading: path, errno: EACCES)
        }
        return (OPML.feeds(in: list)?.feeds ?? []).reduce(into: [:]) { feeds, feed in
            let folder = feed.folder?.split(separator: "/").last
            feeds[feed.address] = ReaderFeed(name: feed.title, category: folder.map(String.init))
        }
    }
}
