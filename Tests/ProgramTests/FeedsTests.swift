import Foundation
import PulseTestSupport
import Testing

/// Feeds from a server on this machine: followed, refreshed, told, and what may go wrong on the way.
@Suite(.timeLimit(.minutes(20))) struct FeedsTests: StoreSuite {
    let sandbox: Sandbox
    private let server: FeedServer

    init() throws {
        sandbox = try Sandbox()
        server = try FeedServer()
        server.set("news", title: "The Gazette", Self.news)
    }

    private static let news = [
        FeedServer.Item(
            id: "one", title: "Harbour bridge opens", text: "The harbour bridge opened to traffic on Saturday.",
            link: "https://gazette.example/bridge"),
        FeedServer.Item(
            id: "two", title: "Otters return to the Wend",
            text: "Otters were seen in the river Wend for the first time.",
            link: "https://gazette.example/otters", date: "2026-11-21T17:00:00Z"),
    ]

    private func feed(_ number: Int = 0) throws -> [String: Any] {
        try #require(json("feeds list")["feeds"] as? [[String: Any]])[number]
    }

    private func add(_ path: String = "news") throws { try run("feeds add \(server.url(path))").succeeded() }

    // MARK: - Following

    @Test func whyNothingIsNewIsTold() throws {
        at("2027-03-01T20:00:00Z")
        let added = try run("feeds add \(server.url("news"))")
        #expect(added.output.hasSuffix(": 2 entries, 0 new\n"), "\(added.output)")
        #expect(
            added.errors == "None is new: entries older than a week, or already read, count as seen. To mark them as "
                + "new: pulse-digest feeds mark 1 --as new\n", "\(added.errors)")
        #expect(try run("feeds mark 1 --as new").errors == "2 entries marked as new.\n")
    }

    @Test func aFeedIsAddedOnceListedAndRemoved() throws {
        #expect(try run("feeds").output == "")
        let added = try run("feeds add \(server.url("news"))")
        #expect(added.output == "The Gazette (\(server.url("news"))): 2 entries, 2 new\n", "\(added.errors)")
        try run("feeds add \(server.url("news"))/?utm_source=x").ends(64, "You follow this feed already: The Gazette")
        let list = try run("feeds list").output
        #expect(
            list.hasPrefix(
                "1  The Gazette — 2 unread of 2, 2 new\n   \(server.url("news")) · web · refreshed 2026-11-21 20:00"))
        let feed = try feed()
        #expect(feed["state"] as? String == "fresh" && feed["unread"] as? Int == 2 && feed["kind"] as? String == "web")
        #expect(try run("feeds remove otters").status == 66)
        #expect(try run("feeds remove gazette").errors == "No longer followed: The Gazette\n")
        let none = try run("feeds list")
        #expect(none.output == "" && none.errors.hasPrefix("You follow no feeds yet. To follow one: "))
        #expect(try run("feeds waiting").output == "")
    }

    @Test func aPreviewFollowsNothing() throws {
        try run("feeds preview \(server.url("news"))")
            .ends(nil, printing: "Harbour bridge opens", beginning: "The Gazette\n\(server.url("news"))\n2 entries\n")
        #expect(!FileManager.default.fileExists(atPath: sandbox.store))
        #expect(try run("feeds add \(server.url("nothing"))").status == 66)
        #expect(try run("feeds add \(server.url("nothing"))").errors.contains("404"))
    }

    @Test func whatIsWaitingIsListedAndMarked() throws {
        try add()
        let waiting = try run("feeds waiting").output
        #expect(waiting.split(separator: "\n").count == 2 && waiting.contains("Otters return"))
        for command in ["feeds waiting --source", "feeds remove"] {
            try run(command, "The Gazettes").ends(66, "Did you mean “The Gazette”?")
        }
        #expect(try run("feeds waiting --source", "The Gazette").output == waiting)
        #expect(try run("feeds waiting --category nonesuch").status == 66)
        #expect(try run("feeds mark 1").errors == "2 entries marked as seen.\n")
        #expect(try run("feeds waiting").errors.hasPrefix("There are no unread entries. "))
        #expect(
            try run("history list").errors == "The history is empty. To bring in what you read: pulse-digest import\n")
        #expect(try run("today --basis unread").output == "")
        #expect(try run("feeds mark --as new").errors == "2 entries marked as new.\n")
        #expect(try run("today --basis unread").output.contains("bridge"))
    }

    // MARK: - The digest

    @Test func whatWaitsIsToldOnceAndIsNotRead() throws {
        try add()
        let digest = try run("today --basis unread").output
        #expect(digest.contains("2 stories from the 2 articles that came into your feeds since"), "\(digest)")
        #expect(digest.contains("Still to read"))
        #expect(digest.contains("The harbour bridge opened to traffic"))
        #expect(try run("today --basis unread").output == "")
        #expect(try run("today").output == "", "it was not read")
        #expect(try run("history list").output == "")
        let feed = try feed()
        #expect(feed["new"] as? Int == 0 && feed["unread"] as? Int == 2)
        // By their numbers, and by their names.
        let number = digest.contains("1  “The harbour bridge") ? 1 : 2
        #expect(try run("summarize \(number)").output.contains("harbour bridge"))
        #expect(try run("history show \(number)").output.firstMatch(of: #/unread +since /#) != nil)
        #expect(try run("summarize https://gazette.example/otters").output.contains("river Wend"))
        #expect(try run("history list").output == "", "a summary makes nothing read")
        #expect(try run("bookmarks add \(number)").errors.hasPrefix("Bookmark added: "))
        #expect(try run("today --basis bookmarks").output.contains("1 story from the article you bookmarked since"))
    }

    @Test func aDigestSaysWhatItIsOfInJSON() throws {
        try sandbox.importSample()
        try add()
        let mixed = try json("today --basis read,unread --max-stories 100")
        #expect(mixed["basis"] as? String == "read,unread")
        let kinds = Dictionary(grouping: mixed.stories) { $0["basis"] as? String ?? "-" }.mapValues(\.count)
        #expect(kinds["unread"] == 2 && kinds["-"] == nil && (kinds["read"] ?? 0) > 5)
        let waiting = (mixed["articles"] as? [[String: Any]] ?? []).filter { $0["read_at"] == nil }
        #expect(waiting.count == 2)
        // They were told; a digest of what was read does not know them.
        #expect(try run("today --basis unread").output == "")
        #expect(try json("today")["basis"] as? String == "read")
        #expect(try run("feeds mark --as new").status == 0)
        let text = try run("today --basis read,unread --max-stories 100").output
        #expect(text.components(separatedBy: "not read yet").count == 3, "\(text)")
    }

    @Test func aCategoryThatWasNotAskedForIsNotTold() throws {
        try add()
        server.set("sport", title: "Sport", [FeedServer.Item(id: "s", title: "Ferrets win", text: "The ferrets won.")])
        #expect(try run("feeds add \(server.url("sport")) --folder Sports").status == 0)
        #expect(try run("today --basis unread --category sports").output.contains("Ferrets"))
        let rest = try run("today --basis unread").output
        #expect(rest.contains("harbour") && !rest.contains("Ferrets"))
    }

    @Test func sinceSaysHowFarBackToGo() throws {
        try add()
        at("2026-11-22T20:00:00Z")
        server.set("news", title: "The Gazette", [FeedServer.Item(id: "three", title: "Snow", text: "Snow fell.")])
        #expect(try run("feeds refresh").output == "1 feed refreshed: 1 new entry.\n")
        let recent = try run("today --basis unread --since 2h").output
        #expect(recent.contains("Snow") && !recent.contains("bridge"))
        #expect(try run("today --basis unread").output.contains("bridge"))
    }

    @Test func whatIsOpenedIsRead() throws {
        try add()
        sandbox.environment["BROWSER"] = "/bin/false"
        #expect(try run("open https://gazette.example/bridge").status == 69)
        #expect(try run("history list").output == "", "the browser did not open it")
        sandbox.environment["BROWSER"] = "/bin/true"
        _ = try run("today --basis unread")
        // Also a bookmark.
        #expect(try run("bookmarks add 1").status == 0)
        #expect(try run("open 1 2").status == 0)
        let history = try run("history list").output
        #expect(history.split(separator: "\n").count == 2 && history.contains("2026-11-21 20:00  "), "\(history)")
        #expect(try run("feeds waiting").output == "" && feed()["unread"] as? Int == 0)
        #expect(try run("today").output.contains("from the 2 articles you read"))
        // Opened again, it was read when it was opened first.
        clock(22, 20)
        #expect(try run("open 1").status == 0)
        #expect(try run("history list").output == history)
    }

    @Test func aHistoryIsClearedOfItsFeeds() throws {
        try add()
        try run("history clear").ends(64, "deletes 1 feed with its entries for good")
        #expect(try run("history clear --yes").errors == "Deleted: 1 feed with its entries.\n")
        #expect(try run("history clear --yes").errors == "Deleted: what is left.\n")
        try run("feeds waiting").ends(0, "You follow no feeds yet.")
        #expect(try run("feeds list").output == "" && run("feeds waiting").output == "")
    }

    @Test func completionsNameTheFeeds() throws {
        try add()
        for command in ["remove", "refresh", "waiting", "mark"] {
            let answer = try sandbox.run("complete-values", "--store", sandbox.store, "--", "feeds", command, "")
            #expect(answer.output == "1\tThe Gazette\n", "\(command)")
        }
    }

    @Test func whereNothingIsFollowedItSaysHowTo() throws {
        for line in ["feeds", "feeds waiting", "feeds refresh", "today --basis unread"] {
            try run(line).ends(66, "pulse-digest feeds add URL")
        }
    }

    // MARK: - News services

    @Test func whatIsNotSetUpSaysOnceHowTo() throws {
        let list = """
            <opml version="2.0"><body><outline xmlUrl="guardian:world"/><outline xmlUrl="guardian:uk-news"/>
            <outline xmlUrl="pulse:pt"/></body></opml>
            """
        #expect(try run("feeds import-opml -", input: Data(list.utf8)).output.hasPrefix("3 feeds: 3 added"))
        let outcome = try run("feeds refresh").ends(78, output: "0 feeds refreshed: 0 new entries, 3 failed.\n")
        #expect(outcome.errors.components(separatedBy: "config set guardianKeyFile PATH").count == 2)
        #expect(outcome.errors.components(separatedBy: "config set pulseUrl URL").count == 2)
    }

    // MARK: - Refreshing

    @Test func aFeedThatMovedIsFollowedAndOneThatIsGoneIsLeft() throws {
        try add()
        clock(22, 20)
        server.set("moved", title: "The Gazette", Self.news)
        server.set("news", .redirect(to: "/moved", status: 301))
        #expect(try run("feeds refresh").errors == "The Gazette has moved to \(server.url("moved")).\n")
        #expect(try feed()["address"] as? String == server.url("moved"))
        server.set("moved", LoopbackResponse(status: 410))
        clock(23, 20)
        // Where it went it is gone: it is asked where it was.
        #expect(try run("feeds refresh").errors.contains("earlier address is used again"))
        clock(24, 20)
        #expect(try run("feeds refresh").errors.contains("gone for good (410)"))
        #expect(try feed()["state"] as? String == "retired" && feed()["unread"] as? Int == 2)
        #expect(try run("feeds list").output.contains("Next refresh: 2026-12-24 20:00 or later."))
    }

    /// Each ends in one sentence that names its feed, and the others go on.
    @Test func whatGoesWrongWithAFeedIsItsOwn() throws {
        let page = "<!doctype html><title>Log in</title><form><input type=password></form>"
        let bad: [(path: String, response: LoopbackResponse, words: String)] = [
            ("huge", LoopbackResponse().with { $0.length = .pretended(200 << 20) }, "closed the connection"),
            ("login", LoopbackResponse(text: page), "not a feed"), ("none", LoopbackResponse(status: 404), "404"),
            ("loop", .redirect(to: "/loop", status: 301), "redirects more than"),
            ("cloud", .redirect(to: "http://169.254.169.254/latest/"), "169.254.169.254"),
        ]
        for (path, _, _) in bad {
            server.set(path, title: "Feed \(path)", [])
            try add(path)
        }
        try add()
        for (path, response, _) in bad { server.set(path, response) }
        server.set(
            "news", title: "The Gazette", Self.news + [FeedServer.Item(id: "3", title: "Snow", text: "Snow fell.")])
        at("2026-11-22T20:00:00Z")
        let outcome = try run("feeds refresh").ends(0, output: "1 feed refreshed: 1 new entry, 5 failed.\n")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == bad.count, "\(outcome.errors)")
        for (path, _, words) in bad {
            let line = lines.first { $0.hasPrefix("Feed \(path) (\(server.url(path))): ") }
            #expect(line?.contains(words) == true, "\(path): \(line ?? "not named")")
        }
        let feeds = try #require(json("feeds list")["feeds"] as? [[String: Any]])
        #expect(feeds.count { $0["failures"] as? Int == 1 && $0["error"] != nil } == bad.count)
    }

    /// What is between this machine and all servers is no feed's fault: here, a proxy that is not there.
    @Test func withoutANetworkNoFeedIsBlamed() throws {
        let list = Data("<opml><body><outline text=\"A\" xmlUrl=\"http://gazette.example/feed\"/></body></opml>".utf8)
        #expect(try run("feeds import-opml -", input: list).status == 0)
        sandbox.environment["http_proxy"] = "http://127.0.0.1:1"
        try run("feeds refresh").ends(75, "No feed could be reached. A (")
        #expect(try feed()["failures"] as? Int == 0 && feed()["state"] as? String == "stale")
        #expect(try run("doctor").output.contains("without a network"))
    }

    /// A feed that fails alone has failed, whatever its server says.
    @Test func aFeedThatFailsAloneHasFailed() throws {
        try add()
        let cut = LoopbackResponse(body: [1]).with { ($0.resets, $0.breaksOffAfter) = (true, 0) }
        for (night, response) in [cut, LoopbackResponse(status: 451)].enumerated() {
            server.set("news", response)
            clock(22 + night, 20)
            let outcome = try run("feeds refresh").ends(69)
            #expect(outcome.errors.hasPrefix("The Gazette ("), "\(outcome.errors)")
            #expect(try feed()["failures"] as? Int == night + 1)
        }
        #expect(try run("feeds list").output.contains("Next refresh: 2026-11-2"))
        #expect(try run("doctor").output.contains("1 failing: The Gazette"))
        // It heals.
        server.set("news", title: "The Gazette", Self.news)
        clock(25, 20)
        #expect(try run("feeds refresh").status == 0)
        #expect(try feed()["state"] as? String == "fresh")
    }

    @Test func whatNobodyReadGoes() throws {
        try add()
        server.set(
            "news", title: "The Gazette", Self.news + [FeedServer.Item(id: "3", title: "Snow", text: "Snow fell.")])
        at("2026-12-22T20:00:00Z")
        let outcome = try run("feeds refresh")
        #expect(outcome.output == "1 feed refreshed: 1 new entry.\n2 entries that nobody read in 30 days deleted.\n")
        #expect(try run("feeds waiting").output.split(separator: "\n").count == 1)
    }
}
