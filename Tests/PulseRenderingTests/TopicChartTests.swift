import PulseCore
import PulseText
import Testing

@testable import PulseRendering

@Suite(.timeLimit(.minutes(20))) struct TopicChartTests {
    /// The names are headings of an outline, which are clean already.
    private func chart(_ counts: [(String, Int)], width: Int?) -> [String] {
        let topics = counts.map { DigestOutline.Topic(name: $0.0, articles: $0.1, count: "\($0.1)") }
        return TopicChart.render(topics, style: TextStyle(width: width, timeZone: Sample.utc))
            .split(separator: "\n").map(String.init)
    }

    @Test func barsAreAsLongAsTheirShare() {
        #expect(
            chart([("World", 4), ("Health", 2), ("Zoo", 1)], width: 80) == [
                "World   ██████████████████████████████ 4", "Health  ███████████████ 2", "Zoo     ███████▌ 1",
            ])
        #expect(
            chart([("World", 4), ("Health", 2), ("Zoo", 1)], width: 30) == [
                "World   ████████████████████ 4", "Health  ██████████ 2", "Zoo     █████ 1",
            ])
    }

    /// What is there is seen, however little it is.
    @Test func theSmallestHasHalfACell() {
        #expect(chart([("World", 1000), ("Zoo", 1)], width: 80)[1] == "Zoo    ▌ 1")
    }

    /// What there is under each heading, told or not, in the reader's language.
    @Test(arguments: [
        (Language.english, ["World", "Sports", "More"]), (.portuguese, ["Mundo", "Esportes", "Outras"]),
        (.europeanPortuguese, ["Mundo", "Desporto", "Outras"]), (.spanish, ["Mundo", "Deportes", "Otras"]),
    ])
    func namesAreTheReaders(language: Language, names: [String]) {
        let text = DigestText.render(LanguageSample(language).digest, style: TextStyle(width: 60, timeZone: Sample.utc))
        let rows = text.matches(of: /(?m)^(\S+) +[█▌]+ ([0-9]+) (?:article|artigo|artículo)s?$/)
        #expect(rows.map { String($0.output.1) } == names)
        #expect(rows.map { String($0.output.2) } == ["4", "1", "2"])
    }

    @Test func thereIsNoneWithoutAWidthOrRoomOrAnythingToCompare() {
        #expect(chart([("World", 1), ("Health", 1)], width: nil).isEmpty)
        #expect(chart([("Entertainment", 1), ("Health", 1)], width: 24).count == 0)
        #expect(chart([("World", 1)], width: 80).isEmpty)
        #expect(chart([], width: 80).isEmpty)
        #expect(chart([("World", 0), ("Health", 0)], width: 80).isEmpty)
    }

    /// No row is wider than the terminal, whatever a source calls its categories.
    @Test(arguments: [24, 30, 40, 60, 88, 200])
    func itFits(width: Int) {
        let rows = chart([("World", 12_345), (String(repeating: "東", count: 60), 3), ("ab", 999)], width: width)
        for row in rows {
            #expect(DisplayWidth.of(row) <= width)
            #expect(!row.unicodeScalars.contains { PlainText.isUnsafe($0) })
        }
        if width >= 40 { #expect(rows.count == 3) }
    }

    @Test func manyTopicsAreTheLargestOnes() {
        let rows = chart((1...40).map { ("C\($0)", $0) }, width: 80)
        #expect(rows.count == 12)
        #expect(rows.first?.hasPrefix("C29 ") == true && rows.last?.hasPrefix("C40 ") == true)
        // Of equal ones those that are told first, and never instead of a larger one.
        let equal = chart((1...40).map { ("C\($0)", $0 == 40 ? 9 : 5) }, width: 80)
        #expect(equal.count == 12)
        #expect(equal.first?.hasPrefix("C1 ") == true && equal.last?.hasPrefix("C40 ") == true)
    }
}
