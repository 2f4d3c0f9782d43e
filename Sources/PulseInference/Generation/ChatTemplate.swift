import CLlama
import Foundation
import PulseCore

/// A model's chat template, applied so that the template's markers and the messages' text never mix: the template is
/// filled with one placeholder for each message, and cut at the placeholders.
struct ChatTemplate {
    /// The template's source, in the model's metadata.
    let source: String

    /// A part of the finished prompt.
    enum Piece: Hashable {
        /// The template's own words, whose markers count.
        case markup(String)
        /// A message's text.
        case content(String)
    }

    /// The prompt, ending where the assistant's answer begins.
    func pieces(for messages: [ChatMessage]) throws(PulseError) -> [Piece] {
        let turns = messages.map { (role: $0.role.rawValue, content: $0.content) }
        if let pieces = pieces(for: turns) { return pieces }
        // Some templates know no system role and leave that message out: then it is put before the user's.
        let merged = Self.mergingSystem(into: turns)
        if merged.count < turns.count, let pieces = pieces(for: merged) { return pieces }
        throw PulseError(
            .unavailable, "libllama does not know this model's chat template.",
            hint: "Choose another model, or one that was converted for llama.cpp.")
    }

    /// Nil if libllama does not know the template, or the template leaves a message out.
    private func pieces(for turns: [(role: String, content: String)]) -> [Piece]? {
        let placeholders = turns.indices.map { "pulse\($0)placeholder" }
        guard let filled = fill(turns.map(\.role), placeholders) else { return nil }
        var pieces: [Piece] = []
        var rest = Substring(filled)
        for (turn, placeholder) in zip(turns, placeholders) {
            guard let range = rest.firstRange(of: placeholder) else { return nil }
            if range.lowerBound > rest.startIndex { pieces.append(.markup(String(rest[..<range.lowerBound]))) }
            if !turn.content.isEmpty { pieces.append(.content(turn.content)) }
            rest = rest[range.upperBound...]
        }
        if !rest.isEmpty { pieces.append(.markup(String(rest))) }
        return pieces
    }

    /// llama.h, llama_chat_apply_template: "The total number of bytes of the formatted prompt. If is it larger than
    /// the size of buffer, you may need to re-alloc it and then re-apply the template"; negative if it does not
    /// support the template.
    private func fill(_ roles: [String], _ contents: [String]) -> String? {
        let strings = roles.map { strdup($0) } + contents.map { strdup($0) }
        defer { strings.forEach { free($0) } }
        let messages = roles.indices.map { index in
            llama_chat_message(role: strings[index], content: strings[roles.count + index])
        }
        var buffer = [CChar](repeating: 0, count: 1024 * (messages.count + 1))
        var length = llama_chat_apply_template(source, messages, messages.count, true, &buffer, Int32(buffer.count))
        if length > Int32(buffer.count) {
            buffer = [CChar](repeating: 0, count: Int(length))
            length = llama_chat_apply_template(source, messages, messages.count, true, &buffer, length)
        }
        guard length >= 0 else { return nil }
        return String(decoding: buffer.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func mergingSystem(
        into turns: [(role: String, content: String)]
    ) -> [(role: String, content: String)] {
        let system = turns.filter { $0.role == ChatMessage.Role.system.rawValue }.map(\.content)
        var others = turns.filter { $0.role != ChatMessage.Role.system.rawValue }
        if let first = others.firstIndex(where: { $0.role == ChatMessage.Role.user.rawValue }) {
            others[first].content = (system + [others[first].content]).joined(separator: "\n\n")
        }
        return others
    }
}

/// A prompt in tokens: the template's pieces read as markup, the messages' as data.
struct Prompt {
    let tokens: [llama_token]
    /// How many of them stand before the last message's text: the prefix of all requests with the same instructions.
    let prefixCount: Int

    init(_ pieces: [ChatTemplate.Piece], in vocabulary: Vocabulary) {
        var tokens: [llama_token] = []
        var prefixCount = 0
        for (index, piece) in pieces.enumerated() {
            if case .content = piece { prefixCount = tokens.count }
            let (text, reading): (String, Vocabulary.Reading) =
                switch piece {
                case .markup(let text): (text, .markup)
                case .content(let text): (text, .data)
                }
            tokens +=
                index == 0
                ? vocabulary.tokens(of: text, as: reading) : vocabulary.tokens(following: text, as: reading)
        }
        // Some templates write the beginning themselves; the model must see it once.
        if let beginning = vocabulary.beginning, tokens.first != beginning {
            tokens.insert(beginning, at: 0)
            prefixCount += 1
        }
        self.tokens = tokens
        self.prefixCount = prefixCount
    }
}
