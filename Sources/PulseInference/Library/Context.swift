/// The model's working memory: what has been read and written so far, and the probabilities of what comes next.
/// Freed when it goes out of use; it must not outlive its model.
import CLlama

struct Context: ~Copyable {
    private let pointer: OpaquePointer
    private var batch: Batch
    private let recorder: CallRecorder?
    private var threads: ComputeThreads
    /// Tells the library's abort callback when to stop. Declared after the context, so freed after it.
    let abortSwitch: AbortSwitch
    let shape: ContextShape
    /// The tokens it holds now, in order.
    private(set) var held: [llama_token] = []

    init(
        of model: borrowing Model, shape: ContextShape, threads: ThreadChoice, recorder: CallRecorder?
    ) throws(EngineError) {
        let abortSwitch = AbortSwitch()
        var parameters = llama_context_default_params()
        parameters.n_ctx = UInt32(shape.cells)
        parameters.n_batch = UInt32(shape.batch)
        parameters.n_ubatch = parameters.n_batch
        parameters.n_seq_max = UInt32(shape.sequences)
        parameters.n_outputs_max = UInt32(shape.outputs)
        // llama.h: "use a unified buffer across the input sequences": what sequences share takes its cells once.
        parameters.kv_unified = true
        parameters.type_k = shape.cacheType.ggml
        parameters.type_v = shape.cacheType.ggml
        parameters.n_threads = Int32(threads.first)
        parameters.n_threads_batch = Int32(threads.first)
        parameters.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_AUTO
        parameters.no_perf = true
        // llama.h: "if it returns true, execution of llama_decode() will be aborted; currently works only with CPU
        // execution". Elsewhere cancellation waits for the chunk.
        parameters.abort_callback = { pointer in
            pointer.map { Unmanaged<AbortSwitch>.fromOpaque($0).takeUnretainedValue().isThrown } ?? false
        }
        parameters.abort_callback_data = Unmanaged.passUnretained(abortSwitch).toOpaque()
        _ = LogCollector.shared.takeErrors()
        guard let opened = model.openContext(parameters) else {
            throw Self.unavailable(shape, cause: LogCollector.shared.takeErrors())
        }
        pointer = opened
        self.abortSwitch = abortSwitch
        self.recorder = recorder
        self.shape = shape
        self.threads = ComputeThreads(of: opened, threads)
        batch = Batch(capacity: Int(llama_n_batch(opened)))
    }

    private static func unavailable(_ shape: ContextShape, cause: String?) -> EngineError {
        EngineError(
            .contextUnavailable,
            "There is not enough memory for a context of \(shape.cells) tokens. Ask for a shorter one, or choose a smaller model.",
            cause: cause)
    }

    deinit {
        recorder?.note(.freeContext)
        llama_free(pointer)
    }

    /// The most tokens `decode` takes at once.
    var chunk: Int { batch.capacity }

    /// Forgets everything after what `prompt` begins with too, and says how much that is. The last token of the
    /// prompt is always to be read again, for its logits.
    mutating func keepPrefix(of prompt: [llama_token]) -> Int {
        var shared = zip(held, prompt).prefix { $0 == $1 }.count
        shared = min(shared, prompt.count - 1)
        truncate(to: max(0, shared))
        return held.count
    }

    /// Forgets all but the first tokens. llama.h, llama_memory_seq_rm: "Returns false if a partial sequence cannot be
    /// removed. Removing a whole sequence never fails"; then nothing is kept.
    private mutating func truncate(to count: Int) {
        let memory = llama_get_memory(pointer)
        let isKept =
            count > 0 && llama_memory_seq_rm(memory, 0, llama_pos(count), -1)
            && llama_memory_seq_pos_min(memory, 0) == 0
        if isKept {
            held.removeSubrange(min(count, held.count)...)
        } else {
            llama_memory_clear(memory, false)
            held = []
        }
    }

    /// Reads tokens after what is held; with `wantsLogits`, computes the logits of what follows the last.
    /// At most `chunk` tokens. What an aborted or failed computation left behind is forgotten.
    mutating func decode(_ tokens: ArraySlice<llama_token>, wantsLogits: Bool) throws(DecodingFailure) {
        recorder?.note(.decode)
        batch.fill(tokens, at: held.count, wantsLogits: wantsLogits)
        let status = threads.run(on: pointer) { llama_decode(pointer, batch.raw) }
        if status == 0 {
            held += tokens
            return
        }
        // llama.h: "Upon fatal-error or abort, the ubatches that managed to be been processed will remain in the
        // memory state of the context".
        truncate(to: held.count)
        throw DecodingFailure(status: status)
    }

    /// Logits of the next token, one for each token of the vocabulary. Valid until the next `decode`.
    /// llama.h: "Logits for the ith token … -1 is the last logit. returns NULL for invalid ids."
    func withLogits<Value>(count: Int, _ body: (UnsafeBufferPointer<Float>) -> Value) -> Value? {
        guard let logits = llama_get_logits_ith(pointer, -1) else { return nil }
        return body(UnsafeBufferPointer(start: logits, count: count))
    }
}

/// A computation that did not end. llama.h: "1 - could not find a KV slot for the batch", "2 - aborted", "-1 - invalid
/// input batch", "< -1 - fatal error".
struct DecodingFailure: Error {
    var status: Int32
}
