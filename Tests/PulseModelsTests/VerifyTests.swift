import Foundation
import PulseTestSupport
import Testing

@testable import PulseModels

@Suite("Verifying models")
struct VerifyTests {
    let bench: Workbench
    let entry: CatalogEntry
    let catalog: Catalog

    init() throws {
        bench = try Workbench(size: 1000)
        entry = try bench.entry(url: "https://example.org/tiny.gguf")
        catalog = try bench.catalog(entry)
    }

    @Test func aRightFile() async throws {
        try bench.leaveModel(bench.bytes, at: bench.finalPath)
        let bench = bench
        #expect(try await catalog.verify(entry) { bench.progress.append($0) } == bench.finalPath)
        #expect(bench.progress.all == [PullProgress(.verifying, bytes: 1000, total: 1000)])
    }

    @Test func aWrongFileOfTheRightSize() async throws {
        try bench.leaveModel(Workbench.noise(1000, seed: 7), at: bench.finalPath)
        let error = try #require(await #expect(throws: ModelError.self) { try await catalog.verify(entry) })
        #expect(error.code == .mismatch && error.message.contains("models pull tiny"))
        #expect(error.message.contains(String(entry.sha256.prefix(12))))
        #expect(bench.contents(bench.finalPath) != nil)
    }

    @Test func anAbsentOne() async throws {
        let error = try #require(await #expect(throws: ModelError.self) { try await catalog.verify(entry) })
        #expect(error.code == .absent)
    }

    @Test func rehashingReadsWhatTheSidecarHides() async throws {
        try bench.leaveModel(bench.bytes, at: bench.finalPath)
        _ = try await catalog.verify(entry)
        // Other bytes, same size and time: what a failing disk does.
        let date = try FileManager.default.attributesOfItem(atPath: bench.finalPath)[.modificationDate]
        let stamp = try #require(FileStamp(path: bench.finalPath))
        try Data(Workbench.noise(1000, seed: 7)).write(to: URL(fileURLWithPath: bench.finalPath))
        try FileManager.default.setAttributes([.modificationDate: try #require(date)], ofItemAtPath: bench.finalPath)
        Sidecar.remember(
            entry.sha256, for: bench.finalPath, stamp: try #require(FileStamp(path: bench.finalPath)),
            cacheFolder: bench.folder.file("cache"))
        try #require(FileStamp(path: bench.finalPath)?.size == stamp.size)
        #expect(try await catalog.verify(entry) == bench.finalPath)
        let error = try #require(
            await #expect(throws: ModelError.self) { try await catalog.verify(entry, rehash: true) })
        #expect(error.code == .mismatch)
        // And the sidecar has learned.
        await #expect(throws: ModelError.self) { try await catalog.verify(entry) }
    }

    @Test func theHashOfAnyResolvedModel() async throws {
        let path = try bench.folder.write("abc", to: "own.gguf")
        #expect(try await catalog.sha256(of: catalog.resolve(path)) == SHA256.hash("abc"))
    }

    @Test func aCancelledTaskStops() async throws {
        try bench.leaveModel(bench.bytes, at: bench.finalPath)
        let (catalog, entry) = (catalog, entry)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await catalog.verify(entry)
        }
        await #expect(throws: ModelError.cancelled) { try await task.value }
    }
}
