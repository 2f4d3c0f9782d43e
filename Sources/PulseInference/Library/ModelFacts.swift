public import PulseCore

/// A model's properties in a GGUF file. Only its header is read.
public struct ModelFacts: Sendable, Hashable {
    /// The number of weights in this file, which may be a part of a split model.
    public let parameters: Int64
    /// Whether it is a chat model: it has a chat template, and is not an embedding model (llama.cpp writes
    /// `pooling_type` for those).
    public let isForChat: Bool

    /// Throws `.unavailable` if the file is not a valid GGUF file.
    public init(path: String) throws(PulseError) {
        let header = try ModelFile(path: path).header
        parameters = header.parameters
        let pools = header.metadata.keys.contains { $0.hasSuffix(".pooling_type") }
        isForChat = header.metadata["tokenizer.chat_template"] != nil && !pools
    }
}
