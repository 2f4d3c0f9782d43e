import Foundation
import PulseRendering
import Testing

@Suite(.timeLimit(.minutes(20))) struct BenchmarkTextTests {
    @Test func theMedianIsTheMiddle() {
        #expect(Samples().median == nil)
        #expect(Samples([4]).median == 4)
        #expect(Samples([9, 1, 4]).median == 4)
        #expect(Samples([9, 1, 4, 2]).median == 3)
    }

    @Test func ratiosAreOfPairsAndNotOfMedians() {
        // The machine slows down threefold from round to round, and the ratio stays what it is in each.
        let slow = Samples([2, 6, 18])
        let fast = Samples([1, 3, 9])
        #expect(slow.ratios(to: fast).values == [2, 2, 2])
        // One odd round does not move it, where the ratio of the sums would be off.
        #expect(Samples([2, 2, 90]).ratios(to: Samples([1, 1, 1])).median == 2)
        #expect(Samples([2, 2]).ratios(to: Samples([0, 1])).values == [2], "nothing is divided by nothing")
    }

    private static let report = BenchmarkReport(
        date: Date(timeIntervalSince1970: 1_795_246_800), machine: "Some Processor", model: "a model", threads: 1,
        loads: [0.24, 0.61],
        rows: [BenchmarkRow(id: "reading", title: "reading", unit: .tokensPerSecond, value: Samples([181.4]))],
        notes: [])

    @Test func aTableHasNoEmptyColumn() {
        #expect(
            BenchmarkText.render(Self.report, style: TextStyle(timeZone: .gmt)) == """
                a model
                2026-11-21 07:40 · Some Processor · 1 thread · load 0.2 to 0.6

                                 second  rounds
                reading  181.4 tokens/s       1

                """)
    }

    @Test func everyFigureIsInTheDocument() throws {
        let document = try JSONSerialization.jsonObject(with: Data(BenchmarkJSON.render(Self.report).utf8))
        let row = try #require(((document as? [String: Any])?["rows"] as? [[String: Any]])?.first)
        #expect(Set(row.keys) == ["id", "title", "unit", "value", "detail", "disturbed_rounds", "doubtful"])
        #expect((row["value"] as? [String: Any])?["median"] as? Double == 181.4)
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
