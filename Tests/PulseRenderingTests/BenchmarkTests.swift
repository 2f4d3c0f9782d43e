import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseRendering

@Suite(.timeLimit(.minutes(10))) struct BenchmarkTests {
    private static let zone = TimeZone(secondsFromGMT: 0) ?? .current

    private static let report = BenchmarkReport(
        date: Date(timeIntervalSince1970: 1_795_246_800), machine: "Some Processor, 2 cores, Linux",
        model: "a model, Q4_K_M", threads: 2, loads: [0.24, 0.61],
        rows: [
            BenchmarkRow(
                id: "digest", title: "digest: one at a time / in one batch", unit: .seconds,
                baseline: Samples([45.2, 44.9, 46]), value: Samples([20.1, 21, 19.9]), goal: .atLeast(2), disturbed: 1,
                detail: "1,912 tokens in, 672 out"),
            BenchmarkRow(
                id: "sequence", title: "one sequence: bare C loop / engine", unit: .seconds, baseline: Samples([8]),
                value: Samples([8.5]), goal: .atLeast(0.98), isDoubtful: true),
            BenchmarkRow(
                id: "import", title: "import of 1,000,000 articles", unit: .articlesPerSecond,
                value: Samples([61_234.5]), goal: .atLeast(50_000)),
            BenchmarkRow(id: "reading", title: "reading", unit: .tokensPerSecond, value: Samples([181.25])),
            BenchmarkRow(
                id: "again", title: "today again", unit: .milliseconds, value: Samples(), goal: .atMost(50)),
        ], notes: ["Each ratio is the median of the rounds' own."])

    @Test func theTable() throws {
        let text = BenchmarkText.render(Self.report, style: TextStyle(timeZone: Self.zone))
        #expect(try text == Golden.text("benchmark.txt", actual: text))
    }

    @Test func theDocument() throws {
        let text = BenchmarkJSON.render(Self.report)
        #expect(try text == Golden.text("benchmark.json", actual: text))
    }

    @Test func aTableWithoutGoalsHasNoColumnForThem() {
        var report = Self.report
        report.rows = [report.rows[3]]
        report.notes = []
        let text = BenchmarkText.render(report, style: TextStyle(timeZone: Self.zone))
        #expect(!text.contains("goal"))
        #expect(!text.contains("ratio"))
        #expect(text.contains("reading  181.2 tokens/s") || text.contains("reading  181.3 tokens/s"))
    }

    @Test(
        arguments: [
            (0.004, BenchmarkRow.Unit.seconds, "0.00 s"), (12.34, .seconds, "12.3 s"), (4.25, .milliseconds, "4.2 ms"),
            (250.4, .milliseconds, "250 ms"), (63.7, .mebibytes, "64 MiB"),
            (1_234_567, .articlesPerSecond, "1,234,567/s"),
        ])
    func figuresHaveAsManyDigitsAsTheyMean(_ value: Double, _ unit: BenchmarkRow.Unit, _ text: String) {
        #expect(BenchmarkText.figure(value, unit) == text)
    }
}
