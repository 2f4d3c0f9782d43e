import Foundation
import PulseCore
import PulseRendering
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct HistoryTextTests {
    @Test(arguments: [
        ("history.list.txt", TextStyle(timeZone: Sample.utc)),
        ("history.list.terminal.txt", TextStyle(width: 72, isStyled: true, timeZone: Sample.lisbon)),
    ])
    func list(name: String, style: TextStyle) throws {
        let text = HistoryText.list(Sample.readings, style: style)
        #expect(try text == Golden.text(name, actual: text))
    }

    /// A title is never cut where it would hardly have room.
    @Test func inANarrowTerminalTheTitleHasLinesOfItsOwn() {
        let text = HistoryText.list(Sample.readings, style: TextStyle(width: 40, timeZone: Sample.utc))
        #expect(!text.contains("…") && text.contains("Council votes to rebuild"))
        for line in text.split(separator: "\n") { #expect(line.count <= 40, "\(line)") }
    }

    @Test(arguments: [64, 80, 120]) func thePublicationStaysWhereTheTitleIsCut(width: Int) {
        var reading = Sample.readings[0]
        reading.article.title =
            "Council votes to rebuild the harbour wall after the storm of last winter took half of it"
        reading.article.source = "The Herald"
        let line = HistoryText.list([reading], style: TextStyle(width: width, timeZone: Sample.utc))
        #expect(DisplayWidth.of(line.trimmingCharacters(in: .newlines)) <= width && line.contains("…"), "\(line)")
        #expect(line.contains(width == 64 ? "— The" : "— The Herald"), "\(line)")
        #expect(line.contains("Council"))
    }

    @Test func aSearchShowsWhereTheWordsStand() {
        let content = """
            The council met on Monday. After a long evening of speeches from all sides and a break for tea, it voted to \
            close the Old Café bridge.
            """
        let reading = Reading(
            article: Article(id: "a", title: "A vote", content: content), readAt: Date(timeIntervalSince1970: 0),
            origin: "jsonl", isExact: true)
        let found = { (words: String, width: Int?) in
            HistoryText.found([reading], by: words, style: TextStyle(width: width, timeZone: Sample.utc))
                .split(separator: "\n").map(String.init)
        }
        #expect(found("cafe bri", 70).last == "  …close the Old Café bridge.")
        #expect(found("council", 70).last == "  The council met on Monday.")
        #expect(found("ferry", 70).count == 1)
        // Other programs read one line an article.
        #expect(found("council", nil).count == 1)
    }

    @Test func show() throws {
        var reading = Sample.readings[0]
        reading.article.summary = "The teaser."
        reading.article.content = "A first paragraph of some length, to be wrapped.\n\nA second."
        reading.article.author = "Ana Lima"
        let text = HistoryText.show(reading, style: TextStyle(width: 40, timeZone: Sample.utc))
        #expect(try text == Golden.text("history.show.txt", actual: text))
        let json = HistoryJSON.show(reading)
        #expect(try json == Golden.text("history.show.json", actual: json))
    }

    @Test func bookmarks() throws {
        let bookmarks = Sample.readings.prefix(2).enumerated().map { index, reading in
            Bookmark(article: reading.article, savedAt: index == 0 ? nil : Sample.now)
        }
        let list = BookmarkText.list(bookmarks, style: TextStyle(timeZone: Sample.utc))
        #expect(try list == Golden.text("bookmarks.txt", actual: list))
        let json = HistoryJSON.bookmarks(bookmarks)
        #expect(try json == Golden.text("bookmarks.json", actual: json))
        let lines = bookmarks.map(ArticleLine.text).joined()
        #expect(try lines == Golden.text("bookmarks.jsonl", actual: lines))
    }

    @Test func listsAsJSON() throws {
        let list = HistoryJSON.list(Array(Sample.readings.prefix(2)))
        #expect(try list == Golden.text("history.list.json", actual: list))
        let related = HistoryJSON.related([
            (Sample.readings[0], 0.614, true, nil), (Sample.readings[1], 0.1, false, nil),
        ])
        #expect(try related == Golden.text("related.json", actual: related))
        #expect(HistoryJSON.list([]) == "{\n  \"articles\" : [\n\n  ]\n}\n")
    }

    @Test func statistics() throws {
        let statistics = HistoryStatistics(
            articles: 42, sources: 9,
            categories: [
                .init(category: Category("world"), articles: 40), .init(category: Category("gardening"), articles: 1),
            ],
            firstReadAt: Sample.now.addingTimeInterval(-1_000_000), lastReadAt: Sample.now, approximate: 3, daysRead: 12
        )
        let text = StatisticsText.render(statistics, style: TextStyle(timeZone: Sample.utc))
        #expect(try text == Golden.text("history.stats.txt", actual: text))
        let json = HistoryJSON.statistics(statistics)
        #expect(try json == Golden.text("history.stats.json", actual: json))
    }

    @Test func anEmptyHistory() {
        let statistics = HistoryStatistics(
            articles: 0, sources: 0, categories: [], firstReadAt: nil, lastReadAt: nil, approximate: 0, daysRead: 0)
        #expect(StatisticsText.render(statistics, style: TextStyle()).split(separator: "\n").count == 3)
        #expect(HistoryText.list([], style: TextStyle()) == "")
    }

    @Test func models() throws {
        var small = ModelRow(name: "pulse-nano", bytes: 6_912_345, state: "included")
        small.errors = "quotes"
        var large = ModelRow(name: "qwen3-4b", bytes: 2_497_280_256, state: "not downloaded")
        (large.digest, large.errors) = ("~2 min", "2.7 %")
        large.isRecommended = true
        let other = ModelRow(name: "ollama:qwen3:4b", bytes: 807_694_464, state: "4.0 billion parameters")
        let text = ModelText.list(
            [small, large], others: [other], opening: ["No model writes."], notes: ["* suits this machine"],
            style: TextStyle())
        #expect(try text == Golden.text("models.list.txt", actual: text))
    }

    @Test(arguments: [
        (0.2, "1 s"), (9.4, "9 s"), (26, "25 s"), (117, "2 min"), (400, "7 min"), (.infinity, "16667 min"),
    ])
    func times(seconds: Double, text: String) { #expect(ModelText.time(seconds) == text) }

    @Test(arguments: [
        (999, "999 B"), (1_500, "1 kB"), (6_912_345, "6.9 MB"), (807_694_464, "807 MB"), (2_550_000_000, "2.5 GB"),
    ])
    func sizes(bytes: Int64, text: String) { #expect("\(ModelText.size(bytes))" == text) }
}
