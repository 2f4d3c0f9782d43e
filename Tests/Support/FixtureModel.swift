/// A tiny model that libllama loads as it loads any other: byte-level vocabulary, a chat template, random weights from a
/// seed. What it writes means nothing; that it writes is the real library's work.
public import Foundation

public struct FixtureModel: Sendable, Hashable {
    /// The chat template it carries.
    public enum Template: Sendable, CaseIterable {
        case chatML, llama3, gemma, mistral, phi, commandR, deepSeek, thinking, unknown, none
    }

    public var template = Template.chatML
    /// False: no token ends a turn.
    public var hasEnd = true
    /// Whether the vocabulary asks for a beginning-of-sequence token.
    public var addsBeginning = false
    /// A vocabulary of SentencePiece's kind, as Llama 2 and Gemma have, instead of GPT-2's.
    public var isSentencePiece = false
    public var contextLength = 4096
    public var architecture = Architecture.llama
    /// In tokens: every other layer looks no further back. Only Gemma's architectures have one.
    public var window: Int? {
        didSet { if window != nil, !architecture.hasWindow { architecture = .gemma3 } }
    }
    public var seed: UInt64 = 7
    public var layers = 2
    /// The width of the embedding; a multiple of 32.
    public var width = 64
    public var name = "Fixture"

    public init() {}

    /// Writes the model that `adjust` describes.
    public static func write(to path: String, adjust: (inout FixtureModel) -> Void = { _ in }) throws {
        var model = FixtureModel()
        adjust(&model)
        try model.data().write(to: URL(fileURLWithPath: path))
    }

    /// The whole GGUF file. `damage` may change what is written before it is.
    public func data(damage: (inout GGUFWriter) -> Void = { _ in }) -> Data {
        let tokens = FixtureTokens(template: template, hasEnd: hasEnd, isSentencePiece: isSentencePiece)
        var writer = GGUFWriter()
        writer.metadata = hyperparameters(vocabulary: tokens.texts.count) + tokenizer(tokens)
        writer.tensors = tensors(vocabulary: tokens.texts.count)
        damage(&writer)
        return writer.data()
    }

    private func tokenizer(_ tokens: FixtureTokens) -> [(key: String, value: GGUFWriter.Value)] {
        var metadata: [(key: String, value: GGUFWriter.Value)] = [
            ("tokenizer.ggml.model", .string(isSentencePiece ? "llama" : "gpt2")),
            ("tokenizer.ggml.pre", .string(isSentencePiece ? "default" : "llama-bpe")),
            ("tokenizer.ggml.tokens", .strings(tokens.texts)),
            ("tokenizer.ggml.token_type", .int32s(tokens.types)),
            ("tokenizer.ggml.merges", .strings(tokens.merges)),
            ("tokenizer.ggml.add_bos_token", .bool(addsBeginning)),
        ]
        if let scores = tokens.scores { metadata.append(("tokenizer.ggml.scores", .floats(scores))) }
        if let end = tokens.end { metadata.append(("tokenizer.ggml.eos_token_id", .uint32(UInt32(end)))) }
        if let beginning = tokens.texts.firstIndex(of: template.beginningMarker) {
            metadata.append(("tokenizer.ggml.bos_token_id", .uint32(UInt32(beginning))))
        }
        if let text = template.text { metadata.append(("tokenizer.chat_template", .string(text))) }
        return metadata
    }
}
