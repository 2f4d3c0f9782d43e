/// A history of a million articles.
import Foundation
import PulseCore
import PulseTestSupport

extension Bench {
    func store() async throws -> [BenchmarkRow] {
        try await withHome { home in
            let program = ProgramRun(program: arguments.program, home: home)
            let (small, large) = (home + "/small.sqlite", home + "/large.sqlite")
            try fill(small, articles: 1000, program)
            let seconds = try fill(large, articles: arguments.articles, program)
            let rate = BenchmarkRow(
                id: "import", title: "import of \(arguments.articles.formatted()) articles", unit: .articlesPerSecond,
                value: Samples([Double(arguments.articles) / seconds]), goal: .atLeast(50_000),
                detail: String(format: "in %.1f s, with their index for search; store of %@", seconds, size(large)))
            func arm(_ name: String, _ store: String) -> Contest.Arm {
                Contest.Arm(name: name) {
                    Contest.Outcome(seconds: try program.run(["today", "--dry-run", "--store", store]).seconds)
                }
            }
            _ = try program.run(["today", "--dry-run", "--store", large])
            let result = try await Contest(rounds: max(arguments.rounds, 5), say: { _ in }).run([
                arm("large", large), arm("small", small),
            ])
            let more = zip(result.samples("large").values, result.samples("small").values).map { ($0 - $1) * 1000 }
            let dry = BenchmarkRow(
                id: "dry-run", title: "today --dry-run: with \(arguments.articles.formatted()) longer by",
                unit: .milliseconds, value: Samples(more), goal: .atMost(100), disturbed: result.disturbed,
                isDoubtful: result.isDoubtful,
                detail: String(
                    format: "%.0f ms with %@ articles, %.0f ms with 1,000",
                    (result.samples("large").median ?? 0) * 1000, arguments.articles.formatted(),
                    (result.samples("small").median ?? 0) * 1000))
            return [rate, dry]
        }
    }

    /// Imports a synthetic history.
    ///
    /// - Returns: Seconds that the import took.
    @discardableResult
    private func fill(_ store: String, articles: Int, _ program: ProgramRun) throws -> Double {
        let lines = store + ".jsonl"
        defer { try? FileManager.default.removeItem(atPath: lines) }
        try SyntheticHistory(articles: articles).write(to: lines)
        // The lines are in the page cache, or the disk would be measured.
        return try program.run(["import", "jsonl", lines, "--store", store, "--quiet"]).seconds
    }

    private func size(_ path: String) -> String {
        let bytes = [path, path + "-wal"].reduce(0) {
            $0 + (((try? FileManager.default.attributesOfItem(atPath: $1))?[.size] as? NSNumber)?.intValue ?? 0)
        }
        return "\(bytes >> 20) MiB"
    }
}
