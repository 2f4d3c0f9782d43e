import PulseText

/// Cleans what a model writes, sentence by sentence: removes marks of chat templates, reasoning, a preamble (“Here is
/// the paragraph:”), headings, Markdown and repeated sentences, and stops once the model repeats itself again and
/// again. The result does not depend on how the text was cut into pieces.
public struct AnswerReader: Sendable {
    /// Two sentences with this share of their words in common say the same (Jaccard's index).
    private static let sameness = 0.8
    /// After so many repetitions nothing more is passed on.
    private static let loop = 2

    private var markers = MarkerFilter()
    private var sentences = SentenceStream()
    private var told: [Set<String>] = []
    /// What the model has written until its first sentence was complete.
    private var beginning = ""
    private var repetitions = 0
    /// What is there of the sentence that is being written.
    private var begun = ""

    public init() {}

    /// The sentences that are complete now.
    public mutating func add(_ piece: String) -> [String] {
        if told.isEmpty { beginning += piece }
        return read(sentences.add(markers.add(piece)))
    }

    /// The whole words of the first sentence that are there for certain while it is being written: up to the first sign
    /// that may end it or be removed. Nil: none, or they may belong to something that is not the text.
    var front: String? {
        guard told.isEmpty, beginning.first.map({ $0.isLetter || $0.isNumber || "\"“„«".contains($0) }) == true else {
            return nil
        }
        let plain = PlainText.line(
            String(
                beginning.prefix {
                    $0.isLetter || $0.isNumber || $0 == " " || ",'’\"“”„«»()%$€£¥-–".contains($0)
                }))
        guard let end = plain.lastIndex(of: " "),
            let first = Words.all(in: plain).first, !AnswerReader.openers.union(["of", "absolutely"]).contains(first)
        else { return nil }
        return String(plain[..<end])
    }

    /// The sentence that is being written, as far as it is there. It may still turn out to be no part of the text.
    public var unfinished: String {
        let line = PlainText.line(begun)
        guard !line.isEmpty, !line.hasPrefix("#"), repetitions < AnswerReader.loop else { return "" }
        let text = AnswerReader.withoutMarkdown(line)
        if told.isEmpty, let first = Words.all(in: text).first, AnswerReader.openers.contains(first) { return "" }
        return text
    }

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
            switch element {
            case .text(let piece):
                begun += piece
                return nil
            case .end(let sentence):
                begun = ""
                return show(sentence)
            }
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

    /// A line that is marked as a heading or is all emphasis, and does not end like a sentence.
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

    /// The first words of announcements.
    private static let openers: Set<String> = [
        "here", "sure", "certainly", "okay", "ok", "below", "summary", "paragraph", "digest",
    ]

    private static func isAnnouncement(_ text: String, whole: Bool) -> Bool {
        let words = Words.all(in: text)
        if whole {
            return ["sure", "certainly", "okay", "ok", "of course", "absolutely"].contains(words.joined(separator: " "))
        }
        let subjects: Set<String> = [
            "summary", "paragraph", "digest", "sentences", "sentence", "text", "response", "is", "s",
        ]
        guard let first = words.first else { return false }
        return openers.contains(first) && (words.count == 1 || words.contains(where: subjects.contains))
    }
}

/// Removes what is not meant for a reader from a model's text: its reasoning between `<think>` and `</think>`, and
/// everything from the first mark of a chat template on. A mark may arrive in pieces. It is searched for by bytes,
/// because a combining character behind it must not hide it.
struct MarkerFilter: Sendable {
    /// What GPT-OSS writes before an answer without reasoning.
    private static let openings = ["<|channel|>final<|message|>"]
    private static let marks = ChatMarkers.thoughts.map(\.0) + openings + ChatMarkers.ends

    private var held = ""
    /// The mark that ends the current reasoning.
    private var awaited: String?
    private(set) var isEnded = false

    /// What can be passed on now.
    mutating func add(_ piece: String) -> String {
        guard !isEnded else { return "" }
        held += piece
        var text = ""
        while true {
            if let end = awaited {
                guard let range = held.utf8.firstRange(of: end.utf8) else {
                    held = String(held[MarkerFilter.beginning(of: [end], in: held)...])
                    return text
                }
                held = String(held[range.upperBound...])
                awaited = nil
                continue
            }
            let found = MarkerFilter.marks.compactMap { mark in held.utf8.firstRange(of: mark.utf8).map { (mark, $0) } }
                .min { $0.1.lowerBound < $1.1.lowerBound }
            guard let (mark, range) = found else {
                let tail = MarkerFilter.beginning(of: MarkerFilter.marks, in: held)
                text += held[..<tail]
                held = String(held[tail...])
                return text
            }
            text += held[..<range.lowerBound]
            held = String(held[range.upperBound...])
            awaited = ChatMarkers.thoughts.first { $0.0 == mark }?.1
            if awaited == nil, !MarkerFilter.openings.contains(mark) {
                isEnded = true
                return text
            }
        }
    }

    /// What was held back because it might have become a mark.
    mutating func finish() -> String {
        defer { held = "" }
        return awaited == nil && !isEnded ? held : ""
    }

    /// Where the longest end of a text begins that may become one of the marks; the text's end where none does.
    private static func beginning(of marks: [String], in text: String) -> String.Index {
        let bytes = text.utf8
        let longest = marks.map { mark in
            let most = min(mark.utf8.count - 1, bytes.count)
            return stride(from: most, to: 0, by: -1)
                .first { bytes.suffix($0).elementsEqual(mark.utf8.prefix($0)) } ?? 0
        }.max()
        return bytes.index(bytes.endIndex, offsetBy: -(longest ?? 0))
    }
}
