import PulseText

/// Text with the numbers of its sources behind each sentence, `… in May. [2]`, put in as the text comes: only the white
/// space at its end, and a word that may begin the next sentence, are held back. However the text is cut into pieces,
/// the result is the same.
public struct CitedText: Sendable {
    private let attribution: Attribution
    private let numbers: [String: Int]
    /// The text from the start of the sentence that is being written.
    private var sentence = ""
    /// How much of it has been handed out, in UTF-8 bytes.
    private var handedOut = 0

    /// - Parameters:
    ///   - stories: What the text tells of.
    ///   - first: The number of the first story; the others follow.
    public init(stories: [Story], numberedFrom first: Int) {
        attribution = Attribution(stories.flatMap(\.readings).map(\.article))
        var numbers: [String: Int] = [:]
        for (offset, story) in stories.enumerated() {
            for reading in story.readings { numbers[reading.article.id] = first + offset }
        }
        self.numbers = numbers
    }

    /// What can be shown now that this has come.
    public mutating func add(_ piece: String) -> String {
        sentence += piece
        return handOut(upTo: settled)
    }

    /// The rest, with the last sentence's sources.
    public mutating func finish() -> String {
        let end = sentence.lastIndex { !$0.isWhitespace }.map(sentence.index(after:)) ?? sentence.startIndex
        var text = handOut(upTo: end)
        if let last = Sentences.ranges(in: sentence).first { text += citation(of: String(sentence[last])) }
        sentence = ""
        handedOut = 0
        return text
    }

    /// The end of what no further text can divide otherwise.
    private var settled: String.Index {
        guard let last = sentence.lastIndex(where: { !$0.isWhitespace }) else { return sentence.startIndex }
        let end = sentence.index(after: last)
        // Behind white space the last word is whole. Otherwise it may grow, and where it stands behind what may be the
        // end of a sentence, that depends on it: “U.S. The…” ends one, “U.S. Then…” may not.
        guard end == sentence.endIndex, let gap = sentence.lastIndex(where: \.isWhitespace) else { return end }
        let before = sentence[..<gap].last { !$0.isWhitespace }
        guard let before, !before.isLetter, !before.isNumber, before != "," else { return end }
        return sentence[..<gap].lastIndex { !$0.isWhitespace }.map(sentence.index(after:)) ?? end
    }

    private mutating func handOut(upTo end: String.Index) -> String {
        var end = end
        var text = ""
        while true {
            let front = String(sentence[..<end])
            let ranges = Sentences.ranges(in: front)
            guard ranges.count > 1 else { break }
            let length = front.utf8.count
            let whole = front[..<ranges[0].upperBound].utf8.count
            text += slice(from: handedOut, to: whole) + citation(of: String(front[ranges[0]]))
            sentence = slice(from: whole, to: sentence.utf8.count)
            handedOut = 0
            end = sentence.utf8.index(sentence.startIndex, offsetBy: length - whole)
        }
        let length = sentence[..<end].utf8.count
        if length > handedOut {
            text += slice(from: handedOut, to: length)
            handedOut = length
        }
        return text
    }

    private func slice(from: Int, to: Int) -> String {
        let bytes = sentence.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: from)
        return String(sentence[start..<bytes.index(bytes.startIndex, offsetBy: to)])
    }

    /// The numbers of the stories that support a sentence; a question mark where none does, or where none holds one of
    /// its numbers or names; nothing where there is nothing to support.
    private func citation(of text: String) -> String {
        let sentence = attribution.attribute(text)
        guard sentence.isGrounded else { return " [?]" }
        let cited = Set(sentence.sources.compactMap { numbers[$0] }).sorted()
        return cited.isEmpty ? "" : " " + cited.map { "[\($0)]" }.joined()
    }
}
