/// The benchmark from its arguments to its table.
import Foundation
import PulseCommands
import PulseCore
import PulseInference
import PulseRendering

struct Bench {
    let arguments: Arguments
    /// The cache folder of the benchmark.
    let cache: String
    let model: String
    let engine: Engine
    let material: DigestMaterial
    /// The Python that has the peer; nil without it.
    let python: String?

    var threads: Int { engine.model.threads }
    var contest: Contest { Contest(rounds: arguments.rounds, spare: arguments.isQuick ? 0 : 2, say: Self.say) }

    static func run(_ words: [String], environment: [String: String]) async throws {
        let arguments = try Arguments(words)
        if arguments.needsHelp { return print(Arguments.help, terminator: "") }
        let cache = cacheFolder(environment)
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let model =
            try arguments.model
            ?? ModelCache(folder: cache, shape: .llama1B).model(
                tokenizerFrom: arguments.root + "/models/pulse-nano.gguf", threads: cores, say: say)
        let wantsPeer =
            arguments.usesPeer
            && (arguments.preparesOnly || !Set(arguments.groups).isDisjoint(with: [.digest, .replay]))
        let python = wantsPeer ? try PeerSetup(root: arguments.root, cache: cache).python() : nil
        if arguments.preparesOnly { return }

        // As many as the engine takes on a quiet machine, and no fewer where it is not: every way has the same.
        let vocabulary = try await Engine.load(EngineOptions(modelPath: model, vocabularyOnly: true))
        let threads = arguments.threads ?? vocabulary.model.threads
        let engine = try await Engine.load(
            options(model, threads: threads))
        let root = arguments.root
        let material = try await engine.countingTokens { count in
            Result { try DigestMaterial(root: root, count: count) }
        }.get()
        let bench = Bench(
            arguments: arguments, cache: cache, model: model, engine: engine, material: material, python: python)
        try await bench.measure()
    }

    /// Room for seven prompts and their answers, and not more: what `EngineRuns.displace` relies on.
    static func options(
        _ model: String, threads: Int, sequences: Int = EngineOptions.defaultSequences
    ) -> EngineOptions {
        EngineOptions(
            modelPath: model, contextLength: EngineRuns.cells, sequences: sequences, cells: EngineRuns.cells,
            threads: threads)
    }

    private func measure() async throws {
        let date = Date()
        var loads = [Machine.load]
        var rows: [BenchmarkRow] = []
        for group in arguments.groups {
            Self.say("\(group.rawValue): \(group.summary), load \(String(format: "%.1f", Machine.load))")
            do {
                switch group {
                case .sequence: rows += try await sequence()
                case .digest: rows += try await digest()
                case .replay: rows += try await replay()
                case .lookup: rows += try await lookup()
                case .grounded: rows += try await grounded()
                case .first: rows += try await first()
                case .memory: rows += try await memory()
                case .store: rows += try await store()
                }
            } catch {
                // One row that cannot be measured leaves the others standing.
                Self.say("\(group.rawValue): not measured: \(error)")
            }
        }
        loads.append(Machine.load)
        let report = BenchmarkReport(
            date: date, machine: Machine.description, model: "\(engine.model.name), \(engine.model.kind)",
            threads: threads, loads: loads, rows: rows, notes: Self.notes)
        print(BenchmarkText.render(report, style: TextStyle()), terminator: "")
        try write(BenchmarkJSON.render(report), date: date)
    }

    private func write(_ json: String, date: Date) throws {
        let stamp = date.formatted(.iso8601).replacing(":", with: "")
        let paths = ["\(cache)/\(stamp).json"] + (arguments.output.map { [$0] } ?? [])
        for path in paths {
            try json.write(toFile: path, atomically: true, encoding: .utf8)
            Self.say("written: \(path)")
        }
    }

    // MARK: - What the rows share

    func row(
        _ id: String, _ title: String, _ result: Contest.Result, _ first: String, _ second: String,
        _ goal: BenchmarkRow.Goal?, _ detail: String, figure: String? = nil
    ) -> BenchmarkRow {
        func samples(_ arm: String) -> Samples { figure.map { result.samples(arm, $0) } ?? result.samples(arm) }
        return BenchmarkRow(
            id: id, title: title, unit: .seconds, baseline: samples(first), value: samples(second), goal: goal,
            disturbed: result.disturbed, isDoubtful: result.isDoubtful, detail: detail)
    }

    func peer(_ kind: Peer.Kind) throws -> Peer? {
        guard let python else { return nil }
        // One prompt and its answer: the usual form holds one at a time.
        return try Peer(
            python: python, script: PeerSetup(root: arguments.root, cache: cache).script, model: model, kind: kind,
            threads: threads, length: 1024)
    }

    /// A home for the program's files, gone afterwards.
    func withHome<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let home = "\(cache)/home-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.removeItem(atPath: home)
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        return try await body(home)
    }

    func require(_ condition: Bool, _ fault: String) throws {
        guard condition else { throw BenchError("It cannot be compared: \(fault).") }
    }

    static func say(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }

    private static func cacheFolder(_ environment: [String: String]) -> String {
        if let folder = environment["PULSE_DIGEST_CACHE"], !folder.isEmpty { return folder + "/bench" }
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder + "/pulse-digest/bench" }
        return (environment["HOME"] ?? NSHomeDirectory()) + "/.cache/pulse-digest/bench"
    }

    private static let notes = [
        "The ways of one row take turns, and each ratio is the median of the rounds' own ratios; a round in which others "
            + "used more than \(Int(Contest.tolerance * 100)) % of the processors does not count.",
        "The model has random weights in the shape of Llama 3.2 1B and the embedded model's tokenizer, filled up to its "
            + "vocabulary: speed does not depend on the weights, but English takes a third more tokens than Llama's own "
            + "tokenizer makes of it.",
        "The prompts are the program's own, of its sample history with the first 150 characters of each article. Every "
            + "run starts with nothing of them in memory; what the prompts share is then read once by every way, by "
            + "llama-cpp-python too.",
        "In the rows of repeating text the sampler is made to choose the tokens of paragraphs that a person wrote about "
            + "the same prompts (Tests/Benchmarks/Texts), on every side alike; everything is computed as ever.",
        "llama-cpp-python runs with the same library file wherever make setup built it, the same threads, and its own "
            + "defaults otherwise; its lookup guesses two tokens, as its documentation advises for processors.",
    ]
}
