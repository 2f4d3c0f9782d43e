/// How long it takes until something is there to read.
import Foundation
import PulseCore
import PulseInference

extension Bench {
    func first() async throws -> [BenchmarkRow] {
        try await [firstOfSeven(), keptPrefix()] + again()
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

    /// What every prompt begins with is there already, from the prompt before.
    private func keptPrefix() async throws -> BenchmarkRow {
        let runs = EngineRuns(engine: engine, tokens: arguments.tokens)
        let requests = material.sections.map { runs.request($0) }
        let result = try await contest.run([
            Contest.Arm(name: "cold") { try await runs.firstToken([requests[0]]) },
            Contest.Arm(name: "kept prefix") {
                _ = try await runs.firstToken([requests[1]])
                return try await runs.firstToken([requests[0]], keepsPrefix: true)
            },
        ])
        return row(
            "first-prefix", "first token: cold / with the kept prefix", result, "cold", "kept prefix", nil, "")
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
