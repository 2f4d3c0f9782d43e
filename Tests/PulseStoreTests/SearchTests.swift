import PulseCore
import PulsePlatform
import PulseTestSupport
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
            try store.found(words, limit: limit).map(\.article.id)
        }
    }

    init() throws { store = try Searchable() }

    @Test func bestFirstThenNewest() throws {
        #expect(try store.ids("floods") == ["title", "body", "older"])
        #expect(try store.ids("floods", limit: 1) == ["title"])
        #expect(try store.ids("floods", limit: 0).isEmpty)
    }

    /// FTS5 takes a line of a script without spaces as one word.
    @Test(arguments: [("港口", ["zh"]), ("港口 批准", ["zh"]), ("港口 地震", []), ("ท่าเรือ", ["th"]), ("\"港口计划\"", ["zh"])])
    func wordsWithoutSpacesAreFound(words: String, expected: [String]) throws {
        try store.record([
            reading(article("zh", title: "市议会批准港口计划", content: "周五投票。")),
            reading(article("th", title: "สภาเมืองอนุมัติแผนท่าเรือ", content: "วันศุกร์")),
        ])
        #expect(try store.ids(words) == expected)
    }

    @Test(arguments: [
        ("FLOODS lisb", ["title"]), ("flo lisb", ["title"]), ("lisb floods", ["title"]),
        ("inundacoes sao", ["accent"]), ("diario", ["source"]),
        ("flo", ["title", "body", "older"]), ("São   Paulo\n", ["accent"]), ("weather rain", []),
    ])
    func caseAccentsAndUnfinishedWordsAreForgiven(words: String, expected: [String]) throws {
        #expect(try store.ids(words) == expected)
    }

    @Test(arguments: [
        ("floods OR budget", []), ("NOT floods", []), ("title:floods", []), ("floods*", ["title", "body", "older"]),
        ("floods -again", ["body", "older"]), ("\"floods in", ["title"]), ("floods\"", ["title", "body", "older"]),
        ("(floods", ["title", "body", "older"]), ("^floods", ["title", "body", "older"]), ("c++", ["accent"]),
        ("at&t's", ["accent"]), ("floods NEAR(lisbon)", []), ("' OR 1=1 --", []), ("floods \u{0}lisbon", ["title"]),
        ("floods --- lisbon", ["title"]),
    ])
    func whatIsTypedIsWordsAndNeverSyntax(words: String, expected: [String]) throws {
        #expect(try store.ids(words) == expected)
    }

    @Test(arguments: ["", " ", "\n\t", "\"", "***", "--", "?!", "\u{0}", "“”", "( )"])
    func whereThereIsNothingToSearchForNothingIsFound(words: String) throws { #expect(try store.ids(words).isEmpty) }

    // MARK: - The index

    @Test func whatIsRecordedIsFoundOnceItIsIndexed() throws {
        #expect(try !store.store.isIndexed())
        #expect(try store.store.search("floods", limit: 9).isEmpty)
        try store.store.index()
        #expect(try store.store.isIndexed())
        #expect(try store.store.search("floods", limit: 9).count == 3)
        try store.record([reading(article("late", title: "Late floods"))])
        #expect(try !store.store.isIndexed())
        #expect(try store.ids("late") == ["late"])
    }

    /// More than a transaction takes, changed and deleted in all ways while a part of it is indexed.
    @Test func whatIsStoppedInTheMiddleIsGoneOnWith() throws {
        try store.record((0..<2500).map { reading(article("n-\($0)", title: "Number x\($0)")) })
        var shares: [Double] = []
        let stopped = failure {
            try store.store.index { share in
                shares.append(share)
                if shares.count == 2 { throw PulseError.interrupted }
            }
        }
        #expect(stopped?.code == .interrupted)
        #expect(shares == shares.sorted() && shares.allSatisfy { 0 < $0 && $0 < 1 })
        #expect(try !store.store.isIndexed())
        #expect(try store.store.search("number", limit: 9999).count < 2500)
        // Of what is indexed, and of what is not, the newest too.
        for number in [7, 1500, 2300, 2499] {
            #expect(try store.store.remove("n-\(number)", at: noon))
            try store.record([reading(article("n-\(number - 1)", title: "Other", content: "y\(number - 1)"))])
        }
        try store.record([reading(article("new", title: "Number x2500"))])
        #expect(try store.store.found("number", limit: 9999).count == 2493)
        #expect(try store.ids("x2499").isEmpty && store.ids("x2498").isEmpty)
        #expect(try store.ids("x2497") == ["n-2497"] && store.ids("y2498") == ["n-2498"])
        #expect(try store.ids("x2500") == ["new"])
        #expect(store.store.indexIsSound() == true)
    }

    @Test func whatIsIndexedIsFoundWhileAnotherProgramWrites() throws {
        try store.store.index()
        try store.record([reading(article("late", title: "Late floods"))])
        let other = try store.scratch.open()
        try other.connection.execute("BEGIN IMMEDIATE")
        #expect(failure { try store.store.index() }.says(.tryAgain, "is writing"))
        #expect(try store.store.search("floods", limit: 9).count == 3)
        try other.connection.execute("COMMIT")
        #expect(try store.ids("late") == ["late"])
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
