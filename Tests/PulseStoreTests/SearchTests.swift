import PulseCore
import PulseSQL
import Testing

@testable import PulseStore

@Suite(.timeLimit(.minutes(20))) struct SearchTests {
    let store: Searchable

    /// A class, because a suite cannot hold a noncopyable value.
    final class Searchable {
        let scratch: Scratch
        let store: Store

        init() throws {
            scratch = try Scratch()
            store = try scratch.open()
            _ = try store.record([
                reading(article("title", title: "Floods in Lisbon", content: "Rain.")),
                reading(article("body", title: "Weather", content: "There were floods again."), at: hoursAgo(1)),
                reading(article("older", title: "Weather", content: "There were floods again."), at: hoursAgo(2)),
                reading(article("accent", title: "Inundações em São Paulo", content: "C++ & AT&T's \"best\" 2026")),
                reading(article("source", title: "Budget", source: "Diário")),
            ])
        }

        func record(_ readings: [Reading]) throws { _ = try store.record(readings) }

        func ids(_ words: String, limit: Int = 10) throws -> [String] {
            try store.search(words, limit: limit).map(\.article.id)
        }
    }

    init() throws { store = try Searchable() }

    @Test func bestFirstThenNewest() throws {
        #expect(try store.ids("floods") == ["title", "body", "older"])
        #expect(try store.ids("floods", limit: 1) == ["title"])
        #expect(try store.ids("floods", limit: 0).isEmpty)
    }

    @Test(
        arguments: [
            ("FLOODS lisb", ["title"]), ("lisb floods", []), ("inundacoes sao", ["accent"]), ("diario", ["source"]),
            ("flo", ["title", "body", "older"]), ("São   Paulo\n", ["accent"]), ("weather rain", []),
        ])
    func caseAccentsAndAnUnfinishedLastWordAreForgiven(words: String, expected: [String]) throws {
        #expect(try store.ids(words) == expected)
    }

    @Test(
        arguments: [
            ("floods OR budget", []), ("NOT floods", []), ("title:floods", []),
            ("floods*", ["title", "body", "older"]),
            ("floods -again", ["body", "older"]), ("\"floods in", ["title"]), ("floods\"", ["title", "body", "older"]),
            ("(floods", ["title", "body", "older"]), ("^floods", ["title", "body", "older"]), ("c++", ["accent"]),
            ("at&t's", ["accent"]), ("floods NEAR(lisbon)", []), ("' OR 1=1 --", []), ("floods \u{0}lisbon", ["title"]),
            ("floods --- lisbon", ["title"]),
        ])
    func whatIsTypedIsWordsAndNeverSyntax(words: String, expected: [String]) throws {
        #expect(try store.ids(words) == expected)
    }

    @Test(
        arguments: [
            "", " ", "\n\t", "\"", "***", "--", "?!", "\u{0}", "“”", "( )",
        ])
    func whereThereIsNothingToSearchForNothingIsFound(words: String) throws {
        #expect(try store.ids(words).isEmpty)
    }

    @Test func aTextThatChangedIsFoundByItsNewWordsOnly() throws {
        try store.record([reading(article("title", title: "Fires", content: "Rain, and then the heat."))])
        #expect(try store.ids("fires") == ["title"])
        #expect(try store.ids("lisbon").isEmpty)
        #expect(store.store.indexIsSound() == true)
    }

    @Test func whatIsDeletedIsNotFound() throws {
        try store.store.connection.execute("DELETE FROM articles WHERE identifier IN ('source', 'older')")
        // SQLite gives the number of the last row again.
        try store.record([reading(article("new", title: "Herons"))])
        #expect(try store.ids("budget").isEmpty)
        #expect(try store.ids("floods") == ["title", "body"])
        #expect(try store.ids("herons") == ["new"])
        #expect(store.store.indexIsSound() == true)
    }
}
