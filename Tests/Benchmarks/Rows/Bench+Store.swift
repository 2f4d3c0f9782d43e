/// A history of a million articles.
import Foundation
import PulseCore
import PulseRendering
import PulseTestSupport

extension Bench {
    func store() async throws -> [MeasuredRow] {
        try await withHome { program in
            try fill(path("small", program), articles: 1000, .teaser, program)
            return [
                try importing(
                    path("large", program), articles: arguments.articles, .teaser, program, goal: .atLeast(50_000)),
                try importing(path("texts", program), articles: max(1, arguments.articles / 10), .whole, program),
                try await growth("dry-run", ["today", "--dry-run"], program, goal: .atMost(100)),
                try await growth("list", ["history", "list"], program),
                try await growth("search", ["history", "search", "minister"], program),
            ]
        }
    }

    private func path(_ name: String, _ program: ProgramRun) -> String { "\(program.home)/\(name).sqlite" }

    private func importing(
        _ store: String, articles: Int, _ text: SyntheticHistory.Text, _ program: ProgramRun,
        goal: MeasuredRow.Goal? = nil
    ) throws -> MeasuredRow {
        let seconds = try fill(store, articles: articles, text, program)
        let what = text == .teaser ? "title and 150 characters" : "whole texts"
        return MeasuredRow(
            text == .teaser ? "import" : "import-texts", "import of \(articles.formatted()) articles, \(what)",
            .articlesPerSecond, Samples([Double(articles) / seconds]), goal: goal,
            detail: String(format: "in %.1f s; store of %@", seconds, size(store)))
    }

    /// What a command costs more in the long history than in the short one.
    private func growth(
        _ id: String, _ command: [String], _ program: ProgramRun, goal: MeasuredRow.Goal? = nil
    ) async throws -> MeasuredRow {
        func run(_ name: String) throws -> Double {
            try program.run(command + ["--store", path(name, program)]).seconds
        }
        let arms = ["large", "small"].map { name in
            Contest.Arm(name: name) { Contest.Outcome(seconds: try run(name)) }
        }
        for arm in arms { _ = try run(arm.name) }
        let result = try await Contest(rounds: max(arguments.rounds, 5), say: { _ in }).run(arms)
        func milliseconds(_ arm: String) -> Double { (result.samples(arm).median ?? 0) * 1000 }
        let more = zip(result.samples("large").values, result.samples("small").values).map { ($0 - $1) * 1000 }
        return MeasuredRow(
            id, "\(command.joined(separator: " ")): with \(arguments.articles.formatted()) longer by", .milliseconds,
            Samples(more), goal: goal, disturbed: result.disturbed, isDoubtful: result.isDoubtful,
            detail: String(
                format: "%.0f ms with %@ articles, %.0f ms with 1,000", milliseconds("large"),
                arguments.articles.formatted(), milliseconds("small")))
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
