import PulseText

/// The beginning of a text that fits into a number of tokens, cut at the end of a sentence where possible.
public struct Excerpt: Sendable, Hashable {
    public let text: String
    /// Whether something was left out.
    public let isShortened: Bool

    /// In tokens; a shorter excerpt is useless.
    static let shortest = 24

    /// - Parameters:
    ///   - tokens: The most tokens, as counted by `count`.
    ///   - count: Counts the tokens of a text with the model's tokenizer.
    public init(of text: String, tokens: Int, count: (String) -> Int) {
        let front = Excerpt.front(of: text, tokens: tokens)
        var excerpt = ""
        var left = tokens
        for paragraph in front.split(separator: "\n\n") {
            for (index, sentence) in Sentences.split(String(paragraph)).enumerated() {
                let piece = (excerpt.isEmpty ? "" : index == 0 ? "\n\n" : " ") + sentence
                let cost = count(piece)
                if cost > left {
                    self.text = excerpt.isEmpty ? Excerpt.words(of: sentence, tokens: tokens, count: count) : excerpt
                    self.isShortened = true
                    return
                }
                excerpt += piece
                left -= cost
            }
        }
        self.text = excerpt
        self.isShortened = front.utf8.count < text.utf8.count
    }

    /// Limits the work on megabytes of text: a token hardly ever has more than 64 bytes. By scalars, because a character
    /// may have any number of them.
    private static func front(of text: String, tokens: Int) -> String {
        String(text.unicodeScalars.prefix(max(0, tokens) * 64))
    }

    /// The beginning of a sentence that is too long by itself, with an ellipsis: whole words, else part of the first
    /// word, else part of its first character. Empty where nothing fits.
    private static func words(of sentence: String, tokens: Int, count: (String) -> Int) -> String {
        let front = front(of: sentence, tokens: tokens)
        let cuts: [(String) -> [String.Index]] = [
            { text in text.indices.filter { text[$0] == " " } }, { Array($0.indices.dropFirst()) },
            { Array($0.unicodeScalars.indices.dropFirst()) },
        ]
        for ends in cuts {
            let fitting = longest(of: front, endingAt: ends(front) + [front.endIndex], tokens: tokens, count: count)
            if !fitting.isEmpty { return fitting }
        }
        return ""
    }

    /// The longest prefix that fits with an ellipsis, by binary search, since a longer one never has fewer tokens.
    private static func longest(
        of text: String, endingAt ends: [String.Index], tokens: Int, count: (String) -> Int
    ) -> String {
        var low = 0
        var high = ends.count
        while low < high {
            let middle = (low + high + 1) / 2
            if count(text[..<ends[middle - 1]] + "…") <= tokens { low = middle } else { high = middle - 1 }
        }
        return low == 0 ? "" : text[..<ends[low - 1]] + "…"
    }
}
