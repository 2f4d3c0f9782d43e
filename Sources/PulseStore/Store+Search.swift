public import PulseCore
import PulsePlatform

import class Foundation.Thread

extension Query {
    static let newestArticle = "SELECT max(id) FROM articles"
    static let lastIndexed = "SELECT max(id) FROM words_docsize"

    /// Best matches first, by FTS5's bm25() with title words counting most, then newest. It ranks on small columns
    /// only, and reads the texts only of the articles it returns.
    static let search = """
        WITH hits AS MATERIALIZED (
            SELECT hit.id AS hit, bm25(words, 8.0, 3.0, 1.0, 2.0) AS score, hit.read_at AS time, hit.identifier AS name
            FROM words JOIN articles AS hit ON hit.id = words.rowid
            WHERE words MATCH ?1 ORDER BY score, time DESC, name LIMIT ?2
        )
        SELECT \(ReadingRow.columns) FROM hits JOIN articles ON id = hit
        ORDER BY score, time DESC, name
        """
}

extension Store {
    /// Articles per transaction of `index`: about 40 milliseconds for short ones.
    private static let indexedAtOnce: Int64 = 1000

    /// Whether all articles are in the search index.
    public func isIndexed() throws(PulseError) -> Bool {
        try attempt { () throws(SQLError) in
            try connection.integer(Query.newestArticle) ?? 0 <= connection.integer(Query.lastIndexed) ?? 0
        }
    }

    /// Adds the articles recorded since the last call to the search index.
    ///
    /// - Parameter progress: Called between transactions with the share that is done, from 0 to 1. When it throws, the
    ///   finished part stays.
    public func index(_ progress: (Double) throws(PulseError) -> Void = { _ in }) throws(PulseError) {
        func last(_ query: String) throws(PulseError) -> Int64 {
            try attempt { () throws(SQLError) in try connection.integer(query) ?? 0 }
        }
        // Articles recorded meanwhile are left to the next search, or this might never end.
        let newest = try last(Query.newestArticle)
        let start = try last(Query.lastIndexed)
        var done = start
        while done < newest {
            let added = try attempt { () throws(SQLError) in
                try connection.transaction(.immediate) { () throws(SQLError) in
                    let index = try connection.prepare(
                        """
                        INSERT INTO words (rowid, title, summary, content, source)
                        SELECT id, title, summary, content, source FROM articles
                        WHERE id > coalesce((\(Query.lastIndexed)), 0) ORDER BY id LIMIT ?1
                        """)
                    try index.run([.integer(Self.indexedAtOnce)])
                    return index.changes
                }
            }
            done = try last(Query.lastIndexed)
            // `newest` is never reached if it was deleted meanwhile.
            guard added > 0, done < newest else { return }
            try progress(Double(done - start) / Double(newest - start))
            // SQLite polls for the lock, and would hardly ever find it free.
            Thread.sleep(forTimeInterval: 0.005)
        }
    }

    /// The articles that contain all of the words, regardless of case and accents, in title, summary, content or
    /// source. The last word may be a prefix; words in quotation marks must stand in a row. Best match first, then
    /// newest. Only indexed articles are found: see `index`.
    ///
    /// The text is plain words, not FTS5's query language. Words without a letter or digit find nothing.
    public func search(_ words: String, limit: Int) throws(PulseError) -> [Reading] {
        guard limit > 0, let match = Store.match(words) else { return [] }
        return try select(Query.search, [.text(match), .integer(Int64(limit))])
    }

    /// The words as an FTS5 query: quoted strings, all required, the last one a prefix unless it was quoted; words
    /// between two quotation marks are one string. Nil where there is nothing to search for.
    static func match(_ typed: String) -> String? {
        // A mark without a second one is punctuation.
        let parts = typed.matches(of: /[\u{22}“«]([^\u{22}“”«»]*)[\u{22}”»]|\S+/)
        let isPrefix = parts.last?.output.1 == nil
        let words = parts.map { $0.output.1 ?? $0.output.0 }.filter { word in
            // FTS5's unicode61 tokenizer finds no token in a word of punctuation alone.
            word.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        }
        guard !words.isEmpty else { return nil }
        // https://www.sqlite.org/fts5.html#fts5_strings: "Within a string, any embedded double quote characters may be
        // escaped SQL-style - by adding a second double-quote character." A NUL would end the query early.
        let quoted = words.map { word in
            "\"" + word.replacing("\"", with: "\"\"").replacing("\0", with: "") + "\""
        }
        return quoted.joined(separator: " ") + (isPrefix ? "*" : "")
    }
}
