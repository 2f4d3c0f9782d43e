import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseModels

/// Bringing a file that was fetched elsewhere.
@Suite(.timeLimit(.minutes(20))) struct PullFromFileTests {
    let bench: Workbench

    init() throws { bench = try Workbench() }

    private func source(_ bytes: [UInt8]) throws -> String { try bench.folder.write(Data(bytes), to: "download (1)") }

    @Test func aRightFile() async throws {
        let source = try source(bench.bytes)
        let path = try await bench.pull(bench.entry(), from: source)
        #expect(path == bench.finalPath && bench.contents(path) == bench.bytes)
        #expect(bench.contents(source) == bench.bytes)
        #expect(bench.listing == ["tiny.gguf"])
        #expect(bench.progress.all.map(\.phase) == [.transferring, .verifying])
    }

    @Test func onceItIsThereTheSourceIsNotEvenNeeded() async throws {
        _ = try await bench.pull(bench.entry(), from: source(bench.bytes))
        #expect(try await bench.pull(bench.entry(), from: "/nowhere") == bench.finalPath)
    }

    @Test func aWrongSizeTouchesNothing() async throws {
        try bench.leavePart(bench.bytes.prefix(10))
        #expect(try await bench.failure(bench.entry(), from: source([1, 2, 3])).says(.unavailable, "has 3 bytes"))
        #expect(bench.contents(bench.partPath)?.count == 10)
    }

    @Test func wrongContentIsThrownAway() async throws {
        let source = try source(Workbench.noise(300_000, seed: 7))
        #expect(try await bench.failure(bench.entry(), from: source).says(.unavailable, source))
        #expect(bench.listing == [] && bench.contents(source)?.count == 300_000)
    }

    @Test func itReplacesAnUnfinishedDownload() async throws {
        try bench.leavePart(Workbench.noise(1000, seed: 7))
        #expect(bench.contents(try await bench.pull(bench.entry(), from: source(bench.bytes))) == bench.bytes)
        #expect(bench.listing == ["tiny.gguf"])
    }

    @Test func thePartItselfMayBeTheSource() async throws {
        try bench.leavePart(bench.bytes)
        #expect(bench.contents(try await bench.pull(bench.entry(), from: bench.partPath)) == bench.bytes)
    }

    @Test func whatIsNoFile() async throws {
        for path in ["/nowhere/at/all", bench.folder.path] {
            #expect(try await bench.failure(bench.entry(), from: path).says(.cannotRead, path))
        }
        let pipe = bench.folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(try await bench.failure(bench.entry(), from: pipe)?.code == .cannotRead)
        #expect(bench.listing == [])
    }

    @Test func tooLittleSpace() async throws {
        let error = try await bench.failure(bench.entry(), from: source(bench.bytes)) { $0.freeSpace = { _ in 5 } }
        #expect(error.says(.cannotWrite, "MB are free") && bench.listing == [])
    }

    @Test func aCancelledCopyStops() async throws {
        let bench = try Workbench(size: 3 << 20)
        let source = try bench.folder.write(Data(bench.bytes), to: "source")
        let entry = try bench.entry()
        let downloader = Downloader(catalog: try bench.catalog(entry), version: "0")
        let task = Task {
            try await downloader.pull(entry, from: source) { progress in
                bench.progress.append(progress)
                // Holds the copy up until the cancellation has arrived.
                if progress.bytes == 1 << 20 { bench.pauses.append(.zero) }
                while bench.pauses.all.count == 1 { usleep(1000) }
            }
        }
        try await eventually { !bench.pauses.all.isEmpty }
        task.cancel()
        bench.pauses.append(.zero)
        await #expect(throws: PulseError.cancelled) { try await task.value }
        #expect(bench.progress.all.count == 1 && bench.contents(bench.finalPath) == nil)
    }
}
