/// An open model and its working memory. It lives on the engine's thread, and everything the library is asked for is
/// asked here. Not Sendable, so the compiler keeps it where it is.
import CLlama

struct Session: ~Copyable {
    // Freed in this order: a context must not outlive its model.
    private var context: Context?
    private let model: Model
    private let recorder: CallRecorder?
    private let now: @Sendable () -> Duration
    let description: ModelDescription
    /// Whether the machine can still go on; nil where nothing is computed.
    let memory: MemoryWatch?

    var vocabulary: Vocabulary { model.vocabulary }

    /// Opens the model and, unless only its vocabulary is wanted, a context that fits the machine.
    init(
        _ options: EngineOptions, machine: Machine, recorder: CallRecorder?, now: @escaping @Sendable () -> Duration,
        progress: (@Sendable (Double) -> Void)?
    ) throws(EngineError) {
        let file = try machine.open(options.modelPath)
        recorder?.note(.start)
        Library.start(logsToStandardError: options.logsToStandardError)
        let threads = machine.threads(options, file: file)
        if options.vocabularyOnly {
            model = try Model(path: file.path, reading: .vocabularyOnly, recorder: recorder, progress: nil)
            context = nil
            memory = nil
            description = Self.describe(model, file, options, threads: threads, plan: nil)
        } else {
            let plan = try machine.plan(options, file: file, threads: threads, recorder: recorder)
            let memory = MemoryWatch(sample: machine.pressure)
            let model = try Model(path: file.path, reading: .whole, recorder: recorder) { share in
                progress?(share)
                return !memory.isShort(at: now())
            }
            try Self.check(model)
            context = try Context(of: model, shape: plan.shape, threads: threads, recorder: recorder)
            description = Self.describe(model, file, options, threads: threads, plan: plan)
            self.memory = memory
            self.model = model
        }
        self.recorder = recorder
        self.now = now
    }

    private static func describe(
        _ model: borrowing Model, _ file: ModelFile, _ options: EngineOptions, threads: ThreadChoice,
        plan: MachinePlan?
    ) -> ModelDescription {
        let wish = ContextWish(options, trainedLength: model.trainedContextLength)
        return ModelDescription(
            name: model.metadata("general.name") ?? String(file.path.split(separator: "/").last ?? "model"),
            architecture: model.metadata("general.architecture") ?? "",
            kind: model.kind,
            parameterCount: options.vocabularyOnly ? 0 : model.parameterCount,
            fileSize: file.size,
            trainedContextLength: model.trainedContextLength,
            contextLength: plan?.contextLength ?? wish.length,
            vocabularySize: model.vocabulary.count,
            hasChatTemplate: model.chatTemplate != nil,
            threads: threads.most,
            plan: plan)
    }

    private static func check(_ model: borrowing Model) throws(EngineError) {
        guard model.isDecoderOnly else {
            throw EngineError(
                .modelUnsupported, "\(model.path) is no text generation model. Choose an instruction-tuned one.")
        }
        // Where the file names no end, libllama takes a number by the tokenizer's kind (llama-vocab.cpp), which may
        // be any letter: an end counts if the file names it, or if it is a marker.
        let isNamed = ["eos", "eot"].contains { model.metadata("tokenizer.ggml.\($0)_token_id") != nil }
        guard isNamed || model.vocabulary.ends.contains(where: model.vocabulary.isControl) else {
            throw EngineError(
                .noEndOfText,
                "The vocabulary of \(model.path) has no token that ends a text, so an answer would never end. Choose another model."
            )
        }
    }

    /// The messages as the model will read them.
    func prompt(of messages: [ChatMessage]) throws(EngineError) -> Prompt {
        guard let source = model.chatTemplate else {
            throw EngineError(
                .noChatTemplate,
                "\(model.path) carries no chat template, so it cannot be told what to do. Choose an instruction-tuned model."
            )
        }
        recorder?.note(.applyTemplate)
        return Prompt(try ChatTemplate(source: source).pieces(for: messages), in: model.vocabulary)
    }

    /// Answers the requests together. Events are delivered on this thread, while the library waits.
    mutating func answer(
        _ requests: [GenerationRequest], watch: Watch, deliver: (Int, GenerationEvent) -> Void
    ) throws(EngineError) -> [Completion] {
        try watch.check()
        guard let context = context.take() else {
            throw EngineError(
                .vocabularyOnly, "Only the vocabulary of \(model.path) was read. Open the whole model to generate.")
        }
        context.abortSwitch.follow(watch)
        var scheduler = Scheduler(context: context, vocabulary: model.vocabulary, watch: watch, now: now)
        let result = Result { () throws(EngineError) in
            try scheduler.run(try lanes(for: requests, in: scheduler.context), deliver: deliver)
        }
        scheduler.context.abortSwitch.follow(nil)
        self.context = scheduler.release()
        return try result.get()
    }

    /// One lane a request. Prompts that could never fit are found before anything is computed.
    private func lanes(
        for requests: [GenerationRequest], in context: borrowing Context
    ) throws(EngineError) -> [Lane] {
        var lanes: [Lane] = []
        let candidates = Sampler.Candidates()
        for (number, request) in requests.enumerated() {
            let prompt = try prompt(of: request.messages)
            let room = context.shape.length - prompt.tokens.count
            guard room > 0 else {
                throw EngineError(
                    .promptTooLong,
                    "The prompt has \(prompt.tokens.count) tokens, and the model holds \(context.shape.length) with its answer. Give it less, or choose a model with a longer context."
                )
            }
            lanes.append(
                try Lane(
                    number, request, prompt: prompt, room: room, mayGuess: context.isDivisible,
                    vocabulary: model.vocabulary, candidates: candidates, recorder: recorder))
        }
        return lanes
    }
}
