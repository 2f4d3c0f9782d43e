import CLlama
import PulseCore

/// An open model and its context, on the engine's thread. Not Sendable, so that the compiler enforces this.
struct Session: ~Copyable {
    /// Nil with the vocabulary alone, while a `Scheduler` has it, and after `close`.
    private var context: LlamaContext?
    private let model: Model
    private let devices: Devices
    private let now: @Sendable () -> Duration
    private let template: Result<ChatTemplate, any Error>
    let description: ModelDescription
    /// Nil with the vocabulary alone.
    let memory: MemoryWatch?

    var vocabulary: Vocabulary { model.vocabulary }

    /// Opens the model and, for more than the vocabulary, a context that fits beside an encoder of `encoder` bytes.
    /// Without `file`, reads the header. Ends if `progress` returns false.
    init(
        _ options: EngineOptions, file: ModelFile?, machine: Machine, encoder: UInt64, servers: RemoteServers?,
        now: @escaping @Sendable () -> Duration, progress: (@Sendable (Double) -> Bool)?
    ) throws {
        let file = if let file, file.path == options.modelPath { file } else { try ModelFile(path: options.modelPath) }
        try file.requireWriter()
        let adapter = try options.adapterPath.map(ModelFile.init(adapter:))
        LlamaLibrary.start(logsToStandardError: options.logsToStandardError)
        let threads = machine.threads(options, file: file)
        if options.vocabularyOnly {
            model = try Model(path: file.path, reading: .vocabularyOnly)
            context = nil
            devices = Devices()
            memory = nil
            description = Self.describe(model, file, options, threads: threads, plan: nil)
        } else {
            let devices = try Devices(options, servers: servers)
            let memory = MemoryWatch(sample: machine.pressure)
            @Sendable func goesOn(_ share: Double) -> Bool { progress?(share) != false && !memory.isShort(at: now()) }
            func open(_ plan: MachinePlan, _ devices: borrowing Devices) throws -> Opened {
                var model = try Model(
                    path: file.path, reading: .whole, isRepacked: options.repacksWeights,
                    on: devices.handles(for: plan.footprint.placement)
                ) { share in
                    servers?.noteLoading(share)
                    return goesOn(share)
                }
                try Self.check(model)
                if let adapter { try model.adapt(by: adapter) }
                let threads = threads.beside(plan.footprint.placement)
                return Opened(
                    context: try LlamaContext(of: model, shape: plan.shape, threads: threads), model: model,
                    threads: threads)
            }
            let roomy =
                devices.all.isEmpty ? machine.roomyPlan(options, file: file, adapter: adapter, encoder: encoder) : nil
            var plan =
                try roomy
                ?? machine.plan(options, file: file, adapter: adapter, devices: devices.all, encoder: encoder)
            let opened: Opened
            do {
                opened = try open(plan, devices)
            } catch let error as PulseError
                where error.code == .tryAgain && !plan.footprint.isSimulated && devices.all.isEmpty && goesOn(0)
            {
                // Some models do not support the requested shape, whatever the memory: plan again by a dry run.
                plan = try machine.plan(options, file: file, adapter: adapter, encoder: encoder)
                opened = try open(plan, devices)
            } catch let error as PulseError
                where error.code == .tryAgain && plan.footprint.placement?.shares.isEmpty == false
                && plan.footprint.placement?.usesServers == false && goesOn(0)
            {
                // The GPU has less memory than it reports, or is broken: use the CPU.
                plan = try machine.plan(options, file: file, adapter: adapter, encoder: encoder)
                let reason = error.cause.map(Message.init(verbatim:)) ?? error.message
                plan.deviceFault = "the GPU could not load its layers: \(reason)"
                opened = try open(plan, devices)
            }
            servers?.noteLoading(1)
            description = Self.describe(opened.model, file, options, threads: opened.threads, plan: plan)
            model = opened.model
            context = opened.context
            self.memory = memory
            self.devices = devices
        }
        self.now = now
        template = Self.template(of: model, instead: options.chatTemplate)
    }

    /// A function, because Swift 6.3 destroys a template that was never made if the initialiser calls `Result` itself
    /// and then throws.
    private static func template(
        of model: borrowing Model, instead own: String?
    ) -> Result<ChatTemplate, any Error> {
        let (source, path, (beginning, end)) = (own ?? model.chatTemplate, model.path, model.vocabulary.spellings)
        return Result { try ChatTemplate(source: source, of: path, beginning: beginning, end: end) }
    }

    private struct Opened: ~Copyable {
        // Freed in this order.
        let context: LlamaContext?
        let model: Model
        let threads: ThreadChoice
    }

    /// Frees the context, which must not outlive its model.
    mutating func close() { context = nil }

    private static func describe(
        _ model: borrowing Model, _ file: ModelFile, _ options: EngineOptions, threads: ThreadChoice, plan: MachinePlan?
    ) -> ModelDescription {
        ModelDescription(
            name: model.metadata("general.name") ?? String(file.path.split(separator: "/").last ?? "model"),
            kind: model.kind, parameterCount: options.vocabularyOnly ? 0 : model.parameterCount, fileSize: file.size,
            fileType: model.metadata("general.file_type").flatMap { Int($0) },
            contextLength: plan?.contextLength
                ?? ContextRequest(options, trainedLength: model.trainedContextLength).length,
            vocabularySize: model.vocabulary.count, threads: threads.most, plan: plan)
    }

    private static func check(_ model: borrowing Model) throws {
        guard model.isDecoderOnly else {
            throw PulseError(
                .unavailable, "\(model.path) is not a model that writes text.",
                hint: "Choose an instruction-tuned one.")
        }
        // If the file names no end-of-text token, libllama assumes an id by the kind of tokenizer (llama-vocab.cpp),
        // which may be any letter. So an end counts only if the file names it, or if it is a control token.
        let isNamed = ["eos", "eot"].contains { model.metadata("tokenizer.ggml.\($0)_token_id") != nil }
        guard isNamed || model.vocabulary.ends.contains(where: model.vocabulary.isControl) else {
            throw PulseError(
                .unavailable,
                "The vocabulary of \(model.path) has no token that ends a text, so an answer would never end.",
                hint: "Choose another model.")
        }
    }

    func prompt(of messages: [ChatMessage]) throws -> TokenizedPrompt {
        TokenizedPrompt(try template.get().fill(messages), in: model.vocabulary)
    }

    /// See `Engine.measureSpeed`.
    mutating func measure(_ watch: Watch) throws -> EngineSpeed {
        try watch.check()
        context?.abortFlag.follow(.init { watch.verdict != nil })
        defer { context?.abortFlag.follow(nil) }
        do throws(DecodingFailure) {
            let (count, now) = (vocabulary.count, now)
            let speed = try context?.measure(vocabulary: count, now: now)
            if let speed { return speed }
        } catch {
            try watch.check()
            throw error.error
        }
        throw vocabularyOnly
    }

    /// Answers the requests in one batch. Events are delivered on this thread, while the library waits.
    mutating func answer(
        _ requests: [GenerationRequest], isReadAlong: Bool, watch: Watch, deliver: (Int, GenerationEvent) -> Void
    ) throws -> [Completion] {
        try watch.check()
        guard let context = context.take() else { throw vocabularyOnly }
        context.abortFlag.follow(.init { watch.verdict != nil })
        var scheduler = Scheduler(
            context: context, vocabulary: model.vocabulary, isReadAlong: isReadAlong, watch: watch, now: now)
        let result = Result { try scheduler.run(try slots(for: requests, in: scheduler.context), deliver: deliver) }
        scheduler.context.abortFlag.follow(nil)
        self.context = scheduler.takeContext()
        return try result.get()
    }

    private var vocabularyOnly: PulseError {
        PulseError(.bug, "Only the vocabulary of \(model.path) was read.", hint: "Open the whole model to generate.")
    }

    /// One slot for each request. Throws for prompts that could never fit, before anything is computed.
    private func slots(for requests: [GenerationRequest], in context: borrowing LlamaContext) throws -> [Slot] {
        let (length, candidates) = (context.shape.length, Sampler.Candidates())
        var slots: [Slot] = []
        for (number, request) in requests.enumerated() {
            let prompt = try prompt(of: request.messages)
            guard prompt.tokens.count < length else {
                throw PulseError(
                    .usage,
                    "The prompt has \(prompt.tokens.count) tokens; prompt and answer together can have \(length).",
                    hint: "Shorten the text, raise --context, or choose a model with a longer context.")
            }
            slots.append(
                try Slot(
                    number, request, prompt: prompt, room: length - prompt.tokens.count,
                    maxRewindableLength: context.maxRewindableLength, vocabulary: model.vocabulary,
                    candidates: candidates))
        }
        return slots
    }
}
