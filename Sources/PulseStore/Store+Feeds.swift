public import PulseCore
import PulsePlatform
import PulseText

/// A followed feed, and how many entries it has.
public struct FollowedFeed: Sendable, Hashable {
    public let feed: Feed
    /// Unread entries that no digest has had.
    public let new: Int
    /// All unread entries.
    public let unread: Int
    /// All entries, but for gone ones.
    public let entries: Int
}

extension Query {
    private static let feedColumns = "id, address, title, site, folder, added_at, is_named, refresh"
    static let feeds = "SELECT \(feedColumns) FROM feeds ORDER BY id"
    static let feedByIdentity = "SELECT \(feedColumns) FROM feeds WHERE identity = ?1"
    static let entryCounts = """
        SELECT feed, sum(state = 'new' AND NOT \(isDelivered)), sum(state = 'new'), count(*)
        FROM entries WHERE state <> 'gone' GROUP BY feed
        """
}

/// The feeds that the reader follows.
extension Store {
    /// All feeds, in the order in which they were added.
    public func feeds() throws(PulseError) -> [FollowedFeed] {
        try attempt { () throws(SQLError) in
            var counts: [Int64: [Int]] = [:]
            try connection.query(Query.entryCounts) { row throws(SQLError) in
                counts[row.integer(0) ?? 0] = [row.integer(1), row.integer(2), row.integer(3)].map { Int($0 ?? 0) }
            }
            return try connection.rows(Query.feeds) { row in
                let feed = Self.feed(row)
                let count = counts[feed.id] ?? [0, 0, 0]
                return FollowedFeed(feed: feed, new: count[0], unread: count[1], entries: count[2])
            }
        }
    }

    /// The feed with an address, compared by `WebURL.identity`.
    public func feed(at address: String) throws(PulseError) -> Feed? {
        try attempt { () throws(SQLError) in try Self.feed(at: address, in: connection) }
    }

    static func feed(at address: String, in connection: borrowing Connection) throws(SQLError) -> Feed? {
        try connection.first(Query.feedByIdentity, [.text(identity(of: address))], Self.feed)
    }

    /// Adds the feeds that are not followed yet.
    ///
    /// - Parameter isTitled: Whether the reader chose their titles.
    /// - Returns: The added feeds with their rowids.
    public func add(_ feeds: [Feed], isTitled: Bool = false) throws(PulseError) -> [Feed] {
        try transaction { () throws(SQLError) in
            let insert = try connection.prepare(
                """
                INSERT OR IGNORE INTO feeds (identity, address, title, site, folder, added_at, is_named, refresh)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                """)
            var added: [Feed] = []
            for var feed in feeds {
                if !isTitled { feed.title = try Self.title(of: feed, in: connection) }
                try insert.run(
                    [.text(Self.identity(of: feed.address))] + Self.values(feed)
                        + [.time(feed.addedAt), SQLValue(feed.isNamed), Self.refresh(feed)]
                )
                guard insert.changes > 0 else { continue }
                feed.id = insert.lastInsertedRow
                added.append(feed)
            }
            return added
        }
    }

    /// Sets `isNamed` of followed feeds, because the reader has typed their addresses now.
    ///
    /// - Returns: The number of changed feeds.
    public func name(_ feeds: [Feed]) throws(PulseError) -> Int {
        try transaction { () throws(SQLError) in
            let name = try connection.prepare("UPDATE feeds SET is_named = 1 WHERE identity = ?1 AND is_named = 0")
            var count = 0
            for feed in feeds {
                try name.run([.text(Self.identity(of: feed.address))])
                count += name.changes
            }
            return count
        }
    }

    /// Removes a feed and its entries. The history keeps the articles that were read.
    ///
    /// - Returns: Whether it was there.
    public func removeFeed(_ id: Int64) throws(PulseError) -> Bool {
        try attempt { () throws(SQLError) in
            let statement = try connection.prepare("DELETE FROM feeds WHERE id = ?1")
            try statement.run([.integer(id)])
            return statement.changes > 0
        }
    }

    /// A feed's title, which names the publication. Where a feed of another server has the same title, the server is
    /// added in parentheses.
    private static func title(of feed: Feed, in connection: borrowing Connection) throws(SQLError) -> String {
        let (name, server) = (Words.name(feed.title), FeedServers.server(of: feed.address))
        let isTaken = try connection.rows("SELECT id, address, title FROM feeds") { row in
            row.integer(0) != feed.id && Words.name(row.text(2) ?? "") == name
                && FeedServers.server(of: row.text(1) ?? "") != server
        }.contains(true)
        return isTaken && feed.title != feed.address ? "\(feed.title) (\(server))" : feed.title
    }

    /// Updates a feed after a refresh. A new address that another feed has already is not taken over.
    ///
    /// - Returns: Whether the feed is still followed. The rowid of a removed feed may have been reused, so `added_at`
    ///   must match.
    static func update(_ feed: Feed, in connection: borrowing Connection) throws(SQLError) -> Bool {
        let key: [SQLValue] = [.integer(feed.id), .time(feed.addedAt)]
        try connection.query(
            """
            UPDATE OR IGNORE feeds SET identity = ?3, address = ?4, is_named = ?5
            WHERE id = ?1 AND added_at = ?2 AND address <> ?4
            """,
            key + [.text(identity(of: feed.address)), .text(feed.address), SQLValue(feed.isNamed)])
        // A feed from a list may have had no title until now.
        var feed = feed
        let known = try connection.text("SELECT title FROM feeds WHERE id = ?1", [.integer(feed.id)])
        if known != feed.title { feed.title = try title(of: feed, in: connection) }
        let update = try connection.prepare(
            "UPDATE feeds SET title = ?3, site = ?4, refresh = ?5 WHERE id = ?1 AND added_at = ?2")
        try update.run(key + [.text(feed.title), SQLValue(feed.site), refresh(feed)])
        return update.changes > 0
    }

    /// Addresses that differ only in scheme, trailing slash or tracking parameters are one feed.
    private static func identity(of address: String) -> String { WebURL.identity(address) ?? address }

    private static func values(_ feed: Feed) -> [SQLValue] {
        [.text(feed.address), .text(feed.title), SQLValue(feed.site), SQLValue(feed.folder)]
    }

    private static func refresh(_ feed: Feed) -> SQLValue { .text(Payload.text(feed.refresh) ?? "") }

    private static func feed(_ row: Statement) -> Feed {
        Feed(
            id: row.integer(0) ?? 0, address: row.text(1) ?? "", title: row.text(2) ?? "", site: row.text(3),
            folder: row.text(4), addedAt: Instant.date(row.integer(5) ?? 0), isNamed: row.integer(6) != 0,
            // Damaged state counts as none: the feed is fetched as if for the first time.
            refresh: row.text(7).flatMap { Payload.value(Feed.FetchState.self, from: $0) } ?? Feed.FetchState())
    }
}
