/// How long it takes until something is there to read.
import Foundation
import PulseCore
import PulseInference

extension Bench {
    func first() async throws -> [BenchmarkRow] {
        try await [firstOfSeven()] + keptFront() + again()
    }

    /// The reader of a digest does not wait for the categories below the first.
    private func firstOfSeven() async throws -> BenchmarkRow {
        let runs = EngineRuns(engine: engine, tokens: arguments.tokens)
        let requests = material.sections.map { runs.request($0) }
        let result = try await contest.run([
            Contest.Arm(name: "of seven") { try await runs.firstToken(requests) },
            Contest.Arm(name: "of the first alone") { try await runs.firstToken([requests[0]]) },
        ])
        return row(
            "first", "first token: of 7 categories / of the first alone", result, "of seven", "of the first alone",
            .atMost(1.3), "")
    }

    /// What every prompt begins with is there already: in the memory, from the prompt before, or on the disk, from the
    /// night before.
    private func keptFront() async throws -> [BenchmarkRow] {
        try await withHome { home in
            let runs = EngineRuns(engine: engine, tokens: arguments.tokens)
            let keeping = EngineRuns(
                engine: try await Engine.load(
                    EngineOptions(
                        modelPath: model, contextLength: engine.model.contextLength, prefixFolder: home + "/prefixes",
                        threads: threads)), tokens: arguments.tokens)
            let requests = material.sections.map { runs.request($0) }
            _ = try await keeping.firstToken([requests[0]])
            let result = try await contest.run([
                Contest.Arm(name: "cold") { try await runs.firstToken([requests[0]]) },
                Contest.Arm(name: "from memory") {
                    _ = try await runs.firstToken([requests[1]])
                    return try await runs.firstToken([requests[0]], keepsPrefix: true)
                },
                Contest.Arm(name: "from disk") { try await keeping.firstToken([requests[0]]) },
            ])
            return [
                row(
                    "first-memory", "first token: cold / front kept in memory", result, "cold", "from memory", nil,
                    ""),
                row("first-disk", "first token: cold / front kept on disk", result, "cold", "from disk", nil, ""),
            ]
        }
    }

    /// `today` as a user runs it, and once more.
    private func again() async throws -> [BenchmarkRow] {
        try await withHome { home in
            let program = ProgramRun(program: arguments.program, home: home)
            _ = try program.run(["import", "jsonl", arguments.root + "/Tests/Fixtures/sample-history.jsonl"])
            let cold = try program.run(["today"])
            var samples = Samples()
            for _ in 0..<max(5, arguments.rounds) {
                let again = try program.run(["today"])
                samples.values.append(again.seconds * 1000)
            }
            return [
                BenchmarkRow(
                    id: "first-again", title: "nothing new: today again", unit: .milliseconds, value: samples,
                    goal: .atMost(50),
                    detail: String(
                        format: "the first time, with the embedded model: %.2f s, the first byte after %.2f s",
                        cold.seconds, cold.firstByte ?? cold.seconds))
            ]
        }
    }
}
