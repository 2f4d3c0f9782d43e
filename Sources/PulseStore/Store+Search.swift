import Foundation
public import PulseCore
import PulsePlatform
import PulseText

extension Query {
    static let newestArticle = "SELECT max(id) FROM articles"
    static let lastIndexed = "SELECT max(id) FROM words_docsize"

    /// Best matches first, by bm25() with title words counting most, then newest. Texts are read only for the result.
    static let search = """
        WITH hits AS MATERIALIZED (
            SELECT hit.id AS hit, bm25(words, 8.0, 3.0, 1.0, 2.0) AS score, hit.read_at AS time, hit.identifier AS name
            FROM words JOIN articles AS hit ON hit.id = words.rowid
            WHERE words MATCH ?1 ORDER BY score, time DESC, name LIMIT ?2
        )
        SELECT \(ReadingRow.columns) FROM hits JOIN articles ON id = hit
        ORDER BY score, time DESC, name
        """
    /// Reads every article: for scripts without spaces, of which FTS5 indexes whole lines as words.
    static let searchInside = """
        SELECT \(ReadingRow.columns) FROM articles WHERE NOT EXISTS (
            SELECT 1 FROM json_each(?1)
            WHERE instr(title || char(10) || summary || char(10) || content || char(10) || source, value) = 0
        )
        ORDER BY read_at DESC, identifier LIMIT ?2
        """
}

extension Store {
    /// Articles per transaction of `index`: about 40 milliseconds for short ones.
    private static let indexedAtOnce: Int64 = 1000

    /// Whether all articles are in the search index.
    public func isIndexed() throws -> Bool { try integer(Query.newestArticle) ?? 0 <= integer(Query.lastIndexed) ?? 0 }

    /// Adds the articles recorded since the last call to the search index. Between transactions, `progress` gets the
    /// share, 0...1; when it throws, the finished part stays.
    public func index(_ progress: (Double) throws -> Void = { _ in }) throws {
        // Articles recorded meanwhile are left to the next search, or this might never end.
        let newest = try integer(Query.newestArticle) ?? 0
        let start = try integer(Query.lastIndexed) ?? 0
        var done = start
        while done < newest {
            let added = try transaction {
                let index = try connection.prepare(
                    """
                    INSERT INTO words (rowid, title, summary, content, source)
                    SELECT id, title, summary, content, source FROM articles
                    WHERE id > coalesce((\(Query.lastIndexed)), 0) ORDER BY id LIMIT ?1
                    """)
                try index.run([.integer(Self.indexedAtOnce)])
                return index.changes
            }
            done = try integer(Query.lastIndexed) ?? 0
            // `newest` is never reached if it was deleted meanwhile.
            guard added > 0, done < newest else { return }
            try progress(Double(done - start) / Double(newest - start))
            // Waiting connections poll for the lock, and would hardly ever find it free.
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    /// The articles that contain all of the words, regardless of case and accents, in title, summary, content or
    /// source. Each word may be a prefix; words in quotation marks must be consecutive. Best match first, then newest.
    /// Only indexed articles are found: see `index`.
    ///
    /// The text is plain words, not FTS5's query language. Words without a letter or digit find nothing.
    public func search(_ words: String, limit: Int) throws -> [Reading] {
        guard limit > 0, let match = Store.match(words) else { return [] }
        if words.unicodeScalars.contains(where: \.isDense) {
            let parts = words.split { $0.isWhitespace || "\"“”«»「」".contains($0) }.map(String.init)
            return try select(Query.searchInside, [SQLValue(Payload.text(parts)), .integer(Int64(limit))])
        }
        return try select(Query.search, [.text(match), .integer(Int64(limit))])
    }

    /// The words as an FTS5 query: quoted strings, all required, each a prefix unless it was quoted. Nil: none.
    static func match(_ typed: String) -> String? {
        // A mark without a second one is punctuation.
        let parts = typed.matches(of: /[\u{22}“«]([^\u{22}“”«»]*)[\u{22}”»]|\S+/)
        let words = parts.map { ($0.output.1 ?? $0.output.0, mark: $0.output.1 == nil ? "*" : "") }.filter { word, _ in
            // FTS5's unicode61 tokenizer finds no token in a word of punctuation alone.
            word.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        }
        guard !words.isEmpty else { return nil }
        // https://www.sqlite.org/fts5.html#fts5_strings: "Within a string, any embedded double quote characters may be
        // escaped SQL-style - by adding a second double-quote character." A NUL would end the query early.
        let quoted = words.map { word, mark in
            "\"" + word.replacing("\"", with: "\"\"").replacing("\0", with: "") + "\"" + mark
        }
        // A word that is there a thousand times would be looked for a thousand times.
        var seen: Set<String> = []
        return quoted.filter { seen.insert($0).inserted }.joined(separator: " ")
    }
}

/// A part of the history.
public struct SearchFilter: Sendable, Hashable {
    /// When an article was read or published; nil for any time.
    public var period: Period?
    public var category: Category?
    /// Names of publications, compared by `Words.name`; empty: all.
    public var sources: [String]

    public init(period: Period? = nil, category: Category? = nil, sources: [String] = []) {
        self.period = period
        self.category = category
        self.sources = sources
    }

    var isWhole: Bool { period == nil && category == nil && sources.isEmpty }
}

extension Query {
    private static let isInScope = """
        (read_at BETWEEN ?3 AND ?4 OR published_at BETWEEN ?3 AND ?4) AND (?5 IS NULL OR category = ?5)
            AND (?6 IS NULL OR source IN (SELECT value FROM json_each(?6)))
        """
    private static let inScope = "(?2 OR article IN (SELECT id FROM articles WHERE \(isInScope)))"
    static let vectors = "SELECT article, passages FROM vectors WHERE form IN (?1, -?1) AND \(inScope)"
    static let matches = """
        WITH found AS MATERIALIZED (SELECT rowid AS article FROM words WHERE words MATCH ?7)
        SELECT article FROM found WHERE \(inScope)
        """
    static let countInScope = "SELECT count(*) FROM articles WHERE ?2 OR \(isInScope)"
    /// Unranked, because ranking reads every match.
    static let countMatches = """
        SELECT count(*) FROM (
            SELECT 1 FROM words WHERE words MATCH ?7
                AND (?2 OR EXISTS (SELECT 1 FROM articles WHERE id = words.rowid AND \(isInScope)))
            LIMIT ?8
        )
        """
    static let matchInArticle = """
        SELECT 1 FROM words WHERE words MATCH ?1 AND rowid = (SELECT id FROM articles WHERE identifier = ?2)
        """
    static let withoutVectors = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE article = articles.id AND form = ?1)
        ORDER BY read_at DESC, identifier LIMIT ?2
        """
    static let countWithoutVectors = """
        SELECT (SELECT count(*) FROM articles) - (SELECT count(*) FROM vectors WHERE form IN (?1, ?2))
        """
    static let titlesWithoutVectors = """
        SELECT id, title FROM articles
        WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE article = articles.id AND form IN (?1, -?1))
            AND (?2 OR \(isInScope))
        ORDER BY read_at DESC, identifier LIMIT ?7
        """
    /// Vectors of all passages are not replaced by those of some.
    static let keepVectors = """
        INSERT INTO vectors (article, form, passages) VALUES (?1, ?2, ?3)
        ON CONFLICT (article) DO UPDATE SET form = excluded.form, passages = excluded.passages
        WHERE excluded.form > 0 OR form <> -excluded.form
        """
    static let vectorsOfOne =
        "SELECT passages FROM vectors JOIN articles ON id = article WHERE form = ?1 AND identifier = ?2"
    static let byRow = "SELECT \(ReadingRow.columns) FROM articles WHERE id = ?1"
}

/// The encoder's vectors of the articles, for search by meaning. `form` is the version of their bytes' format; those of
/// another version are ignored. If it is negative, only some passages of the article have vectors.
extension Store {
    /// How many articles have no vectors of this format, with or without those that have some.
    public func countWithoutVectors(form: Int, countsPartial: Bool = true) throws -> Int {
        let forms = [form, countsPartial ? form : -form].map { SQLValue.integer(Int64($0)) }
        return Int(try integer(Query.countWithoutVectors, forms) ?? 0)
    }

    /// Whether no article has vectors of this format.
    public func hasNoVectors(form: Int) throws -> Bool {
        try integer("SELECT 1 FROM vectors WHERE form IN (?1, -?1) LIMIT 1", [.integer(Int64(form))]) == nil
    }

    /// The articles without vectors of all passages, newest first, with their rowids.
    public func withoutVectors(form: Int, limit: Int) throws -> [(row: Int64, article: Article)] {
        try rows(Query.withoutVectors, [.integer(Int64(form)), .integer(Int64(limit))], ReadingRow.article)
    }

    /// The titles of a scope's articles of which no passage has a vector, newest first, with their rowids.
    public func titlesWithoutVectors(
        form: Int, in scope: SearchFilter, limit: Int
    ) throws -> [(row: Int64, title: String)] {
        try rows(Query.titlesWithoutVectors, values(of: scope, form: form) + [.integer(Int64(limit))]) {
            ($0.integer(0) ?? 0, $0.text(1) ?? "")
        }
    }

    /// The vectors of one article; nil if it has none.
    public func vectors(of article: Article, form: Int) throws -> [UInt8]? {
        try attempt {
            try connection.first(Query.vectorsOfOne, [.integer(Int64(form)), .text(article.id)]) { row in
                row.withBytes(0) { [UInt8]($0) }
            }
        }
    }

    /// Stores vectors of articles, by rowid, except those whose text has changed meanwhile.
    public func keepVectors(_ vectors: [(row: Int64, article: Article, bytes: [UInt8])], form: Int) throws {
        try transaction {
            let known = try connection.prepare(Query.byRow)
            let keep = try connection.prepare(Query.keepVectors)
            for (row, article, bytes) in vectors {
                let now = try known.first([.integer(row)], ReadingRow.article)?.article
                guard let now, now.id == article.id, now.title == article.title, now.text == article.text else {
                    continue
                }
                try keep.run([.integer(row), .integer(Int64(form)), .blob(bytes)])
            }
        }
    }

    /// Passes a scope's vectors to `body`, with the articles' rowids. The bytes are valid during the call.
    public func eachVector(form: Int, in scope: SearchFilter, _ body: (Int64, UnsafeRawBufferPointer) -> Void) throws {
        let values = try values(of: scope, form: form)
        try attempt {
            try connection.query(Query.vectors, values) { row in
                guard let article = row.integer(0) else { return }
                row.withBytes(1) { body(article, $0) }
            }
        }
    }

    /// The articles of these rowids, in their order; missing ones are left out.
    public func readings(inRows rows: [Int64]) throws -> [Reading] {
        try attempt {
            let byRow = try connection.prepare(Query.byRow)
            return try rows.compactMap { row in try byRow.first([.integer(row)], ReadingRow.reading) }
        }
    }

    /// The share of a question's words that each of a scope's articles has, weighted by rarity. A word also matches the
    /// beginning of a longer one; case and accents do not matter. By rowid, above 0, at most 1. Only indexed articles
    /// are found: see `index`.
    public func shares(of words: [String], in scope: SearchFilter) throws -> [Int64: Double] {
        let matches = try words.compactMap { try Store.match($0).map { try rows(matching: $0, in: scope) } }
        let count = Double(try integer(Query.countInScope, values(of: scope, form: 0)) ?? 0)
        let rarities = matches.map { log((count + 1) / (Double($0.count) + 0.5)) }
        let sum = rarities.reduce(0, +)
        var shares: [Int64: Double] = [:]
        for (rows, rarity) in zip(matches, rarities) { for row in rows { shares[row, default: 0] += rarity / sum } }
        return shares
    }

    /// The rowids of a scope's articles with all of these phrases.
    public func rows(withAll phrases: [String], in scope: SearchFilter) throws -> Set<Int64> {
        let matches = phrases.compactMap { Store.match("\"\($0)\"") }
        return matches.isEmpty ? [] : Set(try rows(matching: matches.joined(separator: " AND "), in: scope))
    }

    private func rows(matching match: String, in scope: SearchFilter) throws -> [Int64] {
        try rows(Query.matches, values(of: scope, form: 0) + [.text(match)]) { $0.integer(0) ?? 0 }
    }

    /// How many of a scope's articles have all of these words, or words that begin with them; counted up to a limit.
    public func countMatches(
        _ words: [String], in scope: SearchFilter = SearchFilter(), upTo limit: Int
    ) throws -> Int {
        let matches = words.compactMap { Store.match($0) }
        guard !matches.isEmpty, matches.count == words.count else { return 0 }
        let values: [SQLValue] = [.text(matches.joined(separator: " AND ")), .integer(Int64(limit))]
        return Int(try integer(Query.countMatches, try self.values(of: scope, form: 0) + values) ?? 0)
    }

    /// Whether an article has this word, or one that begins with it.
    public func hasMatch(_ word: String, in article: Article) throws -> Bool {
        guard let match = Store.match(word) else { return false }
        return try integer(Query.matchInArticle, [.text(match), .text(article.id)]) != nil
    }

    /// The values of `isInScope`.
    private func values(of scope: SearchFilter, form: Int) throws -> [SQLValue] {
        [
            .integer(Int64(form)), SQLValue(scope.isWhole),
            .integer(scope.period.map { Instant.milliseconds($0.from) } ?? .min),
            .integer(scope.period.map { Instant.milliseconds($0.to) } ?? .max),
            SQLValue(scope.category?.name), SQLValue(try spellings(of: scope.sources)),
        ]
    }
}
