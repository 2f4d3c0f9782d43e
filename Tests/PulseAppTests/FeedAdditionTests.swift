import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseApp

@Suite(.timeLimit(.minutes(20))) struct FeedAdditionTests {
    /// A server that is silent at one of the places where feeds often are is not asked at each of the others.
    @Test func aSlowServerHasItsTimeForAllPlaces() async throws {
        let server = try LoopbackServer { request, _ in
            guard request.target == "/blog/" else { return LoopbackResponse().with { $0.isSilent = true } }
            return LoopbackResponse(
                headers: ["Content-Type": "text/html"], body: Array("<html><body>Hello</body></html>".utf8))
        }
        let folder = try TemporaryFolder()
        let app = AppEnvironment(home: folder)
        let addition = FeedAddition(
            in: app, services: FeedServiceSettings().services(in: app), questioner: nil, reporter: .silent,
            patience: .milliseconds(500))
        let error = await #expect(throws: PulseError.self) { _ = try await addition.add(server.url("blog/")) }
        #expect(error?.code == .unavailable && error?.description.contains("too slow to look for one") == true)
        #expect(server.requests.map(\.target) == ["/blog/", "/blog/", "/blog/feed/"])
    }

    /// No address with a password is asked, and no message shows one.
    @Test(arguments: [
        "https://ana:secret@a.example/feed", "ana:secret@a.example", "feed:https://ana:secret@a.example/feed",
        "https://ana:sec/secret@a.example/feed", "https:///ana:secret@a.example/", "ftp://ana:secret@a.example/",
    ])
    func passwordsAreRefusedAndNotShown(address: String) async throws {
        let folder = try TemporaryFolder()
        let app = AppEnvironment(home: folder)
        let addition = FeedAddition(
            in: app, services: FeedServiceSettings().services(in: app), questioner: nil, reporter: .silent)
        let error = await #expect(throws: PulseError.self) { _ = try await addition.add(address) }
        #expect(error?.code == .usage)
        #expect(error?.description.contains("secret") == false)
    }

    @Test(arguments: [
        "http://ü..example/", "a\u{2100}b.example", "https://\(String(repeating: "ü", count: 80)).example",
    ])
    func hostsThatIDNARefusesAreNamed(address: String) async throws {
        let folder = try TemporaryFolder()
        let app = AppEnvironment(home: folder)
        let addition = FeedAddition(
            in: app, services: FeedServiceSettings().services(in: app), questioner: nil, reporter: .silent)
        let error = await #expect(throws: PulseError.self) { _ = try await addition.add(address) }
        #expect(error?.code == .usage && error?.description.contains("IDNA") == true)
    }
}
