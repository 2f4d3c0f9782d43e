public import PulseCore
import PulseSQL

extension Query {
    /// The best matches first, by FTS5's bm25() with a word in the title counting most, then the newest. It ranks on
    /// small columns alone and reads the texts only of the articles it returns.
    static let search = """
        WITH hits AS MATERIALIZED (
            SELECT hit.id, bm25(words, 8.0, 3.0, 1.0, 2.0) AS score, hit.read_at, hit.identifier
            FROM words JOIN articles AS hit ON hit.id = words.rowid
            WHERE words MATCH ?1 ORDER BY score, hit.read_at DESC, hit.identifier LIMIT ?2
        )
        SELECT \(ReadingRow.columns) FROM hits JOIN articles ON articles.id = hits.id
        ORDER BY hits.score, hits.read_at DESC, hits.identifier
        """
}

extension Store {
    /// The articles that hold every one of the words, whatever their case and accents, in title, teaser, text or
    /// source; the last word may be the beginning of one. Best match first, then newest.
    ///
    /// What was typed is words and never a query language. Without a letter or a digit in it nothing is found.
    public func search(_ words: String, limit: Int) throws(PulseError) -> [Reading] {
        guard limit > 0, let match = Store.match(words) else { return [] }
        return try select(Query.search, [.text(match), .integer(Int64(limit))])
    }

    /// The words as an FTS5 query: each a quoted string, all of them wanted, the last one a prefix. Nil where there is
    /// nothing to search for.
    private static func match(_ typed: String) -> String? {
        let words = typed.split(whereSeparator: \.isWhitespace).filter { word in
            // FTS5's unicode61 tokenizer finds no token in a word of punctuation alone.
            word.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        }
        guard !words.isEmpty else { return nil }
        // https://www.sqlite.org/fts5.html#fts5_strings: "Within a string, any embedded double quote characters may be
        // escaped SQL-style - by adding a second double-quote character." A NUL would end the query early.
        let quoted = words.map { word in
            "\"" + word.replacing("\"", with: "\"\"").replacing("\0", with: "") + "\""
        }
        return quoted.joined(separator: " ") + "*"
    }
}
