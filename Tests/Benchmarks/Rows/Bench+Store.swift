/// A history of a million articles.
import Foundation
import PulseCore
import PulseRendering
import PulseTestSupport

extension Bench {
    func store() async throws -> [MeasuredRow] {
        try await withHome { home in
            let program = ProgramRun(program: arguments.program, home: home)
            let (small, large) = (home + "/small.sqlite", home + "/large.sqlite")
            try fill(small, articles: 1000, .teaser, program)
            var rows = [
                try importing(large, articles: arguments.articles, .teaser, program, goal: .atLeast(50_000)),
                try importing(home + "/texts.sqlite", articles: max(1, arguments.articles / 10), .whole, program),
            ]
            rows.append(
                try await growth(
                    "dry-run", ["today", "--dry-run"], small: small, large: large, program, goal: .atMost(100)))
            rows.append(try await growth("list", ["history", "list"], small: small, large: large, program))
            rows.append(
                try await growth("search", ["history", "search", "minister"], small: small, large: large, program))
            return rows
        }
    }

    private func importing(
        _ store: String, articles: Int, _ text: SyntheticHistory.Text, _ program: ProgramRun,
        goal: MeasuredRow.Goal? = nil
    ) throws -> MeasuredRow {
        let seconds = try fill(store, articles: articles, text, program)
        let what = text == .teaser ? "title and 150 characters" : "whole texts"
        return MeasuredRow(
            id: text == .teaser ? "import" : "import-texts",
            title: "import of \(articles.formatted()) articles, \(what)", unit: .articlesPerSecond,
            value: Samples([Double(articles) / seconds]), goal: goal,
            detail: String(
                format: "in %.1f s; store of %@", seconds, size(store)))
    }

    /// What a command costs more in the long history than in the short one.
    private func growth(
        _ id: String, _ command: [String], small: String, large: String, _ program: ProgramRun,
        goal: MeasuredRow.Goal? = nil
    ) async throws -> MeasuredRow {
        func arm(_ name: String, _ store: String) -> Contest.Arm {
            Contest.Arm(name: name) {
                Contest.Outcome(seconds: try program.run(command + ["--store", store]).seconds)
            }
        }
        _ = try program.run(command + ["--store", large])
        _ = try program.run(command + ["--store", small])
        let result = try await Contest(rounds: max(arguments.rounds, 5), say: { _ in }).run([
            arm("large", large), arm("small", small),
        ])
        let more = zip(result.samples("large").values, result.samples("small").values).map { ($0 - $1) * 1000 }
        return MeasuredRow(
            id: id,
            title: "\(command.joined(separator: " ")): with \(arguments.articles.formatted()) longer by",
            unit: .milliseconds, value: Samples(more), goal: goal, disturbed: result.disturbed,
            isDoubtful: result.isDoubtful,
            detail: String(
                format: "%.0f ms with %@ articles, %.0f ms with 1,000",
                (result.samples("large").median ?? 0) * 1000, arguments.articles.formatted(),
                (result.samples("small").median ?? 0) * 1000))
    }

    /// Imports a synthetic history.
    ///
    /// - Returns: Seconds that the import took.
    @discardableResult
    func fill(_ store: String, articles: Int, _ text: SyntheticHistory.Text, _ program: ProgramRun) throws -> Double {
        let lines = store + ".jsonl"
        defer { try? FileManager.default.removeItem(atPath: lines) }
        try SyntheticHistory(articles: articles, text: text).write(to: lines)
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
