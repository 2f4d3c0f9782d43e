import PulseText

/// A text in pieces of at most so many tokens, in order, cut at the ends of sentences. Nothing of it is left out: a
/// sentence that is too long by itself is cut between words, and a word that is too long inside it.
public enum ArticlePieces {
    /// - Parameters:
    ///   - tokens: The largest number of tokens of a piece, by `count`.
    ///   - opening: The first piece has no more than so many; nil: it is like the others.
    ///   - count: Counts the tokens of a text; the model's own tokenizer.
    /// - Returns: Pieces of about the same length, so that none is a remnant. Empty for a text without words.
    public static func split(_ text: String, tokens: Int, opening: Int? = nil, count: (String) -> Int) -> [String] {
        let tokens = max(1, tokens)
        var parts: [Part] = []
        for paragraph in text.split(separator: "\n\n") {
            for (index, sentence) in Sentences.split(String(paragraph)).enumerated() {
                let fragments = fragments(of: sentence[...], tokens: tokens, count: count)
                for (number, fragment) in fragments.enumerated() {
                    parts.append(
                        Part(text: fragment.text, cost: fragment.cost, opensParagraph: index == 0 && number == 0))
                }
            }
        }
        guard let opening else { return join(parts[...], tokens: tokens) }
        var filled = 0
        let lead = parts.prefix { part in
            filled += part.cost
            return filled <= opening
        }
        let first = lead.isEmpty ? parts.prefix(1) : lead
        return join(first, tokens: .max) + join(parts[first.endIndex...], tokens: tokens)
    }

    private struct Part {
        let text: String
        let cost: Int
        let opensParagraph: Bool
    }

    /// As many pieces as are needed, each filled to its share and no further than the bound.
    private static func join(_ parts: ArraySlice<Part>, tokens: Int) -> [String] {
        let all = parts.reduce(0) { $0 + $1.cost }
        guard all > 0 else { return [] }
        let number = (all - 1) / tokens + 1
        let share = (all - 1) / number + 1
        var pieces: [String] = []
        var piece = ""
        var filled = 0
        for part in parts {
            if filled > 0, filled + part.cost > tokens || filled >= share {
                pieces.append(piece)
                piece = ""
                filled = 0
            }
            piece += (piece.isEmpty ? "" : part.opensParagraph ? "\n\n" : " ") + part.text
            filled += part.cost
        }
        pieces.append(piece)
        return pieces
    }

    /// A sentence whole where it fits, else in halves, and those again. A piece's first word costs no more in front of
    /// another than alone, so the parts' costs are counted with the space before them.
    private static func fragments(
        of sentence: Substring, tokens: Int, count: (String) -> Int
    ) -> [(text: String, cost: Int)] {
        // A token is at least one byte, so what is longer than any number of tokens can hold need not be counted.
        if sentence.utf8.count <= max(64, tokens * 64) {
            let cost = count(" " + sentence)
            if cost <= tokens || sentence.unicodeScalars.count == 1 { return [(String(sentence), cost)] }
        }
        let middle = middle(of: sentence)
        // The space nearest before the middle, or behind it.
        let cut =
            sentence[..<middle].lastIndex(of: " ").flatMap { $0 > sentence.startIndex ? $0 : nil }
            ?? sentence[middle...].prefix(256).firstIndex(of: " ") ?? middle
        let left = sentence[..<cut]
        let right = sentence[cut...].drop { $0 == " " }
        return fragments(of: left, tokens: tokens, count: count)
            + (right.isEmpty ? [] : fragments(of: right, tokens: tokens, count: count))
    }

    /// A place between two characters, or inside the only one: it may be joined of more scalars than a model can read.
    private static func middle(of text: Substring) -> Substring.Index {
        let half = text.utf8.count > 1 << 20 ? 1 << 16 : text.count / 2
        if half > 0, let index = text.index(text.startIndex, offsetBy: half, limitedBy: text.endIndex),
            index < text.endIndex
        {
            return index
        }
        let scalars = text.unicodeScalars
        return scalars.index(scalars.startIndex, offsetBy: scalars.count / 2)
    }
}
