/// Finds the ends of sentences in a text that is still being written. Only the white space at its end, and a word that
/// may begin the next sentence, are held back. However the text is cut into pieces, the sentences are the same.
public struct SentenceStream: Sendable {
    public enum Element: Sendable, Hashable {
        /// The next stretch of the text, with the white space before it.
        case text(String)
        /// The end of a sentence, and the whole of it without the white space around.
        case end(String)
    }

    /// The text from the end of the last sentence.
    private var rest = ""
    /// How much of it has been handed out, in UTF-8 bytes.
    private var handedOut = 0

    public init() {}

    /// What is settled now that this has come.
    public mutating func add(_ piece: String) -> [Element] {
        rest += piece
        return handOut(upTo: settled)
    }

    /// What was held back, and the end of the last sentence.
    public mutating func finish() -> [Element] {
        let end = rest.lastIndex { !$0.isWhitespace }.map(rest.index(after:)) ?? rest.startIndex
        var elements = handOut(upTo: end)
        if let last = Sentences.ranges(in: rest).first { elements.append(.end(String(rest[last]))) }
        self = SentenceStream()
        return elements
    }

    /// The end of what no further text can divide otherwise.
    private var settled: String.Index {
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return rest.startIndex }
        let end = rest.index(after: last)
        // Behind white space the last word is whole. Otherwise it may grow, and where it stands behind what may be the
        // end of a sentence, that depends on it: “U.S. The…” ends one, “U.S. Then…” may not.
        guard end == rest.endIndex, let gap = rest.lastIndex(where: \.isWhitespace) else { return end }
        let before = rest[..<gap].last { !$0.isWhitespace }
        guard let before, !before.isLetter, !before.isNumber, before != "," else { return end }
        return rest[..<gap].lastIndex { !$0.isWhitespace }.map(rest.index(after:)) ?? end
    }

    private mutating func handOut(upTo end: String.Index) -> [Element] {
        var length = rest[..<end].utf8.count
        var elements: [Element] = []
        while true {
            let front = slice(from: 0, to: length)
            let ranges = Sentences.ranges(in: front)
            guard ranges.count > 1 else { break }
            let whole = front[..<ranges[0].upperBound].utf8.count
            add(slice(from: handedOut, to: whole), to: &elements)
            elements.append(.end(String(front[ranges[0]])))
            rest = slice(from: whole, to: rest.utf8.count)
            handedOut = 0
            length -= whole
        }
        if length > handedOut {
            add(slice(from: handedOut, to: length), to: &elements)
            handedOut = length
        }
        return elements
    }

    private func add(_ text: String, to elements: inout [Element]) {
        if !text.isEmpty { elements.append(.text(text)) }
    }

    private func slice(from: Int, to: Int) -> String {
        let bytes = rest.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: from)
        return String(rest[start..<bytes.index(bytes.startIndex, offsetBy: to)])
    }
}
