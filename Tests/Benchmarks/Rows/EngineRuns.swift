/// The engine's side of the contests.
import Foundation
import PulseCore
import PulseInference
import Synchronization

struct EngineRuns: Sendable {
    let engine: Engine
    let tokens: Int

    /// The model writes on its own.
    func request(_ messages: [ChatMessage]) -> GenerationRequest {
        GenerationRequest(messages: messages, maximumTokens: tokens, drafts: false)
    }

    /// It writes the given text, whatever the model's weights: how many drafted tokens are accepted then depends on a
    /// real text.
    func request(_ messages: [ChatMessage], writing text: String) async -> GenerationRequest {
        let tokens = await engine.answerTokens(text)
        var request = GenerationRequest(messages: messages, maximumTokens: tokens.count, drafts: false)
        request.chooser = { written, sampled, _ in written < tokens.count ? tokens[written] : sampled }
        return request
    }

    /// Room for a batch of stories and their answers, and not more: what `displace` relies on.
    static func options(
        _ model: String, threads: Int, sequences: Int = EngineOptions.defaultSequences, isMapped: Bool = false
    ) -> EngineOptions {
        EngineOptions(
            modelPath: model, contextLength: cells, sequences: sequences, cells: cells, threads: threads,
            repacksWeights: !isMapped)
    }

    /// When things happened in one call of `generate`, in seconds from its start.
    struct Times: Sendable {
        var prompt: [Int: Double] = [:]
        /// Tokens of the prompt that were in the memory already.
        var found: [Int: Int] = [:]
        var firstText: [Int: Double] = [:]
        var end = 0.0

        /// The first text of any request.
        var first: Double? { firstText.values.min() }
    }

    /// Answers the requests together, from a memory that holds nothing of them.
    func together(_ requests: [GenerationRequest]) async throws -> Contest.Outcome {
        try await displace()
        let (times, completions) = try await timed(requests)
        try requireEmpty(times.found[0])
        return outcome(times, completions)
    }

    /// Answers them one after another: a call for each, as a program without batches does.
    func oneByOne(_ requests: [GenerationRequest]) async throws -> Contest.Outcome {
        try await displace()
        var total = Times()
        var all: [Completion] = []
        for request in requests {
            let (times, completions) = try await timed([request])
            if all.isEmpty { try requireEmpty(times.found[0]) }
            total.firstText[all.count] = times.first.map { total.end + $0 }
            total.prompt[all.count] = times.prompt[0].map { total.end + $0 }
            total.end += times.end
            all += completions
        }
        return outcome(total, all)
    }

    /// The time to the first text of a call, which is cancelled then.
    ///
    /// - Parameter fromEmpty: False: the engine's memory holds what the call before left there.
    func firstToken(_ requests: [GenerationRequest], fromEmpty: Bool = true) async throws -> Contest.Outcome {
        if fromEmpty { try await displace() }
        let found = Mutex<Int?>(nil)
        let first = Mutex<Double?>(nil)
        let engine = engine
        let start = ContinuousClock.now
        let work = Task {
            try await engine.generate(requests) { _, event in
                if case .reading(let tokens, _) = event { found.withLock { $0 = $0 ?? tokens } }
                guard case .text = event else { return }
                first.withLock { $0 = $0 ?? (ContinuousClock.now - start).seconds }
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        if case .failure(let error) = await work.result, error.asPulseError.code != .interrupted { throw error }
        guard let seconds = first.withLock({ $0 }) else {
            throw BenchError("The engine wrote no first token.")
        }
        if fromEmpty { try requireEmpty(found.withLock { $0 }) }
        return Contest.Outcome(seconds: seconds)
    }

    /// A measurement that found its prompt in memory would be worth nothing. The first marker of the template is
    /// everywhere.
    private func requireEmpty(_ tokens: Int?) throws {
        guard let tokens, tokens >= 16 else { return }
        throw BenchError("\(tokens) tokens of the prompt were in the engine's memory from a run before.")
    }

    /// Tokens the engine's memory holds.
    static let cells = 8192

    /// Empties the engine's memory, so that no run finds what the run before it left: requests that may write as much
    /// as there is room for get all of it, and are made to write one word.
    func displace() async throws {
        var request = await request([ChatMessage(role: .user, text: "Good morning.")], writing: "Good")
        request.maximumTokens = .max
        let length = engine.model.contextLength
        let requests = Array(repeating: request, count: (Self.cells + length - 1) / length)
        _ = try await engine.generate(requests) { _, _ in }
    }

    private func timed(_ requests: [GenerationRequest]) async throws -> (Times, [Completion]) {
        let clock = ContinuousClock()
        let times = Mutex(Times())
        let start = clock.now
        let completions = try await engine.generate(requests) { index, event in
            let time = (clock.now - start).seconds
            times.withLock { times in
                if case .reading(let tokens, _) = event, times.found[index] == nil { times.found[index] = tokens }
                switch event {
                case .reading(let read, let all) where read == all: times.prompt[index] = time
                case .text: times.firstText[index] = times.firstText[index] ?? time
                default: break
                }
            }
        }
        let end = (clock.now - start).seconds
        return (
            times.withLock { times in
                times.end = end
                return times
            }, completions
        )
    }

    private func outcome(_ times: Times, _ completions: [Completion]) -> Contest.Outcome {
        func sum(_ figure: (Completion) -> Int) -> Double { Double(completions.reduce(0) { $0 + figure($1) }) }
        var figures = [
            "promptTokens": sum(\.promptTokens), "outputTokens": sum(\.outputTokens), "guessed": sum(\.draftedTokens),
            "accepted": sum(\.acceptedTokens),
        ]
        figures["first"] = times.first
        // Of a single request: the time to the last of its prompt, and from there to the end.
        if completions.count == 1 {
            figures["reading"] = times.prompt[0]
            figures["writing"] = times.prompt[0].map { times.end - $0 }
        }
        return Contest.Outcome(seconds: times.end, figures: figures)
    }
}
