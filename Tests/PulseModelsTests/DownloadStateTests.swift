import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseModels

/// Disks, locks and changes of mind.
@Suite(.timeLimit(.minutes(20))) struct DownloadStateTests {
    let bench: Workbench

    init() throws { bench = try Workbench() }

    /// Sends the first ten thousand bytes, and then nothing more.
    private func stallingServer() throws -> LoopbackServer {
        try bench.server { answer, _ in answer.stallsAfter = 10_000 }
    }

    /// Sends the first ten thousand bytes, and the rest once the gate is open.
    private func server(behind gate: Gate) throws -> LoopbackServer {
        try bench.server { answer, _ in answer.hold = (10_000, { gate.isOpen }) }
    }

    private func start(_ entry: ModelCatalogEntry) -> Task<String, any Error> {
        let bench = bench
        return Task { try await bench.pull(entry) { $0.http.stallTimeout = .seconds(3600) } }
    }

    /// Starts another pull of the same, and waits until it waits for the first.
    private func startSecond(_ entry: ModelCatalogEntry) async throws -> Task<String, any Error> {
        let seen = Recorder<PullProgress>()
        let catalog = try bench.catalog(entry)
        let second = Task { try await Downloader(catalog: catalog, version: "2").pull(entry) { seen.append($0) } }
        try await eventually { !seen.all.isEmpty }
        return second
    }

    private var hasBytes: @Sendable () -> Bool {
        let bench = bench
        return { (bench.contents(bench.partPath)?.count ?? 0) > 0 }
    }

    @Test func aCancelledDownloadIsKeptAndContinued() async throws {
        let server = try stallingServer()
        let task = try start(bench.entry(url: server.url()))
        try await eventually(hasBytes)
        task.cancel()
        await #expect(throws: PulseError.cancelled) { try await task.value }
        let kept = try #require(bench.contents(bench.partPath))
        #expect(kept == Array(bench.bytes.prefix(kept.count)) && kept.count < bench.bytes.count)

        let fast = try bench.server()
        #expect(try await bench.fetched(from: fast) == bench.bytes)
        #expect(fast.requests.map(\.rangeStart) == [kept.count])
    }

    @Test(arguments: [true, false]) func aSilentServerDoesNotKeepACancelledTask(isSilent: Bool) async throws {
        let server = try bench.server { answer, _ in
            if isSilent { answer.isSilent = true } else { answer.stallsAfter = 1 }
        }
        let task = try start(bench.entry(url: server.url()))
        try await eventually { !server.requests.isEmpty }
        task.cancel()
        await #expect(throws: PulseError.cancelled) { try await task.value }
    }

    @Test func cancelledBetweenTwoTries() async throws {
        let server = try LoopbackServer(script: [LoopbackResponse(status: 503, headers: ["Retry-After": "60"])])
        let bench = bench
        let entry = try bench.entry(url: server.url())
        let task = Task { try await bench.pull(entry) { $0.sleep = nil } }
        try await eventually { bench.progress.all.contains { $0.phase != .transferring } }
        task.cancel()
        await #expect(throws: PulseError.cancelled) { try await task.value }
        #expect(server.requests.count == 1 && bench.listing == [])
    }

    @Test func cancelledBeforeItBegan() async throws {
        let server = try stallingServer()
        let bench = bench
        let entry = try bench.entry(url: server.url())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await bench.pull(entry)
        }
        await #expect(throws: PulseError.cancelled) { try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test func aSecondPullWaitsAndFindsItDone() async throws {
        let gate = Gate()
        let server = try server(behind: gate)
        let entry = try bench.entry(url: server.url())
        let first = start(entry)
        try await eventually(hasBytes)
        let catalog = try bench.catalog(entry)
        let seen = Recorder<PullProgress>()
        let path = try await Downloader(catalog: catalog, version: "2").pull(entry) { progress in
            seen.append(progress)
            gate.open()
        }
        #expect(try await first.value == path)
        #expect(bench.contents(path) == bench.bytes)
        #expect(seen.all == [PullProgress(phase: .waiting, bytes: 0, total: 300_000)])
        #expect(server.requests.count == 1)
        #expect(bench.listing == ["tiny.gguf"])
    }

    @Test func aSecondPullGoesOnWhereTheFirstGaveUp() async throws {
        let server = try bench.server { answer, number in if number == 0 { answer.stallsAfter = 10_000 } }
        let entry = try bench.entry(url: server.url())
        let first = start(entry)
        try await eventually(hasBytes)
        let second = try await startSecond(entry)
        first.cancel()
        await #expect(throws: PulseError.cancelled) { try await first.value }
        #expect(bench.contents(try await second.value) == bench.bytes)
        #expect(server.requests.count == 2)
        #expect(try #require(server.requests.last?.rangeStart) > 0)
    }

    @Test func aSecondPullThatIsCancelledLeavesTheFirstAlone() async throws {
        let gate = Gate()
        let server = try server(behind: gate)
        let entry = try bench.entry(url: server.url())
        let first = start(entry)
        try await eventually(hasBytes)
        let second = try await startSecond(entry)
        second.cancel()
        await #expect(throws: PulseError.cancelled) { try await second.value }
        gate.open()
        #expect(bench.contents(try await first.value) == bench.bytes)
    }

    @Test func manyAtOnceShareOneDownload() async throws {
        let server = try bench.server()
        let bench = bench
        let entry = try bench.entry(url: server.url())
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await bench.pull(entry) } }
            for try await path in group { #expect(path == bench.finalPath) }
        }
        #expect(bench.contents(bench.finalPath) == bench.bytes)
        #expect(server.requests.count == 1)
        #expect(bench.listing == ["tiny.gguf"])
    }

    @Test func tooLittleSpaceIsToldBeforeAnythingIsAsked() async throws {
        let server = try stallingServer()
        let error = try await bench.failure(from: server) {
            $0.reserve = 1_000_000
            $0.freeSpace = { _ in 1_299_999 }
        }
        #expect(error.says(.cannotWrite, "needs 2 MB"))
        #expect(server.requests.isEmpty && bench.listing == [])
    }

    @Test func onlyWhatIsMissingNeedsSpace() async throws {
        try bench.leavePart(bench.bytes.prefix(200_000))
        let fetched = try await bench.fetched(from: bench.server()) {
            $0.reserve = 0
            $0.freeSpace = { _ in 100_000 }
        }
        #expect(fetched == bench.bytes)
    }

    @Test func unknownSpaceIsNotHeldAgainstTheDisk() async throws {
        #expect(try await bench.fetched(from: bench.server()) { $0.freeSpace = { _ in nil } } == bench.bytes)
    }

    #if os(Linux)
        @Test func aDiskThatFillsUpMeanwhile() throws {
            // "Writes to the /dev/full device fail with an ENOSPC error" (full(4)).
            let full = try OpenFile(writing: "/dev/full")
            let server = try LoopbackServer(script: [LoopbackResponse(body: bench.bytes)])
            let address = try #require(WebAddress(server.url()))
            let error = try fails(.cannotWrite, "No space left on device") {
                _ = try CurlClient().download(address, from: 0, cancellation: Cancellation()) {
                    _, bytes in try full.write(bytes, at: 0)
                }
            }
            #expect(error.hint?.hasPrefix("Free some space") == true)
        }
    #endif

    @Test func aFolderThatCannotBeMade() async throws {
        try bench.folder.write("a file where a folder should be", to: "user")
        let server = try stallingServer()
        #expect(try await bench.failure(from: server).says(.cannotWrite, "user/models"))
        #expect(server.requests.isEmpty)
    }

    @Test func aFolderInThePartsPlace() async throws {
        try bench.folder.makeFolder("user/models/tiny.gguf.part")
        #expect(try await bench.failure(bench.entry(url: "http://127.0.0.1:1/")).says(.cannotWrite, "tiny.gguf.part"))
    }

    @Test func aFolderInTheModelsPlace() async throws {
        try bench.folder.makeFolder("user/models/tiny.gguf")
        let error = try #require(try await bench.failure(from: bench.server()))
        #expect(error.code == .cannotWrite && error.description.hasPrefix("Renaming"))
        #expect(bench.contents(bench.partPath) == bench.bytes)
    }

    @Test(.disabled(if: isRoot, "root may write anywhere")) func aFolderThatMayNotBeWritten() async throws {
        let folder = try bench.folder.makeFolder("user/models")
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder) }
        #expect(try await bench.failure(bench.entry(url: "http://127.0.0.1:1/")).says(.permission, "Permission denied"))
    }
}
