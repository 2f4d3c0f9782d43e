import CLlama

/// The form in which the weights of a model are computed with. Which is the fastest depends on the processor and on the
/// file, so it is measured (`Engine.measureSpeed`).
public enum WeightsForm: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
    /// Copied into memory and arranged for the processor, where ggml has an arrangement for it.
    case rearranged
    /// As they lie in the mapped file.
    case mapped
    /// As eight bits a weight (`Q8_0`), in a file that was made from the model's own, and mapped.
    case rewritten

    /// The form where nothing was measured. On processors of the x86 family without AMX the mapped weights read a prompt
    /// faster, open at once and take no memory of their own (docs/performance.md).
    ///
    /// - Parameter features: See `LibraryDescription.features`.
    public static func usual(with features: String) -> WeightsForm {
        features.contains("SSE3 = 1") && !features.contains("AMX_INT8 = 1") ? .mapped : .rearranged
    }

    /// Kinds of files that ggml has no fast kernels for on most processors, as `llama_ftype` numbers them: `Q4_1`,
    /// `Q5_0` and `Q5_1`.
    public static let slowFileTypes: Set<Int> = [
        Int(LLAMA_FTYPE_MOSTLY_Q4_1.rawValue), Int(LLAMA_FTYPE_MOSTLY_Q5_0.rawValue),
        Int(LLAMA_FTYPE_MOSTLY_Q5_1.rawValue),
    ]
}

/// How fast an open model computes.
public struct EngineSpeed: Sendable, Hashable {
    /// Seconds for each token of a prompt that is read.
    public var reading: Double
    /// Seconds for a step that continues every sequence by a token.
    public var step: Double
    /// How many sequences a step continues.
    public var sequences: Int

    /// Tokens of a story's prompt beyond those that all share, and of its answer, as digests have them.
    private static let story = (read: 150.0, written: 40.0)

    /// Seconds that a story of a digest takes.
    public var story: Double { Self.story.read * reading + Self.story.written * step / Double(sequences) }
}

extension Engine {
    /// Writes a model's weights anew as `Q8_0`, in the place of an existing file.
    ///
    /// - Returns: Whether that was possible. If not, there may be half a file.
    public static func rewrite(_ path: String, to copy: String) async -> Bool {
        await PinnedThread().run {
            Library.start(logsToStandardError: false)
            var parameters = llama_model_quantize_default_params()
            parameters.ftype = LLAMA_FTYPE_MOSTLY_Q8_0
            parameters.allow_requantize = true
            parameters.nthread = Int32(Processors.current().usable)
            // llama.h: "Returns 0 on success".
            return llama_model_quantize(path, copy, &parameters) == 0
        }
    }
}
