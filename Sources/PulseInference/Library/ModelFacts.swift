public import PulseCore

/// What a GGUF file says of itself. Only its header is read.
public struct ModelFacts: Sendable, Hashable {
    /// The weights in this file. Of a model in several files, each holds a part.
    public let parameters: Int64
    /// Whether it can be asked something: it has a chat template, and what it computes is no embedding (`pooling_type`,
    /// which llama.cpp writes for models that pool).
    public let isForChat: Bool

    /// Throws `.unavailable` if the file is no sound GGUF file.
    public init(path: String) throws(PulseError) {
        let header = try ModelFile(path: path).header
        parameters = header.parameters
        let pools = header.metadata.keys.contains { $0.hasSuffix(".pooling_type") }
        isForChat = header.metadata["tokenizer.chat_template"] != nil && !pools
    }
}
