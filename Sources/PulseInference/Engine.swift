import CLlama
public import PulseCore

/// An open language model, which counts tokens and generates texts. All calls into libllama come from one thread.
public actor Engine {
    /// The open model.
    public nonisolated let model: ModelDescription

    private var session: Session
    private nonisolated let thread: PinnedThread
    private nonisolated let now: @Sendable () -> Duration
    private nonisolated let memory: MemoryWatch?
    private nonisolated let servers: RemoteServers?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Opens a model. `progress` gets the loaded share, 0...1, on the engine's thread. Cancelling the task ends it.
    ///
    /// Throws `.unavailable` (the file), `.tryAgain` (memory, or an RPC server does not answer) or `.interrupted`.
    ///
    /// - Parameters:
    ///   - file: The model's file, if the caller has read its header; nil: it is read here.
    ///   - encoder: Opened with the model, unless memory is too short (`MachinePlan.Concession.encoder`); nil: none.
    public static func load(
        _ options: EngineOptions, file: ModelFile? = nil, beside encoder: Encoder? = nil,
        progress: (@Sendable (Double) -> Void)? = nil
    ) async throws -> Engine {
        let clock = SuspendingClock()
        let origin = clock.now
        return try await load(
            options, file: file, beside: encoder, progress: progress, on: encoder?.thread ?? .shared
        ) {
            origin.duration(to: clock.now)
        }
    }

    /// - Parameter now: The time since a fixed moment.
    static func load(
        _ options: EngineOptions, file: ModelFile? = nil, beside encoder: Encoder? = nil,
        progress: (@Sendable (Double) -> Void)? = nil, on thread: PinnedThread = PinnedThread(),
        machine: Machine = Machine(), now: @escaping @Sendable () -> Duration
    ) async throws -> Engine {
        // Counting tokens needs no servers.
        let servers = RemoteServers(options.vocabularyOnly ? [] : options.servers)
        let watch = Watch(.none, now: now)
        let load = { @Sendable in
            let session = try Session(
                options, file: file, machine: machine, encoder: encoder?.memory ?? 0, servers: servers, now: now
            ) { share in
                progress?(share)
                return watch.verdict == nil
            }
            if let plan = session.description.plan { try encoder?.follow(plan) }
            let engine = Engine(session, on: thread, servers: servers, now: now)
            // The task may have been cancelled too late to stop the load.
            try watch.check()
            return engine
        }
        do {
            return try await withTaskCancellationHandler {
                guard let servers else { return try await thread.run(load) }
                return try await servers.result(overdue: watch.overdue(by: 10)) { try await thread.run(load) }
            } onCancel: {
                watch.cancel()
            }
        } catch {
            // A stopped load fails with another error.
            try watch.check()
            throw error
        }
    }

    private init(
        _ session: consuming Session, on thread: PinnedThread, servers: RemoteServers?,
        now: @escaping @Sendable () -> Duration
    ) {
        model = session.description
        memory = session.memory
        self.session = session
        self.thread = thread
        self.servers = servers
        self.now = now
    }

    // Isolated, so that the handles are freed on the thread they were made on.
    isolated deinit { session.close() }

    /// The number of a text's tokens, read as data and without the chat template. Waits for the engine's thread.
    public nonisolated func tokens(of text: String) -> Int {
        thread.sync { self.assumeIsolated { $0.session.vocabulary.tokens(following: text, as: .data).count } }
    }

    /// The number of a prompt's tokens, including the chat template's.
    public func promptTokens(of messages: [ChatMessage]) throws -> Int { try session.prompt(of: messages).tokens.count }

    /// The tokens of an answer with this text and its end token, for a `GenerationRequest.chooser` that writes it. With
    /// `marksCount`, markers spelled out in the text become control tokens.
    package func answerTokens(_ text: String, marksCount: Bool = false) -> [Int32] {
        session.vocabulary.tokens(following: text, as: marksCount ? .markup : .data) + session.vocabulary.ends.prefix(1)
    }

    /// Measures prefill and decoding, with arbitrary tokens. Clears the KV cache. Cancelling the task ends it.
    public func measureSpeed() async throws -> EngineSpeed {
        let watch = Watch(.none, memory: memory, now: now)
        return try await withTaskCancellationHandler {
            try session.measure(watch)
        } onCancel: {
            watch.cancel()
        }
    }

    /// Answers the requests together, as many at once as there are sequences. A prefix that prompts share is read once.
    /// The first answer begins as soon as its prompt is read; the other prompts are read beside it.
    ///
    /// With `isReadAlong`, few answers are written at once at first, and more as the text gets ahead of the reader.
    /// This takes longer in total.
    ///
    /// `deliver` is called with each event and its request's number, synchronously on the engine's thread: while it
    /// runs, nothing is computed. Events of one request come in their order, those of others interleave. Cancelling the
    /// task ends it within a token, also while a long prompt is read. Events before an error stay valid.
    ///
    /// Greedy text does not depend on what else is in the batch, unless two tokens are equally probable to within
    /// floating-point precision.
    ///
    /// Once an RPC server is lost, this and every later call throws.
    ///
    /// - Returns: The completions, in the order of the requests.
    /// - Throws: `.interrupted` when the task was cancelled, `.tryAgain` when a deadline passed or memory ran out,
    ///   `.usage` when a prompt does not fit the context, `.unavailable` when the model has no usable chat template.
    public nonisolated func generate(
        _ requests: [GenerationRequest], isReadAlong: Bool = false, deadlines: Deadlines = .none,
        deliver: @escaping @Sendable (Int, GenerationEvent) -> Void
    ) async throws -> [Completion] {
        guard !requests.isEmpty else { return [] }
        let watch = Watch(deadlines, memory: memory, now: now)
        let work = { @Sendable in
            try await self.answer(requests, isReadAlong: isReadAlong, watch: watch, deliver: deliver)
        }
        return try await withTaskCancellationHandler {
            guard let servers else { return try await work() }
            // The library checks for cancellation only when it computes on the CPU.
            return try await servers.result(overdue: watch.overdue(by: 10), work)
        } onCancel: {
            watch.cancel()
        }
    }

    private func answer(
        _ requests: [GenerationRequest], isReadAlong: Bool, watch: Watch, deliver: (Int, GenerationEvent) -> Void
    ) throws -> [Completion] {
        try session.answer(requests, isReadAlong: isReadAlong, watch: watch, deliver: deliver)
    }

    // MARK: - Before a model is opened

    /// What `load` would do with a model on this machine. Made without reading weights.
    public struct Inspection: Sendable {
        public var budget: MemoryBudget
        /// Nil if the model's file cannot be opened.
        public var threads: ThreadChoice?
        public var plan: Result<MachinePlan, PulseError>
    }

    /// Inspects the model and the machine as `load` does.
    public static func inspect(_ options: EngineOptions) async -> Inspection {
        let machine = Machine()
        let budget = machine.budget()
        let servers = RemoteServers(options.servers)
        let thread = PinnedThread.shared
        let inspect = { @Sendable () -> Inspection in
            var threads: ThreadChoice?
            let plan = Result {
                let file = try ModelFile(path: options.modelPath)
                try file.requireWriter()
                _ = try ChatTemplate(source: options.chatTemplate ?? file.chatTemplate, of: file.path)
                let adapter = try options.adapterPath.map(ModelFile.init(adapter:))
                LlamaLibrary.start(logsToStandardError: options.logsToStandardError)
                threads = machine.threads(options, file: file)
                let devices = try Devices(options, servers: servers)
                let plan = try machine.plan(options, file: file, adapter: adapter, devices: devices.all)
                threads = threads?.beside(plan.footprint.placement)
                return plan
            }
            return Inspection(budget: budget, threads: threads, plan: plan.mapError(\.asPulseError))
        }
        guard let servers else { return await thread.run(inspect) }
        do {
            return try await servers.result { await thread.run(inspect) }
        } catch {
            return Inspection(budget: budget, threads: nil, plan: .failure(error.asPulseError))
        }
    }

    /// The library's description of itself.
    public static func library() async -> LlamaDescription {
        await PinnedThread.shared.run {
            LlamaLibrary.start(logsToStandardError: false)
            return LlamaDescription(
                version: String(cString: llama_version()), features: String(cString: llama_print_system_info()))
        }
    }

    /// Requantizes a model to `Q8_0` in the file `copy`. False if that failed; an incomplete file may be left.
    public static func rewrite(_ path: String, to copy: String) async -> Bool {
        await PinnedThread.shared.run {
            LlamaLibrary.start(logsToStandardError: false)
            var parameters = llama_model_quantize_default_params()
            parameters.ftype = LLAMA_FTYPE_MOSTLY_Q8_0
            parameters.allow_requantize = true
            parameters.nthread = Int32(Processors.current().usable)
            // llama.h: "Returns 0 on success".
            return llama_model_quantize(path, copy, &parameters) == 0
        }
    }
}

/// The installed inference library.
public struct LlamaDescription: Sendable {
    public var version: String
    /// Its build features in its own words: `CPU : SSE3 = 1 | AVX2 = 1 | …`.
    public var features: String
}

/// A model's metadata, and how the engine opened it.
public struct ModelDescription: Sendable, Hashable {
    /// `general.name`, or the file's name.
    public var name: String
    /// libllama's one line about kind, size and quantisation.
    public var kind: String
    /// Weights; 0 when only the vocabulary was read.
    public var parameterCount: UInt64
    /// Bytes on disk.
    public var fileSize: UInt64
    /// The `llama_ftype` of most of the weights; nil: the file does not say.
    public var fileType: Int?
    /// Tokens this engine holds at once, prompt and answer together.
    public var contextLength: Int
    public var vocabularySize: Int
    /// Threads that compute, at most: while other programs need the cores there may be fewer.
    public var threads: Int
    /// How it was made to fit the machine; nil when only the vocabulary was read.
    public var plan: MachinePlan?
}
