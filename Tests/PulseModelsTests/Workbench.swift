import Foundation
import PulseCore
import PulseTestSupport
import Synchronization

@testable import PulseModels

/// A catalogue of one model in a folder of its own, and everything that watches a pull.
struct Workbench: Sendable {
    let folder: TemporaryFolder
    /// What the model's file holds.
    let bytes: [UInt8]
    let progress = Recorder<PullProgress>()
    let pauses = Recorder<Duration>()

    init(size: Int = 300_000) throws {
        folder = try TemporaryFolder()
        bytes = size == Self.standard.count ? Self.standard : Self.noise(size)
    }

    private static let standard = noise(300_000)

    /// Bytes that repeat nowhere, the same every time (xorshift).
    static func noise(_ count: Int, seed: UInt64 = 88_172_645_463_325_252) -> [UInt8] {
        var state = seed
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state)
        }
    }

    static func sha256(_ bytes: [UInt8]) throws -> String {
        let hash = try SHA256()
        try bytes.withUnsafeBytes { try hash.update($0) }
        return try hash.finish()
    }

    func entry(url: String? = nil, wheels: [ModelCatalogEntry.Wheel]? = nil) throws -> ModelCatalogEntry {
        ModelCatalogEntry(
            name: "tiny", file: "tiny.gguf", url: url, wheels: wheels, size: Int64(bytes.count),
            sha256: try Self.sha256(bytes), parameters: 600_000_000, licence: "CC0", origin: "Nobody", writes: true,
            description: "For tests.")
    }

    func catalog(_ entry: ModelCatalogEntry) throws -> ModelCatalog {
        let model = String(decoding: try JSONEncoder().encode(entry), as: UTF8.self)
        let manifest = try ModelManifest(
            json: Data("{\"default\":\"tiny\",\"models\":[\(model)]}".utf8), source: "test")
        return ModelCatalog(
            manifest: manifest, shippedFolder: folder.file("shipped"), userFolder: folder.file("user/models"),
            cacheFolder: folder.file("cache"), others: OtherPrograms([]))
    }

    /// A pull that never sleeps between tries.
    func pull(
        _ entry: ModelCatalogEntry, from source: String? = nil, _ change: (inout DownloadSettings) -> Void = { _ in }
    ) async throws -> String {
        var downloader = Downloader(catalog: try catalog(entry), version: "0.0.0")
        downloader.settings.sleep = { pauses.append($0) }
        change(&downloader.settings)
        return try await downloader.pull(entry, from: source) { progress.append($0) }
    }

    /// The error of a pull that must fail.
    func failure(
        _ entry: ModelCatalogEntry, from source: String? = nil, _ change: (inout DownloadSettings) -> Void = { _ in }
    ) async throws -> PulseError? {
        await PulseTestSupport.failure { try await pull(entry, from: source, change) }
    }

    /// A server that knows ranges; `change` spoils its answers, by their number.
    func server(
        _ change: @escaping @Sendable (inout LoopbackResponse, _ number: Int) -> Void = { _, _ in }
    ) throws -> LoopbackServer {
        let bytes = bytes
        return try LoopbackServer { request, number in .file(bytes, for: request).with { change(&$0, number) } }
    }

    /// What a pull from a server brings.
    func fetched(
        from server: LoopbackServer, _ change: (inout DownloadSettings) -> Void = { _ in }
    ) async throws -> [UInt8]? {
        contents(try await pull(entry(url: server.url()), change))
    }

    func failure(
        from server: LoopbackServer, _ change: (inout DownloadSettings) -> Void = { _ in }
    ) async throws -> PulseError? {
        try await failure(entry(url: server.url()), change)
    }

    var finalPath: String { folder.file("user/models/tiny.gguf") }
    var partPath: String { finalPath + ".part" }

    /// nil when there is no such file.
    func contents(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map(Array.init) }

    /// What is in the models folder, sorted; nil when there is no folder.
    var listing: [String]? { try? FileManager.default.contentsOfDirectory(atPath: folder.file("user/models")).sorted() }

    /// Leaves a `.part` file as an earlier run would have.
    func leavePart(_ bytes: some Sequence<UInt8>) throws {
        try folder.write(Data(bytes), to: "user/models/tiny.gguf.part")
    }

    func leaveModel(_ bytes: [UInt8], at path: String) throws {
        try folder.write(Data(bytes), to: String(path.dropFirst(folder.path.count + 1)))
    }
}

/// Collects values from any thread.
final class Recorder<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    func append(_ value: Value) { values.withLock { $0.append(value) } }

    var all: [Value] { values.withLock { $0 } }
}

/// Closed until a test opens it.
final class Gate: Sendable {
    private let state = Atomic(false)

    var isOpen: Bool { state.load(ordering: .relaxed) }

    func open() { state.store(true, ordering: .relaxed) }
}

/// Waits until the condition holds; a test that waits in vain is ended by its time limit.
func eventually(_ condition: @Sendable () throws -> Bool) async throws {
    while try !condition() { try await Task.sleep(for: .milliseconds(5)) }
}

/// Runs as root, whom permissions do not stop?
let isRoot = geteuid() == 0
