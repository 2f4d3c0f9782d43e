public import PulseCore
import PulsePlatform

public import struct Foundation.Date

extension Query {
    /// Articles of a digest that was not sent are delivered later, however long ago they were read.
    static let undelivered = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE id IN (
            SELECT id FROM articles
            WHERE read_at >= ?1 AND NOT EXISTS (SELECT 1 FROM told WHERE article = articles.id AND reader = ?2)
            UNION ALL SELECT article FROM told WHERE reader = ?2 AND told_at = 0
            UNION ALL SELECT article FROM told WHERE reader = ?2 AND told_at >= ?3)
        ORDER BY read_at DESC, identifier
        """
    static let lastDelivery = """
        SELECT max(told_at) FROM told WHERE reader = ?1 AND told_at > \(Store.beforeFirst) AND told_at < ?2
        """
    static let markArticles = """
        INSERT OR REPLACE INTO told (article, reader, told_at) SELECT id, ?2, ?3 FROM articles WHERE identifier = ?1
        """
    static let markEarlier = """
        INSERT OR IGNORE INTO told (article, reader, told_at)
        SELECT id, ?1, ?2 FROM articles WHERE read_at >= ?3 AND read_at <= ?4
            AND NOT EXISTS (SELECT 1 FROM told WHERE reader = ?1 AND told_at > ?2)
        """
    static let deliveredReaders = """
        SELECT reader FROM told WHERE told_at >= ?1 AND told_at < ?2
        UNION SELECT substr(profile, 2) FROM entries_told
        WHERE profile LIKE ' %' AND told_at >= ?1 AND told_at < ?2
        """
    static let unmarkReadings = "UPDATE told SET told_at = 0 WHERE told_at >= ?1 AND told_at < ?2 AND reader = ?3"
    static let unmarkEntries = "DELETE FROM entries_told WHERE told_at >= ?1 AND told_at < ?2 AND profile = ?3"
    static let unmarkArticles =
        "UPDATE told SET told_at = 0 WHERE reader = ?2 AND article = (SELECT id FROM articles WHERE identifier = ?1)"
}

/// Which articles were in a digest for a reader, who is a mail address or a profile's printed output, so that none is
/// told twice and none that was imported late is lost.
extension Store {
    /// The articles read since `start` that were in no digest sent to the reader before `date`, newest first; also
    /// those of a digest that was not sent, whenever they were read. Reads dated in the future by a wrong clock are
    /// included, since they would otherwise wait for that day.
    public func readings(since start: Date, notSentTo reader: String, before date: Date) throws -> [Reading] {
        try select(Query.undelivered, [.time(start), .text(reader), .time(date)])
    }

    /// When the last digest before a date was sent to a reader; nil if none was.
    public func lastSent(to reader: String, before date: Date) throws -> Date? {
        try integer(Query.lastDelivery, [.text(reader), .time(date)]).map(Instant.date)
    }

    /// Records a digest's delivery, all of it or, on failure, nothing.
    ///
    /// - Parameters:
    ///   - ids: The digest's articles, shown or not.
    ///   - entries: The recipient of a digest of unread entries; nil: it has none.
    ///   - articles: The recipient of a digest of read articles; nil: it has none.
    ///   - earlier: With the reader's first digest, articles read in this period count as told, too.
    public func markDelivered(
        _ ids: Set<String>, entriesTo entries: EntryRecipient? = nil, articlesTo articles: String? = nil,
        at date: Date, before earlier: Period? = nil
    ) throws {
        try transaction {
            if let entries {
                try connection.each(Query.markEntries, ids) { [.text($0), .text(entries.name), .time(date)] }
            }
            guard let articles else { return }
            if let earlier {
                try connection.query(
                    Query.markEarlier,
                    [.text(articles), .integer(Store.beforeFirst), .time(earlier.from), .time(earlier.to)])
            }
            try connection.each(Query.markArticles, ids) { [.text($0), .text(articles), .time(date)] }
        }
    }

    /// Reverts `markDelivered`, because the digest could not be delivered.
    public func unmarkDelivered(
        _ ids: Set<String>, entriesFrom entries: EntryRecipient, articlesFrom articles: String? = nil
    ) throws {
        try transaction {
            if let articles { try connection.each(Query.unmarkArticles, ids) { [.text($0), .text(articles)] } }
            try connection.each(Query.unmarkDelivered, ids) { [.text($0), .text(entries.name)] }
        }
    }

    /// The `told_at` of articles from before a reader's first digest. It belongs to no day, so it stays when a day is
    /// reverted.
    static let beforeFirst: Int64 = 1

    /// Reverts the deliveries of a period to some mail addresses, because they failed for good.
    public func unmarkDelivered(between start: Date, and end: Date, where isMeant: (String) -> Bool) throws {
        let time: [SQLValue] = [.time(start), .time(end)]
        try transaction {
            let readers = try connection.rows(Query.deliveredReaders, time) { $0.text(0) ?? "" }
            for reader in readers where isMeant(reader) {
                try connection.query(Query.unmarkReadings, time + [.text(reader)])
                try connection.query(Query.unmarkEntries, time + [.text(EntryRecipient(recipient: reader).name)])
            }
        }
    }
}

extension Connection {
    /// Runs a statement for each of some ids, in a fixed order.
    fileprivate func each(_ sql: String, _ ids: Set<String>, _ values: (String) -> [SQLValue]) throws {
        let statement = try prepare(sql)
        for id in ids.sorted() { try statement.run(values(id)) }
    }
}
