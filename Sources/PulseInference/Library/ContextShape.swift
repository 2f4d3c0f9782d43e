import CLlama

/// The size and the cache type of a context.
struct ContextShape: Sendable, Hashable {
    /// The tokens of one request, prompt and answer.
    var length: Int
    /// The cells of the KV cache, for all sequences together. A shared prefix counts once.
    var cells: Int
    /// The number of sequences.
    var sequences: Int
    /// The type of the keys and values.
    var cacheType: CacheType

    /// - Parameters:
    ///   - cells: nil: as many as one request may have. Never fewer, so that every request fits if it is alone.
    ///   - sequences: clamped to the library's limit.
    init(length: Int, cells: Int? = nil, sequences: Int = 1, cacheType: CacheType = .f16) {
        self.length = max(1, length)
        self.cells = max(self.length, cells ?? 0)
        self.sequences = min(max(1, sequences), llama_max_parallel_sequences())
        self.cacheType = cacheType
    }

    /// The most tokens of one batch. From 64 on, ggml computes attention in tiles of 64 rows (ops.cpp, `use_tiled`), so
    /// this is a multiple of 64. The activations of a batch take a seventh of a MiB a token, and decoding requests wait
    /// for a prefill's batch. A single sequence delays no others.
    var batch: Int { min(sequences == 1 ? 256 : 128, cells) }

    /// The tokens of one batch that may have logits: one for each sequence, and drafts up to the size at which a small
    /// batch costs little more than a single token. The library allocates a buffer of so many times the vocabulary;
    /// without a limit, for the whole batch.
    var outputs: Int { max(16, 2 * sequences) }
}

extension CacheType {
    var ggml: ggml_type {
        switch self {
        case .f16: GGML_TYPE_F16
        case .q8_0: GGML_TYPE_Q8_0
        }
    }

    /// Bytes of 32 values; ggml-common.h: `block_q8_0` is a 16-bit scale and 32 bytes.
    var bytesFor32: UInt64 {
        switch self {
        case .f16: 64
        case .q8_0: 34
        }
    }
}
