import CLlama
import PulseCore
import Synchronization

/// A llama_context: the KV cache of all sequences, and the logits of the last batch. It must not outlive its model.
struct LlamaContext: ~Copyable {
    private let pointer: OpaquePointer
    private let confinement = ThreadConfinement()
    private var batch: Batch
    private var threads: ComputeThreads
    /// The library's abort callback reads it. Freed after the context, in `deinit`.
    let abortFlag: AbortFlag
    let shape: ContextShape
    private(set) var table: CellTable
    /// The longest sequence that can be truncated and shared at any token: see `Model.maxRewindableLength`.
    let maxRewindableLength: Int

    init(of model: borrowing Model, shape: ContextShape, threads: ThreadChoice) throws {
        let abortFlag = AbortFlag()
        var parameters = llama_context_default_params()
        parameters.n_ctx = UInt32(shape.cells)
        parameters.n_batch = UInt32(shape.batch)
        parameters.n_ubatch = parameters.n_batch
        parameters.n_seq_max = UInt32(shape.sequences)
        parameters.n_outputs_max = UInt32(shape.outputs)
        // llama.h: "use a unified buffer across the input sequences": a shared prefix takes its cells once.
        parameters.kv_unified = true
        parameters.type_k = shape.cacheType.ggml
        parameters.type_v = shape.cacheType.ggml
        parameters.n_threads = Int32(threads.first)
        parameters.n_threads_batch = Int32(threads.first)
        parameters.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_AUTO
        parameters.no_perf = true
        // llama.h: "if it returns true, execution of llama_decode() will be aborted; currently works only with CPU
        // execution". On other devices cancellation waits for the end of the batch.
        parameters.abort_callback = { pointer in
            pointer.map { Unmanaged<AbortFlag>.fromOpaque($0).takeUnretainedValue().isOn } ?? false
        }
        parameters.abort_callback_data = Unmanaged.passUnretained(abortFlag).toOpaque()
        _ = LogCollector.shared.takeErrors()
        guard let opened = model.openContext(parameters) else {
            throw PulseError(
                .tryAgain, "There is not enough memory for a context of \(shape.cells) tokens.",
                hint: "Ask for a shorter one, or choose a smaller model.", cause: LogCollector.shared.takeErrors())
        }
        pointer = opened
        maxRewindableLength = model.maxRewindableLength
        self.abortFlag = abortFlag
        self.shape = shape
        table = CellTable(cells: shape.cells, sequences: shape.sequences)
        self.threads = ComputeThreads(of: opened, threads)
        batch = Batch(capacity: Int(llama_n_batch(opened)))
    }

    deinit {
        confinement.check()
        llama_free(pointer)
    }

    /// The most tokens of one `decode`.
    var chunk: Int { batch.capacity }

    // MARK: - Sequences

    /// Assigns a sequence to a prompt of at most `total` tokens with its answer, and reuses the longest prefix. Nil:
    /// wait.
    mutating func admit(_ prompt: [llama_token], total: Int) -> Int? {
        guard let placement = table.placement(for: prompt, total: total, maxRewindableLength: maxRewindableLength)
        else { return nil }
        for sequence in placement.evicted { truncate(sequence, to: 0) }
        truncate(placement.sequence, to: placement.source == placement.sequence ? placement.shared : 0)
        if placement.source != placement.sequence, placement.shared > 0 {
            confinement.check()
            llama_memory_seq_cp(
                llama_get_memory(pointer), llama_seq_id(placement.source), llama_seq_id(placement.sequence), 0,
                llama_pos(placement.shared))
        }
        table.apply(placement, total: total)
        return placement.sequence
    }

    /// Frees the sequence for another request. Its tokens stay in the cache until the cells are needed.
    mutating func release(_ sequence: Int) { table.release(sequence) }

    /// Removes all but the first tokens. If that is impossible, or the beginning is no longer in the cache, removes
    /// all. llama.h, llama_memory_seq_rm: "Returns false if a partial sequence cannot be removed. Removing a whole
    /// sequence never fails"; llama_memory_seq_pos_min is "typically non-zero only for SWA caches".
    mutating func truncate(_ sequence: Int, to count: Int) {
        guard count < table.count(of: sequence) else { return }
        remove(sequence, from: count)
    }

    private mutating func remove(_ sequence: Int, from count: Int) {
        confinement.check()
        let memory = llama_get_memory(pointer)
        let id = llama_seq_id(sequence)
        let isKept =
            count > 0 && llama_memory_seq_rm(memory, id, llama_pos(count), -1)
            && llama_memory_seq_pos_min(memory, id) == 0
        if !isKept { _ = llama_memory_seq_rm(memory, id, -1, -1) }
        table.truncate(sequence, to: isKept ? count : 0)
    }

    // MARK: - Computing

    /// Decodes a batch: at most `chunk` tokens, and at most one run for each sequence. Returns the index of each run's
    /// first token in the batch, for `withLogits`. The cells of an aborted or failed computation are removed.
    mutating func decode(_ runs: [Run]) throws(DecodingFailure) -> [Int] {
        confinement.check()
        batch.clear()
        var starts: [Int] = []
        for run in runs {
            starts.append(batch.count)
            let position = table.count(of: run.sequence)
            let outputs = run.tokens.count - run.outputs
            for (offset, token) in run.tokens.enumerated() {
                batch.add(token, at: position + offset, of: run.sequence, wantsLogits: offset >= outputs)
            }
        }
        let status = threads.run(on: pointer) { llama_decode(pointer, batch.raw) }
        guard status == 0 else {
            // llama.h: "Upon fatal-error or abort, the ubatches that managed to be been processed will remain in the
            // memory state of the context".
            for run in runs { remove(run.sequence, from: table.count(of: run.sequence)) }
            throw DecodingFailure(status: status)
        }
        for run in runs { table.append(run.tokens, to: run.sequence) }
        return starts
    }

    /// Measures the speed of prefill and decode steps: the best of two rounds. Removes all tokens from the KV cache.
    mutating func measure(vocabulary: Int, now: () -> Duration) throws(DecodingFailure) -> EngineSpeed {
        var speed = EngineSpeed(reading: .infinity, step: .infinity, sequences: shape.sequences)
        let prompt = (0..<chunk).map { llama_token($0 % vocabulary) }
        for _ in 0..<2 {
            for sequence in 0..<shape.sequences { truncate(sequence, to: 0) }
            let time = try time([Run(sequence: 0, tokens: prompt, outputs: 1)], now: now)
            speed.reading = min(speed.reading, time / Double(prompt.count))
            truncate(0, to: 0)
            for _ in 0..<4 {
                let runs = (0..<shape.sequences).map { Run(sequence: $0, tokens: [prompt[$0 % chunk]], outputs: 1) }
                speed.step = min(speed.step, try self.time(runs, now: now))
            }
        }
        for sequence in 0..<shape.sequences { truncate(sequence, to: 0) }
        return speed
    }

    /// The seconds until the logits are available.
    private mutating func time(_ runs: [Run], now: () -> Duration) throws(DecodingFailure) -> Double {
        let start = now()
        let row = try decode(runs).last ?? 0
        _ = withLogits(row: row + (runs.last?.tokens.count ?? 1) - 1, count: 1) { _ in }
        return (now() - start) / .seconds(1)
    }

    /// The logits after a token of the last batch, one for each token of the vocabulary. Valid until the next `decode`.
    /// llama.h: "Logits for the ith token … returns NULL for invalid ids."
    func withLogits<Value>(row: Int, count: Int, _ body: (UnsafeBufferPointer<Float>) -> Value) -> Value? {
        guard let logits = llama_get_logits_ith(pointer, Int32(row)) else { return nil }
        return body(UnsafeBufferPointer(start: logits, count: count))
    }
}

/// A failed or aborted computation. llama.h: "1 - could not find a KV slot for the batch", "2 - aborted", "-1 - invalid
/// input batch", "< -1 - fatal error".
struct DecodingFailure: Error {
    var status: Int32

    var error: PulseError {
        PulseError(
            .unavailable, "The model stopped with an error (\(status)).",
            hint: "Try a shorter text or a smaller model.", cause: LogCollector.shared.takeErrors())
    }
}

/// The tokens of one sequence in a batch.
struct Run {
    var sequence: Int
    var tokens: [llama_token]
    /// The number of last tokens that need logits.
    var outputs: Int
}

/// The condition that the library's abort callback checks, many times in one computation.
final class AbortFlag: Sendable {
    /// A type of its own, because a mutex around a bare closure adds a thunk to each access.
    struct Condition: Sendable {
        let holds: @Sendable () -> Bool
    }

    private let condition = Mutex<Condition?>(nil)

    /// Called by the library on the thread that computes.
    var isOn: Bool { condition.withLock { $0?.holds() ?? false } }

    func follow(_ condition: Condition?) { self.condition.withLock { $0 = condition } }
}

struct Batch: ~Copyable {
    private(set) var raw: llama_batch
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        raw = llama_batch_init(Int32(capacity), 0, 1)
    }

    deinit { llama_batch_free(raw) }

    var count: Int { Int(raw.n_tokens) }

    mutating func clear() { raw.n_tokens = 0 }

    mutating func add(_ token: llama_token, at position: Int, of sequence: Int, wantsLogits: Bool) {
        precondition(count < capacity)
        raw.token[count] = token
        raw.pos[count] = llama_pos(position)
        raw.n_seq_id[count] = 1
        raw.seq_id[count]?[0] = llama_seq_id(sequence)
        raw.logits[count] = wantsLogits ? 1 : 0
        raw.n_tokens += 1
    }
}

struct ContextShape: Sendable, Hashable {
    /// The tokens of one request, prompt and answer.
    var length: Int
    /// The cells of the KV cache, for all sequences together. A shared prefix counts once.
    var cells: Int
    var sequences: Int
    var cacheType: CacheType

    /// There are never fewer cells than the longest request needs, so that each request fits if it is alone. Sequences
    /// are clamped to the library's limit.
    init(length: Int, cells: Int? = nil, sequences: Int = 1, cacheType: CacheType = .f16) {
        self.length = max(1, length)
        self.cells = max(self.length, cells ?? 0)
        self.sequences = min(max(1, sequences), llama_max_parallel_sequences())
        self.cacheType = cacheType
    }

    /// The most tokens of a batch: a multiple of 64, as ggml computes attention in tiles of 64 rows (ops.cpp,
    /// `use_tiled`). The activations take a seventh of a MiB a token, and decoding waits for a prefill's batch.
    var batch: Int { min(sequences == 1 ? 256 : 128, cells) }

    /// The tokens of a batch that may have logits: one for each sequence, and drafts while a small batch costs little
    /// more than a token. The library allocates a row of logits for each of them.
    var outputs: Int { max(16, 2 * sequences) }
}

extension CacheType {
    var ggml: ggml_type { self == .f16 ? GGML_TYPE_F16 : GGML_TYPE_Q8_0 }

    /// Bytes of 32 values; ggml-common.h: `block_q8_0` is a 16-bit scale and 32 bytes.
    var bytesFor32: UInt64 { self == .f16 ? 64 : 34 }
}
