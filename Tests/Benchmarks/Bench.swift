/// The benchmark from its arguments to its table.
import Foundation
import PulseApp
import PulseCore
import PulseInference
import PulseRendering

struct Bench {
    let arguments: Arguments
    /// The cache folder of the benchmark.
    let cache: String
    /// What the engine's rows are measured with; nil where none is asked for.
    let workbench: Workbench?

    static func run(_ words: [String], environment: [String: String]) async throws {
        let arguments = try Arguments(words)
        if arguments.needsHelp { return print(Arguments.help, terminator: "") }
        let cache = cacheFolder(environment)
        try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
        let needsModel = arguments.preparesOnly || arguments.groups.contains(where: \.needsModel)
        let workbench =
            needsModel ? try await Workbench(arguments, cache: cache, contest: contest(arguments), say: say) : nil
        if arguments.preparesOnly { return }
        try await Bench(arguments: arguments, cache: cache, workbench: workbench).measure()
    }

    static func contest(_ arguments: Arguments) -> Contest {
        Contest(rounds: arguments.rounds, spare: arguments.isQuick ? 0 : 2, say: say)
    }

    private func measure() async throws {
        let date = Date()
        var loads = [MachineSummary.load]
        var rows: [MeasuredRow] = []
        for group in arguments.groups {
            Self.say("\(group.rawValue): \(group.summary), load \(String(format: "%.1f", MachineSummary.load))")
            do {
                switch group {
                case .today: rows += try await today()
                case .ranking: rows += try ranking()
                case .check: rows += try await check()
                case .encoder: rows += try await encoder()
                case .written: rows += try await written()
                case .sequence: rows += try await workbench?.sequence() ?? []
                case .stories: rows += try await workbench?.stories() ?? []
                case .lookup: rows += try await workbench?.lookup() ?? []
                case .first: rows += try await workbench?.first() ?? []
                case .prepared: rows += try await prepared()
                case .stream: rows += try await stream()
                case .store: rows += try await store()
                case .ask: rows += try await ask()
                case .imports: rows += try await imports()
                case .feeds: rows += try await feeds()
                }
            } catch {
                // One row that cannot be measured leaves the others standing.
                Self.say("\(group.rawValue): not measured: \(error)")
            }
        }
        loads.append(MachineSummary.load)
        let engine = workbench?.opened
        let report = BenchmarkReport(
            date: date, machine: MachineSummary.description,
            model: engine.map { "\($0.name), \($0.kind)" } ?? "pulse-digest",
            threads: engine?.threads ?? 1, loads: loads, rows: rows.map(\.row), notes: Self.notes)
        print(MeasuredRow.text(report, rows, style: TextStyle()), terminator: "")
        try write(BenchmarkJSON.render(report, rows: rows), date: date)
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

    /// The program with a home for its files, gone afterwards.
    func withHome<Value>(_ body: (ProgramRun) async throws -> Value) async throws -> Value {
        let home = "\(cache)/home-\(ProcessInfo.processInfo.processIdentifier)"
        try? FileManager.default.removeItem(atPath: home)
        // A model is used in the form that `pulse-digest bench` found the fastest here.
        let (known, caches) = ((cache as NSString).deletingLastPathComponent, home + "/.cache/pulse-digest")
        try FileManager.default.createDirectory(atPath: caches, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: caches + "/weights", withDestinationPath: known + "/weights")
        defer { try? FileManager.default.removeItem(atPath: home) }
        return try await body(ProgramRun(program: arguments.program, home: home))
    }

    static func say(_ line: String) { try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8)) }

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
        "The engine's prompts are the program's own, of its sample history. Every run starts with nothing of them in "
            + "memory; what the prompts share is then read once by every way, by llama-cpp-python too.",
        "In the row of prompt lookup the sampler is made to choose the tokens of a summary that a person wrote "
            + "(Tests/Benchmarks/Texts); everything is computed as ever.",
        "llama-cpp-python runs with the same library file wherever make setup built it, the same threads, and its own "
            + "defaults otherwise.",
    ]
}
