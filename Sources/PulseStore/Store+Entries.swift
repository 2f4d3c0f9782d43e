public import PulseCore
import PulseSQL
import PulseText

public import struct Foundation.Date

/// What has become of an entry of a feed.
public enum EntryState: String, Sendable, CaseIterable {
    /// Nobody has had it: it will be in the next digest of what is waiting.
    case new
    /// The reader said that they have seen enough of it. It is not told of.
    case seen
    /// It was in a digest.
    case told
    /// It is in the history.
    case read
    /// Nobody read it for so long that its texts were deleted.
    case gone
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
    static let entryColumns = """
        id, feed, identifier, state, fetched_at, url, author, source, category, language, published_at, title, \
        summary, content, page, told_at
        """
    static let entryOfFeed = "SELECT \(entryColumns) FROM entries WHERE feed = ?1 AND identifier = ?2"
    /// The same entry under another id, where it has no page to be known by.
    static let entryByText = "SELECT \(entryColumns) FROM entries WHERE feed = ?1 AND title = ?2 AND content = ?3"
    static let entriesOnPage = "SELECT \(entryColumns) FROM entries WHERE page = ?1"
    static let entriesByIdentifier = "SELECT \(entryColumns) FROM entries WHERE identifier = ?1"
    /// What no digest has had, and what one that is made once more had.
    static let waiting = """
        SELECT \(entryColumns) FROM entries WHERE state = 'new' AND fetched_at BETWEEN ?1 AND ?2
        UNION ALL
        SELECT \(entryColumns) FROM entries WHERE told_at >= ?3 AND +state = 'told' AND fetched_at BETWEEN ?1 AND ?2
        """
    static let unread = """
        SELECT \(entryColumns) FROM entries
        WHERE state IN ('new', 'told') AND fetched_at >= ?1 AND (?2 IS NULL OR feed = ?2)
            AND (?3 IS NULL OR category = ?3)
        """
    static let entriesByPrefix = """
        SELECT \(entryColumns) FROM entries
        WHERE key >= ?1 AND key < ?2 OR identifier >= ?3 AND identifier < ?4 LIMIT ?5
        """
    /// Only what an index finds: this runs with every refresh.
    static let expired = """
        UPDATE entries SET state = 'gone', title = '', summary = '', content = '', author = NULL
        WHERE state IN ('new', 'told', 'seen') AND fetched_at < ?1
        """
    /// A feed that went on for so long without an entry will not bring it again.
    static let forgotten = """
        DELETE FROM entries WHERE state = 'gone' AND feed = ?1
            AND listed_at < (SELECT max(listed_at) FROM entries WHERE feed = ?1) - ?2
        """
}

/// What the feeds brought and the reader has not read. An article that several feeds have is one: it is told once, and
/// what becomes of it becomes of it in all of them.
extension Store {
    /// Writes what a refresh found out, all of it or, when it fails, nothing.
    /// - Returns: How many entries are new and waiting, those that another feed has as well counted once.
    public func record(_ updates: [FeedUpdate], at now: Date) throws(PulseError) -> Int {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let writer = try EntryWriter(connection, now: now)
                var new = 0
                for update in updates {
                    try Store.update(update.feed, in: connection)
                    if let contents = update.contents { new += try writer.write(contents.entries, of: update.feed) }
                }
                return new
            }
        }
    }

    /// Deletes the texts of what nobody read, and forgets what no feed brings any more.
    /// - Parameters:
    ///   - date: What came before it goes.
    ///   - memory: Seconds that an entry is remembered after its feed has dropped it.
    /// - Returns: how many went.
    public func expireEntries(fetchedBefore date: Date, memory: Double) throws(PulseError) -> Int {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let expire = try connection.prepare(Query.expired)
                try expire.run([.integer(Instant.milliseconds(date))])
                let expired = expire.changes
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

    /// What came in during a period and was neither told, read nor seen; newest first, each article once.
    /// - Parameter repeating: What was told from then on counts as not told.
    public func waiting(in period: Period, repeating: Date = .distantFuture) throws(PulseError) -> [Reading] {
        try entries(
            Query.waiting,
            [
                .integer(Instant.milliseconds(period.from)), .integer(Instant.milliseconds(period.to)),
                .integer(Instant.milliseconds(repeating)),
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
        guard let source = source?.lowercased() else { return all }
        return all.filter { $0.article.source.lowercased() == source }
    }

    /// Notes that a digest had them.
    public func noteTold(_ ids: Set<String>, at date: Date) throws(PulseError) {
        try change(ids, to: .told, from: [.new], at: date)
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
                    WHERE state IN ('new', 'told', 'seen') AND state <> ?1
                        AND (?2 IS NULL OR feed IN (SELECT value FROM json_each(?2)))
                    """, [.text(state.rawValue), SQLValue(ids)]
                ) { row throws(SQLError) in
                    pages.append((row.text(0) ?? "", row.text(1)))
                }
                let mark = try EntryMark(connection)
                for (identifier, page) in pages {
                    try mark.set(state, from: [.new, .told, .seen], identifier: identifier, page: page, at: nil)
                }
                return pages.count
            }
        }
    }

    private func change(
        _ ids: Set<String>, to state: EntryState, from: [EntryState], at date: Date?
    ) throws(PulseError) {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let mark = try EntryMark(connection)
                let find = try connection.prepare(Query.entriesByIdentifier)
                for id in ids.sorted() {
                    find.reset()
                    try find.bind([.text(id)])
                    var pages: Set<String?> = []
                    while try find.step() { pages.insert(EntryRow(find).page) }
                    for page in pages { try mark.set(state, from: from, identifier: id, page: page, at: date) }
                }
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
        rows.removeAll { $0.state == .gone }
        // The first that came keeps its id: what was told by it is found by it.
        rows.sort { $0.row < $1.row }
        var places: [String: Int] = [:]
        var readings: [Reading] = []
        for row in rows {
            let names = ["i" + row.article.id] + (row.page.map { ["p" + $0] } ?? [])
            if let place = names.compactMap({ places[$0] }).first {
                readings[place].article = readings[place].article.merged(with: row.article)
            } else {
                readings.append(
                    Reading(
                        article: row.article, readAt: row.fetchedAt, origin: "feeds", isExact: false, basis: .unread))
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
    let toldAt: Int64?
    let article: Article

    init(_ row: borrowing Statement) {
        self.row = row.integer(0) ?? 0
        feed = row.integer(1) ?? 0
        state = EntryState(rawValue: row.text(3) ?? "") ?? .gone
        fetchedAt = Instant.date(row.integer(4) ?? 0)
        page = row.text(14)
        toldAt = row.integer(15)
        article = Article(
            id: row.text(2) ?? "", url: row.text(5), title: row.text(11) ?? "", summary: row.text(12) ?? "",
            content: row.text(13) ?? "", author: row.text(6), source: row.text(7) ?? "",
            category: Category(row.text(8) ?? ""), language: row.text(9), publishedAt: row.integer(10).map(Instant.date)
        )
    }
}

/// Sets what has become of an article in all feeds that have it.
struct EntryMark: ~Copyable {
    private let identified: Statement
    private let paged: Statement

    init(_ connection: borrowing Connection) throws(SQLError) {
        let identified = try connection.prepare(EntryMark.byIdentifier)
        let paged = try connection.prepare(EntryMark.byPage)
        self.identified = identified
        self.paged = paged
    }

    private static let set =
        "UPDATE entries SET state = ?2, told_at = ?3 WHERE +state IN (SELECT value FROM json_each(?4)) AND "
    static let byIdentifier = set + "identifier = ?1"
    static let byPage = set + "page = ?1"

    func set(
        _ state: EntryState, from: [EntryState], identifier: String, page: String?, at date: Date?
    ) throws(SQLError) {
        let values: [SQLValue] = [
            .text(state.rawValue), SQLValue(date.map(Instant.milliseconds)),
            SQLValue(Payload.text(from.map(\.rawValue))),
        ]
        try identified.run([.text(identifier)] + values)
        if let page { try paged.run([.text(page)] + values) }
    }
}
