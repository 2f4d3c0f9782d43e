/// One text to be written: the conversation so far, and how the model is to go on.
public struct GenerationRequest: Sendable {
    public var messages: [ChatMessage]
    /// The most tokens of the answer. A thought before it has a limit of its own.
    public var maximumTokens: Int
    public var sampling: Sampling
    /// Whether tokens may be drafted from the prompt and verified together (prompt lookup decoding). A greedy text is
    /// the same with and without, but where two tokens are as probable to within the last bits of the arithmetic;
    /// sampled texts (a temperature above 0) are never drafted.
    public var drafts: Bool
    /// Is handed each piece of the answer as it is written, on the engine's thread, and returns whether the rest is not
    /// needed: then the answer ends there. Nil: it is needed.
    public var isEnough: (@Sendable (String) -> Bool)?
    /// Is handed each whole answer, on the engine's thread, and returns how the request is to be answered again, from
    /// the beginning; nil: the answer stands. The prompt is not read a second time where its cells can be kept.
    public var again: (@Sendable (Completion) -> Sampling?)?
    /// Chooses in the sampler's place, for tests and benchmarks: everything is computed as usual, but which text is
    /// written then depends on the chooser and not on the model's weights.
    package var chooser: Chooser?

    /// Gets the number of tokens written so far, the token that the sampler chose, and the logits of the whole
    /// vocabulary; returns the token to be written. Called on the engine's thread.
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
    /// White space at its beginning and end is dropped, as most chat templates do.
    public var text: String

    public init(role: Role, text: String) {
        self.role = role
        self.text = text
    }

    /// The message as the model reads it.
    var content: String {
        guard let first = text.unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = text.unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(text.unicodeScalars[first...last])
    }
}

/// How the next token is chosen from the model's probabilities.
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

    /// For one more try, by its number: the likeliest tokens were of no use.
    public func varied(_ number: Int) -> Sampling {
        Sampling(temperature: max(temperature, 0.7), topP: topP, seed: seed &+ UInt32(number))
    }
}

/// How long a generation may take; nil means without limit. Both are checked between tokens and, when a CPU computes,
/// also between the steps of one computation. The clock stands still while the machine sleeps.
public struct Deadlines: Sendable, Hashable {
    /// The longest time without a new token or, while the prompt is read, without a finished chunk of it.
    public var stall: Duration?
    /// The longest time for all the requests of one call together.
    public var overall: Duration?

    public static let none = Deadlines()

    public init(stall: Duration? = nil, overall: Duration? = nil) {
        self.stall = stall
        self.overall = overall
    }
}
