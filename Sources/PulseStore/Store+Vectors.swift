public import PulseCore
import PulsePlatform
import PulseText

/// Which part of the history is searched.
public struct SearchScope: Sendable, Hashable {
    /// When it was read or published; nil: at any time.
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
    private static let inScope = """
        (?2 OR article IN (
            SELECT id FROM articles
            WHERE (read_at BETWEEN ?3 AND ?4 OR published_at BETWEEN ?3 AND ?4) AND (?5 IS NULL OR category = ?5)
                AND (?6 IS NULL OR source IN (SELECT value FROM json_each(?6)))))
        """
    static let vectors = "SELECT article, passages FROM vectors WHERE form = ?1 AND \(inScope)"
    static let matches = """
        WITH found AS MATERIALIZED (
            SELECT rowid AS article, bm25(words, 8.0, 3.0, 1.0, 2.0) AS score FROM words WHERE words MATCH ?7
        )
        SELECT article, score FROM found WHERE \(inScope) ORDER BY score, article DESC LIMIT ?8
        """
    static let withoutVectors = """
        SELECT \(ReadingRow.columns) FROM articles
        WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE article = articles.id AND form = ?1)
        ORDER BY read_at DESC, identifier LIMIT ?2
        """
    static let countWithoutVectors = """
        SELECT (SELECT count(*) FROM articles) - (SELECT count(*) FROM vectors WHERE form = ?1)
        """
    static let vectorsOfOne =
        "SELECT passages FROM vectors JOIN articles ON id = article WHERE form = ?1 AND identifier = ?2"
    static let byRow = "SELECT \(ReadingRow.columns) FROM articles WHERE id = ?1"
}

/// What an encoder made of the articles, by which they are found by their meaning. What is stored is bytes; `form` says
/// of what kind, and those of another kind count as none.
extension Store {
    /// How many articles have no vectors of this form.
    public func countWithoutVectors(form: Int) throws(PulseError) -> Int {
        try attempt { () throws(SQLError) in
            Int(try connection.integer(Query.countWithoutVectors, [.integer(Int64(form))]) ?? 0)
        }
    }

    /// Whether no article has any.
    public func hasNoVectors(form: Int) throws(PulseError) -> Bool {
        try attempt { () throws(SQLError) in
            try connection.integer("SELECT 1 FROM vectors WHERE form = ?1 LIMIT 1", [.integer(Int64(form))]) == nil
        }
    }

    /// The articles that have none, newest first, with their rows.
    public func withoutVectors(form: Int, limit: Int) throws(PulseError) -> [(row: Int64, article: Article)] {
        try attempt { () throws(SQLError) in
            try connection.prepare(Query.withoutVectors)
                .rows([.integer(Int64(form)), .integer(Int64(limit))], ReadingRow.article)
        }
    }

    /// Those of one article; nil where it has none.
    public func vectors(of article: Article, form: Int) throws(PulseError) -> [UInt8]? {
        try attempt { () throws(SQLError) in
            var bytes: [UInt8]?
            try connection.query(Query.vectorsOfOne, [.integer(Int64(form)), .text(article.id)]) {
                row throws(SQLError) in
                row.withBytes(0) { bytes = Array($0) }
            }
            return bytes
        }
    }

    /// Keeps the vectors of articles, by their rows. Those whose text is another by now are left out.
    public func keepVectors(
        _ vectors: [(row: Int64, article: Article, bytes: [UInt8])], form: Int
    ) throws(PulseError) {
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let known = try connection.prepare(Query.byRow)
                let keep = try connection.prepare(
                    "INSERT OR REPLACE INTO vectors (article, form, passages) VALUES (?1, ?2, ?3)")
                for (row, article, bytes) in vectors {
                    let now = try known.first([.integer(row)], ReadingRow.article)?.article
                    guard let now, now.id == article.id, now.title == article.title, now.text == article.text else {
                        continue
                    }
                    try keep.run([.integer(row), .integer(Int64(form)), .blob(bytes)])
                }
            }
        }
    }

    /// Hands out the vectors of all articles of a scope, with the articles' rows. The bytes are valid during the call.
    public func eachVector(
        form: Int, in scope: SearchScope, _ body: (Int64, UnsafeRawBufferPointer) -> Void
    ) throws(PulseError) {
        let values = try values(of: scope, form: form)
        try attempt { () throws(SQLError) in
            try connection.query(Query.vectors, values) { row throws(SQLError) in
                guard let article = row.integer(0) else { return }
                row.withBytes(1) { body(article, $0) }
            }
        }
    }

    /// The articles of these rows, in their order; without those that are gone.
    public func readings(inRows rows: [Int64]) throws(PulseError) -> [Reading] {
        try attempt { () throws(SQLError) in
            let byRow = try connection.prepare(Query.byRow)
            var readings: [Reading] = []
            for row in rows {
                if let reading = try byRow.first([.integer(row)], ReadingRow.reading) { readings.append(reading) }
            }
            return readings
        }
    }

    /// The rows of the articles of a scope that have any of the words, whatever their case and accents, or begin with
    /// them; those first that have the rarest. Only those are found that are indexed: see `index`.
    ///
    /// - Parameters:
    ///   - words: Those in quotation marks stand in the article in a row.
    ///   - areAllWanted: Whether the article must have all of them.
    /// - Returns: the rows, with what FTS5's bm25() says, the best the greatest.
    public func matches(
        _ words: [String], areAllWanted: Bool = false, in scope: SearchScope, limit: Int
    ) throws(PulseError) -> [(row: Int64, score: Double)] {
        // See `match`: what was typed is words and never a query language.
        let match = words.compactMap { Store.match($0) }.joined(separator: areAllWanted ? " AND " : " OR ")
        guard !match.isEmpty else { return [] }
        let values = try values(of: scope, form: 0) + [.text(match), .integer(Int64(limit))]
        return try attempt { () throws(SQLError) in
            var found: [(row: Int64, score: Double)] = []
            try connection.query(Query.matches, values) { row throws(SQLError) in
                if let article = row.integer(0) { found.append((article, -(row.real(1) ?? 0))) }
            }
            return found
        }
    }

    /// What `inScope` takes.
    private func values(of scope: SearchScope, form: Int) throws(PulseError) -> [SQLValue] {
        let wanted = Set(scope.sources.map(Words.name))
        let sources = wanted.isEmpty ? nil : Payload.text(try sourceNames().filter { wanted.contains(Words.name($0)) })
        return [
            .integer(Int64(form)), SQLValue(scope.isWhole),
            .integer(scope.period.map { Instant.milliseconds($0.from) } ?? .min),
            .integer(scope.period.map { Instant.milliseconds($0.to) } ?? .max),
            SQLValue(scope.category?.name), SQLValue(sources),
        ]
    }
}
