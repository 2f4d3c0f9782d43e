/// One text to be written: the conversation so far, and how the model is to go on.
public struct GenerationRequest: Sendable, Hashable {
    public var messages: [ChatMessage]
    /// The most tokens written. With `.strict` the text still ends with a whole sentence.
    public var maximumTokens: Int
    /// The fewest sentences written, where the source has so many that may be begun, with `.strict` only.
    public var minimumSentences: Int
    /// The most sentences written, with `.strict` only; nil: as many as the model likes.
    public var maximumSentences: Int?
    /// The text begins with one of so many first sentences of the source, with `.strict` only; nil: with any.
    public var openingSentences: Int?
    public var sampling: Sampling
    /// Texts that end the answer where they first appear; they are not part of it. Not used with `.strict`, which
    /// can write nothing but the source.
    public var stops: [String]
    public var grounding: Grounding
    /// Whether tokens may be guessed from the prompt and verified together. A greedy text is the same with and without;
    /// where tokens are sampled (a temperature above 0) none are guessed.
    public var guesses: Bool
    /// Ends this request alone.
    public var cancellation: RequestCancellation?
    /// A text that is chosen in place of what the model prefers, token by token, and then the end; everything is computed
    /// as ever. For benchmarks: how many guesses come true then depends on a real text, whatever the model's weights.
    /// With `.strict`, where the text may not go on so, the model chooses.
    package var replay: String?
    /// The same, by the number of tokens written before each choice.
    var replayedChoices: [Int: Int32]?
    var choiceLog: ChoiceLog?
    /// Grounded decoding reads tokens that need no choice together. The tests turn it off, to see that it changes
    /// nothing but the time, and the benchmark, to see how much of that.
    package var readsForcedRunsTogether = true

    public init(
        messages: [ChatMessage], maximumTokens: Int, minimumSentences: Int = 1, maximumSentences: Int? = nil,
        openingSentences: Int? = nil, sampling: Sampling = Sampling(), stops: [String] = [],
        grounding: Grounding = .free,
        guesses: Bool = true, cancellation: RequestCancellation? = nil
    ) {
        self.messages = messages
        self.maximumTokens = maximumTokens
        self.minimumSentences = minimumSentences
        self.maximumSentences = maximumSentences
        self.openingSentences = openingSentences
        self.sampling = sampling
        self.stops = stops
        self.grounding = grounding
        self.guesses = guesses
        self.cancellation = cancellation
    }
}

/// What the model may write.
public enum Grounding: Sendable, Hashable {
    /// Anything.
    case free
    /// Only sentences of the source parts, whole or joined where they share words; see `SourceAutomaton`.
    case strict
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
