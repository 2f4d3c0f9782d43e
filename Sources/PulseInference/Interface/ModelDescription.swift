/// What a model file says about itself, and what was made of it.
public struct ModelDescription: Sendable, Hashable {
    /// `general.name`, or the file's name.
    public var name: String
    /// `general.architecture`, such as "llama".
    public var architecture: String
    /// libllama's one line about kind, size and quantisation.
    public var kind: String
    /// Weights; 0 when only the vocabulary was read.
    public var parameterCount: UInt64
    /// Bytes on disk.
    public var fileSize: UInt64
    /// Tokens the model was trained to hold at once.
    public var trainedContextLength: Int
    /// Tokens this engine holds at once, prompt and answer together.
    public var contextLength: Int
    public var vocabularySize: Int
    /// Whether the file carries a chat template; without one nothing can be generated.
    public var hasChatTemplate: Bool
    /// Threads that compute, where nobody else needs the cores.
    public var threads: Int
    /// How it was made to fit the machine; nil when only the vocabulary was read.
    public var plan: MachinePlan?
}
