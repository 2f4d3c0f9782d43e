import PulseCore
import PulseDigest
import PulseInference
import PulseModels

/// The model a command works with: chosen, loaded, and asked.
struct LanguageModel {
    let engine: Engine
    let file: ResolvedModel
    let loadTime: Duration
    private let context: Context
    private let files: ModelFiles
    private var settings: Settings { context.settings }

    /// Loads a model.
    ///
    /// - Parameters:
    ///   - vocabularyOnly: Loads no weights: prompts can be counted and nothing can be written.
    init(
        _ file: ResolvedModel, of files: ModelFiles, for context: Context, vocabularyOnly: Bool, status: StatusLine
    ) async throws(Failure) {
        let settings = context.settings
        status.show(context.messages.loading(file.name))
        let clock = ContinuousClock()
        let start = clock.now
        let options = EngineOptions(
            modelPath: file.path, contextLength: settings.contextLength, threads: settings.threads,
            vocabularyOnly: vocabularyOnly, logsToStandardError: settings.isVerbose)
        do {
            engine = try await Engine.load(options) { fraction in
                status.show("\(context.messages.loading(file.name)) \(Int(fraction * 100)) %")
            }
        } catch {
            status.clear()
            throw Failure(error)
        }
        status.clear()
        loadTime = clock.now - start
        PlanNote(engine.model.plan).tell(context)
        self.file = file
        self.files = files
        self.context = context
        let model = engine.model
        context.explain(
            "model: \(file.path), \(model.kind), context of \(model.contextLength) tokens, "
                + "\(model.threads) \(model.threads == 1 ? "thread" : "threads")")
    }

    /// The context's tokens, where they are fewer than were wished for because memory was short.
    var shortage: Int? {
        let isShort = engine.model.plan?.sacrifices.contains { if case .length = $0 { true } else { false } } ?? false
        return isShort ? engine.model.contextLength : nil
    }

    // MARK: - Counting

    /// Counts tokens with the model's own tokenizer, on the engine's thread.
    ///
    /// - Parameter body: Is handed the number of tokens of a whole prompt, and that of a text.
    func counting<Result: Sendable>(
        _ body: @escaping @Sendable (_ measure: (Prompt) -> Int, _ count: (String) -> Int) -> Result
    ) async throws(Failure) -> Result {
        let frame: Int
        do {
            frame = try await engine.promptTokens(of: Prompt(system: "", user: "").messages)
        } catch {
            throw Failure(error)
        }
        return await engine.countingTokens { count in
            // Each message is tokenised by itself, so the parts add up.
            body({ frame + count($0.system) + count($0.user) }, count)
        }
    }

    /// The largest prompt that leaves room for the answer.
    func promptLimit() throws(Failure) -> Int {
        let context = engine.model.contextLength
        let limit = context - settings.maximumTokens
        // Half of the context for the prompt is little; less would leave a digest without its articles.
        guard limit >= min(256, context / 2) else {
            throw Failure(
                .usage,
                "--max-tokens \(settings.maximumTokens) leaves no room for a prompt in a context of \(context) tokens. "
                    + "Lower it, or raise --context.")
        }
        return limit
    }

    /// What is to be said where not even the shortest prompt fits.
    var tooSmall: Failure {
        Failure(
            .usage,
            "A context of \(engine.model.contextLength) tokens is too small for the prompt. Raise --context, or lower "
                + "--max-tokens.")
    }

    // MARK: - Writing

    /// Has the model answer the prompts, as many at once as fit.
    ///
    /// - Parameter hear: Is called with the prompt's number and what happens, on the caller's task, in its order; what
    ///   it throws ends the work.
    func write(
        _ prompts: [Prompt], hear: (Int, GenerationEvent) throws(Failure) -> Void
    ) async throws(Failure) {
        let requests = prompts.map {
            GenerationRequest(
                messages: $0.messages, maximumTokens: settings.maximumTokens, sampling: settings.sampling)
        }
        let deadlines = Deadlines(stall: settings.stallTimeout, overall: settings.timeout)
        let (events, feed) = AsyncStream.makeStream(of: (Int, GenerationEvent).self)
        let engine = engine
        let work = Task { () -> Result<[Completion], EngineError> in
            defer { feed.finish() }
            do throws(EngineError) {
                return .success(
                    try await engine.generate(requests, deadlines: deadlines) { index, event in
                        feed.yield((index, event))
                    })
            } catch {
                return .failure(error)
            }
        }
        let fault = await withTaskCancellationHandler {
            for await (index, event) in events {
                do throws(Failure) {
                    try hear(index, event)
                } catch {
                    work.cancel()
                    return error as Failure?
                }
            }
            return nil
        } onCancel: {
            work.cancel()
        }
        let result = await work.value
        if let fault { throw fault }
        do {
            _ = try result.get()
        } catch {
            throw Failure(error)
        }
    }
}

extension Prompt {
    /// The prompt in the engine's terms.
    var messages: [ChatMessage] {
        [ChatMessage(role: .system, text: system), ChatMessage(role: .user, text: user)]
    }
}
