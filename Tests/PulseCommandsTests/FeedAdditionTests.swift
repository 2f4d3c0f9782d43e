import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseCommands

@Suite(.timeLimit(.minutes(20))) struct FeedAdditionTests {
    /// A server that is silent at one of the places where feeds often are is not asked at each of the others.
    @Test func aSlowServerHasItsTimeForAllPlaces() async throws {
        let server = try LoopbackServer { request, _ in
            guard request.target == "/blog/" else { return LoopbackResponse().with { $0.isSilent = true } }
            return LoopbackResponse(
                headers: ["Content-Type": "text/html"], body: Array("<html><body>Hello</body></html>".utf8))
        }
        let folder = try TemporaryFolder()
        var settings = Settings()
        settings.storePath = folder.file("history.sqlite")
        let environment = ["HOME": folder.path]
        let context = Context(
            settings: settings, operands: [], locations: Locations(environment: environment, executable: "/p"),
            console: Console(environment: environment), environment: environment,
            now: Date(timeIntervalSince1970: 1_795_298_400), timeZone: .gmt)
        let error = await #expect(throws: PulseError.self) {
            try await FeedAddition(context: context, patience: .milliseconds(500)).add(server.url("blog/"))
        }
        #expect(error?.code == .unavailable && error?.description.contains("too slow to look for one") == true)
        #expect(server.requests.map(\.target) == ["/blog/", "/blog/", "/blog/feed/"])
    }
}
