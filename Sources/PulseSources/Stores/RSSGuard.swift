import PulseCore
import PulsePlatform

extension FeedReaderDatabase {
    /// https://rssguard.readthedocs.io. The tables are those of `resources/sql/db_init.sql` in martinrotter/rssguard.
    static let rssGuard = FeedReaderDatabase(
        name: "rssguard", program: "RSS Guard",
        summary: "RSS Guard's database.db",
        details: """
            Versions 4 and 5, where they keep it in SQLite. RSS Guard may be running. It keeps no reading times: see
            newsboat. Important articles become bookmarks. Email accounts are left out.
            """,
        defaultPaths: { environment in
            let config = environment.folder("XDG_CONFIG_HOME", or: ".config")
            let flatpaks = environment.sandboxes.filter { $0.contains("rssguard") }.flatMap {
                [$0 + "/config", $0 + "/.config"]
            }
            let library = environment.home + "/Library/Preferences"
            // After an upgrade both exist, and the newer one is in use.
            return ([config] + flatpaks + [library]).flatMap { folder in
                ["rssguard5", "RSS Guard 4"].map { "\(folder)/\($0)/database/database.db" }
            }
        },
        files: ["database/database.db", "database.db"],
        isOurs: {
            $0.has("Messages", "id", "is_read", "is_important", "is_deleted", "feed", "title", "url", "contents")
                && $0.has("Feeds", "id", "title", "source", "category", "account_id", "custom_id")
                && $0.has("Accounts", "id", "type") && $0.has("Categories", "id", "title")
        },
        schemas: { database, tables in
            // `Messages.feed` is the service's id of the feed in version 4, and its row id in version 5.
            let declared = try database.rows(
                "SELECT type FROM pragma_table_info('Messages') WHERE name = 'feed' COLLATE NOCASE"
            ) { $0.text(0) ?? "" }
            let feedID = declared.first?.uppercased().hasPrefix("INT") == true ? "id" : "custom_id"
            let isPurged = tables.optional("Messages", "is_pdeleted", as: "item")
            return [
                ReaderSchema(
                    tables: """
                        Messages AS item LEFT JOIN Accounts AS account ON account.id = item.account_id
                            LEFT JOIN Feeds AS feed
                                ON feed.\(feedID) = item.feed AND feed.account_id = item.account_id
                            LEFT JOIN Categories AS category
                                ON category.id = feed.category AND category.account_id = item.account_id
                        """,
                    rowID: "item.id",
                    isKept: """
                        item.is_deleted = 0 AND coalesce(\(isPurged), 0) = 0
                            AND coalesce(account.type, '') <> 'gmail'
                        """,
                    isRead: "item.is_read", isStarred: "item.is_important",
                    guid: tables.optional("Messages", "custom_id", as: "item"),
                    feed: "coalesce(feed.source, item.feed)", url: "item.url", title: "item.title",
                    content: "item.contents", author: tables.optional("Messages", "author", as: "item"),
                    source: "feed.title", category: "category.title",
                    publishedAt: tables.optional("Messages", "date_created", as: "item") + " / 1000.0",
                    arrivedAt: tables.optional("Messages", "date_retrieved", as: "item") + " / 1000.0")
            ]
        })
}
