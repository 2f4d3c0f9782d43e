import Foundation
import PulseTestSupport
import Testing

/// Bookmarks, articles taken out of the history, related ones, and all of it as JSON.
@Suite(.timeLimit(.minutes(20))) struct BookmarksTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try .withSample() }

    private static let ferry = "https://www.herald.example/world/2026/nov/20/calder-strait-fishing-ferry-accord"

    // MARK: - Bookmarks

    @Test func whatIsStarredAndUnreadIsNowhereButThere() throws {
        let before = try run("history stats").output
        let line = #"{"id":"later","title":"Xyzzy for later","content":"Xyzzy text.","saved_at":"2026-11-21T08:00Z"}"#
        try run("import jsonl", input: Data(line.utf8)).ends(
            0, output: "0 articles: 0 new, 0 updated, 0 known\n",
            errors: "1 article is there, but not read.\n1 bookmark added.\n")
        #expect(try run("history stats").output == before)
        #expect(try run("history search xyzzy").output == "")
        #expect(try !run("today").output.contains("Xyzzy"))
        let list = try run("bookmarks").output
        #expect(list.contains("2026-11-21 08:00") && list.contains("Xyzzy for later"))
        // A second import changes nothing.
        #expect(try run("import jsonl", input: Data(line.utf8)).errors == "1 article is there, but not read.\n")
        #expect(try run("bookmarks").output == list)
        try run("history clear").ends(64, " and 1 bookmark for good")
    }

    @Test func theyAreAddedListedAndRemoved() throws {
        #expect(try run("bookmarks").output == "")
        let title = "Kestria and Vellmark end eleven-year quarrel over the Calder Strait\n"
        try run("bookmarks add \(Self.ferry)?utm_source=x").ends(nil, errors: "Bookmark added: " + title)
        #expect(try run("bookmarks add 560d9a6").errors == "A bookmark already: " + title)
        let list = try #require(json("bookmarks")["bookmarks"] as? [[String: Any]])
        #expect(list.count == 1 && list[0]["url"] as? String == Self.ferry)
        #expect(list[0]["saved_at"] as? String == "2026-11-21T20:00:00Z")
        let id = try #require(list[0]["id"] as? String)
        #expect(try run("history show \(id)").status == 0)
        #expect(try run("bookmarks remove nothing-like-it").status == 66)
        #expect(try run("bookmarks remove 560d9a6").errors == "Bookmark removed: " + title)
        #expect(try run("bookmarks").output == "" && run("history show 560d9a6").status == 0)
    }

    @Test func whatIsExportedIsReadBack() throws {
        #expect(try run("bookmarks add 560d9a6 21e3c1b").status == 0)
        let exported = try run("bookmarks export").output
        #expect(exported.split(separator: "\n").count == 2)
        let other = sandbox.folder.file("other.sqlite")
        try sandbox.run("import", "jsonl", "--store", other, input: Data(exported.utf8))
            .ends(0, output: "0 articles: 0 new, 0 updated, 0 known\n")
        #expect(try sandbox.run("bookmarks", "export", "--store", other).output == exported)
        #expect(try sandbox.run("history", "--store", other).output == "")
    }

    // MARK: - Removing

    @Test func aRemovedArticleIsGoneAndStaysSo() throws {
        #expect(try run("history remove 560d9a6").status == 64)
        #expect(try run("history show 560d9a6").status == 0)
        #expect(try run("bookmarks add 560d9a6").status == 0)
        let outcome = try run("history remove 560d9a6 \(Self.ferry)#top 21e3c1b --yes")
        #expect(outcome.status == 0 && outcome.errors.hasPrefix("2 articles deleted.\n1 of them is also a bookmark"))
        #expect(try run("history show 560d9a6").status == 66)
        #expect(try run("history search calder strait kestria vellmark accord").output.contains("560d9a6") == false)
        try run("import \(Sandbox.sampleHistory) --quiet").ends(0)
        #expect(try run("history stats").output.hasPrefix("articles                38\n"))
        try run("import jsonl", Sandbox.sampleHistory)
            .ends(0, errors: "Left out 2 articles that you removed from the history.\n")
        #expect(try run("history remove 560d9a6 --yes").status == 66)
    }

    /// The digest that is kept has its title.
    @Test func aNumberOfWhatIsGoneRemovesNothing() throws {
        #expect(try run("today").status == 0)
        #expect(try run("history remove 1 --yes").errors == "1 article deleted.\n")
        for command in ["history remove 1 --yes", "history show 1", "summarize 1", "bookmarks add 1"] {
            try run(command).ends(66, "was removed from the history")
        }
        #expect(try run("today --date 2026-11-21").status == 0)
    }

    @Test func aSectionsPageIsFoundAboveItsArticles() throws {
        let page = "https://gazette.example/world"
        let articles = (0..<1500).map { ["id": "a\($0)", "url": "\(page)/\($0)", "title": "Article \($0)"] }
        let section = ["id": "s", "url": "http://gazette.example/world/?utm_source=mail", "title": "All of the world"]
        try sandbox.read(articles + [section])
        #expect(try run("history show", page).output.contains("All of the world"))
    }

    // MARK: - JSON

    @Test func listsAndNumbersAreJSON() throws {
        for command in ["history list -n 1", "history search calder -n 1"] {
            let article = try #require((json(command)["articles"] as? [[String: Any]])?.first)
            let keys = Set(article.keys)
            #expect(keys.isSuperset(of: ["id", "title", "source", "category", "read_at", "read_at_exact"]))
            let id = try #require(article["id"] as? String)
            #expect(try json("history show \(id)")["id"] as? String == id)
        }
        let shown = try json("history show 560d9a6")
        #expect(shown["origin"] as? String == "jsonl" && (shown["content"] as? String)?.isEmpty == false)
        let statistics = try json("history stats")
        #expect(statistics["articles"] as? Int == 40 && statistics["days_read"] as? Int != nil)
        #expect((statistics["categories"] as? [[String: Any]])?.isEmpty == false)
    }

    // MARK: - Related

    @Test func relatedArticlesAreListed() throws {
        // The first story of the digest has three reports.
        #expect(try run("today").output.contains("\n  1  “Engineers opened two of the five gates"))
        let articles = try #require(json("related 1")["articles"] as? [[String: Any]])
        #expect(articles.prefix(2).allSatisfy { $0["same_story"] as? Bool == true } && articles.count >= 2)
        let likeness = articles.compactMap { $0["likeness"] as? Double }
        #expect(likeness == likeness.sorted(by: >) && likeness.count == articles.count)
        #expect(try run("related 1 -n 1").output.split(separator: "\n").count == 1)
        #expect(try run("related nothing-like-it").status == 66)
    }
}
