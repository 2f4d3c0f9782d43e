/// An open model file: the weights, mapped into memory, and the vocabulary. Freed when it goes out of use.
import CLlama
import Synchronization

struct Model: ~Copyable {
    private let pointer: OpaquePointer
    private let recorder: CallRecorder?
    let path: String
    let vocabulary: Vocabulary

    /// How much of a file is read.
    enum Reading { case whole, vocabularyOnly, simulated }

    /// The caller has looked at the file (`ModelFile`) and started the library.
    /// `progress` is told the share that is loaded, 0...1; false from it ends the loading with `.tooLittleMemory`.
    init(
        path: String, reading: Reading, recorder: CallRecorder?, progress: (@Sendable (Double) -> Bool)?
    ) throws(EngineError) {
        recorder?.note(.loadModel)
        var parameters = llama_model_default_params()
        // llama-model.cpp asserts that a simulation maps nothing.
        parameters.load_mode = reading == .simulated ? LLAMA_LOAD_MODE_NONE : LLAMA_LOAD_MODE_MMAP
        parameters.vocab_only = reading == .vocabularyOnly
        parameters.no_alloc = reading == .simulated
        // llama.h: "number of layers to store in VRAM, a negative value means all layers". The default offloads
        // where the library was built for a GPU; elsewhere it would only make it complain.
        if !llama_supports_gpu_offload() { parameters.n_gpu_layers = 0 }
        let report = ProgressReport(progress)
        // llama.h: "If the provided progress_callback returns true, model loading continues."
        parameters.progress_callback = { share, report in
            report.map { Unmanaged<ProgressReport>.fromOpaque($0).takeUnretainedValue().tell(Double(share)) } ?? true
        }
        parameters.progress_callback_user_data = Unmanaged.passUnretained(report).toOpaque()
        _ = LogCollector.shared.takeErrors()
        let loaded = withExtendedLifetime(report) { llama_model_load_from_file(path, parameters) }
        guard let loaded, let vocab = llama_model_get_vocab(loaded) else {
            if report.isEnded { throw MemoryWatch.error(while: "the model was loaded") }
            throw Self.explain(LogCollector.shared.takeErrors(), path: path)
        }
        pointer = loaded
        self.path = path
        self.recorder = recorder
        vocabulary = Vocabulary(vocab, recorder: recorder)
    }

    deinit {
        recorder?.note(.freeModel)
        llama_model_free(pointer)
    }

    /// The chat template in the file's metadata; llama.h: "Returns nullptr if not available".
    var chatTemplate: String? {
        recorder?.note(.readMetadata)
        return llama_model_chat_template(pointer, nil).map { String(cString: $0) }
    }

    /// A metadata value as text; nil where the file has none.
    func metadata(_ key: String) -> String? {
        recorder?.note(.readMetadata)
        return Self.text { llama_model_meta_val_str(pointer, key, $0, $1) }
    }

    var kind: String { Self.text { llama_model_desc(pointer, $0, $1) } ?? "" }
    var parameterCount: UInt64 { llama_model_n_params(pointer) }
    /// Tokens; 0 where the file does not say. With the vocabulary alone libllama keeps no such figures, but the metadata.
    var trainedContextLength: Int {
        let known = Int(llama_model_n_ctx_train(pointer))
        guard known == 0, let architecture = metadata("general.architecture") else { return known }
        return metadata("\(architecture).context_length").flatMap { Int($0) } ?? 0
    }

    /// Whether the model reads a text whole before it answers (T5 and its like) or has no decoder at all.
    var isDecoderOnly: Bool { llama_model_has_decoder(pointer) && !llama_model_has_encoder(pointer) }

    /// Whether what was read can be cut and shared at any token, in sequences of so many tokens. Recurrent models keep
    /// one state, and no way back. Models whose attention has a window (Gemma) give the cells behind it to other tokens
    /// once a sequence is longer.
    func isDivisible(at length: Int) -> Bool {
        let window = Int(llama_model_n_swa(pointer))
        return !llama_model_is_recurrent(pointer) && !llama_model_is_hybrid(pointer)
            && (window == 0 || length <= window)
    }

    /// Bytes of the KV cache: a key and a value for every layer and key-value head. An upper bound for architectures
    /// that keep less.
    func cacheSize(_ shape: ContextShape) -> UInt64 {
        let heads = max(1, llama_model_n_head(pointer))
        let width = UInt64(max(0, llama_model_n_embd(pointer) / heads * llama_model_n_head_kv(pointer)))
        let values = 2 * UInt64(max(0, llama_model_n_layer(pointer))) * width * UInt64(shape.cells)
        return values / 32 * shape.cacheType.bytesFor32
    }

    /// Bytes of the weights that this machine's memory holds. Where the library computes on a graphics processor with
    /// memory of its own they go there, and it says itself when they do not fit. (Apple's share the machine's.)
    var weightsInMemory: UInt64 {
        #if !canImport(Darwin)
            if llama_supports_gpu_offload() { return 0 }
        #endif
        return llama_model_size(pointer)
    }

    /// About what the buffers of a computation take, for a library that does not say: the logits of a batch and the
    /// widest of what is between them, as 32-bit floats.
    func bufferSize(_ shape: ContextShape) -> UInt64 {
        let width = UInt64(max(0, vocabulary.count)) + 8 * UInt64(max(0, llama_model_n_embd(pointer)))
        return 4 * UInt64(shape.batch) * width
    }

    /// Opens a context on this model. llama.h: `llama_init_from_model` gives null where it cannot.
    func openContext(_ parameters: llama_context_params) -> OpaquePointer? {
        recorder?.note(.openContext)
        return llama_init_from_model(pointer, parameters)
    }

    /// llama.h: "The functions return the length of the string on success, or -1 on failure".
    private static func text(_ fill: (UnsafeMutablePointer<CChar>?, Int) -> Int32) -> String? {
        let length = Int(fill(nil, 0))
        guard length >= 0 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
            guard fill(buffer.baseAddress, length + 1) >= 0, let start = buffer.baseAddress else { return nil }
            return String(cString: start)
        }
    }

    private static func explain(_ cause: String?, path: String) -> EngineError {
        let words = cause ?? ""
        // llama-model-loader.cpp: "tensor '%s' data is not within the file bounds, model is corrupted or incomplete".
        if words.contains("not within the file bounds") {
            return EngineError(
                .modelTruncated, "The model file \(path) is incomplete. Fetch it again.", cause: cause)
        }
        if words.contains("unknown model architecture") || words.contains("unknown pre-tokenizer") {
            return EngineError(
                .modelUnsupported,
                "This version of libllama does not know the kind of model in \(path). Choose another model, or a newer libllama.",
                cause: cause)
        }
        return ModelFile.corrupted(path, cause)
    }
}

/// Carries a Swift closure through a C callback.
private final class ProgressReport: Sendable {
    private let progress: (@Sendable (Double) -> Bool)?
    private let ended = Atomic(false)

    init(_ progress: (@Sendable (Double) -> Bool)?) {
        self.progress = progress
    }

    var isEnded: Bool { ended.load(ordering: .relaxed) }

    /// False ends the loading.
    func tell(_ share: Double) -> Bool {
        let goesOn = progress?(share) ?? true
        if !goesOn { ended.store(true, ordering: .relaxed) }
        return goesOn
    }
}
