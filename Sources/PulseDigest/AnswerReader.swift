import PulseText

/// Reads what a model that writes freely has written, and passes on what is meant for the reader, a sentence at a time:
/// without marks and thoughts, without the preamble ("Here is the paragraph:"), without headings and Markdown, without sentences it
/// has written before; and nothing more once it goes round in circles. However the text is cut into pieces, the result
/// is the same.
public struct AnswerReader: Sendable {
    /// Two sentences that share this part of their words say the same (Jaccard's index).
    private static let sameness = 0.8
    /// So many repetitions are a loop.
    private static let loop = 2

    private var markers = MarkerFilter()
    private var sentences = SentenceStream()
    private var told: [Set<String>] = []
    private var repetitions = 0

    public init() {}

    /// The sentences that are whole now that this has come.
    public mutating func add(_ piece: String) -> [String] { read(sentences.add(markers.add(piece))) }

    /// The rest.
    public mutating func finish() -> [String] {
        let last = read(sentences.add(markers.finish()))
        return last + read(sentences.finish())
    }

    /// A whole answer at once.
    public static func read(_ answer: String) -> [String] {
        var reader = AnswerReader()
        return reader.add(answer) + reader.finish()
    }

    private mutating func read(_ elements: [SentenceStream.Element]) -> [String] {
        elements.compactMap { element in
            guard case .end(let sentence) = element else { return nil }
            return show(sentence)
        }
    }

    private mutating func show(_ sentence: String) -> String? {
        guard repetitions < AnswerReader.loop else { return nil }
        let line = PlainText.line(sentence)
        if AnswerReader.isHeading(line) { return nil }
        var text = AnswerReader.withoutMarkdown(line)
        if told.isEmpty { text = AnswerReader.withoutPreamble(text) }
        let words = Set(Words.all(in: text))
        guard !words.isEmpty else { return nil }
        let isRepeated = told.contains { earlier in
            Double(earlier.intersection(words).count) >= AnswerReader.sameness * Double(earlier.union(words).count)
        }
        guard !isRepeated else {
            repetitions += 1
            return nil
        }
        told.append(words)
        return text
    }

    // MARK: - What is not the text

    /// A line that is all emphasis, or marked as a heading, and does not end like a sentence: headings are the program's.
    private static func isHeading(_ line: String) -> Bool {
        guard line.hasPrefix("#") || line.hasPrefix("**") && line.hasSuffix("**") else { return false }
        let last = line.last { $0 != "*" && $0 != "#" && !$0.isWhitespace }
        return last.map { !".!?…。！？\"”’".contains($0) } ?? true
    }

    /// Without emphasis, and without what begins a heading, an item of a list, a quotation or a fence of code.
    private static func withoutMarkdown(_ text: String) -> String {
        var rest = text.replacing("**", with: "").replacing("__", with: "").replacing("```", with: "")[...]
        while let first = rest.first {
            if "#>*•-–—".contains(first), rest.dropFirst().first.map({ $0.isWhitespace || $0 == first }) ?? true {
                rest = rest.dropFirst()
            } else if first.isWhitespace {
                rest = rest.dropFirst()
            } else {
                break
            }
        }
        return String(rest)
    }

    /// Without the announcement of what follows: a beginning such as “Here is”, up to its colon.
    private static func withoutPreamble(_ text: String) -> String {
        guard let colon = text.firstIndex(of: ":"), text[..<colon].count <= 120 else {
            return isAnnouncement(text, whole: true) ? "" : text
        }
        guard isAnnouncement(String(text[..<colon]), whole: false) else { return text }
        let rest = text[text.index(after: colon)...].drop(while: \.isWhitespace)
        // “Here is what the council decided: nothing.” announces nothing.
        guard rest.first.map({ $0.isUppercase || !$0.isLetter }) ?? true else { return text }
        return withoutMarkdown(String(rest))
    }

    private static func isAnnouncement(_ text: String, whole: Bool) -> Bool {
        let words = Words.all(in: text)
        if whole {
            return ["sure", "certainly", "okay", "ok", "of course", "absolutely"].contains(words.joined(separator: " "))
        }
        let openers: Set<String> = [
            "here", "sure", "certainly", "okay", "ok", "below", "summary", "paragraph", "digest",
        ]
        let subjects: Set<String> = [
            "summary", "paragraph", "digest", "sentences", "sentence", "text", "response", "is", "s",
        ]
        guard let first = words.first else { return false }
        return openers.contains(first) && (words.count == 1 || words.contains(where: subjects.contains))
    }
}
