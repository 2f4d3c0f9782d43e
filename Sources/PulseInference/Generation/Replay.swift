/// What is to be written whatever the model prefers: for each number of tokens written, the next.
import CLlama

struct Replay {
    private let tokens: [Int: llama_token]

    /// Nothing, where nothing is to be replayed.
    init(of request: GenerationRequest, vocabulary: Vocabulary) {
        if let choices = request.replayedChoices {
            tokens = choices
        } else if let text = request.replay {
            let spelled = vocabulary.tokens(following: text, as: .data) + vocabulary.ends.prefix(1)
            tokens = Dictionary(uniqueKeysWithValues: spelled.enumerated().map { ($0, $1) })
        } else {
            tokens = [:]
        }
    }

    /// The token that comes after so many.
    func token(after count: Int) -> llama_token? { tokens[count] }
}
