/// The engine's side of the contests.
import Foundation
import PulseCore
import PulseInference
import Synchronization

struct EngineRuns: Sendable {
    let engine: Engine
    let tokens: Int

    /// A request of a section's prompt: the model writes on its own, or what it is made to write.
    func request(
        _ section: DigestMaterial.Section, replays: Bool = false, guesses: Bool = false, grounding: Grounding = .free
    ) -> GenerationRequest {
        var request = GenerationRequest(
            messages: section.messages, maximumTokens: replays ? section.paragraphTokens + 1 : tokens,
            grounding: grounding, guesses: guesses)
        if replays { request.replay = section.paragraph }
        return request
    }

    /// When things happened in one call of `generate`, in seconds from its start.
    struct Times: Sendable {
        var prompt: [Int: Double] = [:]
        var firstText: [Int: Double] = [:]
        var end = 0.0

        /// The first text of any request.
        var first: Double? { firstText.values.min() }
    }

    /// Answers the requests together, from a memory that holds nothing of them.
    func together(_ requests: [GenerationRequest]) async throws -> (Contest.Outcome, [Completion]) {
        try await displace()
        let (times, completions) = try await timed(requests)
        return (outcome(times, completions), completions)
    }

    /// Answers them one after another: a call for each, as a program without batches does.
    func oneByOne(_ requests: [GenerationRequest]) async throws -> (Contest.Outcome, [Completion]) {
        try await displace()
        var total = Times()
        var all: [Completion] = []
        for request in requests {
            let (times, completions) = try await timed([request])
            total.firstText[all.count] = times.first.map { total.end + $0 }
            total.prompt[all.count] = times.prompt[0].map { total.end + $0 }
            total.end += times.end
            all += completions
        }
        return (outcome(total, all), all)
    }

    /// The time to the first text of a call, which is cancelled then.
    ///
    /// - Parameter keepsPrefix: Leaves in the memory what the call before left there.
    func firstToken(_ requests: [GenerationRequest], keepsPrefix: Bool = false) async throws -> Contest.Outcome {
        if !keepsPrefix { try await displace() }
        let clock = ContinuousClock()
        let first = Mutex<Double?>(nil)
        let engine = engine
        let start = clock.now
        let (texts, feed) = AsyncStream.makeStream(of: Void.self)
        let work = Task { () -> Bool in
            defer { feed.finish() }
            do throws(EngineError) {
                _ = try await engine.generate(requests) { _, event in
                    guard case .text = event else { return }
                    let time = (clock.now - start).seconds
                    if first.withLock({ first in
                        defer { first = first ?? time }
                        return first == nil
                    }) {
                        feed.yield()
                    }
                }
                return true
            } catch { return error.code == .cancelled }
        }
        for await _ in texts { work.cancel() }
        guard await work.value, let seconds = first.withLock({ $0 }) else {
            throw BenchError("The engine wrote no first token.")
        }
        return Contest.Outcome(seconds: seconds)
    }

    /// Empties the engine's memory, so that no run finds what the run before it left: a request that may write as much
    /// as there is room for gets all of it, and is made to write one word.
    func displace() async throws {
        var request = GenerationRequest(
            messages: [ChatMessage(role: .user, text: "Good morning.")], maximumTokens: .max, guesses: false)
        request.replay = "Good"
        _ = try await engine.generate([request]) { _, _ in }
    }

    private func timed(_ requests: [GenerationRequest]) async throws -> (Times, [Completion]) {
        let clock = ContinuousClock()
        let times = Mutex(Times())
        let start = clock.now
        let completions = try await engine.generate(requests) { index, event in
            let time = (clock.now - start).seconds
            times.withLock { times in
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
            "promptTokens": sum(\.promptTokens), "outputTokens": sum(\.outputTokens), "guessed": sum(\.guessedTokens),
            "accepted": sum(\.acceptedTokens),
        ]
        figures["first"] = times.first
        // Of a single request: the time from the last of its prompt to the end.
        if completions.count == 1 { figures["writing"] = times.prompt[0].map { times.end - $0 } }
        return Contest.Outcome(seconds: times.end, figures: figures)
    }
}
