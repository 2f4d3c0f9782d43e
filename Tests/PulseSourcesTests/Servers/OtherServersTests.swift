import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseSources

/// The answers of a real Tiny Tiny RSS: see Tests/Fixtures/README.md.
@Suite(.timeLimit(.minutes(20))) struct TinyTinyRSSTests {
    /// The day on which the answers were recorded.
    private static let now = date(1_795_333_332)

    /// - Parameter instead: what is answered to an operation in another's place; called with its number.
    private func account(
        _ instead: @escaping @Sendable (_ operation: String, _ number: Int) -> String? = { _, _ in nil }
    ) throws -> TestAccount {
        let file = Repository.fixtures.appendingPathComponent("servers/ttrss-21.json")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let answers = try #require(object).mapValues { try JSONSerialization.data(withJSONObject: $0) }
        let count = Mutex(0)
        let server = ScriptedServer { request in
            #expect(request.path == "/tt-rss/api/" && request.method == "POST")
            let body = try? JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
            let operation = body?["op"] as? String ?? ""
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            let key = operation == "getHeadlines" ? "\(operation) \(body?["feed_id"] ?? "")" : operation
            let answer = answers[instead(operation, number) ?? key] ?? Data()
            return .data(answer)
        }
        return TestAccount(.tinyTinyRSS, server, address: "https://example.org/tt-rss")
    }

    @Test func whatWasReadComesOut() async throws {
        let account = try account()
        let outcome = try await account.importAll(now: Self.now)
        #expect(outcome.error == nil)
        #expect(
            Set(outcome.titles) == ["Council votes on the bridge", "Nota", "Ferry line reopens after storm & repairs"])
        #expect(outcome.titles.count == 3 && outcome.batch.leftOut == [.filtered: 1] && outcome.batch.unread == 2)
        #expect(Set(outcome.batch.starredTitles) == ["Nota", "Medição precisa das marés"])
        let day = Self.now.addingTimeInterval(-86_400)
        let times = Dictionary(uniqueKeysWithValues: outcome.batch.readings.map { ($0.article.title, $0.readAt) })
        // Of the last day, and so not before it; and one from before.
        #expect(times["Council votes on the bridge"] == day)
        #expect(times["Ferry line reopens after storm & repairs"] == date(1_794_994_200))
        let ferry = try #require(outcome.batch.readings.first { $0.article.title.hasPrefix("Ferry") }).article
        #expect(ferry.content == "The ferry runs again between the islands." && ferry.source == "The Harbour Gazette")
        #expect(ferry.id == "https://gazette.example/2026/ferry" && ferry.language == "en")
        let again = try await account.importAll(now: Self.now.addingTimeInterval(3600))
        #expect(again.titles.isEmpty && again.batch.starred.isEmpty)
    }

    @Test(arguments: [
        ("wrong password", PulseError.Code.permission, "did not accept the key"),
        ("API off", .unavailable, "Enable API access"),
        ("unknown operation", .unavailable, "refused login: UNKNOWN_METHOD"),
    ])
    func failuresSayWhatToDo(answer: String, code: PulseError.Code, words: String) async throws {
        let error = try #require(try await account { _, _ in answer }.importAll().error)
        #expect(error.code == code && error.description.contains(words) && !error.description.contains("sesame"))
    }

    /// What only an old server says is blamed on its age; and no server fills the screen.
    @Test func anErrorThatIsNotKnownIsQuotedInALine() async throws {
        let words = "E_SQL \u{1b}[2J\n" + String(repeating: "at db.php ", count: 900)
        let server = ScriptedServer { _ in .json(["seq": 0, "status": 1, "content": ["error": words]]) }
        let text = try #require(try await TestAccount(.tinyTinyRSS, server).importAll().error).description
        #expect(text.contains("refused login: E_SQL at db.php") && !text.contains("2013") && text.utf8.count < 200)
        let unknown = try await account { _, _ in "unknown operation" }.importAll().error
        #expect(unknown?.description.contains("2013") == true)
    }

    @Test func aSessionThatHasExpiredIsOpenedAnew() async throws {
        let outcome = try await account { operation, number in number == 2 ? "no session" : nil }.importAll()
        #expect(outcome.error == nil && outcome.titles.count == 3)
    }

    @Test func theAccountIsAcceptedOrNot() async throws {
        #expect(try await account().signIn().user == "ana")
        #expect(ServerKind.tinyTinyRSS.address("example.org/tt-rss/api/") == "https://example.org/tt-rss")
        #expect(ServerKind.tinyTinyRSS.address("http://api/") == "http://api")
    }
}

/// Answers in the shape that https://github.com/feedbin/feedbin-api shows.
@Suite(.timeLimit(.minutes(20))) struct FeedbinTests {
    private func account(_ read: Mutex<[Int]>.Box) -> TestAccount {
        let server = ScriptedServer { request in
            guard request.headers["Authorization"] == "Basic YW5hOm9wZW4gc2VzYW1l" else {
                return .text(status: 401)
            }
            switch request.path {
            case "/v2/authentication.json": return .text()
            case "/v2/recently_read_entries.json": return .json(read.value.withLock { $0 })
            case "/v2/starred_entries.json": return .json([4090])
            case "/v2/unread_entries.json": return .json([1, 2, 3])
            case "/v2/subscriptions.json":
                return .json([
                    ["id": 9, "feed_id": 135, "title": "Gazette", "feed_url": "https://g.example"]
                ])
            case "/v2/taggings.json": return .json([["id": 4, "feed_id": 135, "name": "Science"]])
            case "/v2/entries.json":
                let ids = request.query["ids"]?.split(separator: ",").compactMap { Int($0) } ?? []
                #expect(ids.count <= 100)
                return .json(
                    ids.filter { $0 != 4001 }.map { id in
                        [
                            "id": id, "feed_id": 135, "title": id == 4002 ? NSNull() : "T\(id)" as Any,
                            "url": "https://gazette.example/\(id)", "author": NSNull(), "content": "<p>Text.</p>",
                            "summary": "Text.", "published": "2013-02-03T01:00:19.000000Z",
                            "created_at": "2013-02-04T01:00:19.127893Z",
                        ] as [String: Any]
                    })
            default: return .text(status: 404)
            }
        }
        return TestAccount(.feedbin, server, address: "https://api.feedbin.com")
    }

    @Test func whatWasRecentlyReadComesOut() async throws {
        let read = Mutex<[Int]>.Box(Array(4000..<4230))
        let account = account(read)
        #expect(try await account.signIn().address == "https://api.feedbin.com")
        let first = try await account.importAll()
        // One entry is gone.
        #expect(first.error == nil && first.titles.count == 229 && first.batch.unread == 3)
        #expect(first.batch.starredTitles == ["T4090"])
        let article = try #require(first.batch.articles.first)
        #expect(article.source == "Gazette" && article.category.name == "science" && article.content == "Text.")
        #expect(first.batch.readings.allSatisfy { $0.readAt == article.publishedAt && !$0.isExact })
        read.value.withLock { $0 = [5000] + $0.prefix(100) }
        let second = try await account.importAll()
        #expect(second.titles == ["T5000"] && second.batch.readings[0].readAt == TestAccount.now)
        account.user = "rui"
        #expect(try await account.importAll().error?.code == .permission)
    }
}

extension Mutex where Value: Sendable {
    /// For what several closures share.
    final class Box: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }
}

/// Answers in the shape of NewsBlur's `apps/reader/views.py`, as SOURCES.md gives it.
@Suite(.timeLimit(.minutes(20))) struct NewsBlurTests {
    private func account(_ read: Mutex<[Int]>.Box) -> TestAccount {
        let server = ScriptedServer { request in
            if request.path == "/api/login" {
                let isRight = request.body == "username=ana&password=open%20sesame"
                return .json(
                    ["authenticated": isRight, "code": isRight ? 1 : -1],
                    headers: ["set-cookie": "csrftoken=x; Path=/\nnewsblur_sessionid=abc123; HttpOnly; Path=/"])
            }
            guard request.headers["Cookie"] == "newsblur_sessionid=abc123" else {
                return .json(["authenticated": false])
            }
            let all = request.path == "/reader/starred_stories" ? [3] : read.value.withLock { $0 }
            let page = request.query["page"].flatMap { Int($0) } ?? 1
            let stories = all.dropFirst((page - 1) * 10).prefix(10).map { id in
                [
                    "story_hash": "5:\(id)", "story_title": "T\(id)", "story_permalink": "https://g.example/\(id)",
                    "story_content": "<p>Text.</p>", "story_date": "2026-11-20 10:00:00", "story_authors": "A",
                    "story_feed_id": 5, "story_tags": [], "read_status": 1,
                ] as [String: Any]
            }
            return .json(["stories": stories, "feeds": ["5": ["feed_title": "Gazette"]]])
        }
        return TestAccount(.newsBlur, server, address: "https://newsblur.com")
    }

    @Test func whatWasReadComesOut() async throws {
        let read = Mutex<[Int]>.Box(Array(0..<35).reversed())
        let account = account(read)
        let first = try await account.importAll()
        #expect(first.error == nil && first.titles.count == 35 && first.batch.starredTitles == ["T3"])
        #expect(first.batch.readings[0].article.source == "Gazette")
        #expect(first.batch.times[0] == date(1_795_168_800))
        let asked = account.server.requests.count
        read.value.withLock { $0 = [99, 98] + $0 }
        #expect(try await account.importAll().titles == ["T99", "T98"])
        // Two pages, and no further than to what is known; a page of stars; a login.
        #expect(account.server.requests.count - asked <= 5)
    }

    @Test func anImportThatStoppedIsNotTakenForAWholeOne() async throws {
        let account = account(Mutex<[Int]>.Box(Array(0..<35)))
        #expect(try await account.importAll(batches: 2).titles.count == 20)
        #expect(try await account.importAll().titles.count >= 15)
    }

    @Test func aWrongPasswordIsTold() async throws {
        let account = account(Mutex<[Int]>.Box([]))
        account.user = "rui"
        #expect(try await account.importAll().error?.code == .permission)
    }
}
