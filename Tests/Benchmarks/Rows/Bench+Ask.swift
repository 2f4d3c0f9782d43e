/// Questions about a long history that was made ready.
import Foundation
import PulseDigest
import PulsePlatform
import PulseRendering
import PulseTestSupport

extension Bench {
    func ask() async throws -> [MeasuredRow] {
        try await withHome { program in
            let (day, long) = (program.home + "/day.sqlite", program.home + "/long.sqlite")
            var (making, finding) = (Samples(), Samples())
            for _ in 0..<arguments.rounds {
                try? FileManager.default.removeItem(atPath: day)
                try fill(day, articles: 30, .whole, program)
                making.values.append(try program.run(["prepare", "--model", "none", "--store", day]).seconds)
            }
            let all = min(arguments.articles, 100_000) / 5
            try fill(long, articles: all, .whole, program)
            try makeReady(long, articles: all)
            let question = ["ask", "what did the minister say?", "--model", "none", "--store", long]
            // The first brings the index of the words up to date.
            _ = try program.run(question)
            for _ in 0..<max(arguments.rounds, 5) { finding.values.append(try program.run(question).seconds * 1000) }
            return [
                MeasuredRow("vectors", "vectors of 30 articles, one core", .seconds, making, goal: .atMost(10)),
                MeasuredRow(
                    "ask", "passages among \(all.formatted()) articles with vectors", .milliseconds, finding,
                    goal: .atMost(300)),
            ]
        }
    }

    /// Gives the articles vectors of five passages, at random.
    private func makeReady(_ path: String, articles: Int) throws {
        var random = SplitMix(seed: 27)
        let store = try Connection(path: path, access: .readWrite)
        let kinds = 64
        for kind in 0..<kinds {
            let passages = (0..<5).map { _ in
                (0..<PassageVectors.width).map { _ in Float(random.next() % 2001) / 1000 - 1 }
            }
            try store.query(
                """
                INSERT INTO vectors (article, form, passages)
                SELECT id, ?1, ?2 FROM (SELECT id FROM articles ORDER BY id DESC LIMIT ?3) WHERE id % ?4 = ?5
                """,
                [
                    .integer(Int64(PassageVectors.form)), .blob(PassageVectors.pack(passages)),
                    .integer(Int64(articles)), .integer(Int64(kinds)), .integer(Int64(kind)),
                ])
        }
    }
}
