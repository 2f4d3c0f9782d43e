/// A prompt in tokens: the template's pieces read as markup, the messages' as data.
import CLlama

struct Prompt {
    let tokens: [llama_token]
    /// How many of them stand before the last message's text: what all requests with the same instructions begin with.
    let front: Int

    init(_ pieces: [ChatTemplate.Piece], in vocabulary: Vocabulary) {
        var tokens: [llama_token] = []
        var front = 0
        for (index, piece) in pieces.enumerated() {
            if case .content = piece { front = tokens.count }
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
            front += 1
        }
        self.tokens = tokens
        self.front = front
    }
}
