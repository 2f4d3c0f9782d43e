import Foundation
import PulseTestSupport
import Testing

/// Servers that people read on hand over what feeds say. One feed, one voice: none changes another's articles.
@Suite(.timeLimit(.minutes(20))) struct HostileServerTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// What a server of the tests lists.
    private struct Entry: Sendable {
        let id: Int
        var feed = "Herald"
        var address = "http://herald.example/feed"
        let title: String
        var page: String
        let text: String
        var changed = "2026-11-21T10:00:00Z"
    }

    private static let accord = Entry(
        id: 1, title: "Accord of Calder", page: "http://herald.example/1",
        text: "The accord of Calder was signed on Monday by 12 crews.")
    private static let lie = Entry(
        id: 3, feed: "Evil Feed", address: "http://evil.example/feed", title: "Calder accord was a lie",
        page: "http://herald.example/1",
        text: String(
            repeating: "The accord of Calder was a lie, and 12 crews were paid by the Bank of Tarn. ", count: 3))

    /// All entries are starred.
    private static func miniflux(_ entries: [Entry]) throws -> LoopbackServer {
        try LoopbackServer { request, _ in
            if request.target.contains("/v1/me") { return .json(["id": 1, "username": "ana"]) }
            let found = request.target.contains("status=read") ? entries : []
            let rows = found.sorted { ($0.changed, $0.id) < ($1.changed, $1.id) }.map { entry -> [String: Any] in
                [
                    "id": entry.id, "status": "read", "title": entry.title, "url": entry.page, "content": entry.text,
                    "published_at": "2026-11-21T09:00:00Z", "created_at": "2026-11-21T09:00:00Z",
                    "changed_at": entry.changed, "starred": true,
                    "feed": ["id": entry.id, "title": entry.feed, "feed_url": entry.address] as [String: Any],
                ]
            }
            return .json(["total": rows.count, "entries": rows])
        }
    }

    /// All items are starred; feeds are called by numbers, as FreshRSS does.
    private static func greader(_ entries: [Entry]) throws -> LoopbackServer {
        try LoopbackServer { request, _ in
            switch request.target.prefix(while: { $0 != "?" }).split(separator: "/").last {
            case "ClientLogin": return LoopbackResponse(text: "Auth=ana\n")
            case "ids": return .json(["itemRefs": entries.map { ["id": "\($0.id)"] }])
            // Of a feed that is not followed any more there is no address.
            case "list": return .json(["subscriptions": [["id": "feed/1", "url": "http://herald.example/feed"]]])
            case "contents":
                let rows = entries.map { entry -> [String: Any] in
                    [
                        "id": "\(entry.id)", "title": entry.title, "canonical": [["href": entry.page]],
                        "published": 1_795_250_000, "summary": ["content": entry.text],
                        "categories": ["user/-/state/com.google/read", "user/-/state/com.google/starred"],
                        "origin": ["streamId": entry.feed == "Herald" ? "feed/1" : "feed/66", "title": entry.feed],
                    ]
                }
                return .json(["items": rows])
            default: return LoopbackResponse(status: 404)
            }
        }
    }

    private func importAll(_ kind: String, _ server: LoopbackServer) throws -> Outcome {
        let key = try sandbox.folder.write(Data("key\n".utf8), to: "key")
        chmod(key, 0o600)
        return try run("import", kind, String(server.url().dropLast()), "--user", "ana", "--key-file", key, "--yes")
    }

    /// The titles of a list by their sources, and the texts.
    private func articles(_ list: String) throws -> [String: [String]] {
        let lines = try sandbox.run(list, "export", "--store", sandbox.store).output.split(separator: "\n")
        let articles = lines.compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
        }
        return Dictionary(grouping: articles) { $0["source"] as? String ?? "" }
            .mapValues { $0.map { "\($0["title"] ?? ""): \(($0["content"] as? String ?? "").prefix(30))" }.sorted() }
    }

    @Test(arguments: [("miniflux", true), ("greader", false)])
    func noFeedChangesWhatAnotherPublishes(kind: String, isFirst: Bool) throws {
        var lie = Self.lie
        lie.changed = isFirst ? "2026-11-21T08:00:00Z" : "2026-11-21T12:00:00Z"
        let entries = isFirst ? [lie, Self.accord] : [Self.accord, lie]
        let server = try kind == "miniflux" ? Self.miniflux(entries) : Self.greader(entries)
        for _ in 0..<2 {
            #expect(try importAll(kind, server).status == 0)
            for list in ["history", "bookmarks"] {
                #expect(
                    try articles(list) == [
                        "Herald": ["Accord of Calder: The accord of Calder was signe"],
                        "Evil Feed": ["Calder accord was a lie: The accord of Calder was a lie"],
                    ], "\(list)")
            }
        }
        let digest = try run("today --model none").output
        let lines = digest.split(separator: "\n").filter { $0.contains("Herald") && !$0.contains("Evil") }
        #expect(!lines.contains { $0.contains("lie") || $0.contains("paid") }, "\(digest)")
    }

    /// By the same title neither; and who reads what a feed says of another's page has not read the page.
    @Test func whatWaitsWasNotReadInAnothersWords() throws {
        let honest = try FeedServer()
        honest.set(
            "news", title: "Herald",
            [FeedServer.Item(id: "h1", title: Self.accord.title, text: Self.accord.text, link: Self.accord.page)])
        #expect(try run("feeds add", honest.url("news")).status == 0)
        #expect(try importAll("miniflux", Self.miniflux([Self.lie])).status == 0)
        let waiting = try run("feeds waiting").output
        #expect(waiting.contains(Self.accord.title), "\(waiting)")
        #expect(try articles("history") == ["Evil Feed": ["Calder accord was a lie: The accord of Calder was a lie"]])
        // A followed feed of another server has the title of what was read, and a longer text.
        let evil = try FeedServer()
        evil.set(
            "claims", title: "Claims",
            [FeedServer.Item(id: "e1", title: Self.accord.title, text: Self.lie.text, link: Self.accord.page)])
        #expect(try run("feeds add", evil.url("claims")).status == 0)
        #expect(try importAll("greader", Self.greader([Self.accord])).status == 0)
        #expect(try articles("history")["Herald"] == ["Accord of Calder: The accord of Calder was signe"])
    }

    /// Pictures and sounds without a title and a text: what can be opened is there, and what is not is said.
    @Test func picturesHaveTheirAddressesAsTitles() throws {
        let server = try FeedServer()
        let items = (1...3).map {
            "<item><link>https://photo.example/2026/otters-\($0)</link><guid>p\($0)</guid>"
                + "<description>&lt;img src='https://photo.example/\($0).jpg'&gt;</description></item>"
        }
        let sound =
            "<item><link>https://photo.example/s</link><guid>s</guid><enclosure url='https://photo.example/s.mp3' "
            + "length='1' type='audio/mpeg'/></item>"
        server.set("photo", title: "Photo blog", raw: items + [sound])
        try run("feeds add", server.url("photo"))
            .ends(0, "1 entry has nothing to read, and is left out.", printing: "3 entries, 3 new")
        try run("today --basis unread --model none").ends(nil, printing: "photo.example/2026/otters-2")
    }
}
