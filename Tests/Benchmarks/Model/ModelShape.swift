/// The dimensions of a Llama model: all that its speed depends on.
struct ModelShape: Sendable, Hashable {
    /// `general.name`, and the front of the file's name.
    var name: String
    var width: Int
    var layers: Int
    var heads: Int
    var keyHeads: Int
    var feedForward: Int
    /// Tokens; the output shares the embedding's matrix.
    var vocabulary: Int
    var context: Int
    var ropeBase: Float

    /// Llama 3.2 1B, from its `config.json`; the context is cut to what a digest can use.
    static let llama1B = ModelShape(
        name: "llama-3.2-1b-shape", width: 2048, layers: 16, heads: 32, keyHeads: 8, feedForward: 8192,
        vocabulary: 128_256, context: 8192, ropeBase: 500_000)

    /// Weights, the norms' included.
    var parameters: Int { tensors.reduce(0) { $0 + $1.columns * $1.rows } }

    /// One tensor of the file.
    struct Tensor: Hashable {
        enum Filling: Hashable {
            case random, ones
            /// Random where the vocabulary has a token to write, zero elsewhere.
            case embedding
        }

        var name: String
        var columns: Int
        var rows = 1
        var filling = Filling.random
    }

    var tensors: [Tensor] {
        let keyWidth = width / heads * keyHeads
        func norm(_ name: String) -> Tensor { Tensor(name: name, columns: width, filling: .ones) }
        var all = [Tensor(name: "token_embd.weight", columns: width, rows: vocabulary, filling: .embedding)]
        all.append(norm("output_norm.weight"))
        for layer in 0..<layers {
            let block = "blk.\(layer)."
            all += [
                norm(block + "attn_norm.weight"),
                Tensor(name: block + "attn_q.weight", columns: width, rows: width),
                Tensor(name: block + "attn_k.weight", columns: width, rows: keyWidth),
                Tensor(name: block + "attn_v.weight", columns: width, rows: keyWidth),
                Tensor(name: block + "attn_output.weight", columns: width, rows: width),
                norm(block + "ffn_norm.weight"),
                Tensor(name: block + "ffn_gate.weight", columns: width, rows: feedForward),
                Tensor(name: block + "ffn_up.weight", columns: width, rows: feedForward),
                Tensor(name: block + "ffn_down.weight", columns: feedForward, rows: width),
            ]
        }
        return all
    }
}
