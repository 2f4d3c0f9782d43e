import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseStore

@Suite(.timeLimit(.minutes(20))) final class SearchTests: StoreSuite {
    override init() throws {
        try super.init()
        _ = try store.record([
            reading(article("title", title: "Floods in Lisbon", content: "Rain.")),
            reading(article("body", title: "Weather", content: "There were floods again."), at: hoursAgo(1)),
            reading(article("older", title: "Weather", content: "There were floods again."), at: hoursAgo(2)),
            reading(article("accent", title: "Inundações em São Paulo", content: "C++ & AT&T's \"best\" 2026")),
            reading(article("source", title: "Budget", source: "Diário")),
        ])
    }

    private func ids(_ words: String, limit: Int = 10) throws -> [String] {
        try store.found(words, limit: limit).map(\.article.id)
    }

    @Test func bestFirstThenNewest() throws {
        #expect(try ids("floods") == ["title", "body", "older"])
        #expect(try ids("floods", limit: 1) == ["title"])
        #expect(try ids("floods", limit: 0).isEmpty)
    }

    /// FTS5 takes a line of a script without spaces as one word.
    @Test(arguments: [("港口", ["zh"]), ("港口 批准", ["zh"]), ("港口 地震", []), ("ท่าเรือ", ["th"]), ("\"港口计划\"", ["zh"])])
    func wordsWithoutSpacesAreFound(words: String, expected: [String]) throws {
        _ = try store.record([
            reading(article("zh", title: "市议会批准港口计划", content: "周五投票。")),
            reading(article("th", title: "สภาเมืองอนุมัติแผนท่าเรือ", content: "วันศุกร์")),
        ])
        #expect(try ids(words) == expected)
    }

    @Test(arguments: [
        ("FLOODS lisb", ["title"]), ("flo lisb", ["title"]), ("lisb floods", ["title"]),
        ("inundacoes sao", ["accent"]), ("diario", ["source"]),
        ("flo", ["title", "body", "older"]), ("São   Paulo\n", ["accent"]), ("weather rain", []),
    ])
    func caseAccentsAndUnfinishedWordsAreForgiven(words: String, expected: [String]) throws {
        #expect(try ids(words) == expected)
    }

    @Test(arguments: [
        ("floods OR budget", []), ("NOT floods", []), ("title:floods", []), ("floods*", ["title", "body", "older"]),
        ("floods -again", ["body", "older"]), ("\"floods in", ["title"]), ("floods\"", ["title", "body", "older"]),
        ("(floods", ["title", "body", "older"]), ("^floods", ["title", "body", "older"]), ("c++", ["accent"]),
        ("at&t's", ["accent"]), ("floods NEAR(lisbon)", []), ("' OR 1=1 --", []), ("floods \u{0}lisbon", ["title"]),
        ("floods --- lisbon", ["title"]),
    ])
    func whatIsTypedIsWordsAndNeverSyntax(words: String, expected: [String]) throws {
        #expect(try ids(words) == expected)
    }

    @Test(arguments: ["", " ", "\n\t", "\"", "***", "--", "?!", "\u{0}", "“”", "( )"])
    func whereThereIsNothingToSearchForNothingIsFound(words: String) throws { #expect(try ids(words).isEmpty) }

    // MARK: - The index

    @Test func whatIsRecordedIsFoundOnceItIsIndexed() throws {
        #expect(try !store.isIndexed())
        #expect(try store.search("floods", limit: 9).isEmpty)
        try store.index()
        #expect(try store.isIndexed())
        #expect(try store.search("floods", limit: 9).count == 3)
        _ = try store.record([reading(article("late", title: "Late floods"))])
        #expect(try !store.isIndexed())
        #expect(try ids("late") == ["late"])
    }

    /// More than a transaction takes, changed and deleted in all ways while a part of it is indexed.
    @Test func whatIsStoppedInTheMiddleIsGoneOnWith() throws {
        _ = try store.record((0..<2500).map { reading(article("n-\($0)", title: "Number x\($0)")) })
        var shares: [Double] = []
        let stopped = failure {
            try store.index { share in
                shares.append(share)
                if shares.count == 2 { throw PulseError.interrupted }
            }
        }
        #expect(stopped?.code == .interrupted)
        #expect(shares == shares.sorted() && shares.allSatisfy { 0 < $0 && $0 < 1 })
        #expect(try !store.isIndexed())
        #expect(try store.search("number", limit: 9999).count < 2500)
        // Of what is indexed, and of what is not, the newest too.
        for number in [7, 1500, 2300, 2499] {
            #expect(try store.remove("n-\(number)", at: noon))
            _ = try store.record([reading(article("n-\(number - 1)", title: "Other", content: "y\(number - 1)"))])
        }
        _ = try store.record([reading(article("new", title: "Number x2500"))])
        #expect(try store.found("number", limit: 9999).count == 2493)
        #expect(try ids("x2499").isEmpty && ids("x2498").isEmpty)
        #expect(try ids("x2497") == ["n-2497"] && ids("y2498") == ["n-2498"])
        #expect(try ids("x2500") == ["new"])
        #expect(store.indexIsSound() == true)
    }

    @Test func whatIsIndexedIsFoundWhileAnotherProgramWrites() throws {
        try store.index()
        _ = try store.record([reading(article("late", title: "Late floods"))])
        let other = try scratch.open()
        try other.connection.execute("BEGIN IMMEDIATE")
        #expect(failure { try store.index() }.says(.tryAgain, "is writing"))
        #expect(try store.search("floods", limit: 9).count == 3)
        try other.connection.execute("COMMIT")
        #expect(try ids("late") == ["late"])
    }

    @Test func aTextThatChangedIsFoundByItsNewWordsOnly() throws {
        _ = try store.record([reading(article("title", title: "Fires", content: "Rain, and then the heat."))])
        #expect(try ids("fires") == ["title"])
        #expect(try ids("lisbon").isEmpty)
        #expect(store.indexIsSound() == true)
    }

    @Test func whatIsDeletedIsNotFound() throws {
        try store.connection.execute("DELETE FROM articles WHERE identifier IN ('source', 'older')")
        // SQLite gives the number of the last row again.
        _ = try store.record([reading(article("new", title: "Herons"))])
        #expect(try ids("budget").isEmpty)
        #expect(try ids("floods") == ["title", "body"])
        #expect(try ids("herons") == ["new"])
        #expect(store.indexIsSound() == true)
    }
}
