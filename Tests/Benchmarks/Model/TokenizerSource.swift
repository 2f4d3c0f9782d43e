/// The tokenizer of an existing model file, to give to another: read by ggml's own reader of GGUF.
import CLlama

final class TokenizerSource {
    /// The file's metadata.
    let metadata: OpaquePointer
    let tokens: [String]
    let types: [Int32]

    /// - Parameter path: A GGUF file with a byte-level tokenizer and a chat template.
    init(path: String) throws(BenchError) {
        guard let metadata = gguf_init_from_file(path, gguf_init_params(no_alloc: true, ctx: nil)) else {
            throw BenchError("\(path) is no GGUF file that ggml can read.")
        }
        let tokens = Self.strings(metadata, "tokenizer.ggml.tokens")
        let key = gguf_find_key(metadata, "tokenizer.ggml.token_type")
        let merges = Self.strings(metadata, "tokenizer.ggml.merges")
        guard key >= 0, gguf_get_arr_type(metadata, key) == GGUF_TYPE_INT32, !tokens.isEmpty, !merges.isEmpty,
            gguf_get_arr_n(metadata, key) == tokens.count, let data = gguf_get_arr_data(metadata, key)
        else {
            gguf_free(metadata)
            throw BenchError("\(path) carries no byte-level tokenizer.")
        }
        self.metadata = metadata
        self.tokens = tokens
        types = Array(
            UnsafeBufferPointer(start: data.assumingMemoryBound(to: Int32.self), count: tokens.count))
        // FNV-1a: a name for the tokenizer, no protection.
        var hash: UInt32 = 0x811c_9dc5
        for text in tokens + merges {
            for byte in text.utf8 + [0] { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        }
        fingerprint = String(hash, radix: 16)
    }

    deinit { gguf_free(metadata) }

    /// Changes with the tokens and the merges.
    let fingerprint: String

    private static func strings(_ metadata: OpaquePointer, _ name: String) -> [String] {
        let key = gguf_find_key(metadata, name)
        guard key >= 0, gguf_get_kv_type(metadata, key) == GGUF_TYPE_ARRAY,
            gguf_get_arr_type(metadata, key) == GGUF_TYPE_STRING
        else { return [] }
        return (0..<gguf_get_arr_n(metadata, key)).map { String(cString: gguf_get_arr_str(metadata, key, $0)) }
    }
}
