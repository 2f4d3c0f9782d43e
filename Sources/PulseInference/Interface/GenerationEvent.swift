/// What happens while a request is answered, in order: reading, perhaps thinking, text, and at last finished.
public enum GenerationEvent: Sendable, Hashable {
    /// How many of the prompt's tokens are in the KV cache.
    case reading(tokens: Int, of: Int)
    /// The model thinks before it answers, and has written so many tokens of it, which nobody is shown.
    case thinking(tokens: Int)
    /// The next piece of the answer: whole UTF-8 characters, never empty.
    case text(String)
    /// The answer so far does not stand, and the request is answered again (`GenerationRequest.again`).
    case begunAgain(Completion)
    case finished(Completion)
}

/// A finished answer and what it took.
public struct Completion: Sendable, Hashable {
    public enum Finish: Sendable, Hashable {
        /// The model ended its turn.
        case endOfText
        /// The token limit, or the end of the context, came first.
        case length
        /// The request needed no more of it (`GenerationRequest.isEnough`).
        case enough
        /// All that the model wrote was thought: there is no answer.
        case onlyThought
    }

    /// The whole answer: all its text events in one.
    public var text: String
    /// Tokens of the prompt, the template's included.
    public var promptTokens: Int
    /// Tokens of the answer, and of a thought before it, without the one that ends it.
    public var outputTokens: Int
    /// How many of them were a thought.
    public var thoughtTokens: Int
    /// The request's share of the time spent computing: in a batch with others, by its part of the tokens.
    public var promptTime: Duration
    public var outputTime: Duration
    public var finish: Finish
    /// Tokens that were drafted, and how many of them the model accepted.
    public var draftedTokens: Int
    public var acceptedTokens: Int
}
