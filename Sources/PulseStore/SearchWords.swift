/// What a person typed, as an FTS5 query that can mean nothing else: every word a quoted string, all of them wanted,
/// the last one perhaps not finished.
enum SearchWords {
    /// Nil where there is no letter or digit to search for.
    static func query(_ typed: String) -> String? {
        let words = typed.split(whereSeparator: \.isWhitespace).filter { word in
            // FTS5's unicode61 tokenizer finds no token in a word of punctuation alone.
            word.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        }
        guard !words.isEmpty else { return nil }
        // https://www.sqlite.org/fts5.html#fts5_strings: "Within a string, any embedded double quote characters may
        // be escaped SQL-style - by adding a second double-quote character." A NUL would end the query early.
        let quoted = words.map { word in
            "\"" + word.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
        }
        return quoted.joined(separator: " ").filter { $0 != "\0" } + "*"
    }
}
