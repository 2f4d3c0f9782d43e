import CLlama
import PulseCore
import Synchronization

/// An open model: the mmapped weights and the vocabulary.
struct Model: ~Copyable {
    private let pointer: OpaquePointer
    /// Freed with the model (llama.h: "loaded adapters … will be freed when the associated model is deleted").
    private var adapter: OpaquePointer?
    private let confinement = ThreadConfinement()
    let path: String
    let vocabulary: Vocabulary

    enum Reading { case whole, vocabularyOnly, simulated }

    /// The file must be checked (`ModelFile`) and the library started.
    ///
    /// - Parameters:
    ///   - isRepacked: see `EngineOptions.repacksWeights`.
    ///   - devices: devices that layers are offloaded to, with their numbers of layers.
    ///   - progress: called with the loaded share, 0...1. If it returns false, loading ends with an error about memory;
    ///     a caller that was cancelled replaces that.
    init(
        path: String, reading: Reading, isRepacked: Bool = true,
        on devices: [(handle: OpaquePointer, layers: Int)] = [], progress: (@Sendable (Double) -> Bool)? = nil
    ) throws {
        var parameters = llama_model_default_params()
        // llama-model.cpp asserts that a simulation maps nothing.
        parameters.load_mode = reading == .simulated ? LLAMA_LOAD_MODE_NONE : LLAMA_LOAD_MODE_MMAP
        parameters.vocab_only = reading == .vocabularyOnly
        parameters.no_alloc = reading == .simulated
        // llama.h: "use extra buffer types (used for weight repacking)".
        parameters.use_extra_bufts = isRepacked
        // llama.h: a "NULL-terminated list of devices to use for offloading"; an empty one means the CPU alone.
        // `tensor_split` is the "proportion of the model … to offload to each"; whole numbers are met exactly.
        parameters.n_gpu_layers = Int32(devices.reduce(0) { $0 + $1.layers })
        var handles = devices.map { Optional($0.handle) } + [nil]
        let split = devices.map { Float($0.layers) } + Array(repeating: 0, count: llama_max_devices())
        let report = ProgressReport(progress)
        // llama.h: "If the provided progress_callback returns true, model loading continues."
        parameters.progress_callback = { share, report in
            report.map { Unmanaged<ProgressReport>.fromOpaque($0).takeUnretainedValue().report(Double(share)) } ?? true
        }
        parameters.progress_callback_user_data = Unmanaged.passUnretained(report).toOpaque()
        _ = LogCollector.shared.takeErrors()
        let loaded = handles.withUnsafeMutableBufferPointer { handles in
            split.withUnsafeBufferPointer { split in
                parameters.devices = handles.baseAddress
                parameters.tensor_split = split.baseAddress
                return withExtendedLifetime(report) { llama_model_load_from_file(path, parameters) }
            }
        }
        guard let loaded, let vocab = llama_model_get_vocab(loaded) else {
            if report.wasStopped { throw MemoryWatch.error(while: "the model was loaded") }
            throw Self.explain(LogCollector.shared.takeErrors(), path: path)
        }
        pointer = loaded
        self.path = path
        vocabulary = Vocabulary(vocab)
    }

    deinit {
        confinement.check()
        llama_model_free(pointer)
    }

    /// The chat template in the file's metadata; llama.h: "Returns nullptr if not available".
    var chatTemplate: String? {
        confinement.check()
        return llama_model_chat_template(pointer, nil).map { String(cString: $0) }
    }

    /// A metadata value as text; nil if it is missing.
    func metadata(_ key: String) -> String? {
        confinement.check()
        return Self.text { llama_model_meta_val_str(pointer, key, $0, $1) }
    }

    var kind: String { Self.text { llama_model_desc(pointer, $0, $1) } ?? "" }
    var parameterCount: UInt64 { llama_model_n_params(pointer) }
    /// In tokens; 0 if unknown. With the vocabulary alone, libllama reports 0, and only the metadata has it.
    var trainedContextLength: Int {
        let known = Int(llama_model_n_ctx_train(pointer))
        guard known == 0, let architecture = metadata("general.architecture") else { return known }
        return metadata("\(architecture).context_length").flatMap { Int($0) } ?? 0
    }

    var isDecoderOnly: Bool { llama_model_has_decoder(pointer) && !llama_model_has_encoder(pointer) }

    /// The longest sequence that can be truncated and shared at any token. The state of recurrent models cannot be
    /// rewound. In a sequence as long as the sliding attention window (Gemma), libllama reuses the cells that the next
    /// token does not attend to (llama-kv-cache.cpp, `find_slot`).
    var maxRewindableLength: Int {
        if llama_model_is_recurrent(pointer) || llama_model_is_hybrid(pointer) { return 0 }
        let window = Int(llama_model_n_swa(pointer))
        return window > 0 ? window - 1 : .max
    }

    /// The KV cache's bytes: a key and a value for each layer and KV head. For some architectures an upper bound.
    func cacheSize(_ shape: ContextShape) -> UInt64 {
        let key = width / max(1, Int(llama_model_n_head(pointer)))
        let heads = Int(llama_model_n_head_kv(pointer))
        let layers = Int(llama_model_n_layer(pointer))
        // Not in integers, which the numbers of a damaged file could overflow.
        let values = Double(2 * layers) * Double(heads * key) * Double(shape.cells)
        return UInt64(min(max(0, values), 0x1p50)) / 32 * shape.cacheType.bytesFor32
    }

    var width: Int { Int(llama_model_n_embd(pointer)) }

    /// Bytes of the weights on all devices.
    var size: UInt64 { llama_model_size(pointer) }

    /// The compute buffers' bytes, if the library does not log them: a batch's logits and the widest layer, as floats.
    func bufferSize(_ shape: ContextShape) -> UInt64 {
        let width = UInt64(max(0, vocabulary.count)) + 8 * UInt64(max(0, llama_model_n_embd(pointer)))
        return 4 * UInt64(shape.batch) * width
    }

    /// Loads a LoRA adapter for all contexts opened afterwards. Throws `.unavailable` if it is not for this model.
    mutating func adapt(by file: ModelFile) throws {
        confinement.check()
        adapter = llama_adapter_lora_init(pointer, file.path)
        guard adapter != nil else {
            throw PulseError(
                .unavailable, "\(file.path) is not an adapter of the model \(path).",
                hint: "Install the program again.", cause: LogCollector.shared.takeErrors())
        }
    }

    /// llama.h: `llama_init_from_model` returns null on failure.
    func openContext(_ parameters: llama_context_params) -> OpaquePointer? {
        confinement.check()
        guard let context = llama_init_from_model(pointer, parameters) else { return nil }
        var (adapters, scales) = ([adapter], [Float(1)])
        if adapter == nil || llama_set_adapters_lora(context, &adapters, 1, &scales) == 0 { return context }
        llama_free(context)
        return nil
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

    private static func explain(_ cause: String?, path: String) -> PulseError {
        let words = cause ?? ""
        // llama-model.cpp: "unable to allocate %s buffer".
        if words.contains("unable to allocate") {
            return PulseError(
                .tryAgain, "There is not enough memory for the model, here or on a device that was given layers.",
                hint: "Offload fewer layers (--gpu-layers), or choose a smaller model.", cause: cause)
        }
        // llama-model-loader.cpp: "tensor '%s' data is not within the file bounds, model is corrupted or incomplete".
        if words.contains("not within the file bounds") {
            return PulseError(
                .unavailable, "The model file \(path) is incomplete.", hint: "Fetch it again.", cause: cause)
        }
        // llama-model-loader.cpp, `done_getting_tensors`: ollama puts the tensors for images into the model's file.
        if ["unknown model architecture", "unknown pre-tokenizer", "wrong number of tensors"].contains(
            where: words.contains)
        {
            return PulseError(
                .unavailable, "This version of libllama does not know the kind of model in \(path).",
                hint: "Choose another model, or a newer libllama.", cause: cause)
        }
        return ModelFile.corrupted(path, cause)
    }
}

private final class ProgressReport: Sendable {
    private let progress: (@Sendable (Double) -> Bool)?
    private let stopped = Atomic(false)

    init(_ progress: (@Sendable (Double) -> Bool)?) { self.progress = progress }

    var wasStopped: Bool { stopped.load(ordering: .relaxed) }

    /// Returns false to end the loading.
    func report(_ share: Double) -> Bool {
        let goesOn = progress?(share) ?? true
        if !goesOn { stopped.store(true, ordering: .relaxed) }
        return goesOn
    }
}
