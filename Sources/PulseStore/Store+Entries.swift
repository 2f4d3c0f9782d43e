public import PulseCore
import PulsePlatform
import PulseText

public import struct Foundation.Date

/// The state of a feed's entry.
public enum EntryState: String, Sendable, CaseIterable {
    /// Unread; in the next digest of each reader who has not had it.
    case new
    /// The reader marked it as seen; it appears in no digest.
    case seen
    /// Read: it is in the history.
    case read
    /// Its texts were deleted: it expired, or the reader removed it from the history.
    case gone
}

/// The reader of a digest of unread entries, a mail address or a profile's user, who gets each entry once.
public struct EntryRecipient: Sendable, Hashable {
    /// As stored in `entries_told`. A mail address begins with a space, which no profile's name has.
    let name: String

    /// A profile, empty for none, or a mail address, for which the profile is ignored.
    public init(profile: String = "", recipient: String? = nil) { name = recipient.map { " " + $0 } ?? profile }
}

extension Query {
    static let entryColumns = "id, feed, state, fetched_at, page, " + Article.columns
    static let entryOfFeed = "SELECT \(entryColumns) FROM entries WHERE feed = ?1 AND identifier = ?2"
    static let entryByRow = "SELECT \(entryColumns) FROM entries WHERE id = ?1"
    static let entryTitles = "SELECT id, title FROM entries WHERE feed = ?1"
    /// URLs that several entries of a feed share, and front pages.
    static let entriesWithoutPage = "SELECT url FROM entries WHERE feed = ?1 AND page IS NULL AND url IS NOT NULL"
    static let entriesOnPage = "SELECT \(entryColumns) FROM entries WHERE page = ?1"
    static let entriesByIdentifier = "SELECT \(entryColumns) FROM entries WHERE identifier = ?1"
    static let waiting = """
        SELECT \(entryColumns) FROM entries
        WHERE state = 'new' AND fetched_at BETWEEN ?1 AND ?2 AND NOT EXISTS (
            SELECT 1 FROM entries_told
            WHERE entry = entries.id AND profile = ?3 AND told_at < ?4)
        """
    /// All entries of one article, by one of its ids: see `EntryWriter`.
    static let sameArticle = """
        identifier = ?1 OR id IN (
            SELECT other.id FROM entries AS one JOIN entries AS other ON other.page = one.page AND other.title = one.title
            WHERE one.identifier = ?1 AND \(server("other")) = \(server("one")))
        """
    private static func server(_ entry: String) -> String {
        "(SELECT substr(identity, 1, instr(identity || '/', '/') - 1) FROM feeds WHERE feeds.id = \(entry).feed)"
    }
    /// The plus keeps SQLite from the index of `state`, under which most rows may be
    /// (https://www.sqlite.org/optoverview.html, "unary +").
    static let markEntries = """
        INSERT OR REPLACE INTO entries_told (entry, profile, told_at)
        SELECT id, ?2, ?3 FROM entries WHERE +state = 'new' AND (\(sameArticle))
        """
    /// For one reader, or for all if ?2 is null.
    static let unmarkDelivered = """
        DELETE FROM entries_told
        WHERE entry IN (SELECT id FROM entries WHERE \(sameArticle)) AND (?2 IS NULL OR profile = ?2)
        """
    /// Whether any delivered digest has had it.
    static let isDelivered = "EXISTS (SELECT 1 FROM entries_told WHERE entry = entries.id)"
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
    /// Uses an index, because it runs with every refresh. The title stays, to recognise the entry under another id.
    static let expired = empty + " WHERE state = ?1 AND fetched_at < ?2"
    static let emptied = empty + ", title = '' WHERE identifier = ?1 OR page = ?2"
    /// An entry that its feed has not listed for ?2 milliseconds will not come back.
    static let forgotten = """
        DELETE FROM entries WHERE state = 'gone' AND feed = ?1
            AND listed_at < (SELECT max(listed_at) FROM entries WHERE feed = ?1) - ?2
        """
}

/// The unread entries of feeds. An article in several feeds is delivered once, and has one state in all of them.
extension Store {
    /// Stores refreshes, all of them or, on failure, none, and returns the number of new entries; those in several
    /// feeds count once. Feeds that were removed meanwhile stay removed.
    public func record(_ updates: [FetchedFeed], at now: Date) throws -> Int {
        try transaction {
            let writer = try EntryWriter(connection, now: now)
            var new = 0
            for update in updates {
                guard try Store.update(update.feed, in: connection) else { continue }
                guard var contents = update.contents else { continue }
                // The store's title may distinguish the feed from another of the same name: see `title(of:in:)`.
                let title = "SELECT title FROM feeds WHERE id = ?1"
                if let name = try connection.text(title, [.integer(update.feed.id)]) {
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

    /// Deletes the texts of entries fetched before a date, and the rows of those that no feed has listed for `memory`
    /// seconds. Returns the number of expired entries that were not read.
    public func expireEntries(fetchedBefore date: Date, memory: Double) throws -> Int {
        try transaction {
            let expire = try connection.prepare(Query.expired)
            var expired = 0
            for state in [EntryState.new, .seen, .read] {
                try expire.run([.text(state.rawValue), .time(date)])
                if state != .read { expired += expire.changes }
            }
            let feeds = try connection.rows("SELECT id FROM feeds") { $0.integer(0) ?? 0 }
            let forget = try connection.prepare(Query.forgotten)
            for feed in feeds { try forget.run([.integer(feed), .integer(Int64(memory * 1000))]) }
            return expired
        }
    }

    /// The new entries of a period that were not delivered to the reader, newest first, each article once. Deliveries
    /// from `repeating` on are ignored.
    public func waiting(
        in period: Period, for reader: EntryRecipient = EntryRecipient(), repeating: Date = .distantFuture
    ) throws -> [Reading] {
        try entries(Query.waiting, [.time(period.from), .time(period.to), .text(reader.name), .time(repeating)])
    }

    /// The new entries, delivered or not, newest first, each article once.
    public func unread(
        since: Date? = nil, feed: Int64? = nil, category: Category? = nil, source: String? = nil
    ) throws -> [Reading] {
        let all = try entries(
            Query.unread,
            [
                .integer(since.map(Instant.milliseconds) ?? .min), feed.map(SQLValue.integer) ?? .null,
                SQLValue(category?.name),
            ])
        guard let source = source.map(Words.name) else { return all }
        return all.filter { Words.name($0.article.source) == source }
    }

    /// Marks all unread entries of feeds, or of all feeds, as `seen` or `new`. Returns the number of changed ones.
    public func mark(_ state: EntryState, feeds: [Int64]?) throws -> Int {
        try transaction {
            let ids = feeds.flatMap { Payload.text($0) }
            let pages = try connection.rows(
                """
                SELECT identifier, page FROM entries
                WHERE state IN ('new', 'seen') AND (state <> ?1 OR ?1 = 'new' AND \(Query.isDelivered))
                    AND (?2 IS NULL OR feed IN (SELECT value FROM json_each(?2)))
                """, [.text(state.rawValue), SQLValue(ids)]
            ) { ($0.text(0) ?? "", $0.text(1)) }
            let mark = try EntryMark(connection)
            for (identifier, page) in pages { try mark.set(state, identifier: identifier, page: page) }
            return pages.count
        }
    }

    /// The entry that a user refers to; see `find`.
    public func findEntry(_ reference: String) throws -> ArticleLookup {
        guard !reference.isEmpty else { return .none }
        let named = ArticleLookup(try entries(Query.entriesByIdentifier, [.text(reference)]))
        if named != .none { return named }
        if let page = WebURL.identity(reference) {
            let linked = ArticleLookup(try entries(Query.entriesOnPage, [.text(page)]))
            if linked != .none { return linked }
        }
        return ArticleLookup(try Store.prefixValues(reference).map { try entries(Query.entriesByPrefix, $0) } ?? [])
    }

    /// Each article once, with its longest texts, newest first.
    private func entries(_ sql: String, _ values: [SQLValue]) throws -> [Reading] {
        var (rows, servers) = try attempt {
            (try connection.rows(sql, values, EntryRow.init), try FeedServers(connection))
        }
        rows.removeAll { $0.state == .gone }
        // The oldest row decides the id, because deliveries are recorded under it.
        rows.sort { $0.row < $1.row }
        var indices: [String: Int] = [:]
        var readings: [Reading] = []
        for row in rows {
            let names =
                ["i" + row.article.id] + (row.page.map { ["p\($0)\n\(servers[row.feed])\n\(row.article.title)"] } ?? [])
            let index = names.compactMap { indices[$0] }.first ?? readings.count
            if index < readings.count {
                readings[index].article = readings[index].article.merged(with: row.article)
            } else {
                readings.append(
                    Reading(
                        article: row.article, readAt: row.fetchedAt, origin: "feeds", isExact: false, basis: .unread,
                        feed: row.feed))
            }
            for name in names where indices[name] == nil { indices[name] = index }
        }
        return readings.sorted { left, right in
            let (a, b) = (left.article.publishedAt ?? left.readAt, right.article.publishedAt ?? right.readAt)
            return (left.readAt, a, right.article.id) > (right.readAt, b, left.article.id)
        }
    }
}

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

/// Sets the state of an article in all feeds that have it.
struct EntryMark {
    private let identified: Statement
    private let paged: Statement
    private let same: Statement
    private let unmarkDelivered: Statement

    init(_ connection: borrowing Connection) throws {
        identified = try connection.prepare(EntryMark.byIdentifier)
        paged = try connection.prepare(EntryMark.byPage)
        same = try connection.prepare(EntryMark.byArticle)
        unmarkDelivered = try connection.prepare(Query.unmarkDelivered)
    }

    /// Read and gone entries keep their state. For the plus see `Query.markEntries`.
    private static let set = "UPDATE entries SET state = ?2 WHERE +state NOT IN ('read', 'gone') AND "
    static let byIdentifier = set + "identifier = ?1"
    static let byPage = set + "page = ?1"
    static let byArticle = set + "(\(Query.sameArticle))"

    /// Reading a page marks every entry that links to it. An entry that becomes new again counts as not delivered.
    func set(_ state: EntryState, identifier: String, page: String?) throws {
        if state == .read {
            try identified.run([.text(identifier), .text(state.rawValue)])
            if let page { try paged.run([.text(page), .text(state.rawValue)]) }
        } else {
            try same.run([.text(identifier), .text(state.rawValue)])
        }
        if state == .new { try unmarkDelivered.run([.text(identifier)]) }
    }
}
