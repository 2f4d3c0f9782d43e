import PulseText

/// The front of a text, as much of it as a number of tokens allows, cut at a sentence's end where one fits.
public struct Excerpt: Sendable, Hashable {
    public let text: String
    /// True where something of the text is not in it.
    public let isShortened: Bool

    /// - Parameters:
    ///   - tokens: The largest number of tokens, by `count`.
    ///   - count: Counts the tokens of a text; the model's own tokenizer.
    public init(of text: String, tokens: Int, count: (String) -> Int) {
        let paragraphs = text.split(separator: "\n\n")
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
        self.isShortened = false
    }

    /// The longest run of whole words of a sentence that is too long by itself, with an ellipsis: by halving, since a
    /// longer front never has fewer tokens.
    private static func words(of sentence: String, tokens: Int, count: (String) -> Int) -> String {
        // A token is at least one byte, so nothing past this can fit; it bounds the work on a sentence of megabytes.
        let front = sentence.utf8.count > tokens * 64 ? String(sentence.prefix(tokens * 64)) : sentence
        let ends = front.indices.filter { front[$0] == " " } + [front.endIndex]
        var low = 0
        var high = ends.count
        while low < high {
            let middle = (low + high + 1) / 2
            if count(front[..<ends[middle - 1]] + "…") <= tokens { low = middle } else { high = middle - 1 }
        }
        return low == 0 ? "" : front[..<ends[low - 1]] + "…"
    }
}
