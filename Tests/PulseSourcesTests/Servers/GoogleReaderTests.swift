import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseSources

/// Answers in the shape of FreshRSS's `p/api/greader.php` and Miniflux's `internal/googlereader`.
private final class FakeReader: Sendable {
    struct Item: Sendable {
        var id: Int
        var isRead = true
        var isStarred = false
        var feed = 1
    }

    /// Where two servers differ.
    enum Kind: Sendable { case freshRSS, miniflux }

    let items: Mutex<[Item]>
    let kind: Kind
    let base: String
    /// Gives no more articles than this at once.
    let most: Int

    init(_ items: [Item], kind: Kind = .freshRSS, base: String = "/api/greader.php", most: Int = 1000) {
        self.items = Mutex(items)
        self.kind = kind
        self.base = base
        self.most = most
    }

    func answer(_ request: ScriptedServer.Request) -> HTTPResponse {
        guard request.path.hasPrefix(base + "/") else { return .text("Not Found", status: 404) }
        let path = request.path.dropFirst(base.count)
        let form = URLComponents(string: "?" + request.body)?.queryItems ?? []
        func value(_ name: String) -> String? { form.first { $0.name == name }?.value }
        if path == "/accounts/ClientLogin" {
            return value("Email") == "ana" && value("Passwd") == "open sesame"
                ? .text("SID=ana/8e6\nLSID=null\nAuth=ana/8e6\n") : .text("Unauthorized!", status: 401)
        }
        let isProven = request.headers["Authorization"] == "GoogleLogin auth=ana/8e6"
        guard isProven, request.method == "GET" || kind == .freshRSS || value("T") == "tok" else {
            return .text("Unauthorized!", status: 401)
        }
        let items = items.withLock { $0 }
        switch path.replacing("/reader/api/0", with: "") {
        case "/token": return .text("tok\n")
        case "/unread-count":
            let count = items.count { !$0.isRead }
            return .json([
                "max": count, "unreadcounts": [["id": "user/-/state/com.google/reading-list", "count": "\(count)"]],
            ])
        case "/stream/items/ids":
            let stream = kind == .freshRSS ? request.query["it"] : request.query["s"]
            let listed = items.filter { stream?.hasSuffix("/read") == true ? $0.isRead : $0.isStarred }
            let start = request.query["c"].flatMap { Int($0) } ?? 0
            let part = listed.dropFirst(start).prefix(200)
            var answer: [String: Any] = ["itemRefs": part.map { ["id": "\($0.id)"] }]
            if start + 200 < listed.count { answer["continuation"] = "\(start + 200)" }
            return .json(answer)
        case "/stream/items/contents":
            let ids = Set(form.filter { $0.name == "i" }.compactMap { $0.value.flatMap { Int($0) } })
            return .json(["items": items.filter { ids.contains($0.id) }.prefix(most).map(Self.json)])
        default: return .text("Bad Request!", status: 400)
        }
    }

    static func json(_ item: Item) -> [String: Any] {
        let hex = String(UInt64(bitPattern: Int64(item.id)), radix: 16)
        var categories = ["user/-/state/com.google/reading-list", "user/-/label/World", "tag"]
        if item.isRead { categories.append("user/1/state/com.google/read") }
        if item.isStarred { categories.append("user/-/state/com.google/starred") }
        return [
            "id": "tag:google.com,2005:reader/item/" + String(repeating: "0", count: 16 - hex.count) + hex,
            "crawlTimeMsec": "1795000000123", "timestampUsec": "1795000000123456", "published": 1_794_996_000,
            "title": "T\(item.id) ＆ co", "alternate": [["href": "https://gazette.example/\(item.id)"]],
            "categories": categories, "author": "A", "summary": ["content": "<p>Text \(item.id)</p>"],
            "origin": ["streamId": "feed/\(item.feed)", "title": "Gazette"],
        ]
    }
}

@Suite(.timeLimit(.minutes(20))) struct GoogleReaderTests {
    private static let published = date(1_794_996_000)

    /// Ids as FreshRSS makes them, of microseconds, and one that is negative when it is written with a sign.
    private static func items(_ range: Range<Int>, feeds: Int = 30) -> [FakeReader.Item] {
        range.map { FakeReader.Item(id: $0 == 7 ? -7 : 1_795_000_000_000_000 + $0, feed: $0 % feeds) }
    }

    private func account(_ reader: FakeReader) -> TestAccount {
        TestAccount(.greader, ScriptedServer { reader.answer($0) }, address: "https://rss.example" + reader.base)
    }

    @Test(arguments: [("/api/greader.php", 1000), ("", 1000), ("", 30)])
    func whatWasReadComesOnce(base: String, most: Int) async throws {
        let kind = base.isEmpty ? FakeReader.Kind.miniflux : .freshRSS
        var items = Self.items(1..<451)
        for index in 0..<4 { items[index].isRead = false }
        items[3].isStarred = true
        items[9].isStarred = true
        let reader = FakeReader(items, kind: kind, base: base, most: most)
        let account = account(reader)
        let first = try await account.importAll()
        #expect(first.error == nil && first.titles.count == 446 && Set(first.titles).count == 446)
        #expect(first.batch.unread == 4)
        #expect(Set(first.batch.starred.map(\.article.url)).count == 2)
        #expect(first.batch.readings.allSatisfy { !$0.isExact && $0.readAt == Self.published })
        let reading = try #require(first.batch.readings.first { $0.article.title.hasPrefix("T1795000000000005") })
        #expect(
            reading.article
                == Article(
                    id: "https://gazette.example/1795000000000005", url: "https://gazette.example/1795000000000005",
                    title: "T1795000000000005 & co", content: "Text 1795000000000005", author: "A", source: "Gazette",
                    category: PulseCore.Category("world"), publishedAt: Self.published))
        // Later, what is new was read since: an article from the middle of the list, and a star.
        reader.items.withLock {
            $0[1].isRead = true; $0[20].isStarred = true
        }
        let later = TestAccount.now.addingTimeInterval(86_400)
        let second = try await account.importAll(now: later)
        #expect(second.titles.count == 1 && second.batch.readings.first?.readAt == later)
        #expect(second.batch.starred.count == 1)
    }

    @Test func theAddressOfFreshRSSIsFound() async throws {
        let account = account(FakeReader([]))
        account.address = "https://rss.example"
        #expect(try await account.signIn().address == "https://rss.example/api/greader.php")
        account.address = "https://rss.example/sub"
        await #expect(throws: PulseError.self) { _ = try await account.signIn() }
    }

    @Test func aWrongPasswordIsToldAlsoOnTheWayThere() async throws {
        let account = account(FakeReader([]))
        (account.address, account.user) = ("https://rss.example", "rui")
        try await fails(.permission, "FreshRSS has a password of its own") { try await account.signIn() }
    }

    @Test func anAPIThatIsOffIsTold() async throws {
        let server = ScriptedServer { _ in .text("Service Unavailable!", status: 503) }
        let error = try await TestAccount(.greader, server).importAll().error
        #expect(error.says(.unavailable, "allow API access under Settings"))
    }

    @Test func anImportThatWasKilledGoesOn() async throws {
        let account = account(FakeReader(Self.items(1..<451)))
        let first = try await account.importAll(batches: 2)
        #expect(first.titles.count == 200)
        let second = try await account.importAll()
        // The first import is not at its end: times are still those of publication.
        #expect(second.batch.readings.allSatisfy { $0.readAt == Self.published })
        #expect(Set(first.titles + second.titles).count == 450)
        #expect(try await account.importAll().titles.isEmpty)
    }

    @Test func whatIsReadInBulkLaterKeepsItsDate() async throws {
        let reader = FakeReader(Self.items(1..<41))
        let account = account(reader)
        _ = try await account.importAll()
        reader.items.withLock { $0 += Self.items(100..<130, feeds: 1) + Self.items(201..<205, feeds: 5) }
        let second = try await account.importAll()
        #expect(second.batch.readings.count { $0.readAt == Self.published } == 30)
        #expect(second.batch.bulk.count == 30)
        #expect(second.batch.readings.count { $0.readAt == TestAccount.now } == 4)
    }

    @Test func whatIsNotMarkedAsReadIsNot() async throws {
        let reader = FakeReader(Self.items(1..<4))
        let server = ScriptedServer { request in
            // A server that passes over what it is asked for, and lists everything.
            if request.path.hasSuffix("/ids") {
                let ids = reader.items.withLock { $0.map { ["id": "\($0.id)"] } }
                return .json(["itemRefs": ids])
            }
            return reader.answer(request)
        }
        reader.items.withLock { $0[0].isRead = false }
        let account = TestAccount(.greader, server, address: "https://rss.example/api/greader.php")
        let outcome = try await account.importAll()
        #expect(outcome.titles.count == 2 && outcome.batch.leftOut == [.notMarked: 1])
    }

    /// What is listed and not sent is asked for by the next imports, and said; what never comes, not for ever.
    @Test func whatIsNotSentIsAskedForAgain() async throws {
        let reader = FakeReader(Self.items(1..<8))
        let isBusy = Mutex(true)
        let gone = 1_795_000_000_000_001
        let server = ScriptedServer { request in
            let all = reader.items.withLock { $0 }
            guard request.path.hasSuffix("/contents") else { return reader.answer(request) }
            let sent = isBusy.withLock { $0 } ? Array(all.suffix(1)) : all.filter { $0.id != gone }
            let asked = sent.filter { request.body.contains("i=\($0.id)") }
            return .json(["items": asked.map(FakeReader.json)])
        }
        let account = TestAccount(.greader, server, address: "https://rss.example/api/greader.php")
        let first = try await account.importAll()
        #expect(first.titles.count == 1 && first.batch.leftOut == [.unsent: 6] && first.error == nil)
        isBusy.withLock { $0 = false }
        let second = try await account.importAll()
        #expect(second.titles.count == 5 && second.batch.leftOut == [.unsent: 1])
        for _ in 0..<5 { #expect(try await account.importAll().batch.leftOut == [.unsent: 1]) }
        let last = try await account.importAll()
        #expect(last.titles.isEmpty && last.batch.leftOut.isEmpty)
    }

    /// Without the feeds' addresses, articles about other sites' pages would get other ids in that run.
    @Test func aBusyListOfFeedsIsAskedForAgain() async throws {
        let reader = FakeReader(Self.items(1..<4))
        let isBusy = Mutex(true)
        let server = ScriptedServer { request in
            let isList = request.path.contains("/subscription/")
            return isList && isBusy.withLock { $0 } ? .text("", status: 503) : reader.answer(request)
        }
        let account = TestAccount(.greader, server, address: "https://rss.example/api/greader.php")
        let first = try await account.importAll()
        #expect(first.error?.code == .tryAgain && first.titles.isEmpty)
        isBusy.withLock { $0 = false }
        #expect(try await account.importAll().titles.count == 3)
    }

    /// Over a real socket: articles that are too much for one answer come in parts, and one alone is passed over.
    @Test func longArticlesStopNothing() async throws {
        let items = Self.items(1..<60)
        let reader = FakeReader(items)
        let wire = try ScriptedServer.onTheWire({ request in
            guard request.path.hasSuffix("/contents") else { return reader.answer(request) }
            let asked = items.filter { request.body.contains("i=\($0.id)") }
            return .json([
                "items": asked.map { item in
                    var row = FakeReader.json(item)
                    row["content"] = ["content": String(repeating: "x", count: item.id == -7 ? 100_000 : 8000)]
                    return row
                }
            ])
        })
        let account = TestAccount(.greader, wire, path: "/api/greader.php") { $0.sizeLimit = 64 << 10 }
        let outcome = try await account.importAll()
        #expect(outcome.error == nil && outcome.titles.count == 58 && outcome.batch.leftOut == [.tooLong: 1])
        #expect(try await account.importAll().titles.isEmpty)
    }

    @Test(arguments: [
        ("tag:google.com,2005:reader/item/000660dec9e4b2c5", "1795359846478533"),
        ("tag:google.com,2005:reader/item/fffffffffffffff9", "-7"), ("1795000000000001", "1795000000000001"),
        ("tag:google.com,2005:reader/item/5a7f1c2d3e4f5a6b7c8d9e0f", "5a7f1c2d3e4f5a6b7c8d9e0f"),
    ])
    func bothFormsOfAnIdAreOne(text: String, id: String) { #expect(GoogleReaderServer.identifier(text) == id) }
}
