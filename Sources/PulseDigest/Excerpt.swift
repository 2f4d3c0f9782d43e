import PulseText

/// The front of a text that fits into a number of tokens, cut at the end of a sentence where possible.
public struct Excerpt: Sendable, Hashable {
    public let text: String
    /// Whether something was left out.
    public let isShortened: Bool

    /// Tokens. A shorter excerpt says nothing.
    static let shortest = 24

    /// - Parameters:
    ///   - tokens: The largest number of tokens, by `count`.
    ///   - count: Counts the tokens of a text; the model's own tokenizer.
    public init(of text: String, tokens: Int, count: (String) -> Int) {
        // A token of more than 64 bytes is rare, so hardly anything past this can fit; it bounds the work on a text of
        // megabytes.
        let scalars = text.unicodeScalars
        let front = String(scalars.prefix(max(0, tokens) * 64))
        let paragraphs = front.split(separator: "\n\n")
        var kept = ""
        var left = tokens
        for paragraph in paragraphs {
            for (index, sentence) in Sentences.split(String(paragraph)).enumerated() {
                let piece = (kept.isEmpty ? "" : index == 0 ? "\n\n" : " ") + sentence
                let cost = count(piece)
                if cost > left {
                    self.text = kept.isEmpty ? Excerpt.words(of: sentence, tokens: tokens, count: count) : kept
                    self.isShortened = true
                    return
                }
                kept += piece
                left -= cost
            }
        }
        self.text = kept
        self.isShortened = front.utf8.count < text.utf8.count
    }

    /// The front of a sentence that is too long by itself, with an ellipsis: as many whole words as fit, else a part of
    /// the first word, else a part of its first character. Empty where nothing fits.
    private static func words(of sentence: String, tokens: Int, count: (String) -> Int) -> String {
        // A token of more than 64 bytes is rare, so hardly anything past this can fit; it bounds the work on a sentence
        // of megabytes. By scalars, because a character may consist of any number of them.
        let front = String(sentence.unicodeScalars.prefix(max(0, tokens) * 64))
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

    /// The longest front that fits, with an ellipsis: by halving, since a longer front never has fewer tokens.
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
