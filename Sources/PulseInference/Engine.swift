public import PulseCore

/// A language model at work: opened once, asked for token counts and texts. All calls into libllama come from one
/// thread of the engine's own, one after another.
public actor Engine {
    /// What was opened.
    public nonisolated let model: ModelDescription

    private var session: Session
    private nonisolated let thread: PinnedThread
    private nonisolated let now: @Sendable () -> Duration
    private nonisolated let memory: MemoryWatch?
    private nonisolated let servers: RemoteServers?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Opens a model. `progress` is called with the share that is loaded, 0...1, on the engine's thread. Cancelling the
    /// task ends it.
    ///
    /// - Parameter encoder: Is planned and opened with it, on the same thread; where memory is too short for both, it
    ///   is left out (`MachinePlan.Concession.encoder`). Nil: there is none.
    public static func load(
        _ options: EngineOptions, beside encoder: Encoder? = nil, progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(PulseError) -> Engine {
        let clock = SuspendingClock()
        let origin = clock.now
        return try await load(options, beside: encoder, progress: progress, on: encoder?.thread ?? PinnedThread()) {
            origin.duration(to: clock.now)
        }
    }

    /// `now` is the time since some fixed moment.
    static func load(
        _ options: EngineOptions, beside encoder: Encoder? = nil, progress: (@Sendable (Double) -> Void)? = nil,
        on thread: PinnedThread = PinnedThread(), machine: Machine = Machine(), now: @escaping @Sendable () -> Duration
    ) async throws(PulseError) -> Engine {
        // To count tokens, no other machine is asked.
        let servers = RemoteServers(options.vocabularyOnly ? [] : options.servers)
        let watch = Watch(.none, now: now)
        let load = { @Sendable () throws(PulseError) in
            let session = try Session(
                options, machine: machine, encoder: encoder?.memory ?? 0, servers: servers, now: now
            ) { share in
                progress?(share)
                return watch.verdict == nil
            }
            if let plan = session.description.plan { try encoder?.follow(plan) }
            return Engine(session, on: thread, servers: servers, now: now)
        }
        let result = await withTaskCancellationHandler {
            guard let servers else { return await thread.run { Result(catching: load) } }
            return await servers.result(overdue: watch.overdue(by: 10)) { await thread.run { Result(catching: load) } }
        } onCancel: {
            watch.cancel()
        }
        try watch.check()
        return try result.get()
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

    /// Hands `body` a counter of tokens: how many the model's own tokenizer makes of a text, as data and without the
    /// chat template. `body` runs on the engine's thread.
    public func countingTokens<Value: Sendable>(_ body: @Sendable ((String) -> Int) -> Value) -> Value {
        let vocabulary = session.vocabulary
        return body { vocabulary.tokens(following: $0, as: .data).count }
    }

    /// How many tokens a prompt of these messages has, the chat template's included.
    public func promptTokens(of messages: [ChatMessage]) throws(PulseError) -> Int {
        try session.prompt(of: messages).tokens.count
    }

    /// The tokens of an answer with this text, the one that ends it included: for a `GenerationRequest.chooser` that
    /// writes a given text.
    ///
    /// - Parameter marksCount: Whether what is spelled like a marker is one.
    package func answerTokens(_ text: String, marksCount: Bool = false) -> [Int32] {
        session.vocabulary.tokens(following: text, as: marksCount ? .markup : .data) + session.vocabulary.ends.prefix(1)
    }

    /// Measures how fast the model reads and writes, with tokens that mean nothing: what is computed is the same.
    /// Whatever the engine held of earlier prompts is gone afterwards. Cancelling the task ends it.
    public nonisolated func measureSpeed() async throws(PulseError) -> EngineSpeed {
        let watch = Watch(.none, memory: memory, now: now)
        let result = await withTaskCancellationHandler {
            await self.measure(watch)
        } onCancel: {
            watch.cancel()
        }
        return try result.get()
    }

    private func measure(_ watch: Watch) -> Result<EngineSpeed, PulseError> {
        Result { () throws(PulseError) in try session.measure(watch) }
    }

    /// Answers the requests together, as many at once as there are sequences; the others wait. A prefix that prompts
    /// share is read once. The first prompt is read first, and its answer begins at once; the other prompts are read
    /// beside it.
    ///
    /// Where somebody reads the answers in their order while they are written, few are written at once at first, and
    /// more as they get ahead of the reader. All of them together take longer then.
    ///
    /// `deliver` is called with each event and the number of the request it belongs to, synchronously and on the
    /// engine's thread: while it runs, nothing is computed. Events of one request come in their order, those of
    /// different requests interleave. Cancelling the task ends the generation within a token, also while a long prompt
    /// is read. What was delivered before an error stands.
    ///
    /// Greedy text does not depend on what else is in the batch, except for the last bits of the arithmetic: where two
    /// tokens are as probable to within those, either may be chosen.
    ///
    /// Where an RPC server is lost, the engine has come to its end: this throws, and every later call does.
    ///
    /// - Returns: The completions, in the order of the requests.
    /// - Throws: `.interrupted` when the task was cancelled, `.tryAgain` when a deadline passed or memory ran out,
    ///   `.usage` when a prompt does not fit the context, `.unavailable` when the model has no usable chat template.
    public nonisolated func generate(
        _ requests: [GenerationRequest], isReadAlong: Bool = false, deadlines: Deadlines = .none,
        deliver: @escaping @Sendable (Int, GenerationEvent) -> Void
    ) async throws(PulseError) -> [Completion] {
        guard !requests.isEmpty else { return [] }
        let watch = Watch(deadlines, memory: memory, now: now)
        let work = { @Sendable in
            await self.answer(requests, isReadAlong: isReadAlong, watch: watch, deliver: deliver)
        }
        let result = await withTaskCancellationHandler {
            guard let servers else { return await work() }
            // The library asks whether to stop only where it computes with the processor.
            return await servers.result(overdue: watch.overdue(by: 10), work)
        } onCancel: {
            watch.cancel()
        }
        return try result.get()
    }

    private func answer(
        _ requests: [GenerationRequest], isReadAlong: Bool, watch: Watch, deliver: (Int, GenerationEvent) -> Void
    ) -> Result<[Completion], PulseError> {
        Result { () throws(PulseError) in
            try session.answer(requests, isReadAlong: isReadAlong, watch: watch, deliver: deliver)
        }
    }
}

/// What a model file says about itself, and how the engine opened it.
public struct ModelDescription: Sendable, Hashable {
    /// `general.name`, or the file's name.
    public var name: String
    /// libllama's one line about kind, size and quantisation.
    public var kind: String
    /// Weights; 0 when only the vocabulary was read.
    public var parameterCount: UInt64
    /// Bytes on disk.
    public var fileSize: UInt64
    /// What most of the weights are, as `llama_ftype` numbers it; nil: the file does not say.
    public var fileType: Int?
    /// Tokens this engine holds at once, prompt and answer together.
    public var contextLength: Int
    public var vocabularySize: Int
    /// Threads that compute, at most: while other programs need the cores there may be fewer.
    public var threads: Int
    /// How it was made to fit the machine; nil when only the vocabulary was read.
    public var plan: MachinePlan?
}
