/// A tiny model that libllama loads as it loads any other: Llama architecture, byte-level vocabulary, a chat
/// template, random weights from a seed. What it writes means nothing; that it writes is the real library's work.
public import Foundation

public struct FixtureModel: Sendable, Hashable {
    /// The chat template it carries, by the marks that libllama knows templates by.
    public enum Template: Sendable, CaseIterable {
        case chatML, llama3, gemma, mistral, phi, commandR, deepSeek, unknown, none
    }

    public var template = Template.chatML
    /// False: no token ends a turn.
    public var hasEnd = true
    /// Whether the vocabulary asks for a beginning-of-sequence token.
    public var addsBeginning = false
    /// A vocabulary of SentencePiece's kind, as Llama 2 and Gemma have, instead of GPT-2's.
    public var isSentencePiece = false
    public var contextLength = 4096
    /// In tokens; then it is of Gemma 3's architecture, and every other layer looks no further back. Nil: of Llama's.
    public var window: Int?
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
        try model.data().write(to: URL(fileURLWithPath: path))
    }

    /// The whole GGUF file. `damage` may change what is written before it is.
    public func data(damage: (inout GGUFWriter) -> Void = { _ in }) -> Data {
        let tokens = FixtureTokens(
            template: template, hasEnd: hasEnd, isSentencePiece: isSentencePiece, script: script ?? "")
        var writer = GGUFWriter()
        writer.metadata = hyperparameters(vocabulary: tokens.texts.count) + tokenizer(tokens)
        writer.tensors = script == nil ? tensors(vocabulary: tokens.texts.count) : scripted(tokens)
        damage(&writer)
        return writer.data()
    }

    private static let heads = 4
    private static let keyHeads = 2

    private var architecture: String { window == nil ? "llama" : "gemma3" }

    private func hyperparameters(vocabulary: Int) -> [(key: String, value: GGUFWriter.Value)] {
        var sizes: [(key: String, value: GGUFWriter.Value)] = [
            ("context_length", .uint32(UInt32(contextLength))),
            ("embedding_length", .uint32(UInt32(width))),
            ("block_count", .uint32(UInt32(layers))),
            ("feed_forward_length", .uint32(UInt32(2 * width))),
            ("attention.head_count", .uint32(UInt32(Self.heads))),
            ("attention.head_count_kv", .uint32(UInt32(Self.keyHeads))),
            ("attention.layer_norm_rms_epsilon", .float(1e-5)),
            ("rope.dimension_count", .uint32(UInt32(width / Self.heads))),
            ("rope.freq_base", .float(10_000)),
            ("vocab_size", .uint32(UInt32(vocabulary))),
        ]
        if let window {
            sizes += [
                ("attention.sliding_window", .uint32(UInt32(window))),
                ("attention.sliding_window_pattern", .uint32(2)),
            ]
        }
        let general: [(key: String, value: GGUFWriter.Value)] = [
            ("general.architecture", .string(architecture)),
            ("general.name", .string(name)),
            ("general.file_type", .uint32(0)),
        ]
        return general + sizes.map { ("\(architecture).\($0.key)", $0.value) }
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

    private func tensors(vocabulary: Int) -> [GGUFWriter.Tensor] {
        var random = SplitMix(seed: seed)
        func matrix(_ name: String, _ columns: Int, _ rows: Int, scale: Float) -> GGUFWriter.Tensor {
            let values = (0..<columns * rows).map { _ in Float.random(in: -scale...scale, using: &random) }
            return GGUFWriter.Tensor(name: name, dimensions: [columns, rows], values: values)
        }
        func ones(_ name: String, _ count: Int? = nil) -> GGUFWriter.Tensor {
            let count = count ?? width
            return GGUFWriter.Tensor(name: name, dimensions: [count], values: Array(repeating: 1, count: count))
        }
        let keyWidth = width / Self.heads * Self.keyHeads
        var tensors = [matrix("token_embd.weight", width, vocabulary, scale: 1), ones("output_norm.weight")]
        for layer in 0..<layers {
            let block = "blk.\(layer)."
            tensors += [
                ones(block + "attn_norm.weight"),
                matrix(block + "attn_q.weight", width, width, scale: 0.3),
                matrix(block + "attn_k.weight", width, keyWidth, scale: 0.3),
                matrix(block + "attn_v.weight", width, keyWidth, scale: 0.3),
                matrix(block + "attn_output.weight", width, width, scale: 0.3),
                ones(block + "ffn_norm.weight"),
                matrix(block + "ffn_gate.weight", width, 2 * width, scale: 0.3),
                matrix(block + "ffn_up.weight", width, 2 * width, scale: 0.3),
                matrix(block + "ffn_down.weight", 2 * width, width, scale: 0.3),
            ]
            guard window != nil else { continue }
            tensors += [
                ones(block + "attn_q_norm.weight", width / Self.heads),
                ones(block + "attn_k_norm.weight", width / Self.heads),
                ones(block + "post_attention_norm.weight"),
                ones(block + "post_ffw_norm.weight"),
            ]
        }
        tensors.append(matrix("output.weight", width, vocabulary, scale: 0.5))
        return tensors
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
