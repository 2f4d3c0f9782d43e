import PulseText

/// Cleans a model's output, sentence by sentence: removes chat template marks, a preamble (“Here is the
/// paragraph:”), headings, Markdown and repeated sentences, and stops when the model keeps repeating itself. The result
/// does not depend on how the text was cut into pieces.
public struct AnswerCleaner: Sendable {
    /// Two sentences with this share of common words are the same (Jaccard index).
    private static let sameness = 0.8
    /// After `loop` repetitions, the rest of the output is dropped. A sentence is compared with the last `compared`.
    private static let (loop, compared) = (2, 64)
    /// In bytes. Limited because an unfinished sentence is parsed again with each token. A longer one is taken as
    /// endless: the check passes none of more than 600 characters.
    private static let longestSentence = 2048

    private var markers = MarkerFilter()
    private var sentences = SentenceStream()
    private var accepted: [Set<String>] = []
    /// The output until a first sentence is accepted.
    private var beginning = ""
    private var repetitions = 0
    private var begun = ""
    /// The bytes since the last sentence ended, including text held back, such as endless spaces.
    private var unended = 0

    public init() {}

    /// Adds a piece of output. Returns the sentences that it completes.
    public mutating func add(_ piece: String) -> [String] {
        if isEndless { return [] }
        unended += piece.utf8.count
        if accepted.isEmpty, beginning.utf8.count < Self.longestSentence { beginning += piece }
        return read(sentences.add(markers.add(piece)))
    }

    /// Whether the unfinished sentence is too long. The rest is dropped.
    var isEndless: Bool { unended > Self.longestSentence }

    /// The complete words of the unfinished first sentence, up to the first character that may end the sentence or be
    /// removed; nil if there are none, or if they may be a preamble.
    var front: String? {
        guard accepted.isEmpty, let start = beginning.first,
            start.isLetter || start.isNumber || "\"“„«".contains(start)
        else { return nil }
        let plain = PlainText.line(
            String(beginning.prefix { $0.isLetter || $0.isNumber || " ,'’\"“”„«»()%$€£¥-–".contains($0) }))
        guard let end = plain.lastIndex(of: " "),
            let first = Words.all(in: plain).first, !AnswerCleaner.openers.union(["of", "absolutely"]).contains(first)
        else { return nil }
        return String(plain[..<end])
    }

    /// The unfinished sentence, cleaned. It may still turn out to be a preamble or heading.
    public var unfinished: String {
        let line = PlainText.line(begun)
        guard !line.isEmpty, !line.hasPrefix("#"), repetitions < AnswerCleaner.loop else { return "" }
        let text = AnswerCleaner.withoutMarkdown(line)
        if accepted.isEmpty, let first = Words.all(in: text).first, AnswerCleaner.openers.contains(first) { return "" }
        return text
    }

    /// Ends the output. Returns the remaining sentences.
    public mutating func finish() -> [String] {
        let last = read(sentences.add(markers.finish()))
        return last + read(sentences.finish())
    }

    private mutating func read(_ elements: [SentenceStream.Element]) -> [String] {
        elements.compactMap { element in
            switch element {
            case .text(let piece):
                begun += piece
                return nil
            case .end(let sentence):
                begun = ""
                unended = 0
                return accept(sentence)
            }
        }
    }

    private mutating func accept(_ sentence: String) -> String? {
        guard repetitions < AnswerCleaner.loop else { return nil }
        let line = PlainText.line(sentence)
        if AnswerCleaner.isHeading(line) { return nil }
        var text = AnswerCleaner.withoutMarkdown(line)
        if accepted.isEmpty { text = AnswerCleaner.withoutPreamble(text) }
        let words = Set(Words.all(in: text))
        guard !words.isEmpty else { return nil }
        let isRepeated = accepted.suffix(Self.compared).contains { earlier in
            Double(earlier.intersection(words).count) >= AnswerCleaner.sameness * Double(earlier.union(words).count)
        }
        guard !isRepeated else {
            repetitions += 1
            return nil
        }
        accepted.append(words)
        return text
    }

    // MARK: - Cleaning

    /// Whether a line is marked as a heading or is all emphasis, and does not end like a sentence.
    private static func isHeading(_ line: String) -> Bool {
        guard line.hasPrefix("#") || line.hasPrefix("**") && line.hasSuffix("**") else { return false }
        let last = line.last { $0 != "*" && $0 != "#" && !$0.isWhitespace }
        return last.map { !".!?…。！？\"”’".contains($0) } ?? true
    }

    /// Removes emphasis, and the marks of headings, list items, quotations and code blocks.
    private static func withoutMarkdown(_ text: String) -> String {
        var rest = text.replacing("**", with: "").replacing("__", with: "").replacing("```", with: "")[...]
        while let first = rest.first,
            first.isWhitespace
                || "#>*•-–—".contains(first) && (rest.dropFirst().first.map { $0.isWhitespace || $0 == first } ?? true)
        {
            rest.removeFirst()
        }
        return String(rest)
    }

    /// Removes a preamble such as “Here is …:”.
    private static func withoutPreamble(_ text: String) -> String {
        guard let colon = text.firstIndex(of: ":"), text[..<colon].count <= 120 else {
            return assents.contains(Words.all(in: text).joined(separator: " ")) ? "" : text
        }
        guard isAnnouncement(String(text[..<colon])) else { return text }
        let rest = text[text.index(after: colon)...].drop(while: \.isWhitespace)
        // “Here is what the council decided: nothing.” is no preamble.
        guard rest.first.map({ $0.isUppercase || !$0.isLetter }) ?? true else { return text }
        return withoutMarkdown(String(rest))
    }

    /// The first words of preambles.
    private static let openers: Set<String> = [
        "here", "sure", "certainly", "okay", "ok", "below", "summary", "paragraph", "digest",
    ]

    /// Whole preambles, such as “Sure!”.
    private static let assents: Set<String> = ["sure", "certainly", "okay", "ok", "of course", "absolutely"]

    private static let subjects: Set<String> = [
        "summary", "paragraph", "digest", "sentences", "sentence", "text", "response", "is", "s",
    ]

    private static func isAnnouncement(_ text: String) -> Bool {
        let words = Words.all(in: text)
        guard let first = words.first else { return false }
        return openers.contains(first) && (words.count == 1 || !subjects.isDisjoint(with: words))
    }
}

/// Ends the output at the first chat template mark, but only removes the ends of thoughts. A mark may arrive in pieces.
/// Marks are compared by bytes, because a combining character after one must not hide it.
///
/// Reasoning before an answer never gets here, since the engine skips it; if a model begins to reason later, its answer
/// ends.
struct MarkerFilter: Sendable {
    /// GPT-OSS puts one before an answer without reasoning, and models kept from thinking may still end a thought.
    private static let closings = ChatMarkers.thoughts.map(\.1)
    private static let marks = closings + ChatMarkers.thoughts.map(\.0) + ChatMarkers.ends

    private var buffer = ""
    private var isEnded = false

    /// Returns the text that is certain now.
    mutating func add(_ piece: String) -> String {
        guard !isEnded else { return "" }
        buffer += piece
        var text = ""
        var start = buffer.startIndex
        var places = MarkerFilter.marks.map { buffer.utf8.firstRange(of: $0.utf8) }
        while let first = places.indices.filter({ places[$0] != nil }).min(by: { one, two in
            (places[one]?.lowerBound ?? start) < (places[two]?.lowerBound ?? start)
        }), let range = places[first] {
            text += buffer[start..<range.lowerBound]
            start = range.upperBound
            guard first < MarkerFilter.closings.count else {
                isEnded = true
                return text
            }
            for (index, place) in places.enumerated() {
                guard let place, place.lowerBound < start else { continue }
                places[index] = buffer.utf8[start...].firstRange(of: MarkerFilter.marks[index].utf8)
            }
        }
        buffer = String(buffer[start...])
        let tail = MarkerFilter.beginning(in: buffer)
        text += buffer[..<tail]
        buffer = String(buffer[tail...])
        return text
    }

    /// Returns the text that was held back as a possible mark.
    mutating func finish() -> String {
        defer { buffer = "" }
        return isEnded ? "" : buffer
    }

    /// The start of the longest suffix of a text that may become a mark; the text's end where there is none.
    private static func beginning(in text: String) -> String.Index {
        let bytes = text.utf8
        let longest = marks.map { mark in
            let most = min(mark.utf8.count - 1, bytes.count)
            return stride(from: most, to: 0, by: -1)
                .first { bytes.suffix($0).elementsEqual(mark.utf8.prefix($0)) } ?? 0
        }.max()
        return bytes.index(bytes.endIndex, offsetBy: -(longest ?? 0))
    }
}
