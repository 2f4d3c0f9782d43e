import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseSources

/// A server with one list of parts.
private final class FakeListingServer: ListingServer {
    let itemsPerRequest = 50
    let parts: [ServerPage]
    /// Gives no more articles than this at once.
    let most: Int

    init(_ parts: [ServerPage], most: Int = 50) {
        self.parts = parts.enumerated().map { number, part in
            var part = part
            part.next = number + 1 < parts.count ? String(number + 1) : nil
            return part
        }
        self.most = most
    }

    func open(lastRun: Date?) -> [ServerList] { [ServerList(name: "read", isNewestFirst: true)] }

    func page(of list: ServerList, at place: String?) -> ServerPage { parts[place.flatMap { Int($0) } ?? 0] }

    func items(_ ids: [String]) -> [ServerItem] {
        ids.filter { $0 != "gone" }.prefix(most).map {
            ServerItem(
                id: $0, draft: ArticleDraft(listed: "https://g.example/\($0)", title: $0, summary: nil), feed: $0)
        }
    }

    func unread() -> Int? { nil }
}

@Suite(.timeLimit(.minutes(20))) struct DiffingSourceTests {
    private func titles(_ lister: FakeListingServer) async throws -> [String] {
        let secret = try Secret("open sesame")
        let connection = ServerConnection(
            program: "Lister", command: "lister", address: "https://rss.example", example: "", keyHint: "",
            client: ScriptedServer { _ in .text(status: 404) })
        let source = DiffingSource(
            ServerAccount(
                origin: "lister", connection: connection, credentials: Credentials(user: "ana") { secret },
                memory: TestMemory(), now: TestAccount.now), lister)
        return try await source.all().titles
    }

    /// Such as one whose articles were all marked by filters, and are left out.
    @Test func behindAPartThatListsNothingTheListGoesOn() async throws {
        let parts = [ServerPage(leftOut: [.filtered: 200]), ServerPage(ids: ["a", "b"])]
        #expect(try await titles(FakeListingServer(parts)) == ["a", "b"])
    }

    @Test(arguments: [1, 2, 3])
    func aServerThatGivesFewAtOnceIsAskedUntilItGivesNone(most: Int) async throws {
        let parts = [ServerPage(ids: ["a", "b", "gone", "c", "d"])]
        #expect(try await titles(FakeListingServer(parts, most: most)) == ["a", "b", "c", "d"])
    }

    /// Whether it says that the list goes on where it has begun, or further on each time.
    @Test(arguments: [false, true])
    func aServerThatListsNothingForEverIsLeft(countsOn: Bool) async throws {
        let server = try LoopbackServer { request, number in
            switch request.target.prefix(while: { $0 != "?" }) {
            case "/accounts/ClientLogin": LoopbackResponse(text: "Auth=ana\n")
            case "/reader/api/0/stream/items/ids":
                LoopbackResponse(text: #"{"itemRefs":[],"continuation":"\#(countsOn ? number : 7)"}"#)
            default: LoopbackResponse(status: 404)
            }
        }
        #expect(try await TestAccount(.greader, server).source().all().readings.isEmpty)
        let requests = server.requests.count { $0.target.contains("/ids?") }
        #expect(countsOn ? requests < 3000 : requests == 4)
    }
}
