import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseModels

/// Hashes and what remembers them.
@Suite(.timeLimit(.minutes(20))) struct FileHashTests {
    let folder: TemporaryFolder
    let seen = Recorder<Int64>()

    init() throws { folder = try TemporaryFolder() }

    private func hasher(_ cancellation: Cancellation = Cancellation()) -> FileHash {
        FileHash(cacheFolder: folder.file("cache"), cancellation: cancellation) { bytes, _ in seen.append(bytes) }
    }

    /// FIPS 180-4's own examples, and a million times "a" (NIST's long message).
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func knownAnswers(text: String, digest: String) throws {
        #expect(try Workbench.sha256(Array(text.utf8)) == digest)
        #expect(try hasher().computed(of: folder.write(text, to: "f")) == digest)
    }

    @Test func severalReadsGiveOneHash() throws {
        let bytes = Workbench.noise(3 << 20)
        let path = try folder.write(Data(bytes + [1]), to: "f")
        #expect(try hasher().computed(of: path) == Workbench.sha256(bytes + [1]))
        #expect(seen.all == [1 << 20, 2 << 20, 3 << 20, 3 << 20 + 1])
    }

    @Test func aCancelledHashStops() throws {
        let path = try folder.write(Data(Workbench.noise(3 << 20)), to: "f")
        let cancellation = Cancellation()
        let hash = FileHash(cacheFolder: folder.path, cancellation: cancellation) { bytes, _ in
            seen.append(bytes)
            cancellation.request()
        }
        #expect(throws: PulseError.interrupted) { try hash.computed(of: path) }
        #expect(seen.all == [1 << 20])
        #expect(Sidecar(of: path, in: folder.path).sha256 == nil)
    }

    @Test func aFileThatChangesMeanwhileHasNoHash() throws {
        let path = try folder.write(Data(Workbench.noise(2 << 20)), to: "f")
        let hash = FileHash(cacheFolder: folder.path, cancellation: Cancellation()) { bytes, _ in
            if bytes == 1 << 20, let handle = FileHandle(forWritingAtPath: path) {
                handle.seekToEndOfFile()
                handle.write(Data([1]))
            }
        }
        try fails(.cannotRead, "was changed") { try hash.computed(of: path) }
        #expect(Sidecar(of: path, in: folder.path).sha256 == nil)
    }

    @Test(arguments: ["/none", ""]) func aMissingFileAndAFolderCannotBeRead(name: String) throws {
        try fails(.cannotRead) { try hasher().remembered(of: folder.path + name) }
    }

    @Test func theSecondTimeNothingIsRead() throws {
        let path = try folder.write("abc", to: "f")
        let first = try hasher().remembered(of: path)
        #expect(seen.all.count == 1)
        #expect(try hasher().remembered(of: path) == first)
        #expect(seen.all.count == 1)
        _ = try hasher().computed(of: path)
        #expect(seen.all.count == 2)
    }

    @Test func aFileOfAnotherTimeOrSizeIsReadAgain() throws {
        let path = try folder.write("abc", to: "f")
        _ = try hasher().remembered(of: path)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        try #require(try hasher().remembered(of: path) == Workbench.sha256(Array("abc".utf8)))
        #expect(seen.all.count == 2)
        try folder.write("abcd", to: "f")
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        #expect(try hasher().remembered(of: path) == Workbench.sha256(Array("abcd".utf8)))
        #expect(seen.all.count == 3)
    }

    /// Puts a text into the place of the only sidecar.
    private func corruptSidecar(_ text: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("cache"))
        try #require(names.count == 1 && names[0].hasSuffix("-f.sha256.json"))
        try folder.write(text, to: "cache/\(names[0])")
    }

    @Test(arguments: [
        "", "{", "[]", "null", "{\"size\": 3, \"mtime\": 0}", "{\"size\": \"3\", \"mtime\": 0, \"sha256\": \"\"}",
    ])
    func aSidecarThatIsBrokenIsIgnored(text: String) throws {
        let path = try folder.write("abc", to: "f")
        _ = try hasher().remembered(of: path)
        try corruptSidecar(text)
        #expect(try hasher().remembered(of: path) == Workbench.sha256(Array("abc".utf8)))
        #expect(seen.all.count == 2)
        // And it has been put right.
        _ = try hasher().remembered(of: path)
        #expect(seen.all.count == 2)
    }

    @Test func aSidecarWithAShortHashIsIgnored() throws {
        let path = try folder.write("abc", to: "f")
        _ = try hasher().remembered(of: path)
        let stamp = try #require(FileStamp(path: path))
        try corruptSidecar("{\"size\":3,\"mtime\":\(stamp.modified),\"sha256\":\"ab\"}")
        #expect(try hasher().remembered(of: path) == Workbench.sha256(Array("abc".utf8)))
    }

    @Test func filesOfOneNameAreKeptApart() throws {
        for name in ["one", "two"] { try folder.write(name, to: "\(name)/f") }
        for name in ["one", "two", "one", "two"] {
            #expect(try hasher().remembered(of: folder.file("\(name)/f")) == Workbench.sha256(Array(name.utf8)))
        }
        #expect(seen.all.count == 2)
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder.file("cache"))
        #expect(kept.count == 2 && kept.allSatisfy { $0.hasSuffix("-f.sha256.json") })
    }

    @Test func whereNothingCanBeKeptItIsHashedEachTime() throws {
        let path = try folder.write("abc", to: "f")
        try folder.write("a file where the cache should be", to: "cache")
        #expect(try hasher().remembered(of: path) == Workbench.sha256(Array("abc".utf8)))
        #expect(try hasher().remembered(of: path) == Workbench.sha256(Array("abc".utf8)))
        #expect(seen.all.count == 2)
    }
}
