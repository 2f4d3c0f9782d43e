import Foundation
import PulseTestSupport
import Testing

/// One feed, one voice: what a feed says of itself changes nothing of any other's. Each server is another publisher.
@Suite(.timeLimit(.minutes(20))) struct HostileFeedTests: StoreSuite {
    let sandbox: Sandbox
    private let honest: FeedServer
    private let evil: FeedServer

    init() throws {
        sandbox = try Sandbox()
        honest = try FeedServer()
        evil = try FeedServer()
        honest.set("news", title: "The Gazette", Self.news)
    }

    private static let news = [
        FeedServer.Item(
            id: "https://gazette.example/bridge", title: "Harbour bridge opens",
            text: "The harbour bridge opened to traffic on Saturday.", link: "https://gazette.example/bridge"),
        FeedServer.Item(
            id: "https://gazette.example/otters", title: "Otters return to the Wend",
            text: "Otters were seen in the river Wend for the first time.", link: "https://gazette.example/otters",
            date: "2026-11-21T17:00:00Z"),
    ]

    private func add(_ url: String) throws { try run("feeds add \(url)").succeeded() }

    // MARK: - One voice

    /// The feed decides what publication it is: names in its entries count for nothing, and muting it mutes it.
    @Test func namesOfSourcesInEntriesAreNoPublications() throws {
        let items = ["The Herald", "The Post"].map {
            "<item><title>Harbour bridge opens after repairs</title><guid>\($0)</guid><source url=\"https://x.example/\">"
                + "\($0)</source><description>The harbour bridge opened on Saturday, \($0.count).</description></item>"
        }
        evil.set("one", title: "One Voice", raw: items)
        try add(evil.url("one"))
        try run("today --basis unread").ends(0, printing: "One Voice", without: "The Herald", "The Post")
        #expect(try run("feeds mark --as new").status == 0)
        try run("today --basis unread --mute-source", "One Voice").ends(0, without: "bridge")
        // By another name it is the same feed.
        evil.set("one", title: "The Herald", raw: items)
        clock(22, 20)
        #expect(try run("feeds refresh").status == 0)
        try run("feeds waiting --format json").ends(0, printing: "\"One Voice\"", without: "\"source\": \"The Herald\"")
    }

    /// A publication is known by its name, which a feed of another server does not share.
    @Test func twoOfOneNameAreToldApart() throws {
        let copies = Self.news.map { item in
            var copy = item
            copy.id += "-copy"
            copy.link = nil
            copy.text += " Tags: celebrity football."
            return copy
        }
        evil.set("copy", title: "The Gazette", copies)
        try add(honest.url("news"))
        try add(evil.url("copy"))
        let host = evil.url("").dropFirst(7).dropLast()
        #expect(try run("feeds list").output.contains("The Gazette (\(host))"))
        let other = try run("today --basis unread --mute-source", "The Gazette (\(host))")
        #expect(other.output.contains("— The Gazette") && !other.output.contains(host), "\(other.output)")
    }

    /// Entries without an id, all linked to one page: each is told once, the newest among them.
    @Test(arguments: [true, false]) func oneLinkForAllLosesNone(keepsOld: Bool) throws {
        let cities = ["Quito", "Perth", "Lund", "Baku", "Oslo"]
        let news = [
            "Otters swim in", "Bakers strike again in", "New observatory shines above", "Floods empty the zoo of",
            "Chess champion resigns at",
        ]
        func show(_ day: Int) {
            let shown = keepsOld ? Array(cities[0...day].reversed()) : [cities[day]]
            let items = shown.map { city in
                let number = cities.firstIndex(of: city) ?? 0
                return "<item><title>\(news[number]) \(city)</title><link>http://i.example/</link>"
                    + "<pubDate>2026-11-\(21 + number)T10:00:00Z</pubDate>"
                    + "<description>\(news[number]) \(city), said the mayor.</description></item>"
            }
            evil.set("one", title: "One", raw: items)
        }
        show(0)
        try add(evil.url("one"))
        #expect(try run("today --basis unread").output.contains("Quito"))
        for day in 1..<5 {
            show(day)
            at("2026-11-\(21 + day)T20:00:00Z")
            #expect(try run("feeds refresh").output == "1 feed refreshed: 1 new entry.\n")
            let digest = try run("today --basis unread").output
            #expect(cities.filter(digest.contains) == [cities[day]], "\(digest)")
        }
    }

    // MARK: - Addresses

    @Test(arguments: [
        ("https://x.example/a%20b?f[]=1&amp;q=c%26d", "https://x.example/a%20b?f[]=1&q=c%26d"),
        ("https://x.example/é%20b", "https://x.example/%C3%A9%20b"),
    ])
    func anAddressIsEncodedOnce(link: String, address: String) throws {
        honest.set("links", title: "Links", [FeedServer.Item(id: "1", title: "Snow", text: "Snow fell.", link: link)])
        try add(honest.url("links"))
        sandbox.environment["BROWSER"] = "/bin/echo"
        let escaped = address.replacing("&", with: "&amp;")
        func digest(_ format: String) throws -> String {
            #expect(try run("feeds mark --as new").status == 0)
            return try run("today --basis unread --format \(format)").output
        }
        #expect(try digest("html").contains("\"\(escaped)\""))
        #expect(try digest("markdown").contains("(<\(address)>)"))
        let mail = try digest("email --to a@example.org")
        let body = mail.replacing("=\r\n", with: "").replacing("=\n", with: "").replacing("=3D", with: "=")
        #expect(body.contains(address) && body.contains(escaped), "\(mail)")
        #expect(try run("share 1").output.contains("\n\(address)\n"))
        #expect(try run("open 1").output.contains("\(address)\n"))
    }

    // MARK: - What is broken heals

    /// A server that says of everything that nothing has changed is asked for everything once a week, and by --force.
    @Test func aFalse304EndsWithinAWeek() throws {
        let isOld = FeedServer.rss(title: "Lie", [])
        let server = try LoopbackServer { request, number in
            if request.headers["if-none-match"] != nil { return LoopbackResponse(status: 304) }
            let items = number == 0 ? [] : [FeedServer.Item(id: "\(number)", title: "News \(number)", text: "Text.")]
            let body = items.isEmpty ? isOld : FeedServer.rss(title: "Lie", items)
            return LoopbackResponse(headers: ["ETag": "\"same\""], text: body)
        }
        try add(server.url())
        var told = 0
        for day in 22...30 {
            at("2026-11-\(day)T20:00:00Z")
            if try run("feeds refresh").output.contains("1 new entry") { told += 1 }
        }
        #expect(told == 1)
        #expect(try run("feeds refresh --force").output == "1 feed refreshed: 1 new entry.\n")
    }

    /// What has no end is said, and the rest comes with the next refresh.
    @Test func whatBreaksOffComesWholeTheNextTime() throws {
        let items = (0..<10).map { FeedServer.Item(id: "\($0)", title: "Story \($0)", text: "Text \($0).") }
        let body = Array(FeedServer.rss(title: "T", items).utf8)
        let server = try LoopbackServer { request, number in
            if request.headers["if-none-match"] != nil { return LoopbackResponse(status: 304) }
            let part = number == 0 ? Array(body.prefix(body.count / 2)) : body
            return LoopbackResponse(headers: ["ETag": "\"v1\""], body: part)
        }
        try run("feeds add \(server.url())").ends(nil, "It is cut off in the middle")
        clock(22, 20)
        #expect(try run("feeds refresh").output.contains(" new entries.\n"))
        #expect(try run("feeds list").output.contains("10 unread of 10"))
        let list = Data("<opml><body><outline xmlUrl=\"https://one.example/x\"/><outline text=\"y\"".utf8)
        #expect(try run("feeds import-opml -", input: list).errors.contains("Not all of the list was read"))
    }

    // MARK: - One's own network

    @Test func aListOfOnesOwnNetworkSaysWhatToDo() throws {
        let list = Data("<opml><body><outline text=\"A\" xmlUrl=\"\(honest.url("news"))\"/></body></opml>".utf8)
        #expect(try run("feeds import-opml -", input: list).errors.contains("--private"))
        try run("feeds refresh").ends(77, "import-opml FILE --private")
        try run("feeds import-opml - --private", input: list).ends(
            0, "One of them is now allowed to be on your own network.",
            output: "1 feed: 0 added, 1 followed already, 0 skipped\n")
        at("2026-11-22T20:00:00Z")
        #expect(try run("feeds refresh").output == "1 feed refreshed: 2 new entries.\n")
    }

    @Test func severalAddressesAreAddedAtOnce() throws {
        evil.set("b", title: "B", [])
        let outcome = try run("feeds add \(honest.url("news")) notaurl \(evil.url("b"))")
            .ends(64, "“notaurl” is not a web address.")
        #expect(outcome.output.split(separator: "\n").count == 2, "\(outcome.output)")
    }
}

#if os(Linux)
    /// What eight hosts may take of the memory, whatever they send.
    @Suite(.timeLimit(.minutes(20))) struct RefreshMemoryTests {
        @Test(arguments: ["texts", "items", "values"])
        func eightHostsTakeLessThan200MiB(kind: String) throws {
            let sandbox = try Sandbox()
            let text = String(repeating: "word ", count: 2_400_000)
            let marks = String(repeating: "&lt;p&gt;The &lt;b&gt;bridge&lt;/b&gt; is shut.&lt;/p&gt;", count: 240)
            let body: String =
                switch kind {
                case "texts": FeedServer.rss(title: "T", [.init(id: "1", title: "Long", text: text)])
                case "items":
                    FeedServer.rss(title: "T", (0..<900).map { .init(id: "\($0)", title: "Story \($0)", text: marks) })
                default:
                    #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"a","title":"A"},{"id":"b","x":["#
                        + String(repeating: "0,", count: 6_000_000) + "0]}]}"
                }
            let answer = LoopbackResponse(text: body)
            let servers = try (1...8).map { try LoopbackServer(host: $0) { _, _ in answer } }
            let outlines = servers.map { "<outline xmlUrl=\"\($0.url())\"/>" }
            let list = Data("<opml><body>\(outlines.joined())</body></opml>".utf8)
            try sandbox.run(["feeds", "import-opml", "-", "--private"] + sandbox.plain, input: list).ends(0)
            let running = try sandbox.start(["feeds", "refresh", "--store", sandbox.store])
            var peak = 0
            let status = "/proc/\(running.process.processIdentifier)/status"
            while running.process.isRunning {
                let lines = (try? String(contentsOfFile: status, encoding: .utf8)) ?? ""
                let line = lines.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
                peak = max(peak, Int(line.filter(\.isNumber)) ?? 0)
                usleep(2000)
            }
            running.finish().ends(0)
            #expect(peak > 0 && peak < 200 << 10, "\(peak >> 10) MiB")
        }
    }
#endif
