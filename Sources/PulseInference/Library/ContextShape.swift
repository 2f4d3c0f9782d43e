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

    /// The most tokens computed at once. A digest of seven sections (a model of a billion weights, two cores) took 22.3 s
    /// with 64, 19.3 s with 88, 19.5 s with 128 and 20.2 s with 256. From 64 on, ggml computes attention in tiles (ops.cpp,
    /// `use_tiled`): a batch of 63 costs twice as much. In smaller batches the slots that write get on more often while
    /// a prompt is read, and the activations of a batch take a seventh of a MiB a token. A single sequence has nobody to
    /// wait for, and 256 read its prompt a tenth faster.
    var batch: Int { min(sequences == 1 ? 256 : 88, cells) }

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
