public import PulseCore
import PulsePlatform
import PulseText

public import struct Foundation.Date

/// What has become of an entry of a feed.
public enum EntryState: String, Sendable, CaseIterable {
    /// It waits, and is in the next digest of each reader who was not told of it.
    case new
    /// The reader said that they have seen enough of it. It is not told of.
    case seen
    /// It is in the history.
    case read
    /// Its texts were deleted: it came long ago, or the reader removed it from the history.
    case gone
}

/// Whom a digest of what waits is for: a mail address, or whoever reads the output with a profile. What one of them was
/// told is taken from nobody else.
public struct EntryReader: Sendable, Hashable {
    /// As `entries_told` has it. No name of a profile has a space.
    let name: String

    /// - Parameters:
    ///   - profile: Empty: nobody's in particular.
    ///   - recipient: A mail address, whatever the profile; nil: whoever reads the output.
    public init(profile: String = "", recipient: String? = nil) { name = recipient.map { " " + $0 } ?? profile }
}

/// What a refresh found out about a feed.
public struct FeedUpdate: Sendable, Hashable {
    /// With what is remembered of this refresh, and its new address where it moved.
    public var feed: Feed
    /// Nil where nothing has changed, or nothing came.
    public var contents: FeedContents?

    public init(feed: Feed, contents: FeedContents? = nil) {
        self.feed = feed
        self.contents = contents
    }
}

extension Query {
    static let entryColumns = "id, feed, state, fetched_at, page, " + Article.columns
    static let entryOfFeed = "SELECT \(entryColumns) FROM entries WHERE feed = ?1 AND identifier = ?2"
    static let entryByRow = "SELECT \(entryColumns) FROM entries WHERE id = ?1"
    static let entryTitles = "SELECT id, title FROM entries WHERE feed = ?1"
    /// Where entries lead that share their page with others of their feed.
    static let entriesWithoutPage = "SELECT url FROM entries WHERE feed = ?1 AND page IS NULL AND url IS NOT NULL"
    static let entriesOnPage = "SELECT \(entryColumns) FROM entries WHERE page = ?1"
    static let entriesByIdentifier = "SELECT \(entryColumns) FROM entries WHERE identifier = ?1"
    static let waiting = """
        SELECT \(entryColumns) FROM entries
        WHERE state = 'new' AND fetched_at BETWEEN ?1 AND ?2 AND NOT EXISTS (
            SELECT 1 FROM entries_told
            WHERE entry = entries.id AND profile = ?3 AND told_at < ?4)
        """
    /// The entries of an article, by one of its ids: see `EntryWriter`.
    static let sameArticle = """
        identifier = ?1 OR id IN (
            SELECT other.id FROM entries AS one JOIN entries AS other ON other.page = one.page AND other.title = one.title
            WHERE one.identifier = ?1 AND \(server("other")) = \(server("one")))
        """
    private static func server(_ entry: String) -> String {
        "(SELECT substr(identity, 1, instr(identity || '/', '/') - 1) FROM feeds WHERE feeds.id = \(entry).feed)"
    }
    static let noteTold = """
        INSERT OR REPLACE INTO entries_told (entry, profile, told_at)
        SELECT id, ?2, ?3 FROM entries WHERE +state = 'new' AND (\(sameArticle))
        """
    /// For one reader, or for all where none is named.
    static let forgetTold = """
        DELETE FROM entries_told
        WHERE entry IN (SELECT id FROM entries WHERE \(sameArticle)) AND (?2 IS NULL OR profile = ?2)
        """
    /// Whether a digest of anybody's has had it.
    static let isTold = "EXISTS (SELECT 1 FROM entries_told WHERE entry = entries.id)"
    static let unread = """
        SELECT \(entryColumns) FROM entries
        WHERE state = 'new' AND fetched_at >= ?1 AND (?2 IS NULL OR feed = ?2)
            AND (?3 IS NULL OR category = ?3)
        """
    static let entriesByPrefix = """
        SELECT \(entryColumns) FROM entries
        WHERE key >= ?1 AND key < ?2 OR identifier >= ?3 AND identifier < ?4 LIMIT ?5
        """
    private static let empty = "UPDATE entries SET state = 'gone', summary = '', content = '', author = NULL"
    /// Only what an index finds: this runs with every refresh. Its title stays, by which it is known under another id.
    static let expired = empty + " WHERE state = ?1 AND fetched_at < ?2"
    static let emptied = empty + ", title = '' WHERE identifier = ?1 OR page = ?2"
    /// A feed that went on for so long without an entry will not bring it again.
    static let forgotten = """
        DELETE FROM entries WHERE state = 'gone' AND feed = ?1
            AND listed_at < (SELECT max(listed_at) FROM entries WHERE feed = ?1) - ?2
        """
}

/// What the feeds brought and the reader has not read. An article that several feeds have is one: it is told once, and
/// what becomes of it becomes of it in all of them.
extension Store {
    /// Writes what a refresh found out, all of it or, when it fails, nothing. A feed that was removed meanwhile stays
    /// so.
    /// - Returns: How many entries are new and waiting, those that another feed has as well counted once.
    public func record(_ updates: [FeedUpdate], at now: Date) throws(PulseError) -> Int {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let writer = try EntryWriter(connection, now: now)
                var new = 0
                for update in updates {
                    guard try Store.update(update.feed, in: connection) else { continue }
                    guard var contents = update.contents else { continue }
                    // Told apart from another feed of that name: see `title(of:in:)`.
                    if let name = try Store.feed(at: update.feed.address, in: connection)?.title {
                        for index in contents.entries.indices
                        where name.hasPrefix(contents.entries[index].source + " (") && name.hasSuffix(")") {
                            contents.entries[index].source = name
                        }
                    }
                    new += try writer.write(contents.entries, of: update.feed)
                }
                return new
            }
        }
    }

    /// Deletes the texts of what nobody read, and of what the history has; forgets what no feed brings any more.
    /// - Parameters:
    ///   - date: What came before it goes.
    ///   - memory: Seconds that an entry is remembered after its feed has dropped it.
    /// - Returns: how many went that nobody read.
    public func expireEntries(fetchedBefore date: Date, memory: Double) throws(PulseError) -> Int {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let expire = try connection.prepare(Query.expired)
                var expired = 0
                for state in [EntryState.new, .seen, .read] {
                    try expire.run([.text(state.rawValue), .integer(Instant.milliseconds(date))])
                    if state != .read { expired += expire.changes }
                }
                var feeds: [Int64] = []
                try connection.query("SELECT id FROM feeds") { row throws(SQLError) in
                    feeds.append(row.integer(0) ?? 0)
                }
                let forget = try connection.prepare(Query.forgotten)
                for feed in feeds { try forget.run([.integer(feed), .integer(Int64(memory * 1000))]) }
                return expired
            }
        }
    }

    /// What came in during a period, was neither read nor seen, and was not told to the reader; newest first, each
    /// article once.
    /// - Parameter repeating: What was told from then on counts as not told.
    public func waiting(
        in period: Period, for reader: EntryReader = EntryReader(), repeating: Date = .distantFuture
    ) throws(PulseError) -> [Reading] {
        try entries(
            Query.waiting,
            [
                .integer(Instant.milliseconds(period.from)), .integer(Instant.milliseconds(period.to)),
                .text(reader.name), .integer(Instant.milliseconds(repeating)),
            ])
    }

    /// What was not read, told or not, newest first, each article once.
    public func unread(
        since: Date? = nil, feed: Int64? = nil, category: Category? = nil, source: String? = nil
    ) throws(PulseError) -> [Reading] {
        let all = try entries(
            Query.unread,
            [
                .integer(since.map(Instant.milliseconds) ?? .min), feed.map(SQLValue.integer) ?? .null,
                SQLValue(category?.name),
            ])
        guard let source = source.map(Words.name) else { return all }
        return all.filter { Words.name($0.article.source) == source }
    }

    /// Notes that a digest for the reader had them.
    public func noteTold(
        entries ids: Set<String>, to reader: EntryReader = EntryReader(), at date: Date
    ) throws(PulseError) {
        try tell(Query.noteTold, ids, [.text(reader.name), .integer(Instant.milliseconds(date))])
    }

    /// Takes back what `noteTold` noted: the digest never reached its reader.
    public func forgetTold(entries ids: Set<String>, to reader: EntryReader) throws(PulseError) {
        try tell(Query.forgetTold, ids, [.text(reader.name)])
    }

    private func tell(_ sql: String, _ ids: Set<String>, _ values: [SQLValue]) throws(PulseError) {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let note = try connection.prepare(sql)
                for id in ids.sorted() { try note.run([.text(id)] + values) }
            }
        }
    }

    /// Marks all entries of feeds, or of all feeds; what was read stays read.
    /// - Parameter state: `seen` or `new`.
    /// - Returns: how many are marked otherwise than before.
    public func mark(_ state: EntryState, feeds: [Int64]?) throws(PulseError) -> Int {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let ids = feeds.flatMap { Payload.text($0) }
                var pages: [(identifier: String, page: String?)] = []
                try connection.query(
                    """
                    SELECT identifier, page FROM entries
                    WHERE state IN ('new', 'seen') AND (state <> ?1 OR ?1 = 'new' AND \(Query.isTold))
                        AND (?2 IS NULL OR feed IN (SELECT value FROM json_each(?2)))
                    """, [.text(state.rawValue), SQLValue(ids)]
                ) { row throws(SQLError) in
                    pages.append((row.text(0) ?? "", row.text(1)))
                }
                let mark = try EntryMark(connection)
                for (identifier, page) in pages { try mark.set(state, identifier: identifier, page: page) }
                return pages.count
            }
        }
    }

    /// The entry that a person means: as `find`, of what the feeds brought.
    public func findEntry(_ reference: String) throws(PulseError) -> Match {
        guard !reference.isEmpty else { return .none }
        let named = Match(try entries(Query.entriesByIdentifier, [.text(reference)]))
        if named != .none { return named }
        if let page = WebURL.identity(reference) {
            let linked = Match(try entries(Query.entriesOnPage, [.text(page)]))
            if linked != .none { return linked }
        }
        guard reference.utf8.count >= Store.shortestPrefix else { return .none }
        let key = reference.lowercased()
        return Match(
            try entries(
                Query.entriesByPrefix,
                [
                    .text(key), .text(key + "g"), .text(reference), .text(reference + "\u{10ffff}"),
                    .integer(Int64(Store.mostCandidates)),
                ]))
    }

    /// Each article once, with the longest of its texts, newest first.
    private func entries(_ sql: String, _ values: [SQLValue]) throws(PulseError) -> [Reading] {
        var rows = try attempt { () throws(SQLError) in
            var rows: [EntryRow] = []
            try connection.query(sql, values) { row throws(SQLError) in rows.append(EntryRow(row)) }
            return rows
        }
        let servers = try attempt { () throws(SQLError) in try FeedServers(connection) }
        rows.removeAll { $0.state == .gone }
        // The first that came keeps its id: what was told by it is found by it.
        rows.sort { $0.row < $1.row }
        var places: [String: Int] = [:]
        var readings: [Reading] = []
        for row in rows {
            let names =
                ["i" + row.article.id] + (row.page.map { ["p\($0)\n\(servers[row.feed])\n\(row.article.title)"] } ?? [])
            if let place = names.compactMap({ places[$0] }).first {
                readings[place].article = readings[place].article.merged(with: row.article)
            } else {
                readings.append(
                    Reading(
                        article: row.article, readAt: row.fetchedAt, origin: "feeds", isExact: false, basis: .unread,
                        feed: row.feed))
            }
            for name in names where places[name] == nil { places[name] = readings.count - 1 }
        }
        return readings.sorted { left, right in
            let (a, b) = (left.article.publishedAt ?? left.readAt, right.article.publishedAt ?? right.readAt)
            return (left.readAt, a, right.article.id) > (right.readAt, b, left.article.id)
        }
    }
}

/// A row of `entries`.
struct EntryRow {
    let row: Int64
    let feed: Int64
    let state: EntryState
    let fetchedAt: Date
    let page: String?
    let article: Article

    init(_ row: Statement) {
        self.row = row.integer(0) ?? 0
        feed = row.integer(1) ?? 0
        state = EntryState(rawValue: row.text(2) ?? "") ?? .gone
        fetchedAt = Instant.date(row.integer(3) ?? 0)
        page = row.text(4)
        article = Article(row, from: 5)
    }
}

/// Sets what has become of an article in all feeds that have it.
struct EntryMark {
    private let identified: Statement
    private let paged: Statement
    private let same: Statement
    private let forgetTold: Statement

    init(_ connection: borrowing Connection) throws(SQLError) {
        identified = try connection.prepare(EntryMark.byIdentifier)
        paged = try connection.prepare(EntryMark.byPage)
        same = try connection.prepare(EntryMark.byArticle)
        forgetTold = try connection.prepare(Query.forgetTold)
    }

    /// What was read stays so, and what has gone.
    private static let set = "UPDATE entries SET state = ?2 WHERE +state NOT IN ('read', 'gone') AND "
    static let byIdentifier = set + "identifier = ?1"
    static let byPage = set + "page = ?1"
    static let byArticle = set + "(\(Query.sameArticle))"

    /// Whoever reads a page has read it, whichever feed led there; what else becomes of an article becomes of it alone.
    /// What is new anew was told to nobody.
    func set(_ state: EntryState, identifier: String, page: String?) throws(SQLError) {
        if state == .read {
            try identified.run([.text(identifier), .text(state.rawValue)])
            if let page { try paged.run([.text(page), .text(state.rawValue)]) }
        } else {
            try same.run([.text(identifier), .text(state.rawValue)])
        }
        if state == .new { try forgetTold.run([.text(identifier)]) }
    }
}
