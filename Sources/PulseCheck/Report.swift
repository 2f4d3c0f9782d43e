import PulseCore
import PulseText

/// One report, read once.
struct Report: Sendable {
    /// A sentence of it, or its title.
    struct Line: Sendable {
        /// Without white space and quotation marks.
        let bare: String
        let tokens: [Token]
        let keys: Set<String>
        /// The places of the tokens that may not be added or left out.
        let content: [Int]

        init(_ text: String, _ reader: Reader) {
            bare = Report.bare(text)
            let tokens = Array(reader.read().prefix(Report.longestLine))
            keys = Set(tokens.map(\.key))
            content = tokens.indices.filter { !tokens[$0].isFree }
            self.tokens = tokens
        }
    }

    let id: String
    let lexicon: Lexicon
    /// The title first.
    let lines: [Line]

    /// No sentence has more words; what has is a list or a trap.
    private static let longestLine = 300

    init(_ article: Article, lexicon: Lexicon) {
        (id, self.lexicon) = (article.id, lexicon)
        var lines = [Line(article.title, Reader(article.title, lexicon))]
        let text = article.hasBody ? article.text : ""
        for paragraph in text.split(whereSeparator: \.isNewline) {
            // A quotation that nobody closed ends with its paragraph.
            var isQuoted = false
            for sentence in Sentences.split(String(paragraph)) {
                let reader = Reader(sentence, lexicon, isQuoted: isQuoted)
                isQuoted = reader.isQuoted
                lines.append(Line(sentence, reader))
            }
        }
        self.lines = lines
    }

    static func bare(_ text: String) -> String { text.filter { !$0.isWhitespace && !"\"“”„«»'‘’".contains($0) } }
}
