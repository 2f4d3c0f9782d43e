import Foundation
import PulseCore
import PulsePlatform
import PulseSources
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct FeedFetcherTests {
    private static let now = Date(timeIntervalSince1970: 1_795_291_200)

    private static func feed(_ address: String, isNamed: Bool = true) -> Feed {
        Feed(address: address, addedAt: now, isNamed: isNamed)
    }

    /// Answers once eight are asking, or all that there are, and counts how many ask at a time.
    private actor SameTimeRange: FeedService {
        private var asking: [String] = []
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private var isOpen = false
        private let needed: Int
        private(set) var most = 0
        private(set) var hasDoubled = false

        init(needed: Int) { self.needed = needed }

        nonisolated func serves(_ address: String) -> Bool { true }

        func fetch(_ feed: Feed, now: Date) async throws -> FeedResponse {
            let host = URL(string: feed.address)?.host ?? ""
            hasDoubled = hasDoubled || asking.contains(host)
            asking.append(host)
            most = max(most, asking.count)
            if asking.count == needed {
                isOpen = true
                for continuation in waiting { continuation.resume() }
                waiting = []
            } else if !isOpen {
                await withCheckedContinuation { waiting.append($0) }
            }
            asking.removeAll { $0 == host }
            if feed.address.hasSuffix("/bad") { throw PulseError(.noInput, "No.") }
            return FeedResponse(contents: FeedContents())
        }
    }

    @Test func eightAreAskedAtATimeAndNoServerTwice() async throws {
        let crowd = SameTimeRange(needed: 8)
        let feeds =
            (0..<60).map { Self.feed("https://h\($0 % 20).example/\($0)") } + [Self.feed("https://x.example/bad")]
        var heard: [String] = []
        var failed = 0
        try await FeedFetcher(services: [crowd], now: Self.now).ask(feeds) { event in
            guard case .fetched(let feed, let result) = event else { return }
            heard.append(feed.address)
            if case .failure = result { failed += 1 }
        }
        #expect(Set(heard) == Set(feeds.map(\.address)) && heard.count == 61 && failed == 1)
        #expect(await crowd.most == 8)
        #expect(await !crowd.hasDoubled)
    }

    @Test func whoeverHearsMayEndIt() async throws {
        let crowd = SameTimeRange(needed: 1)
        var heard = 0
        await #expect(throws: PulseError(.cannotWrite, "Full.")) {
            try await FeedFetcher(services: [crowd], now: Self.now, most: 1).ask(
                (0..<9).map { Self.feed("https://h\($0).example/") }
            ) { _ in
                heard += 1
                throw PulseError(.cannotWrite, "Full.")
            }
        }
        #expect(heard == 1)
    }

    // MARK: - Over the wire

    private static let rss = Array("<rss version=\"2.0\"><channel><title>T</title></channel></rss>".utf8)

    private func ask(
        _ feed: Feed, _ change: (inout CurlClient.Policy) -> Void = { _ in }
    ) async -> Result<FeedResponse, PulseError> {
        var policy = WebFeed.policy
        change(&policy)
        let web = WebFeed(client: CurlClient(policy))
        do {
            return .success(try await FeedFetcher(services: [web], now: Self.now).ask(feed))
        } catch {
            return .failure(error.asPulseError)
        }
    }

    private func answer(_ response: LoopbackResponse) async throws -> FeedResponse {
        let server = try LoopbackServer(script: [response])
        return try await ask(Self.feed(server.url())).get()
    }

    private func failure(
        _ response: LoopbackResponse, _ change: (inout CurlClient.Policy) -> Void = { _ in }
    ) async throws -> PulseError {
        let server = try LoopbackServer(script: [response])
        switch await ask(Self.feed(server.url()), change) {
        case .failure(let error): return error
        case .success(let answer): return try #require(answer.refusal)
        }
    }

    /// The longer of what the feed and its server say, and no longer than until the next night.
    @Test func aFeedIsAskedAsOftenAsItWants() async throws {
        for (minutes, seconds) in [(60, 3600.0), (20, 1800), (100_000, 82_800)] {
            let rss = "<rss version=\"2.0\"><channel><title>T</title><ttl>\(minutes)</ttl></channel></rss>"
            let answer = try await answer(LoopbackResponse(headers: ["Cache-Control": "max-age=1800"], text: rss))
            let refresh = Feed.FetchState().after(.answered(answer), at: Self.now)
            #expect(refresh.notBefore == Self.now.addingTimeInterval(seconds))
        }
    }

    @Test func whatHasNotChangedIsNotSentAgain() async throws {
        let server = try LoopbackServer { request, number in
            if number > 0 { return LoopbackResponse(status: 304) }
            return LoopbackResponse(
                headers: [
                    "ETag": "\"1\"", "Last-Modified": "Sat, 21 Nov 2026 10:00:00 GMT", "Cache-Control": "max-age=1800",
                ],
                body: Self.rss)
        }
        var feed = Self.feed(server.url())
        let answer = try await ask(feed).get()
        #expect(answer.entityTag == "\"1\"" && answer.lastModified == "Sat, 21 Nov 2026 10:00:00 GMT")
        #expect(answer.notBefore == Self.now.addingTimeInterval(1800))
        feed.refresh = feed.refresh.after(.answered(answer), at: Self.now)
        let second = try await ask(feed).get()
        #expect(second.contents == nil && second.refusal == nil)
        #expect(server.requests[1].headers["if-none-match"] == "\"1\"")
        #expect(server.requests[1].headers["if-modified-since"] == "Sat, 21 Nov 2026 10:00:00 GMT")
        #expect(server.requests[0].headers["accept"]?.contains("application/rss+xml") == true)
        // What is kept survives an answer without validators.
        #expect(feed.refresh.after(.answered(second), at: Self.now).entityTag == "\"1\"")
    }

    @Test(arguments: [(301, true), (308, true), (302, false), (303, false), (307, false)])
    func onlyAPermanentMoveIsOne(status: Int, isMove: Bool) async throws {
        let server = try LoopbackServer { request, _ in
            request.target == "/new" ? LoopbackResponse(body: Self.rss) : .redirect(to: "/new", status: status)
        }
        #expect(try await ask(Self.feed(server.url("old"))).get().movedTo == (isMove ? server.url("new") : nil))
    }

    @Test func aMoveForGoodEndsWhereItIsForNow() async throws {
        let server = try LoopbackServer { request, _ in
            switch request.target {
            case "/a": .redirect(to: "/b", status: 301)
            case "/b": .redirect(to: "/c", status: 302)
            case "/c": .redirect(to: "/d", status: 301)
            default: LoopbackResponse(body: Self.rss)
            }
        }
        #expect(try await ask(Self.feed(server.url("a"))).get().movedTo == server.url("b"))
    }

    @Test func aServerSaysWhenItMayBeAskedAgain() async throws {
        for (value, seconds) in [("120", 120.0), ("Sat, 21 Nov 2026 21:00:00 GMT", 3600), ("soon", nil)] {
            for status in [429, 503] {
                let server = try LoopbackServer(script: [
                    LoopbackResponse(status: status, headers: ["Retry-After": value])
                ])
                let answer = try await ask(Self.feed(server.url())).get()
                #expect(answer.refusal?.code == .tryAgain && answer.refusal?.message.contains("\(status)") == true)
                #expect(answer.notBefore == seconds.map(Self.now.addingTimeInterval), "\(value)")
                #expect(server.requests.count == 1, "it is not waited for")
            }
        }
        #expect(try await answer(LoopbackResponse(status: 410)).isGone)
    }

    // MARK: - Bad manners

    /// A feed begins with what is new.
    @Test(arguments: [LoopbackResponse.Length.none, .pretended(200 << 20)])
    func ofWhatIsTooLargeTheBeginningIsRead(length: LoopbackResponse.Length) async throws {
        let items = "<rss><channel><title>T</title><item><title>First</title><guid>1</guid></item>"
        let body = Array(items.utf8) + [UInt8](repeating: 65, count: 6 << 20)
        let answer = try await answer(LoopbackResponse(body: body).with { $0.length = length })
        #expect(answer.contents?.entries.map(\.title) == ["First"])
        #expect(answer.note == "It is larger than 4 MiB, and only its beginning was read.")
    }

    @Test func whatAHeaderMayNotHoldIsNotKept() async throws {
        for tag in ["\"a\u{1}b\"", "\"" + String(repeating: "x", count: 60_000) + "\"", "\"\u{e9}\""] {
            #expect(try await answer(LoopbackResponse(headers: ["ETag": tag], body: Self.rss)).entityTag == nil)
        }
    }

    /// A server that takes offence at its own tag is asked without.
    @Test(arguments: [400, 412, 431]) func aValidatorKeepsNothingAway(status: Int) async throws {
        let server = try LoopbackServer { request, _ in
            request.headers["if-none-match"] == nil
                ? LoopbackResponse(headers: ["ETag": "\"x\""], body: Self.rss) : LoopbackResponse(status: status)
        }
        var feed = Self.feed(server.url())
        feed.refresh.entityTag = "\"x\""
        #expect(try await ask(feed).get().contents != nil)
        // What failed for another reason is asked for anew the next time.
        feed.refresh = feed.refresh.after(.failed(PulseError(.unavailable, "No.")), at: Self.now)
        #expect(try await ask(feed).get().contents != nil)
        #expect(server.requests.map { $0.headers["if-none-match"] } == ["\"x\"", nil, nil])
    }

    @Test func nothingNewIsNoAnswerToWhoHasNothing() async throws {
        #expect(try await failure(LoopbackResponse(status: 304)).says(.unavailable, "“not modified” (304)"))
    }

    @Test func headersWithoutEndAreSaid() async throws {
        for count in [120_000, 60_000] {
            let headers = Dictionary(
                uniqueKeysWithValues: (0..<6).map { ("X-\($0)", String(repeating: "a", count: count)) })
            let error = try await failure(LoopbackResponse(headers: headers, body: Self.rss))
            #expect(error.says(.badData, "headers that are far too long"), "\(error)")
        }
    }

    /// A server has its time for all of its feeds, and those that it leaves come first the next time.
    @Test func aSlowServerHasItsTimeAndNoMore() async throws {
        let slow = LoopbackResponse(body: Self.rss).with { ($0.pause, $0.chunk) = (.milliseconds(50), 1) }
        let server = try LoopbackServer(script: [slow])
        let good = try LoopbackServer(script: [LoopbackResponse(body: Self.rss)])
        let feeds = (0..<4).map { number in
            var feed = Self.feed(server.url("\(number)"))
            feed.refresh.triedAt = Self.now.addingTimeInterval(-Double(number))
            return feed
        }
        let other = Self.feed(good.url().replacing("127.0.0.1", with: "localhost"))
        var heard: [String] = []
        let refresher = FeedFetcher(
            services: [WebFeed(client: CurlClient(WebFeed.policy))], now: Self.now, patience: .seconds(2))
        var left: [Feed] = []
        try await refresher.ask(feeds + [other]) { event in
            switch event {
            case .fetched(let feed, let result):
                heard.append(feed.address)
                guard case .failure(let error) = result else { return }
                #expect(error.message.contains("not whole after"), "\(error)")
            case .left(let feeds): left += feeds
            case .tick: break
            }
        }
        #expect(Set(heard) == [feeds[3].address, other.address])
        #expect(left.map(\.address) == [2, 1, 0].map { feeds[$0].address })
    }

    @Test func aServerThatSendsAByteNowAndThenIsLeft() async throws {
        let slow = LoopbackResponse(body: Self.rss).with { ($0.pause, $0.chunk) = (.milliseconds(100), 1) }
        let error = try await failure(slow) { $0.totalTimeout = .seconds(1) }
        #expect(error.says(.unavailable, "not whole after"))
    }

    @Test func aLoginPageIsNoFeed() async throws {
        let page = "<!doctype html><title>Log in</title><form action=/login><input type=password></form>"
        let login = LoopbackResponse(headers: ["Content-Type": "text/html"], text: page)
        #expect(try await failure(login).code == .badData)
        #expect(try await failure(LoopbackResponse(status: 401)).code == .permission)
        let cloudflare = try await failure(LoopbackResponse(status: 403, headers: ["cf-mitigated": "challenge"]))
        #expect(cloudflare.message.contains("Cloudflare"))
        #expect(try await failure(LoopbackResponse(body: [])).code == .badData)
        #expect(try await failure(LoopbackResponse(status: 404)).code == .noInput)
    }

    @Test(arguments: [
        "file:///etc/passwd", "http://169.254.169.254/latest/meta-data/", "http://192.168.1.1/", "http://[fd00::1]/",
        "gopher://a.example/", "https://user:secret@a.example/",
    ])
    func aRedirectLeadsNowhereItMayNot(target: String) async throws {
        let error = try await failure(.redirect(to: target, status: 301))
        #expect([.permission, .unavailable, .badData].contains(error.code), "\(error)")
        #expect(!error.description.contains("secret"))
    }

    @Test func redirectsHaveAnEnd() async throws {
        let server = try LoopbackServer { _, number in .redirect(to: "/\(number)", status: 301) }
        let feed = Self.feed(server.url())
        let error = await PulseTestSupport.failure { try await ask(feed).get() }
        #expect(error?.message.contains("redirects more than") == true)
    }

    @Test func anAddressThatNobodyTypedMayNotBeOfThisMachine() async throws {
        let server = try LoopbackServer(script: [LoopbackResponse(body: Self.rss)])
        let feed = Self.feed(server.url(), isNamed: false)
        try await fails(.permission) { try await ask(feed).get() }
        #expect(server.requests.isEmpty)
    }
}
