public import PulseCore
import PulsePlatform
import PulseText

public import struct Foundation.Date

/// The result of looking up a reference to an article.
public enum ArticleLookup: Sendable, Hashable {
    case none
    case one(Reading)
    /// The candidates, newest first; at most `Store.mostCandidates`.
    case ambiguous([Reading])

    init(_ readings: [Reading]) {
        switch readings.count {
        case 0: self = .none
        case 1: self = .one(readings[0])
        default: self = .ambiguous(readings)
        }
    }
}

extension Query {
    static let window = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE read_at BETWEEN ?1 AND ?2 ORDER BY read_at DESC, identifier
        """

    static let listed = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE read_at >= ?2 AND (?3 IS NULL OR category = ?3)
            AND (?4 IS NULL OR source IN (SELECT value FROM json_each(?4)))
        ORDER BY read_at DESC, identifier LIMIT ?1
        """

    static let listedCount = """
        SELECT count(*) FROM articles
        WHERE read_at >= ?1 AND (?2 IS NULL OR category = ?2)
            AND (?3 IS NULL OR source IN (SELECT value FROM json_each(?3)))
        """

    static let sourceNames = "SELECT DISTINCT source FROM articles"

    static let byIdentifier = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE id = coalesce(
            (SELECT id FROM articles WHERE identifier = ?1), (SELECT article FROM aliases WHERE identifier = ?1))
        """

    static let byURL = """
        SELECT \(ReadingRow.columns) FROM articles WHERE url = ?1
        ORDER BY read_at DESC, identifier LIMIT ?2
        """

    static let byURLPrefix = """
        SELECT \(ReadingRow.columns) FROM articles WHERE url >= ?1 AND url < ?2
        ORDER BY url LIMIT ?3
        """

    static let urlsByPrefix = "SELECT url FROM articles WHERE url >= ?1 AND url < ?2 ORDER BY url LIMIT ?3"

    /// Keys and ids, each in a range, so that each uses an index.
    static let byPrefix = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE key >= ?1 AND key < ?2 OR identifier >= ?3 AND identifier < ?4
        ORDER BY read_at DESC, identifier LIMIT ?5
        """
}

extension Store {
    /// The articles read in a period, newest first, then by id.
    public func readings(in period: Period) throws -> [Reading] {
        try select(Query.window, [.time(period.from), .time(period.to)])
    }

    /// When something was read last before a period, and first after it.
    public func readingTimes(around period: Period) throws -> [Date] {
        let ends = [
            ("SELECT max(read_at) FROM articles WHERE read_at < ?1", period.from),
            ("SELECT min(read_at) FROM articles WHERE read_at > ?1", period.to),
        ]
        return try ends.compactMap { query, end in try integer(query, [.time(end)]).map(Instant.date) }
    }

    /// The latest articles, newest first, then by id: those read from `since` on, of a category, and of a publication
    /// as `Words.name` compares it; nil for all.
    public func list(
        limit: Int, since: Date? = nil, category: Category? = nil, source: String? = nil
    ) throws -> [Reading] {
        try select(Query.listed, [.integer(Int64(max(0, limit)))] + listedValues(since, category, source))
    }

    /// Passes the articles of `list`, without a limit, to `body` one at a time: a history may be larger than memory.
    public func each(
        since: Date? = nil, category: Category? = nil, source: String? = nil, _ body: (Reading) throws -> Void
    ) throws {
        // A negative limit means none: https://www.sqlite.org/lang_select.html#the_limit_clause
        let values = try [.integer(-1)] + listedValues(since, category, source)
        try attempt {
            let listed = try connection.prepare(Query.listed)
            try listed.bind(values)
            while try listed.step() { try body(ReadingRow.reading(listed)) }
        }
    }

    /// The publications of the history.
    public func sourceNames() throws -> [String] {
        try rows(Query.sourceNames) { $0.text(0) ?? "" }.filter { !$0.isEmpty }
    }

    /// The stored spellings of publications, as a JSON array; nil: none. SQLite ignores the case of ASCII only.
    func spellings(of sources: [String]) throws -> String? {
        let wanted = Set(sources.map(Words.name))
        return wanted.isEmpty ? nil : Payload.text(try sourceNames().filter { wanted.contains(Words.name($0)) })
    }

    /// How many articles `list` would have without a limit.
    public func count(since: Date? = nil, category: Category? = nil, source: String? = nil) throws -> Int {
        Int(try integer(Query.listedCount, listedValues(since, category, source)) ?? 0)
    }

    /// The values of `Query.listed` after its limit.
    private func listedValues(_ since: Date?, _ category: Category?, _ source: String?) throws -> [SQLValue] {
        [
            .integer(since.map(Instant.milliseconds) ?? .min), SQLValue(category?.name),
            SQLValue(try spellings(of: source.map { [$0] } ?? [])),
        ]
    }

    /// The most candidates that are listed for an ambiguous reference.
    public static let mostCandidates = 20
    /// A shorter reference is not taken for the beginning of an id.
    public static let shortestPrefix = 4

    /// The article that a user refers to by its id, URL or key, or an unambiguous prefix of its id or key. A URL
    /// without an exact match is compared by `WebURL.identity`.
    public func find(_ reference: String) throws -> ArticleLookup {
        guard !reference.isEmpty else { return .none }
        let limit = SQLValue.integer(Int64(Store.mostCandidates))
        let named = ArticleLookup(try select(Query.byIdentifier, [.text(reference)]))
        if named != .none { return named }
        let linked = ArticleLookup(try select(Query.byURL, [.text(reference), limit]))
        if linked != .none { return linked }
        if let page = WebURL.identity(reference) { return ArticleLookup(try articles(on: page)) }
        return ArticleLookup(try Store.prefixValues(reference).map { try select(Query.byPrefix, $0) } ?? [])
    }

    /// Values for `Query.byPrefix` and `Query.entriesByPrefix`; nil if the reference is too short.
    static func prefixValues(_ reference: String) -> [SQLValue]? {
        guard reference.utf8.count >= Store.shortestPrefix else { return nil }
        // SQLite compares the bytes (BINARY collation): "g" is after every hexadecimal digit, and U+10FFFF, with which
        // no text ends, after every character.
        let key = reference.lowercased()
        return [
            .text(key), .text(key + "g"), .text(reference), .text(reference + "\u{10ffff}"),
            .integer(Int64(Store.mostCandidates)),
        ]
    }

    private func articles(on page: String) throws -> [Reading] {
        let found = try Store.bounds(of: page).flatMap { bounds in
            try select(Query.byURLPrefix, bounds).filter { $0.article.url.flatMap(WebURL.identity) == page }
        }
        return Array(found.sorted { $0.readAt > $1.readAt }.prefix(Store.mostCandidates))
    }

    /// Ranges of the URLs of a page, except unusual spellings of its host or query: values for `Query.byURLPrefix` and
    /// `Query.urlsByPrefix`. They exclude pages below it, of which a section of a newspaper has thousands.
    static func bounds(of page: String) -> [[SQLValue]] {
        let location = page.prefix { $0 != "?" }
        let host = location.prefix { $0 != "/" }
        let (path, query) = (location[host.endIndex...], page[location.endIndex...])
        return [("https", "443"), ("http", "80")].flatMap { scheme, port in
            ["", ":" + port].flatMap { port in
                ["", "/"].flatMap { slash in
                    let address = "\(scheme)://\(host)\(port)\(path)\(slash)\(query)"
                    let same: [SQLValue] = [.text(address), .text(address + "\u{1}"), .integer(1000)]
                    return [same]
                        + [query.isEmpty ? "?" : "&", "#"].map { sign in
                            [.text(address + sign), .text(address + sign + "\u{10ffff}"), .integer(1000)]
                        }
                }
            }
        }
    }
}
