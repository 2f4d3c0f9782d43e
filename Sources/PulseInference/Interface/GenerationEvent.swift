/// The events of a request, in order: prefill, perhaps thinking, text, and finally finished.
public enum GenerationEvent: Sendable, Hashable {
    /// The number of the prompt's tokens in the KV cache.
    case reading(tokens: Int, of: Int)
    /// The model is thinking, and has generated so many tokens that are not shown.
    case thinking(tokens: Int)
    /// The next piece of the answer: whole UTF-8 characters, never empty.
    case text(String)
    /// The answer is rejected, and the request is answered again (`GenerationRequest.again`).
    case begunAgain(Completion)
    case finished(Completion)
}

/// A finished answer with statistics.
public struct Completion: Sendable, Hashable {
    public enum Finish: Sendable, Hashable {
        /// The model ended its turn.
        case endOfText
        /// The token limit or the end of the context was reached.
        case length
        /// The request needed no more (`GenerationRequest.isEnough`).
        case enough
        /// The model only thought: there is no answer.
        case onlyThought
    }

    /// The whole answer: the concatenated text events.
    public var text: String
    /// Tokens of the prompt with its template.
    public var promptTokens: Int
    /// Tokens of the answer and of a thought before it, without the end-of-text token.
    public var outputTokens: Int
    /// Tokens of the thought among them.
    public var thoughtTokens: Int
    /// The request's share of the computing time: in a batch, by its share of the tokens.
    public var promptTime: Duration
    public var outputTime: Duration
    public var finish: Finish
    /// The drafted tokens, and the accepted ones among them.
    public var draftedTokens: Int
    public var acceptedTokens: Int
}
