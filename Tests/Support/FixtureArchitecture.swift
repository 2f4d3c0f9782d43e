/// The kinds of models that people have, as libllama tells them apart: each in its true shape, but small, with random
/// weights and the fixture's vocabulary.
extension FixtureModel {
    public enum Architecture: String, Sendable, CaseIterable {
        case llama, qwen3, smollm3, phi3, granite
        /// With a sliding attention window in every other layer.
        case gemma3, gemma4
        /// Every other layer keeps a state in the place of keys and values: a gated delta net, Mamba 2, a short
        /// convolution.
        case qwen35, lfm2
        case graniteHybrid = "granitehybrid"

        public var isHybrid: Bool { [.qwen35, .graniteHybrid, .lfm2].contains(self) }
        public var hasWindow: Bool { [.gemma3, .gemma4].contains(self) }

        fileprivate var normsHeads: Bool { hasWindow || [.qwen3, .qwen35, .lfm2].contains(self) }
    }

    private static let heads = 4
    private static let keyHeads = 2
    /// Of layers with a state.
    private static let state = 16
    private static let stateHeads = 4

    private var headWidth: Int { width / Self.heads }
    private var keyWidth: Int { headWidth * Self.keyHeads }

    private func keepsState(_ layer: Int) -> Bool { architecture.isHybrid && layer.isMultiple(of: 2) }

    // MARK: - Metadata

    func hyperparameters(vocabulary: Int) -> [(key: String, value: GGUFWriter.Value)] {
        var sizes: [(key: String, value: GGUFWriter.Value)] = [
            ("context_length", .uint32(UInt32(contextLength))),
            ("embedding_length", .uint32(UInt32(width))),
            ("block_count", .uint32(UInt32(layers))),
            ("feed_forward_length", .uint32(UInt32(2 * width))),
            ("attention.head_count", .uint32(UInt32(Self.heads))),
            ("attention.head_count_kv", keyHeadCount),
            ("attention.layer_norm_rms_epsilon", .float(1e-5)),
            ("rope.dimension_count", .uint32(UInt32(headWidth))),
            ("rope.freq_base", .float(10_000)),
            ("vocab_size", .uint32(UInt32(vocabulary))),
        ]
        sizes += particulars
        let general: [(key: String, value: GGUFWriter.Value)] = [
            ("general.architecture", .string(architecture.rawValue)),
            ("general.name", .string(name)),
            ("general.file_type", .uint32(0)),
        ]
        return general + sizes.map { ("\(architecture.rawValue).\($0.key)", $0.value) }
    }

    /// llama.cpp, granite-hybrid.cpp: "A layer is recurrent IFF the n_head_kv value is set to 0".
    private var keyHeadCount: GGUFWriter.Value {
        guard [.graniteHybrid, .lfm2].contains(architecture) else { return .uint32(UInt32(Self.keyHeads)) }
        return .int32s((0..<layers).map { keepsState($0) ? 0 : Int32(Self.keyHeads) })
    }

    private var particulars: [(key: String, value: GGUFWriter.Value)] {
        let head = UInt32(headWidth)
        switch architecture {
        case .llama, .qwen3, .smollm3, .phi3: return []
        case .granite: return [("logit_scale", .float(2)), ("residual_scale", .float(0.5))]
        case .gemma3:
            return [
                ("attention.sliding_window", .uint32(UInt32(window ?? 512))),
                ("attention.sliding_window_pattern", .uint32(2)),
            ]
        case .gemma4:
            return [
                ("attention.sliding_window", .uint32(UInt32(window ?? 512))),
                ("attention.sliding_window_pattern", .int32s((0..<layers).map { $0.isMultiple(of: 2) ? 1 : 0 })),
                ("attention.key_length", .uint32(head)), ("attention.value_length", .uint32(head)),
                ("attention.key_length_swa", .uint32(head)), ("attention.value_length_swa", .uint32(head)),
                ("rope.dimension_count_swa", .uint32(head)),
                ("embedding_length_per_layer_input", .uint32(head)),
            ]
        case .qwen35:
            return [
                ("full_attention_interval", .uint32(2)), ("rope.dimension_sections", .int32s([3, 3, 2, 0])),
                ("attention.key_length", .uint32(head)), ("attention.value_length", .uint32(head)),
                ("ssm.inner_size", .uint32(UInt32(Self.state * Self.stateHeads))),
                ("ssm.group_count", .uint32(UInt32(Self.keyHeads))),
            ] + stateSizes
        case .graniteHybrid:
            return [("ssm.inner_size", .uint32(UInt32(2 * width))), ("ssm.group_count", .uint32(1))] + stateSizes
        case .lfm2: return [("shortconv.l_cache", .uint32(3))]
        }
    }

    private var stateSizes: [(key: String, value: GGUFWriter.Value)] {
        [
            ("ssm.conv_kernel", .uint32(4)), ("ssm.state_size", .uint32(UInt32(Self.state))),
            ("ssm.time_step_rank", .uint32(UInt32(Self.stateHeads))),
        ]
    }

    // MARK: - Tensors

    func tensors(vocabulary: Int) -> [GGUFWriter.Tensor] {
        var maker = TensorMaker(seed: seed)
        maker.matrix("token_embd", width, vocabulary, scale: 1)
        maker.ones(architecture == .lfm2 ? "token_embd_norm" : "output_norm", width)
        if architecture == .gemma4 {
            maker.matrix("per_layer_token_embd", headWidth * layers, vocabulary, scale: 1)
            maker.matrix("per_layer_model_proj", width, headWidth * layers)
            maker.ones("per_layer_proj_norm", headWidth)
            maker.ones("rope_freqs", headWidth / 2)
        }
        for layer in 0..<layers {
            maker.block = "blk.\(layer)."
            maker.ones("attn_norm", width)
            if keepsState(layer) { addState(to: &maker) } else { addAttention(to: &maker) }
            // Qwen3.5's norm after the attention is the one before what follows.
            maker.ones(architecture == .qwen35 ? "post_attention_norm" : "ffn_norm", width)
            if architecture == .phi3 {
                maker.matrix("ffn_up", width, 4 * width)
            } else {
                maker.matrix("ffn_gate", width, 2 * width)
                maker.matrix("ffn_up", width, 2 * width)
            }
            maker.matrix("ffn_down", 2 * width, width)
            if architecture.hasWindow {
                maker.ones("post_attention_norm", width)
                maker.ones("post_ffw_norm", width)
            }
            if architecture == .gemma4 {
                maker.matrix("inp_gate", width, headWidth)
                maker.matrix("proj", headWidth, width)
                maker.ones("post_norm", width)
            }
        }
        maker.block = ""
        maker.matrix("output", width, vocabulary, scale: 0.5)
        return maker.tensors
    }

    private func addAttention(to maker: inout TensorMaker) {
        if architecture == .phi3 {
            maker.matrix("attn_qkv", width, width + 2 * keyWidth)
        } else {
            // Qwen3.5's queries come with a gate each.
            maker.matrix("attn_q", width, architecture == .qwen35 ? 2 * width : width)
            maker.matrix("attn_k", width, keyWidth)
            maker.matrix("attn_v", width, keyWidth)
        }
        maker.matrix("attn_output", width, width)
        if architecture.normsHeads {
            maker.ones("attn_q_norm", headWidth)
            maker.ones("attn_k_norm", headWidth)
        }
    }

    private func addState(to maker: inout TensorMaker) {
        switch architecture {
        case .lfm2:
            maker.matrix("shortconv.conv", 3, width)
            maker.matrix("shortconv.in_proj", width, 3 * width)
            maker.matrix("shortconv.out_proj", width, width)
        case .qwen35:
            let (keys, values) = (Self.state * Self.keyHeads, Self.state * Self.stateHeads)
            maker.matrix("attn_qkv", width, 2 * keys + values)
            maker.matrix("attn_gate", width, values)
            maker.matrix("ssm_conv1d", 4, 2 * keys + values)
            maker.ones("ssm_dt", Self.stateHeads, suffix: ".bias")
            maker.ones("ssm_a", Self.stateHeads, suffix: "", value: -0.5)
            maker.matrix("ssm_beta", width, Self.stateHeads)
            maker.matrix("ssm_alpha", width, Self.stateHeads)
            maker.ones("ssm_norm", Self.state)
            maker.matrix("ssm_out", values, width)
        default:
            let inner = 2 * width
            maker.matrix("ssm_in", width, 2 * inner + 2 * Self.state + Self.stateHeads)
            maker.matrix("ssm_conv1d", 4, inner + 2 * Self.state)
            maker.ones("ssm_conv1d", inner + 2 * Self.state, suffix: ".bias", value: 0.1)
            maker.ones("ssm_dt", Self.stateHeads, suffix: ".bias")
            maker.ones("ssm_a", 1, Self.stateHeads, suffix: "", value: -0.5)
            maker.ones("ssm_d", 1, Self.stateHeads, suffix: "")
            maker.ones("ssm_norm", inner, 1)
            maker.matrix("ssm_out", inner, width)
        }
    }
}

/// Makes tensors from one row of random numbers.
private struct TensorMaker {
    private(set) var tensors: [GGUFWriter.Tensor] = []
    /// What stands before the names.
    var block = ""
    private var random: SplitMix
    /// Random numbers of one tensor, which then come again: a prime, so that no two rows are the same.
    private static let most = 262_139

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    mutating func matrix(_ name: String, _ columns: Int, _ rows: Int, scale: Float = 0.3) {
        let count = columns * rows
        var values = (0..<min(count, Self.most)).map { _ in Float.random(in: -scale...scale, using: &random) }
        while values.count < count { values += values.prefix(min(Self.most, count - values.count)) }
        tensors.append(.init(name: block + name + ".weight", dimensions: [columns, rows], values: values))
    }

    mutating func ones(_ name: String, _ dimensions: Int..., suffix: String = ".weight", value: Float = 1) {
        let values = Array(repeating: value, count: dimensions.reduce(1, *))
        tensors.append(.init(name: block + name + suffix, dimensions: dimensions, values: values))
    }
}
