/// How much a context holds, and in which form.
import CLlama

struct ContextShape: Sendable, Hashable {
    /// Tokens that one request may have, prompt and answer together.
    var length: Int
    /// Tokens that all sequences have together, those they share counted once.
    var cells: Int
    /// Sequences at most at once.
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

    /// Tokens computed at once, at most. A digest of seven sections (a model of a billion weights, two cores) took 22.3 s
    /// with 64, 19.3 s with 88, 19.5 s with 128 and 20.2 s with 256. From 64 on, ggml computes attention in tiles (ops.cpp,
    /// `use_tiled`): a batch of 63 costs twice as much. Fewer leave more batches in which those that already write go on
    /// for little, and let the first answer halt for shorter; and what lies between the layers takes a seventh of a MiB a
    /// token. Where there is one sequence nobody else writes, and 256 read a prompt a tenth faster.
    var batch: Int { min(sequences == 1 ? 256 : 88, cells) }

    /// Tokens of one batch whose successors may be asked for: one for each sequence, and guesses up to the size at
    /// which a batch of a few tokens costs as much as a batch of one. The library keeps a buffer for so many times the
    /// vocabulary; without a bound, for the whole batch.
    var outputs: Int { max(Self.cheapBatch, 2 * sequences) }

    /// Up to so many tokens a batch costs little more than one token: the weights are read once either way.
    static let cheapBatch = 16
}

/// The form in which keys and values are kept.
public enum CacheType: String, Sendable, Hashable, CaseIterable {
    /// 16-bit floats: two bytes a value.
    case f16
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Eight bits a value and a scale for every 32: a little more than half of the memory.
    case q8_0

    /// The type as ggml knows it.
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
