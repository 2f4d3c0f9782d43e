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
    /// All entries except those that are gone.
    public let entries: Int
}

extension Query {
    private static let feedColumns = "id, address, title, site, folder, added_at, is_named, refresh"
    static let feeds = "SELECT \(feedColumns) FROM feeds ORDER BY id"
    fileprivate static let feedByRow = "SELECT \(feedColumns) FROM feeds WHERE id = ?1"
    static let feedByIdentity = "SELECT \(feedColumns) FROM feeds WHERE identity = ?1"
    fileprivate static let feedNames = "SELECT name FROM feeds WHERE name >= ?1 AND name < ?2"
    static let entryCounts = """
        SELECT feed, sum(state = 'new' AND NOT \(isDelivered)), sum(state = 'new'), count(*)
        FROM entries WHERE state <> 'gone' GROUP BY feed
        """
}

extension Store {
    /// All feeds, in the order in which they were added.
    public func feeds() throws -> [FollowedFeed] {
        try attempt {
            var counts: [Int64: [Int]] = [:]
            try connection.query(Query.entryCounts) { row in
                counts[row.integer(0) ?? 0] = [row.integer(1), row.integer(2), row.integer(3)].map { Int($0 ?? 0) }
            }
            return try connection.rows(Query.feeds) { row in
                let feed = Self.feed(row)
                let count = counts[feed.id] ?? [0, 0, 0]
                return FollowedFeed(feed: feed, new: count[0], unread: count[1], entries: count[2])
            }
        }
    }

    /// The feed of a rowid.
    public func feed(_ id: Int64) throws -> Feed? {
        try attempt { try connection.first(Query.feedByRow, [.integer(id)], Self.feed) }
    }

    /// The feed with an address, compared by `WebURL.identity`.
    public func feed(at address: String) throws -> Feed? {
        try attempt { try connection.first(Query.feedByIdentity, [.text(Self.identity(of: address))], Self.feed) }
    }

    /// Adds the feeds that are not followed yet, and returns them with their rowids. `isTitled`: the reader chose the
    /// titles.
    public func add(_ feeds: [Feed], isTitled: Bool = false) throws -> [Feed] {
        try transaction {
            let insert = try connection.prepare(
                """
                INSERT OR IGNORE INTO feeds (identity, address, title, site, folder, added_at, is_named, refresh, name)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                """)
            let unnamed = try connection.rows("SELECT id, address, title FROM feeds WHERE name IS NULL") {
                Feed(
                    id: $0.integer(0) ?? 0, address: $0.text(1) ?? "", title: $0.text(2) ?? "", addedAt: Instant.date(0)
                )
            }
            for feed in unnamed {
                try connection.query(
                    "UPDATE feeds SET name = ?2 WHERE id = ?1", [.integer(feed.id), .text(Self.name(of: feed))])
            }
            var added: [Feed] = []
            for var feed in feeds {
                if !isTitled { feed.title = try Self.title(of: feed, in: connection) }
                try insert.run([
                    .text(Self.identity(of: feed.address)), .text(feed.address), .text(feed.title), SQLValue(feed.site),
                    SQLValue(feed.folder), .time(feed.addedAt), SQLValue(feed.isNamed), Self.refresh(feed),
                    .text(Self.name(of: feed)),
                ])
                guard insert.changes > 0 else { continue }
                feed.id = insert.lastInsertedRow
                added.append(feed)
            }
            return added
        }
    }

    /// Sets `isNamed` of followed feeds, whose addresses the reader has typed now. Returns how many were changed.
    public func markNamed(_ feeds: [Feed]) throws -> Int {
        try transaction {
            let name = try connection.prepare("UPDATE feeds SET is_named = 1 WHERE identity = ?1 AND is_named = 0")
            var count = 0
            for feed in feeds {
                try name.run([.text(Self.identity(of: feed.address))])
                count += name.changes
            }
            return count
        }
    }

    /// Removes a feed and its entries, and returns whether it was there. The history keeps the articles read.
    public func removeFeed(_ id: Int64) throws -> Bool {
        try attempt {
            let statement = try connection.prepare("DELETE FROM feeds WHERE id = ?1")
            try statement.run([.integer(id)])
            return statement.changes > 0
        }
    }

    /// A feed's title, which names the publication. The server is appended if a feed of another server has the same
    /// title.
    private static func title(of feed: Feed, in connection: borrowing Connection) throws -> String {
        guard feed.title != feed.address else { return feed.title }
        // The first and the last of this name: if both are of the feed's own server, so are all between them.
        let name = Words.name(feed.title) + nameEnd
        let range: [SQLValue] = [.text(name), .text(name + "\u{10ffff}")]
        let first = try connection.text("\(Query.feedNames) ORDER BY name LIMIT 1", range)
        let last = try connection.text("\(Query.feedNames) ORDER BY name DESC LIMIT 1", range)
        let isTaken = first != nil && (first != Self.name(of: feed) || last != first)
        return isTaken ? "\(feed.title) (\(FeedServers.server(of: feed.address)))" : feed.title
    }

    /// A feed's key for look-ups: its title as `Words.name` has it, and its server.
    private static func name(of feed: Feed) -> String {
        Words.name(feed.title) + nameEnd + FeedServers.server(of: feed.address)
    }

    private static let nameEnd = "\n"

    /// Updates a feed after a refresh, and returns whether it is still followed: `added_at` must match, since rowids of
    /// removed feeds are reused. A new address that another feed has already is not taken over.
    static func update(_ feed: Feed, in connection: borrowing Connection) throws -> Bool {
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
            "UPDATE feeds SET title = ?3, site = ?4, refresh = ?5, name = ?6 WHERE id = ?1 AND added_at = ?2")
        try update.run(key + [.text(feed.title), SQLValue(feed.site), refresh(feed), .text(name(of: feed))])
        return update.changes > 0
    }

    /// Addresses that differ only in scheme, trailing slash or tracking parameters are one feed.
    private static func identity(of address: String) -> String { WebURL.identity(address) ?? address }

    private static func refresh(_ feed: Feed) -> SQLValue { .text(Payload.text(feed.refresh) ?? "") }

    private static func feed(_ row: Statement) -> Feed {
        // Earlier releases also stored the passwords in addresses from lists.
        func clean(_ address: String) -> String { WebURL.hasUser(address) ? WebURL.withoutUser(address) : address }
        return Feed(
            id: row.integer(0) ?? 0, address: clean(row.text(1) ?? ""), title: clean(row.text(2) ?? ""),
            site: row.text(3), folder: row.text(4), addedAt: Instant.date(row.integer(5) ?? 0),
            isNamed: row.integer(6) != 0,
            // Damaged state counts as none: the feed is fetched as if for the first time.
            refresh: row.text(7).flatMap { Payload.value(Feed.FetchState.self, from: $0) } ?? Feed.FetchState())
    }
}
