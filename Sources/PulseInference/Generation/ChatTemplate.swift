import CLlama
package import Foundation
import PulseCore
import PulseText

/// Applies a model's chat template so that its markup and the messages' texts never mix: it is rendered with a
/// placeholder for each message and split at the placeholders. Whatever a template does with a text (searching it for
/// marks, cutting it), it does with the placeholder.
package struct ChatTemplate {
    private let source: String
    private let statements: [TemplateStatement]
    private let beginning: String
    private let end: String
    private let now: @Sendable () -> Date

    /// `beginning` and `end` are the spellings of the BOS and EOS tokens.
    package init(
        source: String, beginning: String = "", end: String = "", now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        do {
            statements = try TemplateParser.parse(source)
        } catch let fault as TemplateFault {
            throw Self.unusable(fault)
        }
        (self.source, self.beginning, self.end, self.now) = (source, beginning, end, now)
    }

    /// - Parameter path: The path of the model, for the error if it has no template.
    init(source: String?, of path: String, beginning: String = "", end: String = "") throws {
        guard let source else {
            throw PulseError(
                .unavailable, "\(path) has no chat template, so it cannot be given instructions.",
                hint: "Choose an instruction-tuned model.")
        }
        try self.init(source: source, beginning: beginning, end: end)
    }

    private static func unusable(_ fault: TemplateFault) -> PulseError {
        PulseError(
            .unavailable, "This model's chat template cannot be used.",
            hint: "Choose another model, or another conversion of it.", cause: fault.words)
    }

    package enum Piece: Hashable {
        /// The template's markup, in which special tokens count.
        case markup(String)
        case content(String)
    }

    /// A prompt in pieces. It ends where the assistant's answer begins.
    package struct Filled {
        package var pieces: [Piece]
        /// Whether the model may think before it answers.
        var mayThink: Bool
    }

    /// Renders the prompt. If the template opens a thought, it is closed.
    package func fill(_ messages: [ChatMessage]) throws -> Filled {
        var pieces = try ownPieces(for: messages)
        var end = ""
        if case .markup(let text)? = pieces.last {
            end = text + ThoughtMarks.ending(of: text, source: source)
            pieces[pieces.count - 1] = .markup(end)
        }
        return Filled(pieces: pieces, mayThink: ThoughtMarks.isToBeExpected(after: end, source: source))
    }

    /// A turn of the conversation, with one or more texts.
    private struct Turn {
        var role: ChatMessage.Role
        var texts: [String]
    }

    /// The template's own result, in which an opened thought stays open.
    func ownPieces(for messages: [ChatMessage]) throws -> [Piece] {
        let turns = messages.map { Turn(role: $0.role, texts: [$0.content]) }
        do {
            return try pieces(for: turns)
        } catch let fault as TemplateFault {
            // Some templates reject or ignore the system role: its text is prepended to the first user message.
            let merged = Self.mergingSystem(into: turns)
            if merged.count < turns.count, let pieces = try? pieces(for: merged) { return pieces }
            throw Self.unusable(fault)
        }
    }

    /// In bytes. A template's own text is tokenised for each prompt.
    private static let longestMarkup = 256 << 10
    /// The most uses of a message. Some templates write one twice.
    private static let mostUses = 8

    private func pieces(for turns: [Turn]) throws -> [Piece] {
        let bytes = Array(try filled(turns.map(\.role)).utf8)
        guard bytes.count <= Self.longestMarkup else { throw TemplateFault("it writes more than 256 KiB") }
        let mark = Array(Self.placeholder(nil).utf8)
        var pieces: [Piece] = []
        var uses = Array(repeating: 0, count: turns.count)
        var start = 0
        func addMarkup(to end: Int) {
            if end > start { pieces.append(.markup(String(decoding: bytes[start..<end], as: UTF8.self))) }
        }
        while let range = bytes[start...].firstRange(of: mark) {
            addMarkup(to: range.lowerBound)
            let number = bytes[range.upperBound...].prefix(while: \.isASCIIDigit)
            guard let turn = Int(String(decoding: number, as: UTF8.self)), turns.indices.contains(turn),
                number.endIndex < bytes.count, bytes[number.endIndex] == UInt8(ascii: "p")
            else { throw TemplateFault("it changes a message") }
            for (index, text) in turns[turn].texts.filter({ !$0.isEmpty }).enumerated() {
                if index > 0 { pieces.append(.markup("\n\n")) }
                pieces.append(.content(text))
            }
            uses[turn] += 1
            guard uses[turn] <= Self.mostUses else { throw TemplateFault("it repeats a message too often") }
            start = number.endIndex + 1
        }
        guard !uses.contains(0) else { throw TemplateFault("it leaves a message out") }
        addMarkup(to: bytes.count)
        return pieces
    }

    /// The placeholder of a turn; nil: the beginning of all placeholders.
    private static func placeholder(_ turn: Int?) -> String { "pulseplaceholder" + (turn.map { "\($0)p" } ?? "") }

    private func filled(_ roles: [ChatMessage.Role]) throws -> String {
        let messages = try roles.enumerated().map { turn, role in
            TemplateValue.dictionary(
                try TemplateDictionary([
                    (.text("role"), .text(role.rawValue)), (.text("content"), .text(Self.placeholder(turn))),
                ]))
        }
        let values: [String: TemplateValue] = [
            "messages": try .list(messages), "add_generation_prompt": .flag(true), "bos_token": .text(beginning),
            "eos_token": .text(end),
            // The variables with which templates turn thinking off.
            "enable_thinking": .flag(false), "thinking": .flag(false), "reasoning": .flag(false),
            "thinking_budget": .integer(0), "thinking_mode": .text("disabled"),
        ]
        return try TemplateEvaluator.render(statements, with: values) { [now] in Self.time(now(), $0) }
    }

    /// Formats a date by strftime(3), in the machine's time zone.
    private static func time(_ date: Date, _ format: String) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        var buffer = [CChar](repeating: 0, count: 1024)
        let count = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func mergingSystem(into turns: [Turn]) -> [Turn] {
        var others = turns.filter { $0.role != .system }
        if let first = others.firstIndex(where: { $0.role == .user }) {
            others[first].texts.insert(contentsOf: turns.filter { $0.role == .system }.flatMap(\.texts), at: 0)
        }
        return others
    }
}

/// A tokenised prompt: the template's pieces are tokenised as markup, the messages' as data.
struct TokenizedPrompt {
    let tokens: [llama_token]
    /// Tokens before the last message's text: the prefix that requests with the same instructions share.
    let prefixCount: Int
    /// Whether the model may think before it answers.
    let mayThink: Bool

    init(_ filled: ChatTemplate.Filled, in vocabulary: Vocabulary) {
        var tokens: [llama_token] = []
        var prefixCount = 0
        for (index, piece) in filled.pieces.enumerated() {
            let tokenize = index == 0 ? vocabulary.tokens(of:as:) : vocabulary.tokens(following:as:)
            switch piece {
            case .markup(let text): tokens += tokenize(text, .markup)
            case .content(let text):
                prefixCount = tokens.count
                tokens += tokenize(text, .data)
            }
        }
        // Some templates contain the BOS token; it must not occur twice.
        if let beginning = vocabulary.beginning, tokens.first != beginning {
            tokens.insert(beginning, at: 0)
            prefixCount += 1
        }
        self.tokens = tokens
        self.prefixCount = prefixCount
        mayThink = filled.mayThink
    }
}
