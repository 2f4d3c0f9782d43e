import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseSources

@Suite(.timeLimit(.minutes(20))) struct PageFetcherTests {
    /// The real client, except that this machine counts as named by the user.
    struct LoopbackClient: HTTPClient {
        let client = CurlClient(PageFetcher.policy)

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            var request = request
            request.isFromUser = true
            return try await client.send(request)
        }
    }

    static let now = Date(timeIntervalSince1970: 1_795_000_000)
    static let title = "A story about the tides"
    static let page = PageTextTests.page(PageTextTests.story, head: "<title>\(title)</title>")
    let cache: TemporaryFolder

    init() throws { cache = try TemporaryFolder() }

    static func html(_ text: String = page, headers: [String: String] = [:]) -> LoopbackResponse {
        LoopbackResponse(headers: ["Content-Type": "text/html"].merging(headers) { $1 }, text: text)
    }

    /// A server that answers by path; what it has no answer for is 404.
    func server(_ answers: [String: LoopbackResponse]) throws -> LoopbackServer {
        try LoopbackServer { request, _ in answers[request.target] ?? LoopbackResponse(status: 404) }
    }

    func fetch(
        _ urls: [String], daysLater: Double = 0, client: any HTTPClient = LoopbackClient(),
        _ change: (inout PageFetcher.Limits) -> Void = { _ in }
    ) async -> [String: String] {
        var limits = PageFetcher.Limits()
        limits.pause = .milliseconds(20)
        change(&limits)
        let fetcher = PageFetcher(
            client: client, cacheFolder: cache.file("pages"), now: Self.now + daysLater * 86_400, limits: limits)
        var outcomes: [String: String] = [:]
        for await (url, outcome) in fetcher.pages(of: urls) {
            switch outcome {
            case .text(let page): outcomes[url] = page.article.title
            case .problem(let problem): outcomes[url] = problem.rawValue
            }
        }
        return outcomes
    }

    @Test func gzipOfWhichTheServerSaysNothingIsUnpacked() async throws {
        let packed = try Array(SourceRun.gzipped(Data(Self.page.utf8), in: cache))
        let server = try server(["/a": Self.html().with { $0.body = packed }])
        #expect(await fetch([server.url("a")]).values.sorted() == [Self.title])
    }

    @Test func everyOutcomeHasItsReason() async throws {
        let home = Self.html("<p>The front page.</p>")
        let paid = "<script type=application/ld+json>{\"@type\":\"Article\",\"isAccessibleForFree\":false}</script>"
        let server = try server([
            "/good": Self.html(), "/none": Self.html("<p>Nothing.</p>"), "/paid": Self.html(paid),
            "/pdf": LoopbackResponse(headers: ["Content-Type": "application/pdf"], text: "%PDF"),
            "/refused": LoopbackResponse(status: 403), "/gone": LoopbackResponse(status: 410),
            "/pay": LoopbackResponse(status: 402), "/": home,
            "/robots.txt": LoopbackResponse(text: "User-agent: *\nDisallow: /forbidden"),
            "/large": Self.html(String(repeating: "x", count: PageSource.longest + 1)),
            "/moved": .redirect(to: "/good"), "/home": .redirect(to: "/"), "/hidden": .redirect(to: "/forbidden/a"),
            "/forbidden/a": Self.html(), "/broken": LoopbackResponse(status: 500),
        ])
        let expected = [
            "good": Self.title, "none": "noArticle", "paid": "paywall", "pdf": "notHTML",
            "refused": "refused", "gone": "notFound", "missing": "notFound", "pay": "paywall", "": "noArticle",
            "large": "tooLarge", "moved": Self.title, "home": "notFound", "hidden": "refusedByRobots",
            "forbidden/x": "refusedByRobots", "broken": "unreachable",
        ]
        let outcomes = await fetch(expected.keys.map { server.url($0) } + ["ftp://a/b", "nonsense"])
        for (path, outcome) in expected { #expect(outcomes[server.url(path)] == outcome, "\(path)") }
        #expect(outcomes["ftp://a/b"] == "notHTML")
        #expect(outcomes.count == expected.count + 2)
        #expect(!server.requests.contains { $0.target == "/forbidden/x" })
        #expect(server.requests.filter { $0.target == "/robots.txt" }.count == 1)
        #expect(server.requests.allSatisfy { $0.headers["user-agent"]?.hasPrefix("pulse-digest") == true })
        #expect(server.requests.allSatisfy { $0.headers["cookie"] == nil && $0.headers["referer"] == nil })
    }

    @Test(arguments: [
        (200, Self.title), (404, Self.title), (403, Self.title), (500, "refusedByRobots"), (503, "refusedByRobots"),
    ])
    func aRobotsFileThatIsNotThere(status: Int, outcome: String) async throws {
        let server = try server(["/a": Self.html(), "/robots.txt": LoopbackResponse(status: status)])
        #expect(await fetch([server.url("a")]) == [server.url("a"): outcome])
        #expect(server.requests.count == (status < 500 ? 2 : 1))
    }

    @Test func noPageIsFetchedTwiceInAWeek() async throws {
        let server = try LoopbackServer { request, _ in
            if ["/robots.txt", "/gone"].contains(request.target) { return LoopbackResponse(status: 404) }
            if request.headers["if-none-match"] == "\"1\"" { return LoopbackResponse(status: 304) }
            return Self.html(headers: ["ETag": "\"1\"", "Last-Modified": "Sun, 01 Nov 2026 10:00:00 GMT"])
        }
        let urls = [server.url("a"), server.url("gone")]
        let first = await fetch(urls)
        #expect(first == [urls[0]: Self.title, urls[1]: "notFound"])
        #expect(server.requests.count == 3)
        #expect(await fetch(urls, daysLater: 6.9) == first)
        #expect(server.requests.count == 3)
        #expect(await fetch(urls, daysLater: 7.1) == first)
        // robots.txt too, which is older than a day.
        #expect(server.requests.count == 6)
        #expect(server.requests[4].headers["if-modified-since"] == "Sun, 01 Nov 2026 10:00:00 GMT")
        // The answer 304 begins a new week.
        #expect(await fetch([urls[0]], daysLater: 14) == [urls[0]: Self.title])
        #expect(server.requests.count == 6)
    }

    @Test func theCacheIsForThisUserOnlyAndABrokenOneIsNone() async throws {
        let server = try server(["/a": Self.html()])
        _ = await fetch([server.url("a")])
        #expect(try cache.mode(of: cache.file("pages")).map { $0 & 0o77 } == 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: cache.file("pages")) {
            try cache.write("{", to: "pages/" + name)
        }
        #expect(await fetch([server.url("a")]) == [server.url("a"): Self.title])
        #expect(server.requests.count == 4)
    }

    @Test func oneAtATimeWithPauses() async throws {
        let server = try server(["/1": Self.html(), "/2": Self.html(), "/3": Self.html()])
        let start = ContinuousClock.now
        let outcomes = await fetch((1...3).map { server.url("\($0)") }) { $0.pause = .milliseconds(200) }
        #expect(outcomes.values.allSatisfy { $0 == Self.title })
        // One before each page: robots.txt came before the first.
        #expect(start.duration(to: .now) >= .milliseconds(600))
    }

    @Test(arguments: [(429, "later", 2), (200, "unreachable", 3)])
    func aHostThatIsBusyOrBreaksOffIsLeftAlone(status: Int, outcome: String, requests: Int) async throws {
        let page = status == 200 ? Self.html().with { $0.breaksOffAfter = 10 } : LoopbackResponse(status: status)
        let server = try server(Dictionary(uniqueKeysWithValues: (1...5).map { ("/\($0)", page) }))
        let outcomes = await fetch((1...5).map { server.url("\($0)") })
        #expect(outcomes.values.filter { $0 == outcome }.count == 5)
        #expect(server.requests.count == requests)
    }

    @Test func whenTimeIsUpTheRestIsLeft() async throws {
        let server = try server(["/1": Self.html()])
        let outcomes = await fetch([server.url("1")]) { $0.totalTime = .zero }
        #expect(outcomes == [server.url("1"): "later"])
        #expect(server.requests.isEmpty)
    }

    /// Links come out of articles: they must not reach this machine.
    @Test func noPrivateAddressIsAsked() async throws {
        let server = try server(["/a": Self.html()])
        let url = server.url("a")
        #expect(await fetch([url], client: CurlClient(PageFetcher.policy)) == [url: "notAsked"])
        #expect(server.requests.isEmpty)
    }

    @Test func itCanBeStopped() async throws {
        let server = try server(Dictionary(uniqueKeysWithValues: (1...50).map { ("/\($0)", Self.html()) }))
        let urls = (1...50).map { server.url("\($0)") }
        let task = Task { await fetch(urls) { $0.pause = .milliseconds(100) } }
        try await Task.sleep(for: .milliseconds(500))
        task.cancel()
        #expect(await task.value.count < 50)
    }
}
