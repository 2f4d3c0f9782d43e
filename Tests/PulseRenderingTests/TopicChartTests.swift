import PulseCore
import PulseText
import Testing

@testable import PulseRendering

@Suite struct TopicChartTests {
    private func chart(_ counts: [(String, Int)], width: Int?, language: Language = .english) -> [String] {
        let topics = counts.map { DigestOverview.Topic(category: Category($0.0), articles: $0.1) }
        return TopicChart.render(topics, language: language, style: TextStyle(width: width, timeZone: Sample.utc))
            .split(separator: "\n").map(String.init)
    }

    @Test func barsAreAsLongAsTheirShare() {
        #expect(
            chart([("world", 4), ("health", 2), ("zoo", 1)], width: 80) == [
                "World   ██████████████████████████████ 4", "Health  ███████████████ 2", "Zoo     ███████▌ 1",
            ])
        #expect(
            chart([("world", 4), ("health", 2), ("zoo", 1)], width: 30) == [
                "World   ████████████████████ 4", "Health  ██████████ 2", "Zoo     █████ 1",
            ])
    }

    /// What is there is seen, however little it is.
    @Test func theSmallestHasHalfACell() {
        #expect(chart([("world", 1000), ("zoo", 1)], width: 80)[1] == "Zoo    ▌ 1")
    }

    @Test func namesAreTheReaders() {
        #expect(chart([("world", 1), ("health", 1)], width: 60, language: .portuguese)[1].hasPrefix("Saúde  █"))
        #expect(
            chart([("technology", 1), ("business", 1)], width: 60, language: .spanish)[1].hasPrefix("Economía    █"))
    }

    @Test func thereIsNoneWithoutAWidthOrRoomOrAnythingToCompare() {
        #expect(chart([("world", 1), ("health", 1)], width: nil).isEmpty)
        #expect(chart([("entertainment", 1), ("health", 1)], width: 24).count == 0)
        #expect(chart([("world", 1)], width: 80).isEmpty)
        #expect(chart([], width: 80).isEmpty)
        #expect(chart([("world", 0), ("health", 0)], width: 80).isEmpty)
    }

    /// No row is wider than the terminal, whatever a source calls its categories.
    @Test(arguments: [24, 30, 40, 60, 88, 200])
    func itFits(width: Int) {
        let rows = chart(
            [("world", 12_345), (String(repeating: "東", count: 60), 3), ("a\u{1b}[1mb", 999)], width: width)
        for row in rows {
            #expect(DisplayWidth.of(row) <= width)
            #expect(!row.unicodeScalars.contains { PlainText.isUnsafe($0) })
        }
        if width >= 40 { #expect(rows.count == 3) }
    }

    @Test func manyTopicsAreTheLargestOnes() {
        let rows = chart((1...40).map { ("c\($0)", $0) }, width: 80)
        #expect(rows.count == 12)
        #expect(rows.first?.hasPrefix("C29 ") == true && rows.last?.hasPrefix("C40 ") == true)
        // Of equal ones those that are told first, and never instead of a larger one.
        let equal = chart((1...40).map { ("c\($0)", $0 == 40 ? 9 : 5) }, width: 80)
        #expect(equal.count == 12)
        #expect(equal.first?.hasPrefix("C1 ") == true && equal.last?.hasPrefix("C40 ") == true)
    }
}
