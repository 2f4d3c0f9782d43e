/// What an engine is opened with.
public struct EngineOptions: Sendable, Hashable {
    /// The GGUF file.
    public var modelPath: String
    /// The longest prompt and answer together, in tokens. Never more than the model was trained for;
    /// nil: what it was trained for, at most `defaultContextLimit`.
    public var contextLength: Int?
    /// Threads that compute; nil: one for each physical core this process may use, and
    /// one alone for very small models.
    public var threads: Int?
    /// Reads the vocabulary and the metadata only: enough to count tokens, not to generate.
    public var vocabularyOnly: Bool
    /// Whether the library's own log lines go to standard error. Otherwise it is silent.
    public var logsToStandardError: Bool

    /// The longest context taken when none is asked for: the KV cache grows with it, and no digest needs more.
    public static let defaultContextLimit = 8192

    public init(
        modelPath: String, contextLength: Int? = nil, threads: Int? = nil, vocabularyOnly: Bool = false,
        logsToStandardError: Bool = false
    ) {
        self.modelPath = modelPath
        self.contextLength = contextLength
        self.threads = threads
        self.vocabularyOnly = vocabularyOnly
        self.logsToStandardError = logsToStandardError
    }
}
