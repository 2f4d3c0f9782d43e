import Foundation
import PulseRendering
import PulseTestSupport
import Testing

@testable import pulse_bench

@Suite(.timeLimit(.minutes(20))) struct MeasuredRowTests {
    private static let rows = [
        MeasuredRow(
            "digest", "digest: one at a time / in one batch", .seconds, Samples([20.1, 21, 19.9]),
            baseline: Samples([45.2, 44.9, 46]), goal: .atLeast(2), disturbed: 1, detail: "1,912 tokens in, 672 out"),
        MeasuredRow(
            "sequence", "one sequence: bare C loop / engine", .seconds, Samples([8.5]), baseline: Samples([8]),
            goal: .atLeast(0.98), isDoubtful: true),
        MeasuredRow(
            "import", "import of 1,000,000 articles", .articlesPerSecond, Samples([61_234.5]), goal: .atLeast(50_000)),
        MeasuredRow("reading", "reading", .tokensPerSecond, Samples([181.25])),
        MeasuredRow("again", "today again", .milliseconds, Samples(), goal: .atMost(50)),
    ]

    private static let report = BenchmarkReport(
        date: Date(timeIntervalSince1970: 1_795_246_800), machine: "Some Processor, 2 cores, Linux",
        model: "a model, Q4_K_M", threads: 2, loads: [0.24, 0.61], rows: rows.map(\.row),
        notes: ["Each ratio is the median of the rounds' own."])

    @Test func theTable() throws {
        let text = MeasuredRow.text(Self.report, Self.rows, style: TextStyle(timeZone: .gmt))
        #expect(try text == Golden.text("benchmark.txt", actual: text))
    }

    @Test func theDocument() throws {
        let text = BenchmarkJSON.render(Self.report, rows: Self.rows)
        #expect(try text == Golden.text("benchmark.json", actual: text))
    }

    @Test(arguments: [
        (MeasuredRow.Goal.atLeast(2), 2.0, true), (.atLeast(2), 1.99, false), (.atMost(64), 64, true),
        (.atMost(64), 64.1, false),
    ])
    func aGoalIsMetAtItsBound(_ goal: MeasuredRow.Goal, _ value: Double, _ isMet: Bool) {
        #expect(goal.isMet(by: value) == isMet)
    }

    @Test func aRowHoldsItsGoalAgainstTheRatioOrTheMedian() {
        let pair = MeasuredRow(
            "a", "a / b", .seconds, Samples([2, 2, 2]), baseline: Samples([4, 5, 6]), goal: .atLeast(2.5))
        #expect(pair.row.ratio == 2.5 && pair.isGoalMet == true)
        let single = MeasuredRow("m", "memory", .mebibytes, Samples([70, 60, 65]), goal: .atMost(64))
        #expect(single.row.ratio == nil && single.isGoalMet == false)
        let nothing = MeasuredRow("n", "n", .seconds, Samples(), goal: .atMost(1))
        #expect(nothing.isGoalMet == nil, "what was not measured is neither reached nor missed")
        #expect(MeasuredRow("x", "x", .seconds, Samples([1])).isGoalMet == nil)
    }
}
