import PulseCore
import PulseSources
import PulseTestSupport
import Testing

@testable import PulseApp

@Suite(.timeLimit(.minutes(20))) struct FeedAdditionTests {
    private func add(_ address: String, patience: Duration = FeedFetcher.patience) async throws {
        let folder = try TemporaryFolder()
        let app = AppEnvironment(home: folder)
        let addition = FeedAddition(
            in: app, services: FeedServiceSettings().services(in: app), questioner: nil, reporter: .silent,
            patience: patience)
        _ = try await addition.add(address)
    }

    /// A server that is silent at one of the places where feeds often are is not asked at each of the others.
    @Test func aSlowServerHasItsTimeForAllPlaces() async throws {
        let server = try LoopbackServer { request, _ in
            guard request.target == "/blog/" else { return LoopbackResponse().with { $0.isSilent = true } }
            return LoopbackResponse(headers: ["Content-Type": "text/html"], text: "<html><body>Hello</body></html>")
        }
        try await fails(.unavailable, "too slow to look for one") {
            try await add(server.url("blog/"), patience: .milliseconds(500))
        }
        #expect(server.requests.map(\.target) == ["/blog/", "/blog/", "/blog/feed/"])
    }

    @Test(arguments: [
        ("feed://a.example/rss", "http://a.example/rss"), ("feed:https://a.example/rss", "https://a.example/rss"),
        ("a.example/rss", "https://a.example/rss"),
    ])
    func addressesAreCompleted(typed: String, expected: String) { #expect(FeedAddition.address(typed) == expected) }

    /// No address with a password is asked, and no message shows one.
    @Test(arguments: [
        "https://ana:secret@a.example/feed", "ana:secret@a.example", "feed:https://ana:secret@a.example/feed",
        "https://ana:sec/secret@a.example/feed", "https:///ana:secret@a.example/", "ftp://ana:secret@a.example/",
    ])
    func passwordsAreRefusedAndNotShown(address: String) async throws {
        let error = try await fails(.usage) { try await add(address) }
        #expect(error.description.contains("secret") == false)
    }

    @Test(arguments: [
        "http://ü..example/", "a\u{2100}b.example", "https://\(String(repeating: "ü", count: 80)).example",
    ])
    func hostsThatIDNARefusesAreNamed(address: String) async throws {
        try await fails(.usage, "IDNA") { try await add(address) }
    }
}
