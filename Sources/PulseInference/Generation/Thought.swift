import PulseText

/// The marks around the thoughts of a family of models. Some are control tokens and some are text, so they are
/// compared by their spelling.
struct ThoughtMarks: Hashable, Sendable {
    let opening: String
    let closing: String

    static let known =
        (ChatMarkers.thoughts + [("Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]")])
        .map { Self(opening: $0.0, closing: $0.1) }

    /// The text that closes a thought for the model.
    var ending: String { closing == ChatMarkers.finalChannel ? "<|end|><|start|>assistant" + closing : closing }

    /// The text to append to a prompt so that the model does not think: the end of a thought that the template has
    /// opened, or the channel of the answer.
    ///
    /// - Parameter source: the template. Marks that it does not contain are unknown to its model.
    static func ending(of prompt: String, source: String) -> String {
        if prompt.hasSuffix("<|start|>assistant"), source.contains(ChatMarkers.finalChannel) {
            return ChatMarkers.finalChannel
        }
        let trimmed = TemplateText.stripped(prompt, of: nil, left: false)
        guard let marks = known.first(where: { trimmed.hasSuffix($0.opening) }) else { return "" }
        // Most models were trained with empty lines in an empty thought, if a line break follows the opening.
        let line = prompt.hasSuffix("\n") ? "\n" : ""
        return line + marks.ending + line + line
    }

    /// Whether a model with this template may still think after a prompt that ends like this.
    static func isToBeExpected(after prompt: String, source: String) -> Bool {
        let end = prompt.suffix(200)
        return known.contains { source.contains($0.opening) && source.contains($0.closing) }
            && !known.contains { end.contains($0.closing) }
    }
}

/// Separates a leading thought from the answer. Marks may arrive in pieces.
struct ThoughtReader {
    private enum State {
        /// The text so far may be the beginning of a thought.
        case undecided
        case thinking(ThoughtMarks)
        case answering
    }

    private var state = State.undecided
    /// The text that was not returned yet, with control tokens spelled out.
    private var spelled: ArraySlice<UInt8> = []
    /// The same without control tokens.
    private var plain: ArraySlice<UInt8> = []
    /// The number of tokens without a decision.
    private var waiting = 0
    private(set) var tokens = 0

    /// The marks of the current thought; nil: none is open.
    var marks: ThoughtMarks? { if case .thinking(let marks) = state { marks } else { nil } }
    /// Whether all further tokens are the answer.
    var isOver: Bool { if case .answering = state { true } else { false } }

    /// Adds a token. Returns the bytes that now belong to the answer.
    mutating func add(_ piece: [UInt8], spelled spelling: [UInt8]) -> [UInt8] {
        spelled += spelling
        switch state {
        case .answering: return piece
        case .undecided:
            plain += piece
            waiting += 1
        case .thinking: tokens += 1
        }
        while readMark() {}
        guard isOver else { return [] }
        defer { (spelled, plain) = ([], []) }
        return text
    }

    /// Records tokens that closed the thought for the model.
    mutating func close(with count: Int) {
        tokens += count
        begin()
    }

    /// The rest, at the end of the output.
    mutating func finish() -> [UInt8] {
        defer { plain = [] }
        return text
    }

    /// After a thought, another thought or the answer may begin.
    private mutating func begin(with rest: ArraySlice<UInt8> = []) {
        state = .undecided
        (spelled, plain, waiting) = (rest, rest, 0)
    }

    /// The undecided text. Empty lines after a thought are dropped.
    private var text: [UInt8] { tokens > 0 ? Array(plain.drop { $0 <= 0x20 }) : Array(plain) }

    /// Reads up to the beginning or the end of a thought, or decides that the answer has begun. Returns whether to go
    /// on. It does not call itself, because a token of a hostile vocabulary may hold very many marks.
    private mutating func readMark() -> Bool {
        switch state {
        case .answering: return false
        case .undecided:
            let start = spelled.drop { $0 <= 0x20 }
            if let marks = ThoughtMarks.known.first(where: { start.starts(with: $0.opening.utf8) }) {
                state = .thinking(marks)
                tokens += waiting
                spelled = start.dropFirst(marks.opening.utf8.count)
                plain = []
                return true
            }
            if !ThoughtMarks.known.contains(where: { $0.opening.utf8.starts(with: start) }) { state = .answering }
            return false
        case .thinking(let marks):
            let closing = Array(marks.closing.utf8)
            guard let end = spelled.firstRange(of: closing)?.upperBound else {
                spelled = spelled.suffix(closing.count)
                return false
            }
            begin(with: spelled[end...])
            return true
        }
    }
}
