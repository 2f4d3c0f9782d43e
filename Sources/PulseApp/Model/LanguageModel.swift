package import PulseCore
import PulseDigest
package import PulseInference
package import PulseModels
import Synchronization

/// The model a command works with: chosen, loaded, and asked.
package struct LanguageModel {
    package let engine: Engine
    package let file: ResolvedModel
    package let loadTime: Duration
    private let settings: ModelSettings
    let weights: WeightsChoice

    /// - Parameters:
    ///   - header: The model's file, if its header was read before.
    ///   - encoder: Opened with it, if memory suffices for both.
    ///   - cache: The folder with the measurements of its weights.
    ///   - isReadAlong: Whether somebody reads the answers in their order while they are written.
    ///   - vocabularyOnly: Loads no weights: prompts can be counted and nothing can be written.
    package init(
        _ file: ResolvedModel, header: ModelFile? = nil, settings: ModelSettings, beside encoder: Encoder? = nil,
        cache: String, isReadAlong: Bool = false, vocabularyOnly: Bool = false, reporter: Reporter
    ) async throws {
        let loading: Message = "Loading \(file.name)…"
        reporter.show(loading)
        let start = ContinuousClock.now
        defer { reporter.clear() }
        func open(_ options: EngineOptions) async throws -> Engine {
            var options = options
            options.vocabularyOnly = vocabularyOnly
            options.logsToStandardError = settings.isLogged
            if isReadAlong {
                options.sequences = Self.readAlongSequences
                options.contextLimit = max(Self.readAlongContext, 2 * settings.maximumTokens)
            }
            return try await Engine.load(options, file: header, beside: encoder) { fraction in
                reporter.show("\(loading) \(Int(fraction * 100)) %")
            }
        }
        weights = await WeightsChoice(for: file, settings: settings, cache: cache)
        var options = weights.options
        do {
            engine = try await open(options)
        } catch let error as PulseError where options.modelPath != file.path && error.code != .interrupted {
            reporter.detail("the rewritten weights cannot be used: \(error)")
            options = settings.engine(of: file)
            engine = try await open(options)
        }
        reporter.clear()
        loadTime = ContinuousClock.now - start
        for concession in engine.model.plan?.concessions ?? [] {
            let line: Message = "Memory is short: \(concession.text)."
            // The user is told of concessions that lose text; the others cost time, or very little quality.
            switch concession {
            case .length, .encoder: reporter.note(line)
            case .cacheType, .sequences: reporter.detail(line.description)
            }
        }
        if let fault = engine.model.plan?.deviceFault {
            reporter.note("The processor computes every layer: \(fault)")
        }
        self.file = file
        self.settings = settings
        let model = engine.model
        reporter.detail(
            "model: \(file.path), \(model.kind), context of \(model.contextLength) tokens, "
                + "\(Counted.text(model.threads, "thread", "threads")), \((model.plan?.footprint.placement).devices)")
        reporter.detail("weights: \(options.repacksWeights ? "rearranged" : "mapped"), of \(options.modelPath)")
    }

    // The system clears the memory of the KV cache page by page before the first token is read: for 8192 tokens of a
    // model of a billion weights, 0.15 s on an idle machine, and up to 0.8 s on one whose memory is full. Half as
    // many answers at once are still more than a fast reader reads; the longest prompt, a summary's, has 3,200 tokens.
    private static let readAlongSequences = EngineOptions.defaultSequences / 2
    private static let readAlongContext = 4096

    // MARK: - Counting

    func tokenCounter() async throws -> TokenCounter {
        let frame = try await engine.promptTokens(of: Prompt(system: "", user: "").messages)
        return TokenCounter(frame: frame) { [engine] text in engine.tokens(of: text) }
    }

    /// The largest prompt that leaves room for the answer.
    func promptLimit() throws -> Int {
        let context = engine.model.contextLength
        let limit = context - settings.maximumTokens
        // With fewer than 256 tokens, or half of a small context, a digest would lack its articles.
        guard limit >= min(256, context / 2) else {
            // The file's own fault: the publications are quoted.
            if settings.contextLength == nil, context < Self.leastContext {
                throw PulseError(
                    .unavailable, "A context of \(context) tokens is too small for the prompt.",
                    hint: "Choose another model.")
            }
            throw PulseError(
                .usage,
                "--max-tokens \(settings.maximumTokens) leaves no room for a prompt in a context of \(context) tokens.",
                hint: "Lower it, or raise --context.")
        }
        return limit
    }

    /// A model whose context has fewer tokens is of no use, whatever the options.
    private static let leastContext = 512

    /// The error if not even the shortest prompt fits.
    var tooSmall: PulseError {
        PulseError(
            .usage, "A context of \(engine.model.contextLength) tokens is too small for the prompt.",
            hint: "Raise --context, or lower --max-tokens.")
    }

    // MARK: - Writing

    /// Has the model answer the prompts, as many at once as fit.
    ///
    /// An answer of which nothing can be shown is sampled again if that may help (`AnswerInProgress.beginAgain`),
    /// unless the reader is waiting for it.
    ///
    /// - Parameter onEvent: Called with the prompt's number and the event, on the caller's task, in order; an error
    ///   that it throws ends the work.
    func write(
        _ questions: [(prompt: Prompt, answer: AnswerInProgress)], isReadAlong: Bool,
        onEvent: (Int, GenerationEvent) throws -> Void
    ) async throws {
        let line = Mutex(Set(questions.indices))
        let requests = questions.enumerated().map { number, question in
            GenerationRequest(
                messages: question.prompt.messages, maximumTokens: settings.maximumTokens,
                sampling: settings.sampling, isEnough: question.answer.add
            ) { [answer = question.answer, sampling = settings.sampling] completion in
                // On the engine's thread, so that the check need not wait.
                _ = answer.finish(completion.text, isCut: completion.finish != .endOfText)
                let isAwaited = isReadAlong && line.withLock { $0.min() == number }
                guard !isAwaited, let count = answer.beginAgain() else {
                    line.withLock { _ = $0.remove(number) }
                    return nil
                }
                return sampling.varied(count)
            }
        }
        let deadlines = Deadlines(stall: settings.stallTimeout, overall: settings.timeout)
        let (events, feed) = AsyncStream.makeStream(of: (Int, GenerationEvent).self)
        let engine = engine
        let work = Task {
            defer { feed.finish() }
            return try await engine.generate(requests, isReadAlong: isReadAlong, deadlines: deadlines) {
                feed.yield(($0, $1))
            }
        }
        do {
            try await withTaskCancellationHandler {
                // Events that came before the end are still in the stream.
                for await (index, event) in events where !Task.isCancelled { try onEvent(index, event) }
            } onCancel: {
                work.cancel()
            }
        } catch {
            work.cancel()
            _ = await work.result
            throw error
        }
        _ = try await work.value
        // The model may have finished before all events were handled.
        if Task.isCancelled { throw PulseError.interrupted }
    }
}

extension Placement? {
    /// Which device computes which layers: `12 of 17 layers on Vulkan0, the rest on the processor`.
    package var devices: Message {
        guard let placement = self, placement.layers > 0 else { return "every layer on the processor" }
        let parts: [Message] = placement.shares.map {
            "\($0.layers) of \(placement.allLayers) layers on \($0.device.name)"
        }
        let rest: [Message] = placement.layers < placement.allLayers ? ["the rest on the processor"] : []
        return (parts + rest).joined(separator: ", ")
    }
}

extension Prompt {
    var messages: [ChatMessage] { [ChatMessage(role: .system, text: system), ChatMessage(role: .user, text: user)] }
}

extension MachinePlan.Concession {
    /// What was reduced, as in "Memory is short: ….".
    package var text: Message {
        switch self {
        case .length(let wanted): "the context window is shorter than \(wanted) tokens"
        case .encoder: "only sentences that the model copies from the articles are shown"
        case .cacheType: "the cache has eight bits a value"
        case .sequences(let wanted): "fewer than \(wanted) requests are answered at once"
        }
    }
}
