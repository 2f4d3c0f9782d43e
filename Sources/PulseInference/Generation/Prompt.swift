/// A prompt in tokens: the template's pieces read as markup, the messages' as data.
import CLlama

struct Prompt {
    let tokens: [llama_token]

    init(_ pieces: [ChatTemplate.Piece], in vocabulary: Vocabulary) {
        var tokens: [llama_token] = []
        for (index, piece) in pieces.enumerated() {
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
        if let beginning = vocabulary.beginning, tokens.first != beginning { tokens.insert(beginning, at: 0) }
        self.tokens = tokens
    }
}
