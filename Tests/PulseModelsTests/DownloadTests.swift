import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseModels

/// Downloading from servers that behave.
@Suite(.timeLimit(.minutes(20))) struct DownloadTests {
    let bench: Workbench

    init() throws { bench = try Workbench() }

    @Test func aWholeFile() async throws {
        let server = try bench.server()
        let entry = try bench.entry(url: server.url("m/tiny.gguf?x=1"))
        let path = try await bench.pull(entry)
        #expect(path == bench.finalPath)
        #expect(bench.contents(path) == bench.bytes)
        #expect(bench.listing == ["tiny.gguf"])
        #expect(try bench.catalog(entry).status(of: entry) == .present(path: path))

        let request = try #require(server.requests.first)
        #expect(server.requests.count == 1)
        #expect(request.method == "GET" && request.target == "/m/tiny.gguf?x=1")
        #expect(request.headers["user-agent"] == "pulse-digest/0.0.0")
        #expect(request.rangeStart == nil)

        let modes = try [path, bench.folder.file("user/models")].map {
            try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o644, 0o700])
    }

    @Test func progressGrowsToTheEnd() async throws {
        let server = try bench.server()
        _ = try await bench.pull(bench.entry(url: server.url()))
        let total = Int64(bench.bytes.count)
        let transfer = bench.progress.all.filter { $0.phase == .transferring }.map(\.bytes)
        #expect(transfer.first == 0 && transfer.last == total && transfer == transfer.sorted())
        #expect(bench.progress.all.last == PullProgress(phase: .verifying, bytes: total, total: total))
        #expect(bench.progress.all.allSatisfy { $0.total == total })
    }

    @Test func aSecondPullAsksNobodyAndHashesNothing() async throws {
        let server = try bench.server()
        let entry = try bench.entry(url: server.url())
        _ = try await bench.pull(entry)
        let before = bench.progress.all.count
        #expect(try await bench.pull(entry) == bench.finalPath)
        #expect(server.requests.count == 1 && bench.progress.all.count == before)
    }

    @Test func whatShipsIsNotDownloaded() async throws {
        let server = try bench.server()
        let shipped = bench.folder.file("shipped/tiny.gguf")
        try bench.leaveModel(bench.bytes, at: shipped)
        #expect(try await bench.pull(bench.entry(url: server.url())) == shipped)
        #expect(try await bench.pull(bench.entry()) == shipped)
        #expect(server.requests.isEmpty && bench.listing == nil)
    }

    @Test func whatHasNoAddressCannotBeDownloaded() async throws {
        #expect(try await bench.failure(bench.entry()).says(.unavailable, "install pulse-digest again"))
        #expect(bench.listing == nil)
    }

    /// Of a whole part nothing is asked for; one that is too long is begun anew.
    @Test(arguments: [(100_000, [100_000]), (300_000, []), (300_001, [nil])] as [(Int, [Int?])])
    func anEarlierRunIsContinued(size: Int, starts: [Int?]) async throws {
        let server = try bench.server()
        try bench.leavePart((bench.bytes + [1]).prefix(size))
        #expect(try await bench.fetched(from: server) == bench.bytes)
        #expect(server.requests.map(\.rangeStart) == starts)
        guard size < bench.bytes.count else { return }
        #expect(bench.progress.all.first == PullProgress(phase: .transferring, bytes: 100_000, total: 300_000))
    }

    @Test(arguments: [1000, 300_000]) func aPartOfAnotherFileCostsOneMoreDownload(size: Int) async throws {
        let server = try bench.server()
        try bench.leavePart(Workbench.noise(size, seed: 7))
        #expect(try await bench.fetched(from: server) == bench.bytes)
        #expect(server.requests.last?.rangeStart == nil)
        #expect(bench.listing == ["tiny.gguf"])
    }

    @Test func aServerWithoutRangesSendsItAllAgain() async throws {
        let server = try LoopbackServer(script: [LoopbackResponse(body: bench.bytes)])
        try bench.leavePart(bench.bytes.prefix(100_000))
        #expect(try await bench.fetched(from: server) == bench.bytes)
        #expect(server.requests.map(\.rangeStart) == [100_000, nil])
    }

    @Test(arguments: [3, 300_000]) func aDamagedFileOfItsNameIsReplaced(size: Int) async throws {
        let server = try bench.server()
        try bench.leaveModel(Workbench.noise(size, seed: 7), at: bench.finalPath)
        #expect(try await bench.fetched(from: server) == bench.bytes)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func redirectsAreFollowedAndTheRangeGoesWithThem(status: Int) async throws {
        let target = try bench.server()
        let server = try LoopbackServer { request, _ in
            request.target == "/start"
                ? .redirect(to: "/relative", status: status) : .redirect(to: target.url("end"), status: status)
        }
        try bench.leavePart(bench.bytes.prefix(5))
        #expect(bench.contents(try await bench.pull(bench.entry(url: server.url("start")))) == bench.bytes)
        #expect(server.requests.map(\.target) == ["/start", "/relative"])
        #expect(target.requests.map(\.target) == ["/end"] && target.requests.map(\.rangeStart) == [5])
    }

    @Test func aLengthThatIsNotToldIsNoObstacle() async throws {
        let server = try LoopbackServer(script: [LoopbackResponse(body: bench.bytes).with { $0.length = .none }])
        #expect(try await bench.fetched(from: server) == bench.bytes)
    }

    @Test func aSlowServerIsNoError() async throws {
        let small = try Workbench(size: 3000)
        let server = try small.server { answer, _ in (answer.pause, answer.chunk) = (.milliseconds(1200), 300) }
        #expect(try await small.fetched(from: server) { $0.http.stallTimeout = .seconds(60) } == small.bytes)
        #expect(server.requests.count == 1)
    }
}
