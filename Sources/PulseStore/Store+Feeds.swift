public import PulseCore
import PulsePlatform
import PulseText

/// A feed that is followed, and how much of it there is.
public struct FollowedFeed: Sendable, Hashable {
    public let feed: Feed
    /// Entries that neither the reader nor a digest has had.
    public let new: Int
    /// Entries that were not read: the new ones, and those that a digest has told of.
    public let unread: Int
    /// All that are kept.
    public let entries: Int

    public init(feed: Feed, new: Int, unread: Int, entries: Int) {
        self.feed = feed
        self.new = new
        self.unread = unread
        self.entries = entries
    }
}

extension Query {
    private static let feedColumns = "id, address, title, site, folder, added_at, is_named, refresh"
    static let feeds = "SELECT \(feedColumns) FROM feeds ORDER BY id"
    static let feedByIdentity = "SELECT \(feedColumns) FROM feeds WHERE identity = ?1"
    static let entryCounts = """
        SELECT feed, sum(state = 'new' AND NOT \(isTold)), sum(state = 'new'), count(*)
        FROM entries WHERE state <> 'gone' GROUP BY feed
        """
}

/// The feeds that the reader follows.
extension Store {
    /// All of them, in the order in which they were added.
    public func feeds() throws(PulseError) -> [FollowedFeed] {
        try attempt { () throws(SQLError) in
            var counts: [Int64: [Int]] = [:]
            try connection.query(Query.entryCounts) { row throws(SQLError) in
                counts[row.integer(0) ?? 0] = [row.integer(1), row.integer(2), row.integer(3)].map { Int($0 ?? 0) }
            }
            var feeds: [FollowedFeed] = []
            try connection.query(Query.feeds) { row throws(SQLError) in
                let feed = Self.feed(row)
                let count = counts[feed.id] ?? [0, 0, 0]
                feeds.append(FollowedFeed(feed: feed, new: count[0], unread: count[1], entries: count[2]))
            }
            return feeds
        }
    }

    /// The feed of an address, however it is spelled: see `WebURL.identity`.
    public func feed(at address: String) throws(PulseError) -> Feed? {
        try attempt { () throws(SQLError) in try Self.feed(at: address, in: connection) }
    }

    static func feed(at address: String, in connection: borrowing Connection) throws(SQLError) -> Feed? {
        var found: Feed?
        try connection.query(Query.feedByIdentity, [.text(identity(of: address))]) { row throws(SQLError) in
            found = Self.feed(row)
        }
        return found
    }

    /// Adds feeds, but none that is there already.
    /// - Parameter isTitled: whether their reader chose their titles.
    /// - Returns: those that were added, each with its row.
    public func add(_ feeds: [Feed], isTitled: Bool = false) throws(PulseError) -> [Feed] {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
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
                            + [
                                .integer(Instant.milliseconds(feed.addedAt)), SQLValue(feed.isNamed),
                                Self.refresh(feed),
                            ]
                    )
                    guard insert.changes > 0 else { continue }
                    feed.id = insert.lastInsertedRow
                    added.append(feed)
                }
                return added
            }
        }
    }

    /// Notes of feeds that are followed that the reader has named their addresses now.
    /// - Returns: how many were not named before.
    public func name(_ feeds: [Feed]) throws(PulseError) -> Int {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let name = try connection.prepare("UPDATE feeds SET is_named = 1 WHERE identity = ?1 AND is_named = 0")
                var count = 0
                for feed in feeds {
                    try name.run([.text(Self.identity(of: feed.address))])
                    count += name.changes
                }
                return count
            }
        }
    }

    /// Removes a feed with its entries. What was read of it stays in the history.
    /// - Returns: whether it was there.
    public func removeFeed(_ id: Int64) throws(PulseError) -> Bool {
        try attempt { () throws(SQLError) in
            let statement = try connection.prepare("DELETE FROM feeds WHERE id = ?1")
            try statement.run([.integer(id)])
            return statement.changes > 0
        }
    }

    /// A feed's title; where a feed of another server has it already, with the server behind it, since a publication is
    /// known by it.
    private static func title(of feed: Feed, in connection: borrowing Connection) throws(SQLError) -> String {
        let (name, server) = (Words.name(feed.title), FeedServers.server(of: feed.address))
        var isTaken = false
        try connection.query("SELECT id, address, title FROM feeds") { row throws(SQLError) in
            guard row.integer(0) != feed.id, Words.name(row.text(2) ?? "") == name else { return }
            if FeedServers.server(of: row.text(1) ?? "") != server { isTaken = true }
        }
        return isTaken && feed.title != feed.address ? "\(feed.title) (\(server))" : feed.title
    }

    /// Writes what a refresh has changed of a feed. An address that is another feed's already stays what it was.
    /// - Returns: whether it is still followed. One that was removed meanwhile may have left its id to another.
    static func update(_ feed: Feed, in connection: borrowing Connection) throws(SQLError) -> Bool {
        let key: [SQLValue] = [.integer(feed.id), .integer(Instant.milliseconds(feed.addedAt))]
        try connection.query(
            """
            UPDATE OR IGNORE feeds SET identity = ?3, address = ?4, is_named = ?5
            WHERE id = ?1 AND added_at = ?2 AND address <> ?4
            """,
            key + [.text(identity(of: feed.address)), .text(feed.address), SQLValue(feed.isNamed)])
        // One out of a list may have had none, and learn it now.
        var feed = feed
        let known = try connection.prepare("SELECT title FROM feeds WHERE id = ?1").first([.integer(feed.id)]) {
            $0.text(0)
        }
        if known != feed.title { feed.title = try title(of: feed, in: connection) }
        let update = try connection.prepare(
            "UPDATE feeds SET title = ?3, site = ?4, refresh = ?5 WHERE id = ?1 AND added_at = ?2")
        try update.run(key + [.text(feed.title), SQLValue(feed.site), refresh(feed)])
        return update.changes > 0
    }

    /// Feeds are the same that differ in scheme, slash at the end or parameters that follow readers alone.
    private static func identity(of address: String) -> String { WebURL.identity(address) ?? address }

    private static func values(_ feed: Feed) -> [SQLValue] {
        [.text(feed.address), .text(feed.title), SQLValue(feed.site), SQLValue(feed.folder)]
    }

    private static func refresh(_ feed: Feed) -> SQLValue { .text(Payload.text(feed.refresh) ?? "") }

    private static func feed(_ row: Statement) -> Feed {
        Feed(
            id: row.integer(0) ?? 0, address: row.text(1) ?? "", title: row.text(2) ?? "", site: row.text(3),
            folder: row.text(4), addedAt: Instant.date(row.integer(5) ?? 0), isNamed: row.integer(6) != 0,
            // Damaged, it is asked as if for the first time.
            refresh: row.text(7).flatMap { Payload.value(Feed.Refresh.self, from: $0) } ?? Feed.Refresh())
    }
}
