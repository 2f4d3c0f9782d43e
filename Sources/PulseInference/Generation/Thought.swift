/// How a family of models marks what it thinks before it answers. Some of these marks are control tokens, some are
/// text: they are compared by their spelling.
struct ThoughtMarks: Hashable, Sendable {
    let opening: String
    let closing: String
    /// What ends a thought that the model does not end itself, where that is more than `closing`.
    private(set) var ending: String

    private init(_ opening: String, _ closing: String, ending: String? = nil) {
        (self.opening, self.closing, self.ending) = (opening, closing, ending ?? closing)
    }

    /// As the chat templates of these models write them.
    static let known = [
        Self("<think>", "</think>"), Self("<thinking>", "</thinking>"), Self("<thought>", "</thought>"),
        Self("<reasoning>", "</reasoning>"), Self("<seed:think>", "</seed:think>"),
        Self("<mm:think>", "</mm:think>"), Self("<think:opensource>", "</think:opensource>"),
        Self("[THINK]", "[/THINK]"), Self("<|START_THINKING|>", "<|END_THINKING|>"),
        Self("<|inner_prefix|>", "<|inner_suffix|>"), Self("<|begin_of_thought|>", "<|end_of_thought|>"),
        Self("<|channel>thought", "<channel|>"), Self("<|think|>", "<|content|>"),
        Self("Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]"),
        Self(
            "<|channel|>analysis", finalChannel, ending: "<|end|><|start|>assistant" + finalChannel),
    ]

    /// gpt-oss writes into channels, and only what is in this one is the answer.
    static let finalChannel = "<|channel|>final<|message|>"

    /// What is to stand behind a prompt, so that the model answers and does not think: the end of a thought that the
    /// template opened, with nothing in it; or the channel of the answer.
    ///
    /// - Parameter source: The template. What it never writes, its model was never taught.
    static func ending(of prompt: String, source: String) -> String {
        if prompt.hasSuffix("<|start|>assistant"), source.contains(finalChannel) { return finalChannel }
        let trimmed = TemplateText.stripped(prompt, of: nil, left: false)
        guard let marks = known.first(where: { trimmed.hasSuffix($0.opening) && source.contains($0.closing) }) else {
            return ""
        }
        // Most models learnt the empty thought with empty lines, where a line follows the opening at all.
        let line = prompt.hasSuffix("\n") ? "\n" : ""
        return line + marks.ending + line + line
    }

    /// Whether a model with this template may think, although its prompt ends like this.
    static func isToBeExpected(after prompt: String, source: String) -> Bool {
        let end = prompt.suffix(200)
        return known.contains {
            source.contains($0.opening) && source.contains($0.closing) && !end.contains($0.closing)
        }
            && !known.contains { end.contains($0.closing) }
    }
}

/// Tells the thought at the beginning of an answer from the answer. The marks may come in pieces.
struct ThoughtReader {
    private enum State {
        /// The text so far may be, or become, the opening of a thought.
        case undecided
        case thinking(ThoughtMarks)
        case answering
    }

    private var state = State.undecided
    /// What was read and not handed on, as it is spelled.
    private var spelled: [UInt8] = []
    /// The same without control tokens.
    private var plain: [UInt8] = []
    /// Tokens that wait for a decision.
    private var waiting = 0
    /// Tokens of thoughts.
    private(set) var tokens = 0

    /// The thought that has begun and not ended.
    var marks: ThoughtMarks? { if case .thinking(let marks) = state { marks } else { nil } }
    /// Whether all that comes is the answer.
    var isOver: Bool { if case .answering = state { true } else { false } }

    /// Takes a token, and returns what is now known to be of the answer.
    mutating func add(_ piece: [UInt8], spelled spelling: [UInt8]) -> [UInt8] {
        spelled += spelling
        switch state {
        case .answering: return piece
        case .undecided:
            plain += piece
            waiting += 1
            return decide()
        case .thinking(let marks):
            tokens += 1
            return look(for: marks)
        }
    }

    /// Takes note of tokens that the model did not choose: the end of its thought.
    mutating func close(with count: Int) {
        tokens += count
        begin()
    }

    /// What waits when nothing more comes.
    mutating func finish() -> [UInt8] {
        defer { plain = [] }
        return text
    }

    /// A new thought, or the answer.
    private mutating func begin(with rest: [UInt8] = []) {
        state = .undecided
        (spelled, plain, waiting) = (rest, rest, 0)
    }

    private mutating func decide() -> [UInt8] {
        let text = spelled.drop { $0 <= 0x20 }
        for marks in ThoughtMarks.known where text.starts(with: marks.opening.utf8) {
            state = .thinking(marks)
            tokens += waiting
            spelled = Array(text.dropFirst(marks.opening.utf8.count))
            plain = []
            return look(for: marks)
        }
        if ThoughtMarks.known.contains(where: { $0.opening.utf8.starts(with: text) }) { return [] }
        state = .answering
        defer { (spelled, plain) = ([], []) }
        return self.text
    }

    /// What waits, as text. Behind a thought an empty line is usual.
    private var text: [UInt8] { tokens > 0 ? Array(plain.drop { $0 <= 0x20 }) : plain }

    private mutating func look(for marks: ThoughtMarks) -> [UInt8] {
        let closing = Array(marks.closing.utf8)
        let starts = 0...max(0, spelled.count - closing.count)
        guard let start = starts.first(where: { spelled[$0...].starts(with: closing) }) else {
            spelled.removeFirst(max(0, spelled.count - closing.count))
            return []
        }
        begin(with: Array(spelled[(start + closing.count)...]))
        return decide()
    }
}
