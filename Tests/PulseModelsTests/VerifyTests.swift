import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseModels

/// Verifying models.
@Suite(.timeLimit(.minutes(20))) struct VerifyTests {
    let bench: Workbench
    let entry: ModelCatalogEntry
    let catalog: ModelCatalog

    init() throws {
        bench = try Workbench(size: 1000)
        entry = try bench.entry(url: "https://example.org/tiny.gguf")
        catalog = try bench.catalog(entry)
    }

    @Test func aRightFile() async throws {
        try bench.leaveModel(bench.bytes, at: bench.finalPath)
        let bench = bench
        #expect(try await catalog.verify(entry) { bench.progress.append($0) } == bench.finalPath)
        #expect(bench.progress.all == [PullProgress(phase: .verifying, bytes: 1000, total: 1000)])
    }

    @Test func aWrongFileOfTheRightSize() async throws {
        try bench.leaveModel(Workbench.noise(1000, seed: 7), at: bench.finalPath)
        try await fails(.unavailable, "models pull tiny", String(entry.sha256.prefix(12))) {
            try await catalog.verify(entry)
        }
        #expect(bench.contents(bench.finalPath) != nil)
    }

    @Test func anAbsentOne() async throws {
        try await fails(.unavailable, "is not on this machine") { try await catalog.verify(entry) }
    }

    @Test func rehashingReadsWhatTheSidecarHides() async throws {
        try bench.leaveModel(bench.bytes, at: bench.finalPath)
        _ = try await catalog.verify(entry)
        // Other bytes, same size and time: what a failing disk does.
        let date = try FileManager.default.attributesOfItem(atPath: bench.finalPath)[.modificationDate]
        let stamp = try #require(FileStamp(path: bench.finalPath))
        try Data(Workbench.noise(1000, seed: 7)).write(to: URL(fileURLWithPath: bench.finalPath))
        try FileManager.default.setAttributes([.modificationDate: try #require(date)], ofItemAtPath: bench.finalPath)
        Sidecar(of: bench.finalPath, in: bench.folder.file("cache")).remember(
            entry.sha256, stamp: try #require(FileStamp(path: bench.finalPath)))
        try #require(FileStamp(path: bench.finalPath)?.size == stamp.size)
        #expect(try await catalog.verify(entry) == bench.finalPath)
        try await fails(.unavailable, "is not the file") { try await catalog.verify(entry, rehash: true) }
        // And the sidecar has learned.
        await #expect(throws: PulseError.self) { try await catalog.verify(entry) }
    }

    @Test func theHashOfAnyResolvedModel() async throws {
        let path = try bench.folder.write("abc", to: "own.gguf")
        #expect(try await catalog.resolve(path).sha256(in: catalog.cacheFolder) == Workbench.sha256(Array("abc".utf8)))
    }

    @Test func aCancelledTaskStops() async throws {
        try bench.leaveModel(bench.bytes, at: bench.finalPath)
        let (catalog, entry) = (catalog, entry)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await catalog.verify(entry)
        }
        await #expect(throws: PulseError.cancelled) { try await task.value }
    }
}
