/// Writing by the source's leave: the model chooses among what `SourceAutomaton` allows.
///
/// A sentence is begun only if it fits into the limit, so the text never breaks off inside one. Where not even the
/// first fits, it is empty and the finish is `.length`.
import CLlama

struct GroundedWriting: Writing {
    private let limit: Int
    private let vocabulary: Vocabulary
    private let ends: [llama_token]
    private var automaton: SourceAutomaton
    private var sentence = GroundedSentence()

    init(_ request: GenerationRequest, limit: Int, vocabulary: Vocabulary) {
        self.limit = limit
        self.vocabulary = vocabulary
        ends = vocabulary.ends
        automaton = SourceAutomaton(
            Source(request.messages, tokenizer: vocabulary), minimumSentences: request.minimumSentences,
            maximumSentences: request.maximumSentences, openingSentences: request.openingSentences)
    }

    func next(after answer: Answer) -> NextStep {
        let options = automaton.options(budget: limit - answer.tokens)
        guard let first = options.tokens.first else {
            return .end(automaton.options(budget: .max).tokens.isEmpty ? .endOfText : .length)
        }
        if options.tokens.count == 1, !options.mayEnd { return .forced(first) }
        return .choice(options.tokens + (options.mayEnd ? ends : []))
    }

    mutating func take(_ token: llama_token, after answer: Answer) -> [UInt8] {
        if automaton.take(token, budget: limit - answer.tokens) { sentence.begin(after: answer.text) }
        return sentence.bytes(of: vocabulary.piece(token))
    }

    var ground: GuessGround { .source }

    /// The sentence that is being followed, and then the next one of the source.
    func guess(after answer: Answer, atMost count: Int) -> [[llama_token]] {
        var automaton = automaton
        var written = answer.tokens
        var guesses: [[llama_token]] = []
        var length = 0
        while length < count, let choice = automaton.likeliest(budget: limit - written) {
            var tokens = [choice]
            _ = automaton.take(choice, budget: limit - written)
            written += 1
            while let forced = automaton.onlyOption(budget: limit - written) {
                tokens.append(forced)
                _ = automaton.take(forced, budget: limit - written)
                written += 1
            }
            guesses.append(tokens)
            length += tokens.count
        }
        return guesses
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
