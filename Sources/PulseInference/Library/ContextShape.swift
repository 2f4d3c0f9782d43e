import CLlama

/// How much a context holds, and in which form.
struct ContextShape: Sendable, Hashable {
    /// Tokens that one request may have, prompt and answer together.
    var length: Int
    /// Tokens that all sequences have together, a shared prefix counted once.
    var cells: Int
    /// The most sequences at once.
    var sequences: Int
    /// The form of the keys and values.
    var cacheType: CacheType

    /// - Parameters:
    ///   - cells: Nil: as many as one request may have. Never fewer, so that every request fits when it is alone.
    ///   - sequences: From 1 to what the library allows.
    init(length: Int, cells: Int? = nil, sequences: Int = 1, cacheType: CacheType = .f16) {
        self.length = max(1, length)
        self.cells = max(self.length, cells ?? 0)
        self.sequences = min(max(1, sequences), llama_max_parallel_sequences())
        self.cacheType = cacheType
    }

    /// The most tokens computed at once. From 64 on, ggml computes attention in tiles of 64 rows (ops.cpp,
    /// `use_tiled`), so this is a number of whole ones. The activations of a batch take a seventh of a MiB a token, and
    /// answers that are being written wait for a chunk. A single sequence has nobody to wait for.
    var batch: Int { min(sequences == 1 ? 256 : 128, cells) }

    /// Tokens of one batch that may have logits: one for each sequence, and drafts up to the size at which a batch of a
    /// few tokens costs little more than a batch of one. The library keeps a buffer of that many times the vocabulary;
    /// without a bound, for the whole batch.
    var outputs: Int { max(16, 2 * sequences) }
}

extension CacheType {
    var ggml: ggml_type {
        switch self {
        case .f16: GGML_TYPE_F16
        case .q8_0: GGML_TYPE_Q8_0
        }
    }

    /// Bytes that 32 values take; ggml-common.h: `block_q8_0` is a 16-bit scale and 32 bytes.
    var bytesFor32: UInt64 {
        switch self {
        case .f16: 64
        case .q8_0: 34
        }
    }
}
