import PulseCore

extension FeedReaderDatabase {
    /// https://lzone.de/liferea. The tables are those of `src/db.c` in lwindolf/liferea since schema 8; older schemas
    /// store the read state elsewhere.
    static let liferea = FeedReaderDatabase(
        name: "liferea", program: "Liferea",
        summary: "Liferea's liferea.db",
        details: "Liferea may be running. It keeps no reading times: see newsboat. Flagged articles become bookmarks.",
        defaultPaths: { $0.dataFolders(of: "liferea").map { $0 + "/liferea/liferea.db" } },
        files: ["liferea.db"],
        isOurs: {
            $0.has("items", "item_id", "node_id", "title", "read", "marked", "source", "source_id", "description")
                && $0.has("metadata", "item_id", "key", "value") && $0.has("node", "node_id", "parent_id", "title")
        },
        schemas: { _, tables in
            let hasAddresses = tables.has("subscription", "node_id", "source")
            return [
                ReaderSchema(
                    tables: """
                        items AS item LEFT JOIN node ON node.node_id = item.node_id
                            LEFT JOIN node AS folder ON folder.node_id = node.parent_id
                        """ + (hasAddresses ? " LEFT JOIN subscription ON subscription.node_id = item.node_id" : ""),
                    rowID: "item.item_id",
                    // Comments on articles are items too.
                    isKept: "coalesce(\(tables.optional("items", "comment", as: "item")), 0) = 0",
                    isRead: "item.read", isStarred: "item.marked",
                    guid: tables.has("items", "valid_guid")
                        ? "CASE WHEN item.valid_guid THEN item.source_id END" : "item.source_id",
                    feed: hasAddresses ? "coalesce(subscription.source, item.node_id)" : "item.node_id",
                    url: "item.source", title: "item.title", content: "item.description",
                    author: """
                        (SELECT value FROM metadata WHERE metadata.item_id = item.item_id
                            AND key IN ('author', 'creator') ORDER BY key LIMIT 1)
                        """,
                    source: "node.title", category: "folder.title",
                    publishedAt: tables.optional("items", "date", as: "item"))
            ]
        })
}
