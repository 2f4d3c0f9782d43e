/// What the engine's rows share: a model of a billion weights, and the prompts for it.
import Foundation
import PulseCore
import PulseDigest
import PulseInference
import PulseRendering

final class Workbench {
    let arguments: Arguments
    let cache: String
    let model: String
    /// What was opened last: at first the vocabulary alone.
    private(set) var opened: ModelDescription
    let material: StoryMaterial
    /// The Python that has the peer; nil without it.
    let python: String?
    let contest: Contest

    private let threads: Int
    /// Of all rows but `sequence`, which has an engine of its own: opened when it is needed, so that no more models are
    /// in the memory than a row compares.
    private var shared: Engine?

    init(_ arguments: Arguments, cache: String, contest: Contest, say: (String) -> Void) async throws {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        model =
            try arguments.model
            ?? ModelCache(folder: cache, shape: .llama1B).model(
                tokenizerFrom: arguments.root + "/models/pulse-nano.gguf", threads: cores, say: say)
        let wantsPeer = arguments.usesPeer && (arguments.preparesOnly || arguments.groups.contains(.stories))
        python = wantsPeer ? try PeerSetup(root: arguments.root, cache: cache).python() : nil
        // As many as the engine takes on a quiet machine, and no fewer where it is not: every way has the same.
        let vocabulary = try await Engine.load(EngineOptions(modelPath: model, vocabularyOnly: true))
        threads = arguments.threads ?? vocabulary.model.threads
        opened = vocabulary.model
        let root = arguments.root
        material = try StoryMaterial(root: root, tokens: TokenCounter(count: vocabulary.tokens(of:)))
        self.arguments = arguments
        self.cache = cache
        self.contest = contest
    }

    private func open(sequences: Int = EngineOptions.defaultSequences) async throws -> Engine {
        let engine = try await Engine.load(
            EngineRuns.options(
                model, threads: threads, sequences: sequences, isMapped: arguments.usesMappedWeights))
        opened = engine.model
        return engine
    }

    private func runs() async throws -> EngineRuns {
        let engine: Engine
        if let shared { engine = shared } else { engine = try await open() }
        shared = engine
        return EngineRuns(engine: engine, tokens: arguments.tokens)
    }

    /// One prompt and one answer, against the bare loop.
    func sequence() async throws -> [MeasuredRow] {
        // Both have the same room for one request, and no more sequences than they use.
        let engine = try await open(sequences: 1)
        let runs = EngineRuns(engine: engine, tokens: arguments.tokens)
        let messages = material.stories[0]
        let bare = try BareLoop(path: model, length: engine.model.contextLength, threads: threads)
        let result = try await contest.run([
            Contest.Arm(name: "bare loop") { [tokens = arguments.tokens] in
                try bare.run(system: messages[0].text, user: messages[1].text, tokens: tokens)
            },
            Contest.Arm(name: "engine") { try await runs.oneByOne([runs.request(messages)]) },
        ])
        let written = result.last("engine", "outputTokens")
        guard written == arguments.tokens else {
            throw BenchError("It cannot be compared: the engine wrote \(written) tokens.")
        }
        func both(_ figure: String, _ format: String) -> String {
            ["bare loop", "engine"].map { String(format: format, result.samples($0, figure).median ?? 0) }
                .joined(separator: " / ")
        }
        return [
            MeasuredRow(
                "sequence", "one sequence: bare C loop / engine", result, "bare loop", "engine", .atLeast(0.98),
                "\(both("promptTokens", "%.0f")) tokens read in \(both("reading", "%.3f")) s, \(written) written in "
                    + "\(both("writing", "%.3f")) s")
        ]
    }

    /// A full batch of stories, freely written.
    func stories() async throws -> [MeasuredRow] {
        let runs = try await runs()
        let requests = material.stories.map { runs.request($0) }
        var arms = [
            Contest.Arm(name: "one at a time") { try await runs.oneByOne(requests) },
            Contest.Arm(name: "one batch") { try await runs.together(requests) },
        ]
        if let python {
            // One prompt and its answer: the usual form holds one at a time.
            let peer = try Peer(
                python: python, script: PeerSetup(root: arguments.root, cache: cache).script, model: model,
                threads: threads, length: 1024)
            let prompts = material.stories.map { (system: $0[0].text, user: $0[1].text) }
            arms.append(
                Contest.Arm(name: "llama-cpp-python") { [tokens = arguments.tokens] in
                    let answer = try peer.run(prompts, tokens: tokens)
                    let tokens = [
                        "promptTokens": Double(answer.promptTokens), "outputTokens": Double(answer.outputTokens ?? 0),
                    ]
                    return Contest.Outcome(seconds: answer.seconds, figures: tokens, elsewhere: answer.cpu)
                })
        }
        let result = try await contest.run(arms)
        var rows = [
            MeasuredRow(
                "stories", "\(requests.count) stories: one at a time / one batch", result, "one at a time",
                "one batch", .atLeast(2), result.tokens("one batch"))
        ]
        if result.outcomes["llama-cpp-python"] != nil {
            rows.append(
                MeasuredRow(
                    "stories-peer", "\(requests.count) stories: llama-cpp-python / one batch", result,
                    "llama-cpp-python", "one batch", .atLeast(2.2),
                    "llama-cpp-python: " + result.tokens("llama-cpp-python")))
        }
        return rows
    }

    /// One article, one summary that takes most of its words from it.
    func lookup() async throws -> [MeasuredRow] {
        let runs = try await runs()
        let off = await runs.request(material.article, writing: material.summary)
        var on = off
        on.drafts = true
        let result = try await contest.run([
            Contest.Arm(name: "off") { try await runs.oneByOne([off]) },
            Contest.Arm(name: "on") { [on] in try await runs.oneByOne([on]) },
        ])
        let outputs = Set(["off", "on"].map { result.last($0, "outputTokens") })
        guard outputs.count == 1 else {
            throw BenchError("The ways wrote different numbers of tokens: \(outputs.sorted()).")
        }
        let share = Int((Overlap.share(of: material.summary, in: material.article[1].text) * 100).rounded())
        let whole = result.samples("off").ratios(to: result.samples("on")).median ?? 0
        return [
            MeasuredRow(
                "lookup", "writing a summary: lookup off / on", result, "off", "on", .atLeast(1.5),
                "\(share) % of its word triples stand in the article; " + result.tokens("on")
                    + String(format: "; with the reading of the prompt %.2f", whole), figure: "writing")
        ]
    }

    /// The reader of a digest does not wait for the stories below the first; and what every prompt begins with is in
    /// the memory, from the prompt before.
    func first() async throws -> [MeasuredRow] {
        let runs = try await runs()
        let requests = material.stories.map { runs.request($0) }
        let result = try await contest.run([
            Contest.Arm(name: "of all") { try await runs.firstToken(requests) },
            Contest.Arm(name: "of the first alone") { try await runs.firstToken([requests[0]]) },
            Contest.Arm(name: "front kept") {
                _ = try await runs.firstToken([requests[1]])
                return try await runs.firstToken([requests[0]], fromEmpty: false)
            },
        ])
        return [
            MeasuredRow(
                "first", "first token: of \(requests.count) stories / of the first alone", result, "of all",
                "of the first alone", .atMost(1.3), ""),
            MeasuredRow(
                "first-kept", "first token: cold / front kept in memory", result, "of the first alone", "front kept",
                nil, ""),
        ]
    }
}

extension MeasuredRow {
    /// Two ways of a contest against each other.
    init(
        _ id: String, _ title: String, _ result: Contest.Result, _ first: String, _ second: String, _ goal: Goal?,
        _ detail: String, figure: String? = nil
    ) {
        func samples(_ arm: String) -> Samples { figure.map { result.samples(arm, $0) } ?? result.samples(arm) }
        self.init(
            id, title, .seconds, samples(second), baseline: samples(first), goal: goal, disturbed: result.disturbed,
            isDoubtful: result.isDoubtful, detail: detail)
    }
}

extension Contest.Result {
    /// A figure of the last round that counts; 0 where there is none.
    fileprivate func last(_ arm: String, _ figure: String) -> Int { Int(samples(arm, figure).values.last ?? 0) }

    /// How many tokens a way read and wrote.
    fileprivate func tokens(_ arm: String) -> String {
        var text = "\(last(arm, "promptTokens")) tokens read, \(last(arm, "outputTokens")) written"
        let guessed = last(arm, "guessed")
        if guessed > 0 { text += ", \(last(arm, "accepted")) of \(guessed) guesses true" }
        return text
    }
}
