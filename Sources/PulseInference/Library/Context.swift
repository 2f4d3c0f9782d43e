/// The model's working memory: what each sequence has read and written so far, and the probabilities of what comes
/// next. Freed when it goes out of use; it must not outlive its model.
import CLlama

struct Context: ~Copyable {
    private let pointer: OpaquePointer
    private var batch: Batch
    private let recorder: CallRecorder?
    private var threads: ComputeThreads
    /// Tells the library's abort callback when to stop. Declared after the context, so freed after it.
    let abortSwitch: AbortSwitch
    let shape: ContextShape
    /// What it holds now. A place is a sequence of the library.
    private(set) var table: CellTable
    /// Whether a sequence can be cut and shared at any token: see `Model.isDivisible(at:)`.
    let isDivisible: Bool

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
        isDivisible = model.isDivisible(at: shape.length)
        self.abortSwitch = abortSwitch
        self.recorder = recorder
        self.shape = shape
        table = CellTable(cells: shape.cells, places: shape.sequences)
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

    // MARK: - Places

    /// Finds a place for a prompt that will hold `total` tokens with its answer at most, and gives it the longest front
    /// that is there already. Nil: it must wait.
    mutating func seat(_ prompt: [llama_token], total: Int) -> Int? {
        guard let seat = table.seat(for: prompt, total: total, mayShare: isDivisible) else { return nil }
        for place in seat.forgotten { truncate(place, to: 0) }
        truncate(seat.place, to: seat.source == seat.place ? seat.shared : 0)
        if seat.source != seat.place, seat.shared > 0 {
            recorder?.note(.shareSequence)
            llama_memory_seq_cp(
                llama_get_memory(pointer), llama_seq_id(seat.source), llama_seq_id(seat.place), 0,
                llama_pos(seat.shared))
        }
        table.take(seat, total: total)
        return seat.place
    }

    mutating func leave(_ place: Int) {
        table.leave(place)
    }

    /// Forgets all but the first tokens. llama.h, llama_memory_seq_rm: "Returns false if a partial sequence cannot be
    /// removed. Removing a whole sequence never fails"; then nothing is kept. Nor where the front is no longer whole:
    /// llama_memory_seq_pos_min is "typically non-zero only for SWA caches".
    mutating func truncate(_ place: Int, to count: Int) {
        guard count < table.count(of: place) else { return }
        remove(place, from: count)
    }

    private mutating func remove(_ place: Int, from count: Int) {
        recorder?.note(.cutSequence)
        let memory = llama_get_memory(pointer)
        let sequence = llama_seq_id(place)
        let isKept =
            count > 0 && llama_memory_seq_rm(memory, sequence, llama_pos(count), -1)
            && llama_memory_seq_pos_min(memory, sequence) == 0
        if !isKept { _ = llama_memory_seq_rm(memory, sequence, -1, -1) }
        table.truncate(place, to: isKept ? count : 0)
    }

    // MARK: - Computing

    /// Goes on several sequences at once; at most `chunk` tokens in all, and no sequence twice. Gives the number of
    /// each run's first token in the batch, for `withLogits`. What an aborted or failed computation left behind is
    /// forgotten.
    mutating func decode(_ runs: [Run]) throws(DecodingFailure) -> [Int] {
        recorder?.note(.decode)
        batch.clear()
        var starts: [Int] = []
        for run in runs {
            starts.append(batch.count)
            let position = table.count(of: run.place)
            for (offset, token) in run.tokens.enumerated() {
                batch.add(
                    token, at: position + offset, of: run.place, wantsLogits: offset >= run.tokens.count - run.rows)
            }
        }
        let status = threads.run(on: pointer) { llama_decode(pointer, batch.raw) }
        guard status == 0 else {
            // llama.h: "Upon fatal-error or abort, the ubatches that managed to be been processed will remain in the
            // memory state of the context".
            for run in runs { remove(run.place, from: table.count(of: run.place)) }
            throw DecodingFailure(status: status)
        }
        for run in runs { table.append(run.tokens, to: run.place) }
        return starts
    }

    /// Logits of what follows a token of the last batch, one for each token of the vocabulary. Valid until the next
    /// `decode`. llama.h: "Logits for the ith token … returns NULL for invalid ids."
    func withLogits<Value>(
        row: Int, count: Int, _ body: (UnsafeBufferPointer<Float>) -> Value
    ) -> Value? {
        guard let logits = llama_get_logits_ith(pointer, Int32(row)) else { return nil }
        return body(UnsafeBufferPointer(start: logits, count: count))
    }
}

/// A computation that did not end. llama.h: "1 - could not find a KV slot for the batch", "2 - aborted", "-1 - invalid
/// input batch", "< -1 - fatal error".
struct DecodingFailure: Error {
    var status: Int32
}
