/// A tiny model that libllama loads as it loads any other: byte-level vocabulary, a chat template, random weights from a
/// seed. What it writes means nothing; that it writes is the real library's work.
public import Foundation
import Synchronization

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
    /// A file with the vocabulary of a real model, which it has instead, with the chat template there if there is one.
    public var vocabulary: String?
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
    /// What it writes, whatever it is asked; nil: what its random weights make of the question.
    public var script: String?
    /// Whether it begins the script again when that is told, and so never ends.
    public var repeats = false

    public init() {}

    /// Writes the model that `adjust` describes.
    public static func write(to path: String, adjust: (inout FixtureModel) -> Void = { _ in }) throws {
        var model = FixtureModel()
        adjust(&model)
        try made(model).write(to: URL(fileURLWithPath: path))
    }

    /// The whole GGUF file, made once for all tests.
    public var bytes: Data { FixtureModel.made(self) }

    /// Random numbers by the thousand took a quarter of the tests' time. One with a vocabulary of its own is too large
    /// to keep.
    private static func made(_ model: FixtureModel) -> Data {
        guard model.vocabulary == nil else { return model.data() }
        if let known = known.withLock({ $0[model] }) { return known }
        let data = model.data()
        known.withLock { $0[model] = data }
        return data
    }

    private static let known = Mutex<[FixtureModel: Data]>([:])

    /// The whole GGUF file. `damage` may change what is written before it is.
    public func data(damage: (inout GGUFWriter) -> Void = { _ in }) -> Data {
        let tokens = FixtureTokens(
            template: template, hasEnd: hasEnd, isSentencePiece: isSentencePiece, script: script ?? "")
        var writer = GGUFWriter()
        if let vocabulary = vocabulary.flatMap({ try? FixtureVocabulary(path: $0) }) {
            writer.metadata = hyperparameters(vocabulary: vocabulary.count) + vocabulary.metadata
            if !vocabulary.hasTemplate, let text = template.text {
                writer.metadata.append(("tokenizer.chat_template", .string(text)))
            }
            writer.tensors = tensors(vocabulary: vocabulary.count)
        } else {
            writer.metadata = hyperparameters(vocabulary: tokens.texts.count) + tokenizer(tokens)
            writer.tensors = script == nil ? tensors(vocabulary: tokens.texts.count) : scripted(tokens)
        }
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

    /// Weights that make each token of the script follow the one before it. The layers add nothing, so what comes out is
    /// the last token's own direction, which the next token's row answers to; every other token has one direction in
    /// common, which the first answers to.
    private func scripted(_ tokens: FixtureTokens) -> [GGUFWriter.Tensor] {
        var random = SplitMix(seed: seed)
        func direction() -> [Float] { (0..<width).map { _ in Bool.random(using: &random) ? 1 : -1 } }
        let common = direction()
        var own = Array(repeating: common, count: tokens.texts.count)
        var answering = Array(repeating: [Float](repeating: 0, count: width), count: tokens.texts.count)
        var last = common
        for token in tokens.script {
            answering[token] = last
            own[token] = direction()
            last = own[token]
        }
        if repeats, let first = tokens.script.first {
            answering[first] = zip(answering[first], last).map { $0 + $1 }
        } else if let end = tokens.end {
            answering[Int(end)] = last
        }
        let silent = ["attn_output.weight", "ffn_down.weight"]
        return tensors(vocabulary: tokens.texts.count).map { tensor in
            var tensor = tensor
            if tensor.name == "token_embd.weight" { tensor.values = own.flatMap(\.self) }
            if tensor.name == "output.weight" { tensor.values = answering.flatMap(\.self) }
            if silent.contains(where: tensor.name.hasSuffix) {
                tensor.values = Array(repeating: 0, count: tensor.values.count)
            }
            return tensor
        }
    }
}
