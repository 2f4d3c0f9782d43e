/// One text to be written: the conversation so far, and how the model is to go on.
public struct GenerationRequest: Sendable, Hashable {
    public var messages: [ChatMessage]
    /// The most tokens written.
    public var maximumTokens: Int
    public var sampling: Sampling
    /// Whether tokens may be guessed from the prompt and verified together. A greedy text is the same with and without;
    /// where tokens are sampled (a temperature above 0) none are guessed.
    public var guesses: Bool
    /// A text that is chosen in place of what the model prefers, token by token, and then the end; everything is
    /// computed as ever. For benchmarks: how many guesses come true then depends on a real text, whatever the model's
    /// weights.
    package var replay: String?
    /// The same, by the number of tokens written before each choice.
    var replayedChoices: [Int: Int32]?
    var choiceLog: ChoiceLog?

    public init(
        messages: [ChatMessage], maximumTokens: Int, sampling: Sampling = Sampling(), guesses: Bool = true
    ) {
        self.messages = messages
        self.maximumTokens = maximumTokens
        self.sampling = sampling
        self.guesses = guesses
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
}
