import PulseCore
import PulseSQL
import Testing

@testable import PulseStore

@Suite(.timeLimit(.minutes(10))) struct SearchTests {
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
            try store.index()
        }

        func record(_ readings: [Reading]) throws {
            _ = try store.record(readings)
            try store.index()
        }

        func ids(_ words: String, limit: Int = 10) throws -> [String] {
            try store.search(words, limit: limit).map(\.article.id)
        }

        /// As in a history that is too long to read through.
        func idsOfMany(_ words: String, limit: Int = 10) throws -> [String] {
            try store.search(words, limit: limit, shortHistory: 0).map(\.article.id)
        }
    }

    init() throws { store = try Searchable() }

    @Test func bestFirstThenNewest() throws {
        #expect(try store.ids("floods") == ["title", "body", "older"])
        #expect(try store.ids("floods", limit: 1) == ["title"])
        #expect(try store.ids("floods", limit: 0).isEmpty)
    }

    @Test(
        "Case, accents and an unfinished last word are forgiven",
        arguments: [
            ("FLOODS lisb", ["title"]), ("lisb floods", []), ("inundacoes sao", ["accent"]), ("diario", ["source"]),
            ("flo", ["title", "body", "older"]), ("São   Paulo\n", ["accent"]), ("weather rain", []),
        ])
    func forgiving(words: String, expected: [String]) throws {
        #expect(try store.ids(words) == expected)
        #expect(try store.idsOfMany(words) == expected)
    }

    @Test(
        "What is typed is words, never syntax",
        arguments: [
            ("floods OR budget", []), ("NOT floods", []), ("title:floods", []),
            ("floods*", ["title", "body", "older"]),
            ("floods -again", ["body", "older"]), ("\"floods in", ["title"]), ("floods\"", ["title", "body", "older"]),
            ("(floods", ["title", "body", "older"]), ("^floods", ["title", "body", "older"]), ("c++", ["accent"]),
            ("at&t's", ["accent"]), ("floods NEAR(lisbon)", []), ("' OR 1=1 --", []), ("floods \u{0}lisbon", ["title"]),
            ("floods --- lisbon", ["title"]),
        ])
    func syntax(words: String, expected: [String]) throws {
        #expect(try store.ids(words) == expected)
        #expect(try store.idsOfMany(words) == expected)
    }

    @Test(
        "Where there is nothing to search for, nothing is found",
        arguments: [
            "", " ", "\n\t", "\"", "***", "--", "?!", "\u{0}", "“”", "( )",
        ])
    func empty(words: String) throws {
        #expect(try store.ids(words).isEmpty)
        #expect(try store.idsOfMany(words).isEmpty)
    }

    @Test("In a long history a word that is found often enough is no beginning")
    func wholeWordsFirst() throws {
        try store.record([reading(article("flo", title: "Flo wins"))])
        #expect(try Set(store.ids("flo")) == ["flo", "title", "body", "older"])
        #expect(try store.idsOfMany("flo", limit: 1) == ["flo"])
        #expect(try Set(store.idsOfMany("flo")) == ["flo", "title", "body", "older"])
        #expect(try store.idsOfMany("wins flo") == ["flo"])
        #expect(try store.idsOfMany("weather flo").sorted() == ["body", "older"])
    }

    @Test func ofManyMatchesTheLatestAreCompared() throws {
        let count = Store.mostCompared + 50
        try store.record(
            (0..<count).map { number in
                reading(
                    article("n\(number)", title: number < 20 ? "Heron heron" : "Bird", content: "A heron stood there."),
                    at: hoursAgo(Double(count - number)))
            })
        // The first fifty of them, better matches though they are, came in too long ago.
        #expect(try store.ids("heron", limit: 2) == ["n\(count - 1)", "n\(count - 2)"])
        #expect(try store.ids("heron", limit: count).count == count)
        #expect(try store.ids("heron", limit: count).prefix(20).allSatisfy { Int($0.dropFirst()) ?? 99 < 20 })
    }

    @Test func ofManyContinuationsTheFirstCount() throws {
        let count = Store.mostContinuations + 10
        try store.record(
            (0..<count).map { reading(article("n\($0)", title: "qx\(1000 + $0)"), at: hoursAgo(Double($0))) })
        #expect(try store.ids("qx", limit: 999).count == count)
        #expect(try store.idsOfMany("qx", limit: 999).count == Store.mostContinuations)
        #expect(try store.idsOfMany("QX100", limit: 999).count == 10)
    }

    @Test func aTextThatChangedIsFoundByItsNewWordsOnly() throws {
        try store.record([reading(article("title", title: "Fires", content: "Rain, and then the heat."))])
        #expect(try store.ids("fires") == ["title"])
        #expect(try store.ids("lisbon").isEmpty)
        try store.store.connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    }
}
