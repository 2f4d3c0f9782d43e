import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseSources

@Suite(.timeLimit(.minutes(20))) struct BlueskyFeedsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var cache: CacheFolder { CacheFolder(folder.file("cache"), now: ServiceSupport.now) }

    private static func post(_ key: String, hoursAgo: Double = 1, labels: [String] = []) -> [String: Any] {
        [
            "post": [
                "uri": "at://did:plc:abc/app.bsky.feed.post/\(key)", "indexedAt": ServiceSupport.time(hoursAgo),
                "author": ["handle": "alice.example", "labels": labels.map { ["val": $0] }],
                "record": ["text": "Post \(key)", "createdAt": ServiceSupport.time(hoursAgo)],
            ]
        ]
    }

    private func fetch(
        _ address: String, tag: String? = nil, _ answer: @escaping @Sendable (String) -> LoopbackResponse
    ) async throws -> (answer: FeedResponse, asked: [String]) {
        let server = try LoopbackServer { request, _ in answer(request.target) }
        let bluesky = BlueskyFeeds(
            address: "http://127.0.0.1:\(server.port)", client: ServiceSupport.client(), cacheFolder: cache)
        let answer = try await bluesky.fetch(ServiceSupport.feed(address, tag: tag), now: ServiceSupport.now)
        return (answer, server.requests.map { String($0.target.dropFirst("/xrpc/".count)) })
    }

    @Test func anAccountIsFollowedWithoutALogin() async throws {
        let (answer, asked) = try await fetch("bluesky:Alice.Example") { target in
            if target.contains("getProfile") {
                return .json(["handle": "alice.example", "displayName": "Alice\u{1B}[2J"])
            }
            return .json([
                "cursor": "c", "feed": [Self.post("b"), ["post": 3], Self.post("a", hoursAgo: 2, labels: ["!hide"])],
            ])
        }
        #expect(
            asked == [
                "app.bsky.feed.getAuthorFeed?actor=alice.example&filter=posts_no_replies&limit=50",
                "app.bsky.actor.getProfile?actor=alice.example",
            ])
        #expect(answer.contents?.title?.hasPrefix("Alice") == true)
        #expect(answer.contents?.site == "https://bsky.app/profile/alice.example")
        #expect(answer.contents?.entries.map(\.title) == ["Post b"])
    }

    @Test func itGoesBackToTheLastTime() async throws {
        let (answer, asked) = try await fetch("bluesky:alice.example", tag: ServiceSupport.time(24)) { target in
            if target.contains("getProfile") { return .json([:]) }
            // The oldest by its text, reposted a moment ago.
            var repost = Self.post("a", hoursAgo: 9000)
            repost["reason"] = ["indexedAt": ServiceSupport.time(1)]
            return target.contains("cursor=c%26d")
                ? .json(["cursor": "e", "feed": [Self.post("c", hoursAgo: 30)]])
                : .json(["cursor": "c&d", "feed": [repost, Self.post("b")]])
        }
        #expect(answer.contents?.entries.map(\.title) == ["Post a", "Post b", "Post c"])
        #expect(asked.count == 3 && answer.contents?.title == "@alice.example")
    }

    @Test func listsAndGeneratorsHaveSeveralAddresses() async throws {
        let answer = { @Sendable (target: String) -> LoopbackResponse in
            if target.contains("resolveHandle") { return .json(["did": "did:plc:abc"]) }
            if target.contains("getFeedGenerator") { return .json(["view": ["displayName": "Birds"]]) }
            if target.contains("getList?") { return .json(["list": ["name": "Friends"]]) }
            return .json(["feed": [Self.post("a")]])
        }
        let feed = "feed=at%3A%2F%2Fdid%3Aplc%3Aabc%2Fapp.bsky.feed.generator%2Fbirds"
        for address in [
            "at://did:plc:abc/app.bsky.feed.generator/birds", "https://bsky.app/profile/did:plc:abc/feed/birds",
            "https://bsky.app/profile/alice.example/feed/birds",
        ] {
            let (result, asked) = try await fetch(address, answer)
            #expect(result.contents?.title == "Birds" && result.contents?.entries.count == 1)
            #expect(asked.contains("app.bsky.feed.getFeed?\(feed)&limit=50"), "\(asked)")
        }
        let (list, asked) = try await fetch("https://bsky.app/profile/alice.example/lists/3k", answer)
        #expect(list.contents?.title == "Friends" && asked.contains { $0.hasPrefix("app.bsky.feed.getListFeed?list=") })
    }

    @Test func whoeverWantsALoginIsNotShown() async throws {
        let (answer, _) = try await fetch("bluesky:alice.example") { _ in
            .json(["feed": [Self.post("a", labels: ["!no-unauthenticated"])]])
        }
        #expect(answer.contents?.entries.isEmpty == true && answer.note?.contains("logged in") == true)
    }

    @Test func failuresAreTold() async throws {
        func code(_ response: LoopbackResponse) async -> PulseError.Code? {
            await failure { try await fetch("bluesky:alice.example") { _ in response } }?.code
        }
        for failure in ServiceSupport.failures where !["other JSON", "cut", "401", "403"].contains(failure.name) {
            #expect(await code(failure.answer) == failure.code, "\(failure.name)")
        }
        for (status, name) in [(400, "InvalidRequest"), (400, "UnknownFeed"), (401, "AuthMissing"), (403, "Forbidden")]
        {
            #expect(await code(.json(["error": name], status: status)) == .noInput)
        }
    }

    @Test func itKnowsItsAddresses() {
        let bluesky = BlueskyFeeds(client: ServiceSupport.client(), cacheFolder: cache)
        for address in [
            "bluesky:alice.example", "bluesky:nonsense", "at://did:plc:a/app.bsky.graph.list/3k",
            "https://bsky.app/profile/alice.example", "https://bsky.app/profile/alice.example/feed/birds?x=1",
        ] { #expect(bluesky.serves(address), "\(address)") }
        for address in [
            "https://bsky.app/profile/alice.example/rss", "https://bsky.app/", "https://alice.example/feed",
            "guardian:all",
        ] { #expect(!bluesky.serves(address), "\(address)") }
    }
}
