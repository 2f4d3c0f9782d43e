import PulseTestSupport
import Testing

@testable import PulseModels

/// Which model of the project's own catalogue suits a machine, and which writes.
@Suite(.timeLimit(.minutes(20))) struct ChoiceTests {
    private let folder: TemporaryFolder
    private let catalog: ModelCatalog

    init() throws {
        folder = try TemporaryFolder()
        catalog = ModelCatalog(
            manifest: try ModelManifest(contentsOf: ManifestTests.ownManifest), shippedFolder: folder.file("shipped"),
            userFolder: folder.path, cacheFolder: folder.file("cache"), others: OtherPrograms([]))
    }

    /// The one that errs least of those that fit and write a digest in two minutes; where none does, the fastest.
    @Test(arguments: [
        (UInt64(1), 8, nil), (2, 2, "qwen3-0.6b"), (24, 2, "qwen3-0.6b"), (2, 16, "qwen3-0.6b"), (8, 8, "qwen3-4b"),
        (24, 16, "qwen3-4b"),
    ])
    func recommended(gigabytes: UInt64, cores: Int, name: String?) {
        let machine = ModelCatalog.Machine(memory: gigabytes * 1_000_000_000, cores: cores)
        #expect(catalog.recommended(on: machine)?.name == name)
    }

    @Test func whereTheMemoryIsNotKnownEverythingFits() {
        #expect(catalog.recommended(on: ModelCatalog.Machine(memory: nil, cores: 8))?.name == "qwen3-4b")
    }

    /// A file of the size that the catalogue expects.
    private func pull(_ name: String) throws {
        let entry = try catalog.entry(named: name)
        let file = try OpenFile(writing: catalog.userPath(of: entry))
        try [UInt8(0)].withUnsafeBytes { try file.write($0, at: entry.size - 1) }
    }

    @Test func theBestOfThosePulledWrites() throws {
        let large = ModelCatalog.Machine(memory: 16_000_000_000, cores: 2)
        #expect(catalog.best(on: large) == nil)
        // These only where they are named.
        try pull("smollm2-135m")
        try pull("llama-3.2-1b")
        #expect(catalog.best(on: large) == nil)
        for (name, best) in [
            ("gemma-3-1b", "gemma-3-1b"), ("qwen3-1.7b", "qwen3-1.7b"), ("gemma-3-4b", "gemma-3-4b"),
            ("qwen3-0.6b", "qwen3-0.6b"), ("qwen3-4b", "qwen3-4b"),
        ] {
            try pull(name)
            #expect(catalog.best(on: large)?.name == best)
        }
        #expect(catalog.best(on: ModelCatalog.Machine(memory: 2_000_000_000, cores: 2))?.name == "qwen3-0.6b")
        // Where none fits by its size, the engine's plan decides about the smallest.
        #expect(catalog.best(on: ModelCatalog.Machine(memory: 1000, cores: 2))?.name == "qwen3-0.6b")
    }
}
