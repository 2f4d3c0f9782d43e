/// Writing by the source's leave: the model chooses among what `SourceAutomaton` allows.
import CLlama

extension Writer {
    /// Sentences of the source until the model ends the text, or nothing more may be written. What has only one
    /// possible successor is not asked for: it is read as a chunk together with what comes before the next choice.
    ///
    /// A sentence is begun only if it fits into the limit, so the text never breaks off inside one. Where not even the
    /// first fits, it is empty and the finish is `.length`.
    mutating func writeGrounded(
        _ answer: inout Answer, _ request: GenerationRequest, limit: Int, sampler: inout Sampler,
        deliver: (String) -> Void
    ) throws(EngineError) -> Completion.Finish {
        let ends = vocabulary.ends
        let source = Source(request.messages, tokenizer: vocabulary)
        var automaton = SourceAutomaton(
            source, minimumSentences: request.minimumSentences, maximumSentences: request.maximumSentences)
        var sentence = GroundedSentence()
        var unread: [llama_token] = []
        while true {
            let budget = limit - answer.tokens
            let options = automaton.options(budget: budget)
            guard let first = options.tokens.first else {
                return automaton.options(budget: .max).tokens.isEmpty ? .endOfText : .length
            }
            var token = first
            if options.tokens.count > 1 || options.mayEnd {
                try decode(unread[...], wantsLogits: true)
                unread = []
                token = try choose(among: options.tokens + (options.mayEnd ? ends : []), with: &sampler)
                if !options.tokens.contains(token) { return .endOfText }
            }
            if automaton.take(token, budget: budget) { sentence.begin(after: answer.text) }
            answer.add(sentence.bytes(of: vocabulary.piece(token)), deliver: deliver)
            unread.append(token)
            if !request.readsForcedRunsTogether {
                try decode(unread[...], wantsLogits: true)
                unread = []
            }
        }
    }
}

/// The bytes of a sentence as they are shown: its leading space taken off, and what joins it to the text before put in
/// front.
private struct GroundedSentence {
    private var before = ""
    private var isAtFront = false

    mutating func begin(after text: String) {
        before = text
        isAtFront = true
    }

    mutating func bytes(of piece: [UInt8]) -> [UInt8] {
        guard isAtFront else { return piece }
        let shown = Array(piece.drop { $0 == UInt8(ascii: " ") })
        guard !shown.isEmpty else { return [] }
        isAtFront = false
        if before.isEmpty { return shown }
        let after = String(decoding: shown, as: UTF8.self).unicodeScalars.first
        return Array(SentenceSeam.between(before, after).utf8) + shown
    }
}
