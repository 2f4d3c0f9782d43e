/// A text that is to be written whatever the model prefers, in the tokens it would be written in.
import CLlama
import PulseText

enum Replay {
    /// Empty where nothing is to be replayed.
    static func tokens(of request: GenerationRequest, vocabulary: Vocabulary) -> [llama_token] {
        guard let text = request.replay else { return [] }
        switch request.grounding {
        case .free: return vocabulary.tokens(following: text, as: .data)
        // As `SourcePath` spells sentences.
        case .strict:
            return Sentences.split(text).enumerated().flatMap { index, sentence in
                vocabulary.tokens(following: index == 0 ? sentence : " " + sentence, as: .data)
            }
        }
    }
}
