/// A language model at work: opened once, asked for token counts and texts. Whatever it does, libllama is called on
/// one thread of its own, and nothing interleaves.
public actor Engine {
    /// What was opened.
    public nonisolated let model: ModelDescription

    private var session: Session
    private nonisolated let thread: PinnedThread
    private nonisolated let now: @Sendable () -> Duration
    private nonisolated let memory: MemoryWatch?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Opens a model. `progress` is told the share that is loaded, 0...1, on the engine's thread.
    public static func load(
        _ options: EngineOptions, progress: (@Sendable (Double) -> Void)? = nil
    ) async throws(EngineError) -> Engine {
        let clock = SuspendingClock()
        let origin = clock.now
        return try await load(options, progress: progress, recorder: nil) { origin.duration(to: clock.now) }
    }

    /// `recorder` hears of every call into the library; `now` is the time since some fixed moment.
    static func load(
        _ options: EngineOptions, progress: (@Sendable (Double) -> Void)? = nil, recorder: CallRecorder?,
        machine: Machine = Machine(), now: @escaping @Sendable () -> Duration
    ) async throws(EngineError) -> Engine {
        let thread = PinnedThread()
        return try await thread.run { () throws(EngineError) in
            let session = try Session(
                options, machine: machine, recorder: recorder, now: now, progress: progress)
            return Engine(session, on: thread, now: now)
        }
    }

    private init(_ session: consuming Session, on thread: PinnedThread, now: @escaping @Sendable () -> Duration) {
        model = session.description
        memory = session.memory
        self.session = session
        self.thread = thread
        self.now = now
    }

    // Isolated, so that the handles are freed on the thread they were made on.
    isolated deinit {}

    /// Hands `body` a counter of tokens: how many the model's own tokenizer makes of a text, as data and without the
    /// chat template. `body` runs on the engine's thread.
    public func countingTokens<Value: Sendable>(_ body: @Sendable ((String) -> Int) -> Value) -> Value {
        let vocabulary = session.vocabulary
        return body { vocabulary.tokens(following: $0, as: .data).count }
    }

    /// How many tokens a prompt of these messages has, the chat template's included.
    public func promptTokens(of messages: [ChatMessage]) throws(EngineError) -> Int {
        try session.prompt(of: messages).tokens.count
    }

    /// Answers the requests together, as many at once as there are sequences; the others wait for a place. What the
    /// prompts share at the front is read once. The first prompt is read first, and its answer begins at once; the
    /// other prompts are read beside it.
    ///
    /// `deliver` is told of each event and of the number of the request it belongs to, synchronously and on the
    /// engine's thread: while it runs, nothing is computed. Events of one request come in their order, those of
    /// different requests interleave. Cancelling the task ends the generation within a token, inside the reading of a
    /// long prompt too. Throws `.cancelled`, `.stalled`,
    /// `.outOfTime`, and what keeps a prompt from being read; what was delivered until then stands.
    ///
    /// Greedy text does not depend on what else is in the batch, but for the last bits of the arithmetic: where two
    /// tokens are as probable to within those, either may be chosen.
    ///
    /// - Returns: The completions, in the order of the requests.
    public func generate(
        _ requests: [GenerationRequest], deadlines: Deadlines = .none,
        deliver: @Sendable (Int, GenerationEvent) -> Void
    ) async throws(EngineError) -> [Completion] {
        guard !requests.isEmpty else { return [] }
        let watch = Watch(deadlines, memory: memory, now: now)
        let result = await withTaskCancellationHandler {
            Result { () throws(EngineError) in try session.answer(requests, watch: watch, deliver: deliver) }
        } onCancel: {
            watch.cancel()
        }
        return try result.get()
    }
}
