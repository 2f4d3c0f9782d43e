import PulseCore

extension FeedReaderDatabase {
    /// https://quiterss.org. The tables are those of `src/database/database.cpp` in QuiteRSS/quiterss.
    static let quiteRSS = FeedReaderDatabase(
        name: "quiterss", program: "QuiteRSS",
        summary: "QuiteRSS's feeds.db",
        details: """
            QuiteRSS works on a copy in memory, so quit it before you import. It keeps no reading times: see newsboat.
            Starred articles become bookmarks.
            """,
        defaultPaths: {
            ($0.dataFolders(of: "quiterss") + [$0.home + "/Library/Application Support"])
                .map { $0 + "/QuiteRss/QuiteRss/feeds.db" }
        },
        files: ["feeds.db"],
        isOurs: {
            $0.has("news", "id", "feedId", "guid", "description", "content", "title", "read", "starred", "deleted")
                && $0.has("news", "published", "received", "author_name", "link_href", "link_alternate", "guidislink")
                && $0.has("feeds", "id", "text", "title", "xmlUrl", "parentId")
        },
        schemas: { _, tables in
            [
                ReaderSchema(
                    tables: """
                        news AS item LEFT JOIN feeds AS feed ON feed.id = item.feedId
                            LEFT JOIN feeds AS folder ON folder.id = feed.parentId
                        """,
                    rowID: "item.id", isKept: "item.deleted = 0", isRead: "item.read > 0", isStarred: "item.starred",
                    guid: "item.guid", feed: "feed.xmlUrl",
                    url: """
                        coalesce(nullif(item.link_href, ''), nullif(item.link_alternate, ''),
                            CASE WHEN item.guidislink = 'true' THEN item.guid END)
                        """,
                    title: "item.title",
                    summary: "CASE WHEN item.content <> '' THEN item.description END",
                    content: "coalesce(nullif(item.content, ''), item.description)", author: "item.author_name",
                    // The user's name for the feed, else the feed's own title.
                    source: "coalesce(nullif(feed.text, ''), feed.title)",
                    category: "coalesce(nullif(folder.text, ''), folder.title)",
                    language: tables.optional("feeds", "language", as: "feed"),
                    publishedAt: seconds("item.published"), arrivedAt: seconds("item.received"))
            ]
        })

    /// Times are ISO 8601 without an offset, in the user's time zone.
    private static func seconds(_ column: String) -> String { "CAST(strftime('%s', \(column), 'utc') AS INTEGER)" }
}
