/// What is to be written whatever the model prefers: for each number of tokens written, the next, where it is a choice.
import CLlama
import PulseText

struct Replay {
    private let tokens: [Int: llama_token]

    /// Nothing, where nothing is to be replayed.
    init(of request: GenerationRequest, vocabulary: Vocabulary) {
        if let choices = request.replayedChoices {
            tokens = choices
            return
        }
        guard let text = request.replay else {
            tokens = [:]
            return
        }
        let spelled: [llama_token] =
            switch request.grounding {
            case .free: vocabulary.tokens(following: text, as: .data)
            // As `SourcePath` spells sentences.
            case .strict:
                Sentences.split(text).enumerated().flatMap { index, sentence in
                    vocabulary.tokens(following: index == 0 ? sentence : " " + sentence, as: .data)
                }
            }
        tokens = Dictionary(uniqueKeysWithValues: (spelled + vocabulary.ends.prefix(1)).enumerated().map { ($0, $1) })
    }

    /// The token that comes after so many, if it is among those that may.
    func token(after count: Int, among allowed: [llama_token]?) -> llama_token? {
        tokens[count].flatMap { token in allowed?.contains(token) ?? true ? token : nil }
    }
}
