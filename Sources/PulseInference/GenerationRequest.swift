/// A request for one text: the conversation so far, and how to continue it.
public struct GenerationRequest: Sendable {
    public var messages: [ChatMessage]
    /// The most tokens of the answer. A thought has a limit of its own.
    public var maximumTokens: Int
    public var sampling: Sampling
    /// Whether tokens may be drafted from the prompt and verified in one step (prompt lookup decoding). Greedy text
    /// only depends on it if two tokens are equally probable in floating point; sampled text is never drafted.
    public var drafts: Bool
    /// Gets each piece of the answer, on the engine's thread. Returns whether the answer may end there. Nil: never.
    public var isEnough: (@Sendable (String) -> Bool)?
    /// Gets each whole answer, on the engine's thread. Returns the sampling with which it is answered again from the
    /// beginning; nil: it is accepted. The prompt is not computed again if its cells can stay in the KV cache.
    public var again: (@Sendable (Completion) -> Sampling?)?
    /// Replaces the sampler's choice, for tests and benchmarks: the text then does not depend on the weights.
    package var chooser: Chooser?

    /// Gets the number of generated tokens, the sampler's token and the logits of all. Returns the token to use.
    package typealias Chooser = @Sendable (Int, Int32, UnsafeBufferPointer<Float>) -> Int32

    public init(
        messages: [ChatMessage], maximumTokens: Int, sampling: Sampling = Sampling(), drafts: Bool = true,
        isEnough: (@Sendable (String) -> Bool)? = nil, again: (@Sendable (Completion) -> Sampling?)? = nil
    ) {
        self.messages = messages
        self.maximumTokens = maximumTokens
        self.sampling = sampling
        self.drafts = drafts
        self.isEnough = isEnough
        self.again = again
    }
}

/// One turn of a conversation. Its text is data: whatever it contains, it can neither open nor close a turn.
public struct ChatMessage: Sendable, Hashable {
    public enum Role: String, Sendable, Hashable {
        case system, user, assistant
    }

    public var role: Role
    /// Leading and trailing white space is dropped, as in most chat templates.
    public var text: String

    public init(role: Role, text: String) {
        self.role = role
        self.text = text
    }

    /// The text without leading and trailing white space.
    var content: String { TemplateText.stripped(text, of: nil) }
}

/// How the sampler chooses the next token.
public struct Sampling: Sendable, Hashable {
    /// 0: always the most probable token (greedy). Above: flatter probabilities, more variety.
    public var temperature: Float
    /// Only the most probable tokens that together reach this share are considered (nucleus sampling,
    /// https://arxiv.org/abs/1904.09751). 1: all. Without effect at temperature 0.
    public var topP: Float
    /// The same seed, model and machine give the same text.
    public var seed: UInt32

    public init(temperature: Float = 0, topP: Float = 1, seed: UInt32 = 0) {
        self.temperature = temperature
        self.topP = topP
        self.seed = seed
    }

    /// The sampling of a retry by its number, for when the most probable tokens made no usable answer.
    public func varied(_ number: Int) -> Sampling {
        Sampling(temperature: max(temperature, 0.7), topP: topP, seed: seed &+ UInt32(number))
    }
}

/// How long a generation may take; nil means without limit. Both are checked between tokens and, when a CPU computes,
/// also between the steps of one computation. The clock stands still while the machine sleeps.
public struct Deadlines: Sendable, Hashable {
    /// The longest time without a new token or, during prefill, without a finished batch.
    public var stall: Duration?
    /// The longest time for all requests of one call together.
    public var overall: Duration?

    public static let none = Deadlines()

    public init(stall: Duration? = nil, overall: Duration? = nil) {
        self.stall = stall
        self.overall = overall
    }
}

/// The events of a request, in order: prefill, perhaps thinking, text, and finally finished.
public enum GenerationEvent: Sendable, Hashable {
    /// The number of the prompt's tokens in the KV cache.
    case reading(tokens: Int, of: Int)
    /// The model is thinking, and has generated this many tokens, which are not shown.
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
