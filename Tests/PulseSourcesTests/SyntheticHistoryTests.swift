import Foundation
import PulseCore
import PulseSources
import PulseTestSupport
import Testing

/// What is measured with must be what it says.
@Suite(.timeLimit(.minutes(20))) struct SyntheticHistoryTests {
    @Test(arguments: [(SyntheticHistory.Text.whole, 1500...3000), (.teaser, 140...156)])
    func everyLineIsAnArticle(text: SyntheticHistory.Text, size: ClosedRange<Int>) throws {
        let history = SyntheticHistory(articles: 400, text: text)
        let now = Date(timeIntervalSince1970: 1_772_366_400)
        let batch = JSONLines(now: now).batch(
            (0..<history.articles).map {
                LineReader.Line(number: $0, bytes: Array(history.line($0).dropLast()))
            })
        let readings = batch.readings
        #expect(batch.badLines.isEmpty)
        #expect(Set(readings.map(\.article.id)).count == 400)
        #expect(readings.map(\.readAt) == readings.map(\.readAt).sorted())
        #expect(readings.filter { now.timeIntervalSince($0.readAt) <= 172_800 }.count == 201)
        #expect(Set(readings.map(\.article.category)).count == 8)
        let bytes = readings.reduce(0) { $0 + $1.article.content.utf8.count } / 400
        #expect(size.contains(bytes))
    }

    @Test func theSameSeedIsTheSameHistory() throws {
        let history = SyntheticHistory(articles: 50)
        #expect(history.line(7) == SyntheticHistory(articles: 50).line(7))
        #expect(history.line(7) != SyntheticHistory(articles: 50, seed: 2).line(7))
        let folder = try TemporaryFolder()
        try history.write(to: folder.file("h.jsonl"))
        let written = try Data(contentsOf: URL(fileURLWithPath: folder.file("h.jsonl")))
        #expect(written == Data((0..<50).flatMap(history.line)))
    }

    /// For measuring by hand: `SYNTHETIC_HISTORY=1000000:/tmp/history.jsonl swift test --filter writesForMeasuring`.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["SYNTHETIC_HISTORY"] != nil))
    func writesForMeasuring() throws {
        let wish = ProcessInfo.processInfo.environment["SYNTHETIC_HISTORY", default: ""].split(
            separator: ":", maxSplits: 1)
        let count = try #require(wish.first.flatMap { Int($0) })
        try SyntheticHistory(articles: count).write(to: String(try #require(wish.last)))
    }
}
