/// The rows in which texts are written.
import Foundation
import PulseCore
import PulseInference

extension Bench {
    /// One prompt and one answer, against the bare loop.
    func sequence() async throws -> [BenchmarkRow] {
        // Both have the same room for one request, and no more sequences than they use.
        let engine = try await Engine.load(Self.options(model, threads: threads, sequences: 1))
        let runs = EngineRuns(engine: engine, tokens: arguments.tokens)
        let section = material.sections[0]
        let request = runs.request(section)
        let bare = try BareLoop(path: model, length: engine.model.contextLength, threads: threads)
        let prompt = try bare.tokens(
            system: section.messages[0].text, user: section.messages[1].text)
        var engineTokens = (0, 0)
        let result = try await contest.run([
            Contest.Arm(name: "bare loop") { [tokens = arguments.tokens] in try bare.run(prompt, tokens: tokens) },
            Contest.Arm(name: "engine") {
                let (outcome, completions) = try await runs.oneByOne([request])
                engineTokens = (completions[0].promptTokens, completions[0].outputTokens)
                return outcome
            },
        ])
        try require(engineTokens.1 == arguments.tokens, "the engine wrote \(engineTokens.1) tokens")
        return [
            row(
                "sequence", "one sequence: bare C loop / engine", result, "bare loop", "engine", .atLeast(0.98),
                "prompts of \(prompt.count) and \(engineTokens.0) tokens, \(arguments.tokens) written")
        ]
    }

    /// Seven categories, freely written.
    func digest() async throws -> [BenchmarkRow] {
        let runs = EngineRuns(engine: engine, tokens: arguments.tokens)
        let requests = material.sections.map { runs.request($0) }
        let counts = TokenCounts()
        var arms = [
            Contest.Arm(name: "one at a time") {
                let (outcome, completions) = try await runs.oneByOne(requests)
                counts.note("one at a time", completions)
                return outcome
            },
            Contest.Arm(name: "one batch") {
                let (outcome, completions) = try await runs.together(requests)
                counts.note("one batch", completions)
                return outcome
            },
        ]
        if let peer = try peer(.plain) { arms.append(arm("llama-cpp-python", peer, counts, replays: false)) }
        let result = try await contest.run(arms)
        var rows = [
            row(
                "digest", "7 categories: one at a time / one batch", result, "one at a time", "one batch", .atLeast(2),
                "\(material.articles) articles, " + counts.text("one batch"))
        ]
        if result.outcomes["llama-cpp-python"] != nil {
            rows.append(
                row(
                    "digest-peer", "7 categories: llama-cpp-python / one batch", result, "llama-cpp-python",
                    "one batch", .atLeast(2.2), "llama-cpp-python: " + counts.text("llama-cpp-python")))
        }
        return rows
    }

    /// The same, made to write the written paragraphs.
    func replay() async throws -> [BenchmarkRow] {
        let runs = EngineRuns(engine: engine, tokens: arguments.tokens)
        let plain = material.sections.map { runs.request($0, replays: true) }
        let guessing = material.sections.map { runs.request($0, replays: true, guesses: true) }
        let counts = TokenCounts()
        var arms = [
            Contest.Arm(name: "one at a time") {
                let (outcome, completions) = try await runs.oneByOne(plain)
                counts.note("one at a time", completions)
                return outcome
            },
            Contest.Arm(name: "one batch") {
                let (outcome, completions) = try await runs.together(plain)
                counts.note("one batch", completions)
                return outcome
            },
            Contest.Arm(name: "batch and lookup") {
                let (outcome, completions) = try await runs.together(guessing)
                counts.note("batch and lookup", completions)
                return outcome
            },
        ]
        if let peer = try peer(.lookup) { arms.append(arm("llama-cpp-python", peer, counts, replays: true)) }
        // Four ways of half a minute or more each: a round fewer keeps the whole below half an hour.
        var contest = contest
        contest.rounds = max(1, contest.rounds - 1)
        let result = try await contest.run(arms)
        try counts.requireSame(["one at a time", "one batch", "batch and lookup"])
        let overlap = material.sections.map { Overlap.share(of: $0.paragraph, in: $0.source) }.reduce(0, +)
        let share = Int((overlap / Double(material.sections.count) * 100).rounded())
        var rows = [
            row(
                "replay", "repeating text: one at a time / batch, lookup", result, "one at a time",
                "batch and lookup", .atLeast(2.5),
                "\(share) % of the texts' word triples stand in their sources; " + counts.text("batch and lookup")),
            row(
                "replay-batch", "repeating text: batch without / with lookup", result, "one batch",
                "batch and lookup", nil, ""),
        ]
        if result.outcomes["llama-cpp-python"] != nil {
            rows.append(
                row(
                    "replay-peer", "repeating text: llama-cpp-python, its lookup / ours", result, "llama-cpp-python",
                    "batch and lookup", nil, "llama-cpp-python: " + counts.text("llama-cpp-python")))
        }
        return rows
    }

    /// One article, one summary that takes most of its words from it.
    func lookup() async throws -> [BenchmarkRow] {
        let runs = EngineRuns(engine: engine, tokens: arguments.tokens)
        let section = material.article
        let (off, on) = (runs.request(section, replays: true), runs.request(section, replays: true, guesses: true))
        let counts = TokenCounts()
        let result = try await contest.run([
            Contest.Arm(name: "off") {
                let (outcome, completions) = try await runs.oneByOne([off])
                counts.note("off", completions)
                return outcome
            },
            Contest.Arm(name: "on") {
                let (outcome, completions) = try await runs.oneByOne([on])
                counts.note("on", completions)
                return outcome
            },
        ])
        try counts.requireSame(["off", "on"])
        let share = Int((Overlap.share(of: section.paragraph, in: section.source) * 100).rounded())
        return [
            row(
                "lookup", "writing a summary: lookup off / on", result, "off", "on", .atLeast(1.5),
                "\(share) % of its word triples stand in the article; " + counts.text("on")
                    + wholeTimes(result, "off", "on"), figure: "writing")
        ]
    }

    /// The paragraph of the first category, strictly grounded: the model chooses, where there is a choice.
    func grounded() async throws -> [BenchmarkRow] {
        let runs = EngineRuns(engine: engine, tokens: arguments.tokens)
        var together = runs.request(material.sections[0], grounding: .strict)
        together.maximumTokens = 256
        together.minimumSentences = DigestPrompt.fewestSentences
        together.maximumSentences = DigestPrompt.sentences
        var single = together
        single.readsForcedRunsTogether = false
        let counts = TokenCounts()
        let (one, chunks) = (single, together)
        let result = try await contest.run([
            Contest.Arm(name: "one at a time") {
                let (outcome, completions) = try await runs.oneByOne([one])
                counts.note("one at a time", completions)
                return outcome
            },
            Contest.Arm(name: "in chunks") {
                let (outcome, completions) = try await runs.oneByOne([chunks])
                counts.note("in chunks", completions)
                return outcome
            },
        ])
        try counts.requireSame(["one at a time", "in chunks"])
        return [
            row(
                "grounded", "writing grounded: forced tokens singly / in chunks", result, "one at a time", "in chunks",
                .atLeast(1.6), counts.text("in chunks") + wholeTimes(result, "one at a time", "in chunks"),
                figure: "writing")
        ]
    }

    // MARK: - What they share

    private func arm(_ name: String, _ peer: Peer, _ counts: TokenCounts, replays: Bool) -> Contest.Arm {
        let prompts = material.sections.map { (system: $0.messages[0].text, user: $0.messages[1].text) }
        let texts = replays ? material.sections.map(\.paragraph) : nil
        return Contest.Arm(name: name) { [tokens = arguments.tokens] in
            let answer = try peer.run(prompts, tokens: tokens, replay: texts)
            counts.note(name, prompt: answer.promptTokens, output: answer.outputTokens)
            return Contest.Outcome(seconds: answer.seconds, elsewhere: answer.cpu)
        }
    }

    /// A pair's times with the reading of the prompt, for a row that shows the writing alone.
    private func wholeTimes(_ result: Contest.Result, _ first: String, _ second: String) -> String {
        guard let ratio = result.samples(first).ratios(to: result.samples(second)).median else { return "" }
        return String(format: "; with the reading of the prompt %.2f", ratio)
    }
}

/// How many tokens each way read and wrote, the last time it ran.
final class TokenCounts {
    private var counts: [String: (prompt: Int, output: Int, guessed: Int, accepted: Int)] = [:]

    func note(_ arm: String, _ completions: [Completion]) {
        counts[arm] = (
            completions.reduce(0) { $0 + $1.promptTokens }, completions.reduce(0) { $0 + $1.outputTokens },
            completions.reduce(0) { $0 + $1.guessedTokens }, completions.reduce(0) { $0 + $1.acceptedTokens }
        )
    }

    func note(_ arm: String, prompt: Int, output: Int) { counts[arm] = (prompt, output, 0, 0) }

    func text(_ arm: String) -> String {
        guard let count = counts[arm] else { return "" }
        var text = "\(count.prompt) tokens read, \(count.output) written"
        if count.guessed > 0 { text += ", \(count.accepted) of \(count.guessed) guesses true" }
        return text
    }

    /// Ways that write different numbers of tokens are not compared.
    func requireSame(_ arms: [String]) throws {
        let outputs = Set(arms.compactMap { counts[$0]?.output })
        guard outputs.count <= 1 else {
            throw BenchError("The ways wrote different numbers of tokens: \(outputs.sorted()).")
        }
    }
}

extension ChatMessage {
    var text: String { parts.map(\.text).joined() }
}
