/// What libllama takes for granted about a model's metadata, checked first: it reads some arrays without looking at
/// their type or length (llama-vocab.cpp casts `gguf_get_arr_data`), and divides by some numbers.
extension GGUFHeader {
    /// The first contradiction in the metadata; nil when there is none.
    var fault: String? {
        guard case .text(let architecture)? = metadata["general.architecture"] else {
            return "no general.architecture"
        }
        return faultInSizes(of: architecture) ?? faultInVocabulary ?? faultInTokenNumbers
    }

    private func faultInSizes(of architecture: String) -> String? {
        let limits: [(key: String, range: ClosedRange<Int64>)] = [
            ("context_length", 1...(1 << 31 - 1)), ("embedding_length", 1...(1 << 20)), ("block_count", 1...4096),
            ("feed_forward_length", 0...(1 << 24)), ("attention.head_count", 1...65_536),
            ("attention.head_count_kv", 0...65_536), ("attention.key_length", 1...65_536),
            ("attention.value_length", 1...65_536), ("rope.dimension_count", 0...65_536),
            ("vocab_size", 1...(1 << 24)), ("expert_count", 0...65_536),
        ]
        for (key, range) in limits {
            switch metadata["\(architecture).\(key)"] {
            case .integer(let number): if !range.contains(number) { return "\(key) is \(number)" }
            case .array, nil: continue
            case .real, .flag, .text: return "\(key) is no number"
            }
        }
        return nil
    }

    private var faultInVocabulary: String? {
        guard let tokens = metadata["tokenizer.ggml.tokens"] else { return nil }
        guard case .array(of: .string, let count) = tokens, count > 0 else { return "no list of tokens" }
        if repeatsTokens { return "a token twice" }
        let parallel: [(key: String, type: ValueType)] = [("scores", .float32), ("token_type", .int32)]
        for (key, type) in parallel {
            guard let list = metadata["tokenizer.ggml.\(key)"] else { continue }
            if list != .array(of: type, count: count) { return "\(key) does not fit the tokens" }
        }
        if let merges = metadata["tokenizer.ggml.merges"] {
            guard case .array(of: .string, _) = merges else { return "merges are no list of texts" }
        }
        return nil
    }

    private var faultInTokenNumbers: String? {
        guard case .array(_, let count)? = metadata["tokenizer.ggml.tokens"] else { return nil }
        for (key, value) in metadata where key.hasPrefix("tokenizer.ggml.") && key.hasSuffix("_token_id") {
            // 2^32 - 1 stands for "none": llama.h's LLAMA_TOKEN_NULL, -1, as an unsigned number.
            guard case .integer(let number) = value, (-1..<Int64(count)).contains(number) || number == 0xffff_ffff
            else { return "\(key) is no token" }
        }
        return nil
    }
}
