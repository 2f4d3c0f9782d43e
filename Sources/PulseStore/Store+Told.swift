public import PulseCore
import PulsePlatform

public import struct Foundation.Date

extension Query {
    /// What stands in a digest that does not count is told again, however long ago it was read.
    static let untold = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE id IN (
            SELECT id FROM articles
            WHERE read_at >= ?1 AND NOT EXISTS (SELECT 1 FROM told WHERE article = articles.id AND reader = ?2)
            UNION ALL SELECT article FROM told WHERE reader = ?2 AND told_at = 0
            UNION ALL SELECT article FROM told WHERE reader = ?2 AND told_at >= ?3)
        ORDER BY read_at DESC, identifier
        """
    static let lastTold = "SELECT max(told_at) FROM told WHERE reader = ?1 AND told_at > 0 AND told_at < ?2"
    static let readersTold = """
        SELECT reader FROM told WHERE told_at >= ?1 AND told_at < ?2
        UNION SELECT substr(profile, 2) FROM entries_told
        WHERE profile LIKE ' %' AND told_at >= ?1 AND told_at < ?2
        """
    static let forgetToldReadings =
        "UPDATE told SET told_at = 0 WHERE told_at >= ?1 AND told_at < ?2 AND reader = ?3"
    static let forgetToldEntries = "DELETE FROM entries_told WHERE told_at >= ?1 AND told_at < ?2 AND profile = ?3"
    static let forgetToldArticle =
        "UPDATE told SET told_at = 0 WHERE reader = ?2 AND article = (SELECT id FROM articles WHERE identifier = ?1)"
}

/// Which articles were in a digest that was sent, and to whom: so that none is sent twice, and none is lost because it
/// was imported late. A reader is named by a mail address.
extension Store {
    /// What was read from a date on and was in no digest for the reader that was sent before another date, newest
    /// first; and what stood in one that was not, whenever it was read. What a clock that was wrong dates after today
    /// is among it: it would wait for that day.
    public func readings(since start: Date, notSentTo reader: String, before date: Date) throws(PulseError) -> [Reading]
    {
        try select(
            Query.untold,
            [
                .integer(Instant.milliseconds(start)), .text(reader), .integer(Instant.milliseconds(date)),
            ])
    }

    /// When the last digest for a reader was sent before a date; nil where none was.
    public func lastSent(to reader: String, before date: Date) throws(PulseError) -> Date? {
        try attempt { () throws(SQLError) in
            try connection.integer(Query.lastTold, [.text(reader), .integer(Instant.milliseconds(date))])
                .map(Instant.date)
        }
    }

    /// Notes that a digest was sent to a reader.
    ///
    /// - Parameters:
    ///   - ids: the articles that were read in its time, shown or not.
    ///   - earlier: what was read in this time counts as sent too: it came before the reader's first digest. Nil:
    ///   nothing.
    public func noteTold(
        articles ids: Set<String>, to reader: String, at date: Date, earlier: Period?
    ) throws(PulseError) {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let note = try connection.prepare(
                    """
                    INSERT OR REPLACE INTO told (article, reader, told_at)
                    SELECT id, ?2, ?3 FROM articles WHERE identifier = ?1
                    """)
                for id in ids.sorted() {
                    try note.run([.text(id), .text(reader), .integer(Instant.milliseconds(date))])
                }
                guard let earlier else { return }
                try connection.query(
                    """
                    INSERT OR IGNORE INTO told (article, reader, told_at)
                    SELECT id, ?1, ?2 FROM articles WHERE read_at >= ?3 AND read_at <= ?4
                    """,
                    [
                        .text(reader), .integer(Instant.milliseconds(date)),
                        .integer(Instant.milliseconds(earlier.from)), .integer(Instant.milliseconds(earlier.to)),
                    ])
            }
        }
    }

    /// Takes back what `noteTold` noted of these articles: the digest never reached its reader.
    public func forgetTold(articles ids: Set<String>, to reader: String) throws(PulseError) {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let note = try connection.prepare(Query.forgetToldArticle)
                for id in ids.sorted() { try note.run([.text(id), .text(reader)]) }
            }
        }
    }

    /// Takes back what was noted in a stretch of time, for the mail addresses that are meant: the digests never reached
    /// their readers, and cannot any more.
    public func forgetTold(
        between start: Date, and end: Date, where isMeant: (String) -> Bool
    ) throws(PulseError) {
        let time: [SQLValue] = [.integer(Instant.milliseconds(start)), .integer(Instant.milliseconds(end))]
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                var readers: Set<String> = []
                try connection.query(Query.readersTold, time) { row throws(SQLError) in
                    readers.insert(row.text(0) ?? "")
                }
                for reader in readers.sorted() where isMeant(reader) {
                    try connection.query(Query.forgetToldReadings, time + [.text(reader)])
                    try connection.query(
                        Query.forgetToldEntries, time + [.text(EntryReader(recipient: reader).name)])
                }
            }
        }
    }

    /// When an import from any source last came to its end; nil where none ever did.
    public func lastImport() throws(PulseError) -> Date? {
        try attempt { () throws(SQLError) in
            try connection.integer("SELECT max(last_at) FROM imports").map(Instant.date)
        }
    }
}
