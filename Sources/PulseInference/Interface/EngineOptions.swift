/// What an engine is opened with.
public struct EngineOptions: Sendable, Hashable {
    /// The GGUF file.
    public var modelPath: String
    /// The longest prompt and answer together, in tokens. Never more than the model was trained for;
    /// nil: what it was trained for, at most `defaultContextLimit`.
    public var contextLength: Int?
    /// Requests that are answered at once, at most; others wait for a place.
    public var sequences: Int
    /// Tokens that all requests at work have together, those they share at the front counted once; nil: enough for
    /// requests of the usual size, and for one of the greatest length.
    public var cells: Int?
    /// The form of the KV cache; nil: 16-bit floats, or eight bits where memory is short.
    public var cacheType: CacheType?
    /// A folder of the engine's own, where the state of what prompts begin with is kept between runs, 256 MiB at most;
    /// nil: nothing is kept.
    public var prefixFolder: String?
    /// Threads that compute, whatever happens; nil: one for each physical core this process may use, fewer while
    /// others need the cores, and one alone for very small models.
    public var threads: Int?
    /// Reads the vocabulary and the metadata only: enough to count tokens, not to generate.
    public var vocabularyOnly: Bool
    /// Whether the library's own log lines go to standard error. Otherwise it is silent.
    public var logsToStandardError: Bool

    /// The longest context taken when none is asked for: the KV cache grows with it, and no digest needs more.
    public static let defaultContextLimit = 8192

    /// Categories of a digest, and one to spare.
    public static let defaultSequences = 8

    public init(
        modelPath: String, contextLength: Int? = nil, sequences: Int = Self.defaultSequences, cells: Int? = nil,
        cacheType: CacheType? = nil, prefixFolder: String? = nil, threads: Int? = nil, vocabularyOnly: Bool = false,
        logsToStandardError: Bool = false
    ) {
        self.modelPath = modelPath
        self.contextLength = contextLength
        self.sequences = sequences
        self.cells = cells
        self.cacheType = cacheType
        self.prefixFolder = prefixFolder
        self.threads = threads
        self.vocabularyOnly = vocabularyOnly
        self.logsToStandardError = logsToStandardError
    }
}
