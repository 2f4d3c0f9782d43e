import Foundation

/// What a person typed, as FTS5 queries that can mean nothing else: every word a quoted string, all of them wanted, the
/// last one perhaps not finished.
struct SearchWords {
    /// Each as FTS5 quotes a string, in the order in which they were typed; never empty.
    private let quoted: [String]
    /// The last word as the index has its terms, in lower case and without accents, where that can be told without
    /// FTS5's tokenizer: letters and digits of ASCII, perhaps with accents.
    let beginning: String?

    /// Nil where there is no letter or digit to search for.
    init?(_ typed: String) {
        let words = typed.split(whereSeparator: \.isWhitespace).filter { word in
            // FTS5's unicode61 tokenizer finds no token in a word of punctuation alone.
            word.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        }
        guard let last = words.last else { return nil }
        quoted = words.map { SearchWords.quote(String($0)) }
        beginning = SearchWords.term(of: String(last))
    }

    /// How many words there are.
    var count: Int { quoted.count }

    /// Articles that hold every word as it was typed.
    var whole: String { quoted.joined(separator: " ") }

    /// Articles in which the last word may be a beginning.
    var unfinished: String { whole + "*" }

    /// Articles with one of these terms in the place of the last word. A word that is continued stands among them
    /// itself, where there is such a word.
    func continued(_ terms: [String]) -> String {
        let choice = terms.map(SearchWords.quote).joined(separator: " OR ")
        // https://www.sqlite.org/fts5.html#fts5_boolean_operators: the implicit AND binds tighter than OR and takes no
        // parenthesis as its operand.
        return (quoted.dropLast() + ["(\(choice))"]).joined(separator: " AND ")
    }

    /// https://www.sqlite.org/fts5.html#fts5_strings: "Within a string, any embedded double quote characters may be
    /// escaped SQL-style - by adding a second double-quote character." A NUL would end the query early.
    private static func quote(_ word: String) -> String {
        "\""
            + word.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"").filter {
                $0 != "\0"
            }
            + "\""
    }

    private static func term(of word: String) -> String? {
        var term = ""
        for scalar in word.decomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9": term.unicodeScalars.append(scalar)
            // Combining marks, which `remove_diacritics 2` takes off.
            case "\u{300}"..."\u{36f}" where !term.isEmpty: continue
            default: return nil
            }
        }
        return term.isEmpty ? nil : term.lowercased()
    }
}
