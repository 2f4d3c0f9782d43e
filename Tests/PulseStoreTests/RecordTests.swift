import Foundation
import PulseCore
import PulsePlatform
import Testing

@testable import PulseStore

@Suite(.timeLimit(.minutes(20))) final class RecordTests: StoreSuite {
    @Test func everyFieldComesBack() throws {
        let full = Article(
            id: "world/2026/feb/28/a-story", url: "https://example.org/a", title: "Ação e “reação”", summary: "Teaser",
            content: "One.\n\nTwo.", author: "A. Writer", source: "The Gazette", category: Category("Science"),
            language: "pt-BR", publishedAt: hoursAgo(30.0125))
        let bare = Article(id: "bare", title: "", content: "Only text")
        let readings = [reading(full, at: hoursAgo(1)), reading(bare, at: hoursAgo(2), isExact: false)]
        #expect(try store.record(readings) == ImportCounts(added: 2))
        #expect(try store.readings(in: everything) == readings)
    }

    @Test func twiceChangesNothing() throws {
        let readings = (0..<20).map { reading("id-\($0)", at: hoursAgo(Double($0))) }
        #expect(try store.record(readings) == ImportCounts(added: 20))
        #expect(try store.record(readings) == ImportCounts(unchanged: 20))
        #expect(try store.readings(in: everything) == readings)
    }

    @Test func theRowsOfASourceAreKeptUntilSomethingIsForgotten() throws {
        _ = try store.record([reading("a"), reading("b")], from: "reader", rows: [1: 11, -2: 22])
        _ = try store.record([], from: "other", rows: [1: 99])
        _ = try store.record([], from: "reader", rows: [1: 12, 3: 33])
        #expect(try store.rows(from: "reader") == [1: 12, -2: 22, 3: 33])
        #expect(try store.rows(from: "nobody").isEmpty)
        // What was removed is told at the next import, for which it must be looked at.
        #expect(try store.remove("a", at: noon))
        #expect(try store.rows(from: "reader").isEmpty)
        #expect(try store.record([reading("a")], from: "reader", rows: [1: 12]).removed == 1)
        #expect(try store.rows(from: "reader").isEmpty)
        _ = try store.record([reading("b")], from: "reader", rows: [2: 12])
        #expect(try store.rows(from: "reader") == [2: 12])
        _ = try store.clear()
        #expect(try store.rows(from: "reader").isEmpty)
    }

    @Test func severalAreRemovedAtOnce() throws {
        _ = try store.record([reading("a"), reading("b"), reading("c")])
        #expect(try store.found("title").count == 3)
        #expect(try store.remove(["a", "none", "c"], at: noon) == ["a", "c"])
        #expect(try store.found("title").map(\.article.id) == ["b"] && store.indexIsSound())
    }

    /// A news reader has the address that the feed gives, a browser the page's own.
    @Test(arguments: [
        "https://a.example/harbour?utm_source=rss&utm_medium=rss", "http://a.example/harbour",
        "https://a.example/harbour/", "https://a.example/harbour#comments", "https://A.example:443/harbour?xtor=RSS-1",
    ])
    func aPageOfTwoAddressesIsOneArticle(address: String) throws {
        let page = reading(article("https://a.example/harbour", title: "Harbour — A", url: "https://a.example/harbour"))
        let told = reading(article("guid-1", title: "Harbour", url: address), origin: "reader")
        for order in [[page, told], [told, page]] {
            let store = try Scratch().open()
            for reading in order { _ = try store.record([reading]) }
            #expect(try store.statistics().articles == 1)
        }
    }

    @Test func anotherQueryOrFragmentIsAnotherPage() throws {
        let addresses = ["?id=1", "?id=2", "#!/3", "#/4"].map { "https://a.example/news" + $0 }
        for (number, address) in addresses.enumerated() {
            let article = article(address, title: "News", url: address)
            _ = try store.record([reading(article, origin: "source-\(number)")])
        }
        #expect(try Set(store.readings(in: everything).compactMap(\.article.url)) == Set(addresses))
    }

    @Test func nothingToRecordIsNoError() throws { #expect(try scratch.open().record([]) == ImportCounts()) }

    @Test func whatWasRecordedIsThereWhenOpenedAgain() throws {
        _ = try scratch.open().record([reading("a")])
        #expect(try scratch.open(.readOnly).readings(in: everything) == [reading("a")])
    }

    @Test(arguments: [
        // first (hours ago, exact), second (hours ago, exact), expected (hours ago, exact)
        ((1.0, true), (2.0, true), (2.0, true)),
        ((2.0, true), (1.0, true), (2.0, true)),
        ((9.0, false), (1.0, true), (1.0, true)),
        ((1.0, true), (9.0, false), (1.0, true)),
        ((1.0, false), (9.0, false), (9.0, false)),
        ((9.0, false), (1.0, false), (9.0, false)),
    ])
    func theEarliestTimeOfAnOriginStaysAndAnExactOneWins(
        first: (hours: Double, exact: Bool), second: (hours: Double, exact: Bool),
        expected: (hours: Double, exact: Bool)
    ) throws {
        _ = try store.record([reading("a", at: hoursAgo(first.hours), isExact: first.exact)])
        let counts = try store.record([reading("a", at: hoursAgo(second.hours), isExact: second.exact)])
        #expect(
            try store.readings(in: everything) == [reading("a", at: hoursAgo(expected.hours), isExact: expected.exact)])
        #expect(counts == (expected == first ? ImportCounts(unchanged: 1) : ImportCounts(updated: 1)))
    }

    @Test func anotherOriginsExactTimeCountsMore() throws {
        _ = try store.record([reading("a", at: hoursAgo(9), origin: "newsboat", isExact: false)])
        #expect(try store.record([reading("a", at: hoursAgo(1), origin: "jsonl")]) == ImportCounts(updated: 1))
        #expect(try store.readings(in: everything) == [reading("a", at: hoursAgo(1), origin: "jsonl")])
        _ = try store.record([reading("a", at: hoursAgo(5), origin: "pulse")])
        #expect(try store.readings(in: everything) == [reading("a", at: hoursAgo(5), origin: "pulse")])
        #expect(try store.connection.integer("SELECT count(*) FROM reads") == 3)
    }

    @Test func severalSourcesOfOneURLAreOneArticle() throws {
        let url = "https://example.org/story"
        _ = try store.record([reading(article("jsonl-id", url: url))])
        let feed = reading(article(url, title: "Another headline", url: url), origin: "newsboat", isExact: false)
        #expect(try store.record([feed]) == ImportCounts(updated: 1))
        #expect(try store.record([feed]) == ImportCounts(unchanged: 1))
        #expect(try store.statistics().articles == 1)
        #expect(try store.find(url) == .one(reading(article("jsonl-id", url: url))))
    }

    @Test func oneSourcesTwoItemsWithOneLinkStayTwo() throws {
        let home = "https://example.org/"
        let items = [(1, "First"), (2, "Second")].map { reading(article("feed#\($0)", title: $1, url: home)) }
        #expect(try store.record(items) == ImportCounts(added: 2))
        #expect(try store.record(items) == ImportCounts(unchanged: 2))
        // The same item in two feeds of one reader: same link, same headline.
        let copy = reading(article("other-feed#1", title: "First", url: home))
        #expect(try store.record([copy]) == ImportCounts(unchanged: 1))
    }

    @Test func linksToOneFrontPageDoNotDoubleAcrossSources() throws {
        let home = "https://example.org/"
        _ = try store.record([reading(article("x", title: "Elsewhere", url: home))])
        let items = (1...3).map { reading(article("feed#\($0)", title: "Item \($0)", url: home), origin: "newsboat") }
        _ = try store.record(items)
        let articles = try store.statistics().articles
        #expect(try store.record(items) == ImportCounts(unchanged: 3))
        #expect(try store.statistics().articles == articles)
    }

    @Test func textsGrowAndNeverShrink() throws {
        _ = try store.record([reading(article("a", title: "Old", summary: "Teaser", content: "Short."))])
        let longer = article("a", title: "New", content: "Short. And longer.", category: .general)
        #expect(try store.record([reading(longer)]) == ImportCounts(updated: 1))
        #expect(try store.record([reading(article("a", title: "Newer", content: ""))]) == ImportCounts(unchanged: 1))
        let kept = try #require(try store.readings(in: everything).first).article
        #expect(kept == article("a", title: "New", summary: "Teaser", content: "Short. And longer."))
        #expect(try store.found("longer", limit: 5).count == 1)
        #expect(try store.found("Old", limit: 5).isEmpty)
    }

    @Test func gapsAreFilled() throws {
        _ = try store.record([reading(Article(id: "a", title: "", content: "Text"))])
        let full = Article(
            id: "a", url: "https://example.org/a", title: "T", summary: "S", content: "Text", author: "A", source: "N",
            category: Category("health"), language: "en", publishedAt: hoursAgo(4))
        #expect(try store.record([reading(full)]) == ImportCounts(updated: 1))
        #expect(try store.readings(in: everything).map(\.article) == [full])
    }

    @Test func tenMegabytesGoInAndComeBack() throws {
        let content = String(repeating: "Sentence with words. ", count: 500_000) + "needle"
        let large = reading(article("large", content: content))
        #expect(content.utf8.count > 10_000_000)
        #expect(try store.record([large]) == ImportCounts(added: 1))
        #expect(try store.found("needle", limit: 1) == [large])
        #expect(try store.record([large]) == ImportCounts(unchanged: 1))
    }

    @Test func textsAreNeverStatements() throws {
        let nasty = "'); DROP TABLE articles; -- \" \u{0} %s"
        let kept = reading(article(nasty, title: nasty, content: nasty))
        _ = try store.record([kept])
        #expect(try store.readings(in: everything) == [kept])
        #expect(try store.find(nasty) == .one(kept))
    }

    @Test func timesWithoutMeasureAreHeldInBounds() throws {
        _ = try store.record([
            reading("past", at: .distantPast), reading("future", at: .distantFuture),
            reading("nan", at: Date(timeIntervalSince1970: .nan)),
        ])
        #expect(try store.list(limit: 9).map(\.article.id) == ["future", "nan", "past"])
    }
}
