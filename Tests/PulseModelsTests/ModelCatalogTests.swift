import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseModels

/// Finding and verifying models.
@Suite(.timeLimit(.minutes(20))) struct CatalogTests {
    let bench: Workbench
    let entry: ModelCatalogEntry
    let catalog: ModelCatalog

    init() throws {
        bench = try Workbench(size: 1000)
        entry = try bench.entry(url: "https://example.org/tiny.gguf")
        catalog = try bench.catalog(entry)
    }

    private var shippedPath: String { bench.folder.file("shipped/tiny.gguf") }

    private func failure(_ name: String) -> PulseError? {
        #expect(throws: PulseError.self) { try catalog.resolve(name) }
    }

    @Test func absent() throws {
        #expect(catalog.status(of: entry) == .absent)
        #expect(failure("tiny").says(.unavailable, "To download it: pulse-digest models pull tiny"))
    }

    @Test func shipped() throws {
        try bench.leaveModel(bench.bytes, at: shippedPath)
        #expect(catalog.status(of: entry) == .shipped(path: shippedPath))
        #expect(try catalog.resolve("tiny") == ResolvedModel(name: "tiny", path: shippedPath, entry: entry))
    }

    @Test func presentGoesBeforeShipped() throws {
        try bench.leaveModel(bench.bytes, at: shippedPath)
        try bench.leaveModel(bench.bytes, at: bench.finalPath)
        #expect(catalog.status(of: entry) == .present(path: bench.finalPath))
        #expect(try catalog.resolve("tiny").path == bench.finalPath)
    }

    @Test func shippedServesWhereThePresentOneIsDamaged() throws {
        try bench.leaveModel(bench.bytes, at: shippedPath)
        try bench.leaveModel([1, 2, 3], at: bench.finalPath)
        #expect(catalog.status(of: entry) == .shipped(path: shippedPath))
    }

    @Test func damaged() throws {
        try bench.leaveModel([1, 2, 3], at: bench.finalPath)
        #expect(catalog.status(of: entry) == .damaged(path: bench.finalPath, bytes: 3))
        #expect(failure("tiny").says(.unavailable, "3 bytes where 1000"))
    }

    @Test func damagedAsShippedSaysHowToRepair() throws {
        let own = try bench.entry()
        try bench.leaveModel([1, 2, 3], at: shippedPath)
        try fails(.unavailable, "install pulse-digest again") { try bench.catalog(own).resolve("tiny") }
    }

    @Test func partial() throws {
        try bench.leavePart(bench.bytes.prefix(420))
        #expect(catalog.status(of: entry) == .partial(bytes: 420))
        #expect(failure("tiny").says(.unavailable, "42%"))
    }

    @Test func anEmptyPartAndAFolderOfItsNameAreNoModel() throws {
        try bench.leavePart([])
        #expect(catalog.status(of: entry) == .absent)
        try bench.folder.makeFolder("shipped/tiny.gguf")
        #expect(catalog.status(of: entry) == .absent)
    }

    @Test func unknownNamesGetTheNearest() throws {
        #expect(failure("tyni").says(.unavailable, "Did you mean tiny? To download it:"))
        #expect(failure("something-else").says(.unavailable, "The catalogue has tiny. A model of your own:"))
        #expect(throws: PulseError.self) { try catalog.entry(named: "TINY") }
        #expect(try catalog.entry(named: "tiny") == entry)
    }

    @Test func aNameWithControlCharactersIsShownWithoutThem() throws {
        #expect(failure("a\u{1b}[31mb").says(.unavailable, "“ab”"))
    }

    @Test func aPathOfTheUsersOwn() throws {
        let path = try bench.folder.write("x", to: "my model.gguf")
        #expect(try catalog.resolve(path) == ResolvedModel(name: "my model", path: path, entry: nil))
        let plain = try bench.folder.write("x", to: "weights")
        #expect(try catalog.resolve(plain) == ResolvedModel(name: "weights", path: plain, entry: nil))
    }

    @Test func aPathToACatalogueModelIsThatModel() throws {
        try bench.leaveModel(bench.bytes, at: bench.finalPath)
        let link = try bench.folder.link("link.gguf", to: bench.finalPath)
        for path in [bench.finalPath, link] {
            #expect(try catalog.resolve(path) == ResolvedModel(name: "tiny", path: path, entry: entry))
        }
    }

    @Test func aPathToADamagedCatalogueModelIsJustAFile() throws {
        try bench.leaveModel([1], at: bench.finalPath)
        #expect(try catalog.resolve(bench.finalPath).entry == nil)
    }

    @Test func pathsThatLeadNowhere() throws {
        #expect(failure(bench.folder.file("none.gguf")).says(.unavailable, "none.gguf"))
        #expect(failure(bench.folder.path).says(.unavailable, "is not a file"))
        #expect(failure("tiny.gguf").says(.unavailable, "The catalogue calls that model tiny."))
    }

    // MARK: - Verifying

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
