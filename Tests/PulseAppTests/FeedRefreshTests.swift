import Foundation
import PulseCore
import PulseSources
import PulseStore
import PulseTestSupport
import Testing

@testable import PulseApp

/// Refreshes that run at the same time.
@Suite(.timeLimit(.minutes(20))) struct FeedRefreshTests {
    private let app: AppEnvironment

    init() throws {
        let folder = try TemporaryFolder()
        app = AppEnvironment(home: folder, history: folder.file("history.db"))
    }

    /// Each feed has one entry. Servers whose names begin with "slow" do not answer until they are let go.
    private actor Servers: FeedService {
        private(set) var asked: [String] = []
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private var isOpen = false

        nonisolated func serves(_ address: String) -> Bool { true }

        func fetch(_ feed: Feed, now: Date) async throws -> FeedResponse {
            asked.append(feed.address)
            if feed.address.hasPrefix("https://slow"), !isOpen { await withCheckedContinuation { waiting.append($0) } }
            if feed.address.hasSuffix("/bad") { throw PulseError(.noInput, "No.") }
            let entry = Article(id: feed.address, title: "T", content: "C", source: feed.address)
            return FeedResponse(contents: FeedContents(entries: [entry]))
        }

        func letGo() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }

        func isAsked(_ count: Int) -> Bool { asked.count == count }
    }

    private func follow(_ addresses: [String]) throws -> [Feed] {
        try app.history.open(.readWrite).add(addresses.map { Feed(address: "https://\($0)", addedAt: app.now) })
    }

    private func entries() throws -> Int {
        try app.history.open().unread().count
    }

    private func tried() throws -> Int {
        try app.history.open().feeds().filter { $0.feed.refresh.triedAt != nil }.count
    }

    private func refresh(_ servers: Servers) -> FeedRefresh {
        FeedRefresh(in: app, services: [servers], keepUnreadDays: 30, reporter: .silent)
    }

    private func wait(for condition: () async throws -> Bool) async throws {
        for _ in 0..<2000 where try await !condition() { try await Task.sleep(for: .milliseconds(10)) }
        try #require(try await condition())
    }

    @Test(arguments: [false, true]) func aSlowServerHoldsNoOther(isForced: Bool) async throws {
        let servers = Servers()
        let feeds = try follow(["slow.example/1", "slow.example/2", "a.example/", "b.example/bad"])
        async let first = refresh(servers).run(Array(feeds.prefix(2)), isForced: isForced)
        try await wait { await servers.isAsked(1) }
        let second = try await refresh(servers).run(isForced: isForced)
        #expect(second.asked == 2 && second.busy == 2 && second.new == 1)
        #expect(try entries() == 1)
        #expect(try await refresh(servers).atNight() == nil, "it is no fault of the feeds")
        await servers.letGo()
        let report = try await first
        #expect(report.asked == 2 && report.busy == 0 && report.new == 2)
        #expect(await servers.asked.sorted() == feeds.map(\.address).sorted(), "each once")
    }

    /// What has come is there for a mail, and its feeds are free, though the refresh goes on.
    @Test func whatCameIsStoredWhileAServerIsWaitedFor() async throws {
        let servers = Servers()
        let feeds = try follow(["slow.example/", "a.example/", "b.example/bad"])
        async let first = refresh(servers).run()
        try await wait { try tried() == 2 }
        #expect(try entries() == 1)
        let second = try await refresh(servers).run()
        #expect(second.asked == 0 && second.busy == 1 && second.notDue == 2 && second.dueAt != nil)
        await servers.letGo()
        #expect(try await first.new == 2)
        #expect(await servers.asked.sorted() == feeds.map(\.address).sorted(), "each once")
    }

    /// Between the choice of what is due and its turn, another refresh may have asked a feed.
    @Test(arguments: [false, true]) func noFeedIsAskedTwice(isForced: Bool) async throws {
        let servers = Servers()
        let feeds = try follow((1...8).map { "slow\($0).example/" } + ["a.example/", "b.example/"])
        async let first = refresh(servers).run(isForced: isForced)
        try await wait { await servers.isAsked(8) }
        #expect(try await refresh(servers).run([feeds[8]], isForced: isForced).asked == 1)
        _ = try app.history.open(.readWrite).removeFeed(feeds[9].id)
        await servers.letGo()
        let report = try await first
        #expect(report.asked == 8 && report.notDue == 1 && report.busy == 0)
        #expect(await servers.asked.sorted() == feeds.prefix(9).map(\.address).sorted(), "each once")
    }

    @Test func whoEndsEarlyLeavesNoClaim() async throws {
        let servers = Servers()
        _ = try follow(["slow.example/"])
        let first = Task { try await refresh(servers).run() }
        try await wait { await servers.isAsked(1) }
        first.cancel()
        await servers.letGo()
        await #expect(throws: PulseError.interrupted) { try await first.value }
        #expect(try await refresh(servers).run().asked == 1)
    }
}
