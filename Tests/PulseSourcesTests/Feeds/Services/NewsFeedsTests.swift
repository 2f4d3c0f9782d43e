import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseSources

extension NewsFeeds {
    fileprivate func fetch(_ address: String, tag: String? = nil, later: Double = 0) async throws -> FeedResponse {
        let now = ServiceSupport.now.addingTimeInterval(later)
        return try await fetch(ServiceSupport.feed(address, tag: tag), now: now)
    }
}

@Suite(.timeLimit(.minutes(20))) struct NewsFeedsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func access(_ server: LoopbackServer?, key: String?) throws -> ServiceAccess? {
        guard let server else { return nil }
        guard let key else { return ServiceAccess(address: server.url(), key: nil) }
        let secret = try Secret(key)
        return ServiceAccess(address: server.url()) { secret }
    }

    private var cache: CacheFolder { CacheFolder(folder.file("cache"), now: ServiceSupport.now) }

    private func news(
        pulse: LoopbackServer? = nil, key: String? = nil, guardian: LoopbackServer? = nil
    ) throws -> NewsFeeds {
        NewsFeeds(
            pulse: try access(pulse, key: key), guardian: try access(guardian, key: "k3y&of-ana"),
            client: ServiceSupport.client(), cacheFolder: cache, pause: .zero)
    }

    private func failure(_ news: NewsFeeds, _ address: String) async -> PulseError? {
        await PulseTestSupport.failure { try await news.fetch(address) }
    }

    private static func id(_ number: Int) -> String { "00000000-0000-4000-8000-" + String(100_000_000_000 + number) }

    private static func row(_ number: Int, hoursAgo: Double = 1) -> [String: Any] {
        [
            "id": id(number), "title": "Title \(number)", "summary": "The summary of \(number).",
            "url": "https://news.example/\(number)", "published_at": ServiceSupport.time(hoursAgo),
            "source_name": "The Herald", "category_slug": "science", "media_type": NSNull(),
        ]
    }

    private static func guardianAnswer(_ titles: [String], page: Int = 1, pages: Int = 1) -> LoopbackResponse {
        let results = titles.map { title -> [String: Any] in
            [
                "id": "science/2026/nov/21/\(title)", "type": title.hasPrefix("live") ? "liveblog" : "article",
                "sectionId": "society", "sectionName": "Society", "webPublicationDate": ServiceSupport.time(2),
                "webTitle": title, "webUrl": "https://www.theguardian.com/science/\(title)",
                "fields": ["trailText": "<p>A <b>teaser</b>.</p>", "body": "<p>One.</p><p>Two.</p>", "byline": "Ana"],
            ]
        }
        return .json(["response": ["status": "ok", "currentPage": page, "pages": pages, "results": results]])
    }

    // MARK: Pulse's backend

    @Test func theFunctionsNeedNoKeyAndGiveTextsOneByOne() async throws {
        let server = try LoopbackServer { request, _ in
            if request.target.contains("?id=eq.") {
                return .json([Self.row(1).merging(["content": "The whole text of 1."]) { $1 }])
            }
            var podcast = Self.row(2)
            podcast["media_type"] = "podcast"
            var odd = Self.row(3)
            odd["id"] = "x&limit=9"
            odd["content"] = "\u{1B}[31mRed"
            return .json(
                [Self.row(1), podcast, odd, "nonsense", ["title": "no id"]],
                headers: ["Cache-Control": "public, max-age=900", "ETag": "\"1\""])
        }
        let feed = "pulse:pt/science"
        let answer = try await news(pulse: server).fetch(feed)
        #expect(
            server.requests.map(\.target) == [
                "/functions/v1/api-articles?language=eq.pt&category_slug=eq.science&order=published_at.desc"
                    + "&offset=0&limit=20",
                "/functions/v1/api-articles?id=eq.\(Self.id(1))&limit=1",
            ])
        #expect(server.requests.allSatisfy { $0.headers["apikey"] == nil && $0.headers["authorization"] == nil })
        let contents = try #require(answer.contents)
        #expect(contents.title == "Pulse: Science (pt)")
        #expect(contents.entries.map(\.title) == ["Title 1", "Title 3"])
        let first = try #require(contents.entries.first)
        #expect(first.id == Self.id(1) && first.url == "https://news.example/1" && first.source == "The Herald")
        #expect(first.summary == "The summary of 1." && first.content == "The whole text of 1.")
        #expect(first.category.name == "science" && first.language == "pt")
        #expect(first.publishedAt == ServiceSupport.now.addingTimeInterval(-3600))
        #expect(contents.entries[1].content == "Red")
        #expect(answer.notBefore == ServiceSupport.now.addingTimeInterval(900) && answer.note == nil)
        // Nothing is asked again before its time; the text of an article not before an hour.
        _ = try await news(pulse: server).fetch(feed, later: 899)
        #expect(server.requests.count == 2)
        _ = try await news(pulse: server).fetch(feed, later: 901)
        #expect(server.requests.count == 3 && server.requests.last?.headers["if-none-match"] == "\"1\"")
    }

    @Test func theTablesWantAKey() async throws {
        let server = try LoopbackServer { request, _ in
            var row = Self.row(1)
            row["content"] = row["summary"]
            row["sources"] = ["name": "Gazette", "slug": "gazette"]
            row["categories"] = NSNull()
            var other = Self.row(2)
            other["sources"] = NSNull()
            other["source_name"] = nil
            other["published_at"] = "yesterday"
            return .json([row, other])
        }
        let news = try news(pulse: server, key: "k3y-of-ana")
        let answer = try await news.fetch("pulse:en/health")
        let asked = try #require(server.requests.first)
        #expect(
            asked.target
                == "/rest/v1/articles?select=id,title,summary,content,url,author,published_at,sources(name,slug),"
                + "categories!inner(name,slug)&categories.slug=eq.health&language=eq.en&order=published_at.desc"
                + "&offset=0&limit=20")
        #expect(asked.headers["apikey"] == "k3y-of-ana" && asked.headers["authorization"] == "Bearer k3y-of-ana")
        let entries = try #require(answer.contents?.entries)
        #expect(server.requests.count == 1 && entries.map(\.source) == ["Gazette", "Pulse"])
        #expect(entries[0].content.isEmpty && !entries[0].summary.isEmpty && entries[1].publishedAt == nil)
        #expect(entries[0].category.name == "science")
    }

    @Test func theFirstTablesHadEnglishAlone() async throws {
        let server = try LoopbackServer { request, _ in
            request.target.contains("language=")
                ? .json(["code": "42703", "message": "column does not exist"], status: 400)
                : .json([Self.row(1)])
        }
        let news = try news(pulse: server, key: "k3y-of-ana")
        let answer = try await news.fetch("pulse:en")
        #expect(answer.contents?.entries.count == 1)
        #expect(await failure(news, "pulse:pt").says(.noInput, "English only"))
    }

    /// A backend with 300 articles, one each six minutes.
    private static func archive(_ request: LoopbackRequest) -> LoopbackResponse {
        let query = URLComponents(string: request.target)?.queryItems ?? []
        func number(_ name: String) -> Int { query.first { $0.name == name }.flatMap { Int($0.value ?? "") } ?? 0 }
        let range = number("offset")..<min(300, number("offset") + number("limit"))
        return .json(
            range.map { number in
                row(number, hoursAgo: Double(number) / 10).merging(["content": "Text."]) { $1 }
            })
    }

    @Test func asManyPagesAreAskedForAsHoldWhatIsNew() async throws {
        let server = try LoopbackServer { request, _ in Self.archive(request) }
        let first = try await news(pulse: server).fetch("pulse:en")
        #expect(first.contents?.entries.count == 20 && server.requests.count == 1)
        #expect(first.entityTag == ServiceSupport.time(0))
        // Ten hours, and three more for what was late: 130 articles.
        let next = try await news(pulse: server).fetch("pulse:en", tag: ServiceSupport.time(10))
        #expect(next.contents?.entries.count == 220 && server.requests.count == 3)
        #expect(Set(next.contents?.entries.map(\.id) ?? []).count == 220)
        let newest = try await news(pulse: server).fetch("pulse:en/breaking", tag: ServiceSupport.time(10))
        #expect(newest.contents?.entries.count == 10 && server.requests.count == 4)
        #expect(newest.notBefore == ServiceSupport.now.addingTimeInterval(300))
    }

    @Test func aPageThatFailsIsAskedForAgainTheNextTime() async throws {
        let isBroken = Mutex(true)
        let server = try LoopbackServer { request, _ in
            request.target.contains("offset=20") && isBroken.withLock { $0 }
                ? LoopbackResponse(status: 502) : Self.archive(request)
        }
        let tag = ServiceSupport.time(5)
        let cut = try await news(pulse: server).fetch("pulse:en", tag: tag)
        #expect(cut.contents?.entries.count == 20 && cut.entityTag == tag && cut.refusal == nil)
        #expect(cut.note?.contains("Older articles") == true)
        isBroken.withLock { $0 = false }
        let whole = try await news(pulse: server).fetch("pulse:en", tag: cut.entityTag)
        #expect(whole.contents?.entries.count == 120 && whole.note == nil)
    }

    @Test(arguments: ["pulse:en", "guardian:world"])
    func everyFailureIsToldWithoutTheKey(feed: String) async throws {
        for failure in ServiceSupport.failures {
            let server = try LoopbackServer(script: [failure.answer])
            let service = try feed == "pulse:en" ? news(pulse: server, key: "k3y-of-ana") : news(guardian: server)
            let error = try #require(await self.failure(service, feed))
            #expect(error.code == failure.code, "\(failure.name)")
            #expect(!"\(error) \(error.cause ?? "")".contains("k3y"), "\(failure.name)")
        }
    }

    /// Until then it is left alone, as any feed is; also where an earlier answer stands in.
    @Test func aServiceSaysWhenItMayBeAskedAgain() async throws {
        let busy = LoopbackResponse(status: 429, headers: ["Retry-After": "7200"])
        let until = ServiceSupport.now.addingTimeInterval(7200)
        let server = try LoopbackServer(script: [busy, Self.guardianAnswer(["one"]), busy])
        let error = try #require(await failure(try news(guardian: server), "guardian:world"))
        var refresh = Feed.FetchState().after(.failed(error), at: ServiceSupport.now)
        #expect(refresh.nextFetch(at: ServiceSupport.now) == until)
        _ = try await news(guardian: server).fetch("guardian:world")
        let later = ServiceSupport.now.addingTimeInterval(3600)
        let stale = try await news(guardian: server).fetch("guardian:world", later: 3600)
        refresh = Feed.FetchState().after(.answered(stale), at: later)
        #expect(stale.refusal != nil && refresh.nextFetch(at: later) == later.addingTimeInterval(7200))
    }

    // MARK: The Guardian

    @Test func theGuardiansArticlesComeWithTheirTexts() async throws {
        let server = try LoopbackServer { _, _ in Self.guardianAnswer(["one", "live-now"]) }
        let answer = try await news(guardian: server).fetch("guardian:health")
        #expect(
            server.requests.map(\.target) == [
                "/search?order-by=newest&page=1&page-size=50&section=society&show-fields=trailText,body,byline"
                    + "&api-key=k3y%26of-ana"
            ])
        let contents = try #require(answer.contents)
        #expect(contents.title == "The Guardian: Society" && contents.entries.map(\.language) == ["en"])
        let article = try #require(contents.entries.first)
        #expect(article.id == "science/2026/nov/21/one" && article.source == "The Guardian" && article.author == "Ana")
        #expect(
            article.summary == "A teaser." && article.content == "One.\n\nTwo." && article.category.name == "health")
        // The key is not on the disk either.
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.file("cache")) {
            #expect(try !folder.text("cache/\(file)").contains("k3y"))
        }
    }

    @Test func theGuardianPagesByNumber() async throws {
        let server = try LoopbackServer { request, _ in
            let page = request.target.contains("&page=2&") ? 2 : 1
            return Self.guardianAnswer(["page-\(page)"], page: page, pages: 2)
        }
        let answer = try await news(guardian: server).fetch("guardian:all", tag: ServiceSupport.time(24))
        #expect(answer.contents?.entries.map(\.title) == ["page-1", "page-2"])
        #expect(server.requests.allSatisfy { !$0.target.contains("section=") } && server.requests.count == 2)
    }

    // MARK: One behind the other

    @Test func theGuardianStandsBehindPulse() async throws {
        let guardian = try LoopbackServer { _, _ in Self.guardianAnswer(["one"]) }
        let broken = try LoopbackServer(script: [LoopbackResponse(status: 500)])
        let tag = ServiceSupport.time(9)
        let answer = try await news(pulse: broken, guardian: guardian).fetch("pulse:en/health", tag: tag)
        #expect(answer.contents?.entries.map(\.source) == ["The Guardian"])
        #expect(answer.note?.contains("(status 500). The Guardian is used instead.") == true)
        #expect(guardian.requests.first?.target.contains("section=society") == true)
        // What Pulse had in the meantime is still to be asked for.
        #expect(answer.entityTag == tag && answer.contents?.title == "Pulse: Health (en)")
    }

    @Test func whereBothFailTheFirstIsTold() async throws {
        let broken = try LoopbackServer(script: [LoopbackResponse(status: 500)])
        let closed = try LoopbackServer(script: [LoopbackResponse(status: 401)])
        #expect(await failure(try news(pulse: broken, guardian: closed), "pulse:en").says(.tryAgain, "Pulse's backend"))
    }

    @Test func whatIsNotSetUpIsNotAsked() async throws {
        let guardian = try LoopbackServer { _, _ in Self.guardianAnswer(["one"]) }
        let answer = try await news(guardian: guardian).fetch("pulse:en/breaking")
        #expect(answer.contents?.entries.count == 1 && answer.note == nil)
        let portuguese = await failure(try news(guardian: guardian), "pulse:pt")
        #expect(portuguese?.code == .configuration && portuguese?.hint?.contains("--pulse-url") == true)
        let neither = await failure(try news(), "pulse:en")
        #expect(neither?.code == .configuration && neither?.hint?.contains("--guardian-key-file") == true)
        #expect(await failure(try news(), "guardian:world")?.hint?.contains("open-platform") == true)
    }

    // MARK: What is kept

    @Test func withoutANetworkWhatIsKeptIsShownWithItsAge() async throws {
        let tag = ServiceSupport.time(2)
        var server: LoopbackServer? = try LoopbackServer { request, _ in Self.archive(request) }
        let port = try #require(server?.port)
        let first = try await news(pulse: server).fetch("pulse:pt", tag: tag)
        server?.stop()
        server = nil
        let gone = NewsFeeds(
            pulse: ServiceAccess(address: "http://127.0.0.1:\(port)", key: nil), guardian: nil,
            client: GoneClient(), cacheFolder: cache, pause: .zero)
        let answer = try await gone.fetch("pulse:pt", tag: tag, later: 30 * 3600)
        #expect(answer.contents?.entries == first.contents?.entries)
        #expect(answer.refusal?.code == .unavailable && answer.entityTag == tag)
        #expect(answer.note == "Nobody is there. This is what Pulse's backend had 30 hours ago.")
        #expect(await failure(gone, "pulse:fr")?.code == .unavailable)
    }

    private struct GoneClient: HTTPClient {
        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            throw PulseError(.unavailable, "Nobody is there.")
        }
    }

    @Test(arguments: [
        "pulse:", "pulse:english", "pulse:en/a/b", "pulse:en/podcasts", "pulse:en/Sci&x=1", "guardian:", "guardian:a/b",
        "guardian:world\n",
    ]) func whatIsNoFeedIsSaidToBeNone(address: String) async throws {
        let news = try news()
        #expect(news.serves(address))
        #expect(await failure(news, address)?.code == .noInput)
    }

    @Test func linksOfTheAppAreNoFeeds() throws {
        let news = try news()
        #expect(!news.serves("pulse://article?id=1") && !news.serves("https://news.example/rss"))
        #expect(news.serves("Pulse:en") && news.serves("guardian:all"))
    }
}
