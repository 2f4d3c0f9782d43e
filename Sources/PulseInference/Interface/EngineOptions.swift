/// What an engine is opened with.
public struct EngineOptions: Sendable, Hashable {
    /// The GGUF file.
    public var modelPath: String
    /// The GGUF file of a LoRA adapter that is put on the model; nil: none.
    public var adapterPath: String?
    /// The longest prompt and answer together, in tokens. Never more than the model was trained for;
    /// nil: what it was trained for, at most `contextLimit`.
    public var contextLength: Int?
    /// The longest context taken when none is asked for.
    public var contextLimit = Self.defaultContextLimit
    /// The most requests that are answered at once; the others wait.
    public var sequences: Int
    /// Tokens that all requests at work have together, a shared prefix counted once; nil: enough for
    /// requests of the usual size, and for one of the greatest length.
    public var cells: Int?
    /// The form of the KV cache; nil: 16-bit floats, or eight bits where memory is short.
    public var cacheType: CacheType?
    /// Threads that compute, whatever happens; nil: one for each physical core this process may use, fewer while
    /// others need the cores, and only one for very small models.
    public var threads: Int?
    /// ggml's RPC servers that layers are handed to, as far as their memory reaches.
    public var servers: [ServerAddress]
    /// Layers that other devices than the processor compute, the output counted as one; nil: as many as fit there.
    public var gpuLayers: Int?
    /// Whether ggml may copy weights into memory and arrange them for the processor; otherwise they are computed with
    /// as they lie in the mapped file.
    public var repacksWeights: Bool
    /// Reads the vocabulary and the metadata only: enough to count tokens, not to generate.
    public var vocabularyOnly: Bool
    /// Whether the library's own log lines go to standard error. Otherwise it is silent.
    public var logsToStandardError: Bool

    /// Takes memory for the KV cache, which grows with it; no digest needs more.
    public static let defaultContextLimit = 8192

    /// Stories of a digest that are written at once. ggml's repacked kernels multiply 4 rows at a time and its tiled
    /// ones 16: a step of 16 rows is one good product. Measured on two Zen 5 cores with a model of a billion weights,
    /// 16 sequences write 137 tokens a second, 8 write 80 and one 45.
    public static let defaultSequences = 16

    public init(
        modelPath: String, contextLength: Int? = nil, sequences: Int = Self.defaultSequences, cells: Int? = nil,
        cacheType: CacheType? = nil, threads: Int? = nil, servers: [ServerAddress] = [], gpuLayers: Int? = nil,
        repacksWeights: Bool = true, vocabularyOnly: Bool = false, logsToStandardError: Bool = false
    ) {
        self.modelPath = modelPath
        self.contextLength = contextLength
        self.sequences = sequences
        self.cells = cells
        self.cacheType = cacheType
        self.threads = threads
        self.servers = servers
        self.gpuLayers = gpuLayers
        self.repacksWeights = repacksWeights
        self.vocabularyOnly = vocabularyOnly
        self.logsToStandardError = logsToStandardError
    }
}

/// The form in which the KV cache holds its keys and values.
public enum CacheType: String, Sendable, Hashable, CaseIterable {
    /// 16-bit floats: two bytes a value.
    case f16
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Eight bits a value and a scale for every 32: a little more than half of the memory.
    case q8_0
}
