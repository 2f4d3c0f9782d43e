/// The rules by which one answer is written: what may come next, and what it looks like.
import CLlama

protocol Writing {
    /// What is to be done where so much is written.
    func next(after answer: Answer) -> NextStep
    /// Takes a token that `next` allowed, and gives the bytes it adds to the text.
    mutating func take(_ token: llama_token, after answer: Answer) -> [UInt8]
    /// What may well be written next, in the order it would be; each element begins with a choice, and what follows
    /// the choice needs none.
    func guess(after answer: Answer, atMost count: Int) -> [[llama_token]]
    /// What that guess stands on.
    var ground: GuessGround { get }
}

enum NextStep {
    /// One token is to be chosen: among these, or among all.
    case choice([llama_token]?)
    /// Only this token may come.
    case forced(llama_token)
    case end(Completion.Finish)
}

/// Writing as the model likes.
struct FreeWriting: Writing {
    private let limit: Int
    private let vocabulary: Vocabulary
    private var index: PromptIndex?

    /// - Parameter prompt: What guesses are taken from; nil: none are made.
    init(limit: Int, vocabulary: Vocabulary, prompt: [llama_token]?) {
        self.limit = limit
        self.vocabulary = vocabulary
        index = prompt.map { PromptIndex($0) }
    }

    func next(after answer: Answer) -> NextStep {
        if answer.isStopped { return .end(.stopSequence) }
        return answer.tokens < limit ? .choice(nil) : .end(.length)
    }

    mutating func take(_ token: llama_token, after answer: Answer) -> [UInt8] {
        index?.add(token)
        return vocabulary.piece(token)
    }

    var ground: GuessGround { GuessGround(match: index?.match ?? 0) }

    func guess(after answer: Answer, atMost count: Int) -> [[llama_token]] {
        let room = min(count, limit - answer.tokens - 1)
        return index?.continuation(atMost: room).map { [$0] } ?? []
    }
}
