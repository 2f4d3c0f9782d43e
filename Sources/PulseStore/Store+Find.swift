public import PulseCore
import PulsePlatform
import PulseText

public import struct Foundation.Date

/// What a reference to one article led to.
public enum Match: Sendable, Hashable {
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

    /// Addresses between two bounds.
    static let byURLPrefix = """
        SELECT \(ReadingRow.columns) FROM articles WHERE url >= ?1 AND url < ?2
        ORDER BY url LIMIT ?3
        """

    static let urlsByPrefix = "SELECT url FROM articles WHERE url >= ?1 AND url < ?2 ORDER BY url LIMIT ?3"

    /// Keys and ids between two bounds each, so that each has its index.
    static let byPrefix = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE key >= ?1 AND key < ?2 OR identifier >= ?3 AND identifier < ?4
        ORDER BY read_at DESC, identifier LIMIT ?5
        """
}

extension Store {
    /// What was read in a period, newest first; the id decides between equal times.
    public func readings(in period: Period) throws(PulseError) -> [Reading] {
        try select(
            Query.window,
            [.integer(Instant.milliseconds(period.from)), .integer(Instant.milliseconds(period.to))])
    }

    /// The latest articles, newest first; the id decides between equal times.
    ///
    /// - Parameters:
    ///   - since: only those that were read from then on; nil: all.
    ///   - category: only those of this category; nil: all.
    ///   - source: only those of this publication, compared by `Words.name`; nil: all.
    public func list(
        limit: Int, since: Date? = nil, category: Category? = nil, source: String? = nil
    ) throws(PulseError) -> [Reading] {
        try select(
            Query.listed,
            [
                .integer(Int64(max(0, limit))), .integer(since.map(Instant.milliseconds) ?? .min),
                SQLValue(category?.name), SQLValue(try spellings(of: source)),
            ])
    }

    /// Hands out what `list` has without a limit, one at a time: a history may be larger than the memory.
    public func each(
        since: Date? = nil, category: Category? = nil, source: String? = nil,
        _ body: (Reading) throws(PulseError) -> Void
    ) throws(PulseError) {
        let sources = try spellings(of: source)
        var failure: PulseError?
        try attempt { () throws(SQLError) in
            let listed = try connection.prepare(Query.listed)
            // A negative limit is none: https://www.sqlite.org/lang_select.html#the_limit_clause
            try listed.bind([
                .integer(-1), .integer(since.map(Instant.milliseconds) ?? .min), SQLValue(category?.name),
                SQLValue(sources),
            ])
            while failure == nil, try listed.step() {
                do throws(PulseError) { try body(ReadingRow.reading(listed)) } catch { failure = error }
            }
        }
        if let failure { throw failure }
    }

    /// The publications of the history.
    public func sourceNames() throws(PulseError) -> [String] {
        try attempt { () throws(SQLError) in
            var names: [String] = []
            try connection.query(Query.sourceNames) { row throws(SQLError) in
                if let name = row.text(0), !name.isEmpty { names.append(name) }
            }
            return names
        }
    }

    /// The names of publications that are this one by their words, as a JSON array; nil for nil. SQLite itself knows
    /// the two cases of English letters only.
    private func spellings(of source: String?) throws(PulseError) -> String? {
        guard let name = source.map(Words.name) else { return nil }
        return Payload.text(try sourceNames().filter { Words.name($0) == name })
    }

    /// How many articles `list` would have without a limit.
    public func count(
        since: Date? = nil, category: Category? = nil, source: String? = nil
    ) throws(PulseError) -> Int {
        let sources = try spellings(of: source)
        return try attempt { () throws(SQLError) in
            let count = try connection.integer(
                Query.listedCount,
                [.integer(since.map(Instant.milliseconds) ?? .min), SQLValue(category?.name), SQLValue(sources)])
            return Int(count ?? 0)
        }
    }

    /// Of an ambiguous reference no more articles than these are listed.
    public static let mostCandidates = 20
    /// Fewer characters than these are not taken for the beginning of an id.
    public static let shortestPrefix = 4

    /// The article that a person means: its id, its URL, its key, or an unambiguous beginning of its id or its key. A
    /// URL is compared by `WebURL.identity` where it is not found letter by letter.
    public func find(_ reference: String) throws(PulseError) -> Match {
        guard !reference.isEmpty else { return .none }
        let limit = SQLValue.integer(Int64(Store.mostCandidates))
        let named = Match(try select(Query.byIdentifier, [.text(reference)]))
        if named != .none { return named }
        let linked = Match(try select(Query.byURL, [.text(reference), limit]))
        if linked != .none { return linked }
        if let page = WebURL.identity(reference) { return Match(try articles(on: page)) }
        guard reference.utf8.count >= Store.shortestPrefix else { return .none }
        // Texts are compared by their bytes (BINARY collation): "g" comes after every hexadecimal digit, and U+10FFFF,
        // which no text ends with, after every character.
        let key = reference.lowercased()
        return Match(
            try select(
                Query.byPrefix,
                [.text(key), .text(key + "g"), .text(reference), .text(reference + "\u{10ffff}"), limit]))
    }

    /// The articles of a page, newest first.
    private func articles(on page: String) throws(PulseError) -> [Reading] {
        var found: [Reading] = []
        for bounds in Store.bounds(of: page) {
            let nearby = try select(Query.byURLPrefix, bounds)
            found += nearby.filter { $0.article.url.flatMap(WebURL.identity) == page }
        }
        return Array(found.sorted { $0.readAt > $1.readAt }.prefix(Store.mostCandidates))
    }

    /// Where addresses of a page are, but for odd spellings of its host or its query: values for `Query.byURLPrefix`
    /// and `Query.urlsByPrefix`. None of the pages below it is there, of which a section of a paper has thousands.
    static func bounds(of page: String) -> [[SQLValue]] {
        let place = page.prefix { $0 != "?" }
        let host = place.prefix { $0 != "/" }
        let (path, query) = (place[host.endIndex...], page[place.endIndex...])
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
