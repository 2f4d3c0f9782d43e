import Foundation
import PulseTestSupport
import Testing

@testable import PulseInference

/// What prompts begin with is kept between runs, and never trusted.
struct PrefixTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("prefixes") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private static func request(_ text: String, system: String = "You write a digest of what was read.")
        -> GenerationRequest
    {
        GenerationRequest(
            messages: [ChatMessage(role: .system, text: system), ChatMessage(role: .user, text: text)],
            maximumTokens: 24)
    }

    /// One run of the program: an engine of its own, on the same model file.
    private func run(
        _ requests: [GenerationRequest], kept: Bool = true, cells: Int? = nil, seed: UInt64 = 7
    ) async throws -> (texts: [String], read: [Int], calls: [CallRecorder.Operation]) {
        let recorder = CallRecorder()
        let engine = try await Fixture.engine(
            cells: cells, prefixFolder: kept ? path : nil, modelFolder: folder, recorder: recorder
        ) { $0.seed = seed }
        let log = EventLog()
        let completions = try await engine.generate(requests) { log.add($0, $1) }
        let read = requests.indices.map { log.readings(of: $0).first ?? -1 }
        return (completions.map(\.text), read, recorder.calls.map(\.operation))
    }

    private func files() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted().map { "\(path)/\($0)" }
    }

    // MARK: - Kept and found

    @Test func secondRunComputesTheFrontNoMoreAndWritesTheSame() async throws {
        let requests = ["One", "Two and more", "Three"].map { Self.request($0) }
        let without = try await run(requests, kept: false)
        let first = try await run(requests)
        let second = try await run(requests)
        #expect(first.read[0] == 0)
        #expect(second.read[0] >= PrefixFolder.shortest)
        #expect(second.read[0] == first.read[1])
        #expect(first.texts == without.texts)
        #expect(second.texts == without.texts)
        #expect(first.calls.contains(.saveState) && !first.calls.contains(.loadState))
        #expect(second.calls.contains(.loadState) && !second.calls.contains(.saveState))
        #expect(!without.calls.contains(.saveState) && files().count == 1)
    }

    @Test func anotherPromptWithTheSameFrontFindsItToo() async throws {
        _ = try await run([Self.request("One")])
        let other = try await run([Self.request("Something else, and longer.")])
        #expect(other.read[0] > 0)
        #expect(other.texts == (try await run([Self.request("Something else, and longer.")], kept: false)).texts)
    }

    @Test func otherInstructionsAreAnotherFront() async throws {
        _ = try await run([Self.request("One")])
        let other = try await run([Self.request("One", system: "You write a digest of what was seen.")])
        #expect(other.read == [0])
        #expect(files().count == 2)
    }

    @Test func shortFrontsAreNotKept() async throws {
        _ = try await run([GenerationRequest(messages: [.init(role: .user, text: "Hello")], maximumTokens: 4)])
        #expect(files().isEmpty)
    }

    @Test func filesAreTheUsersAlone() async throws {
        _ = try await run([Self.request("One")])
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(path) == 0o700)
        #expect(try mode(try #require(files().first)) == 0o600)
    }

    @Test func anotherModelIsAnotherFront() async throws {
        _ = try await run([Self.request("One")])
        // As large, at the same path, but written later.
        try FileManager.default.removeItem(atPath: folder.file("fixture.gguf"))
        let other = try await run([Self.request("One")], seed: 8)
        #expect(other.read == [0])
        #expect(other.texts == (try await run([Self.request("One")], kept: false, seed: 8)).texts)
    }

    @Test func aContextWithRoomForLittleElseTakesIt() async throws {
        let request = Self.request("One")
        _ = try await run([request])
        let engine = try await Fixture.engine(contextLength: 110, prefixFolder: path, modelFolder: folder)
        let completions = try await engine.generate([request, request, request]) { _, _ in }
        #expect(completions.count == 3)
        #expect(Set(completions.map(\.text)).count == 1)
    }

    // MARK: - Not to be trusted

    /// The first run's text, and a damaged file in its folder.
    private func expectMiss(_ damage: (String) throws -> Void) async throws {
        let request = Self.request("One")
        let first = try await run([request])
        let file = try #require(files().first)
        try damage(file)
        let second = try await run([request])
        #expect(second.read == [0])
        #expect(!second.calls.contains(.loadState))
        #expect(second.texts == first.texts)
    }

    @Test(arguments: [0, 1, 7, 8, 15, 16, 24, 31, 32, 33, 100, 500, 1000, 4000, -9, -1])
    func truncatedFileIsAMiss(length: Int) async throws {
        try await expectMiss { file in
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            try data.prefix(length < 0 ? data.count + length : length).write(to: URL(fileURLWithPath: file))
        }
        // It was written anew.
        #expect(try await run([Self.request("One")]).read[0] > 0)
    }

    @Test func longerFileIsAMiss() async throws {
        try await expectMiss { file in
            let data = try Data(contentsOf: URL(fileURLWithPath: file))
            try (data + [0]).write(to: URL(fileURLWithPath: file))
        }
    }

    @Test func folderOrPipeOrLinkInItsPlaceIsAMiss() async throws {
        let files = FileManager.default
        try await expectMiss { file in
            try files.removeItem(atPath: file)
            try files.createDirectory(atPath: file + "/inside", withIntermediateDirectories: true)
        }
        try files.removeItem(atPath: path)
        try await expectMiss { file in
            try files.removeItem(atPath: file)
            #expect(mkfifo(file, 0o600) == 0)
        }
        try files.removeItem(atPath: path)
        try await expectMiss { file in
            try files.moveItem(atPath: file, toPath: folder.file("elsewhere"))
            try files.createSymbolicLink(atPath: file, withDestinationPath: folder.file("elsewhere"))
        }
    }

    @Test func folderThatCannotBeIsNoTrouble() async throws {
        try Data("a file".utf8).write(to: URL(fileURLWithPath: path))
        let first = try await run([Self.request("One")])
        #expect(first.texts == (try await run([Self.request("One")], kept: false)).texts)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("a file".utf8))
    }

    @Test func fullDiskIsNoTrouble() throws {
        // /dev/full takes nothing; what is written "into" it fails as on a full disk, and a folder it is not.
        let folder = PrefixFolder(path: "/dev/full/prefixes", identity: "model")
        folder.save(Data(count: 5000), of: [1, 2, 3])
        #expect(folder.load([1, 2, 3]) == nil)
    }

    @Test func stateThatTheLibraryRefusesIsDropped() async throws {
        let request = Self.request("One")
        let first = try await run([request])
        // Sound as a file, and not a state: what the library makes of it is its own affair.
        let engine = try await Fixture.engine(modelFolder: folder)
        let tokens = try await engine.promptTokens(of: request.messages)
        #expect(tokens > PrefixFolder.shortest)
        let file = try #require(files().first)
        let content = try Data(contentsOf: URL(fileURLWithPath: file))
        let keyLength = content[16..<24].withUnsafeBytes { Int($0.loadUnaligned(as: UInt64.self)) }
        let key = Data(content[32..<32 + keyLength])
        let state = try #require(PrefixFile.decode(content, key: key))
        for damaged in [Data(), Data([1]), state.prefix(state.count / 2), state + state, Data(count: state.count)] {
            try PrefixFile.encode(key: key, state: Data(damaged)).write(to: URL(fileURLWithPath: file))
            let second = try await run([request])
            #expect(second.read == [0])
            #expect(second.texts == first.texts)
        }
    }

    // MARK: - Files and folder

    @Test func everyBitCounts() throws {
        let key = Data("the key".utf8)
        let state = Data((0..<203).map { UInt8($0) })
        let file = PrefixFile.encode(key: key, state: state)
        #expect(PrefixFile.decode(file, key: key) == state)
        #expect(PrefixFile.decode(file, key: Data("the kez".utf8)) == nil)
        #expect(PrefixFile.decode(file, key: Data("the key!".utf8)) == nil)
        #expect(PrefixFile.decode(file, key: Data()) == nil)
        for bit in 0..<file.count * 8 {
            var damaged = file
            damaged[bit / 8] ^= 1 << (bit % 8)
            #expect(PrefixFile.decode(damaged, key: key) == nil)
        }
        for length in 0..<file.count { #expect(PrefixFile.decode(file.prefix(length), key: key) == nil) }
    }

    @Test func oldestGoesWhereThereAreTooMany() throws {
        var prefixes = PrefixFolder(path: path, identity: "model")
        prefixes.limit = 5000
        var seen: Set<String> = []
        for number: Int32 in 0..<3 {
            prefixes.save(Data(count: 1400), of: [number])
            let file = try #require(files().first { !seen.contains($0) })
            seen.insert(file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1000 * Double(number + 1))], ofItemAtPath: file)
        }
        // The oldest is used, and so it is the youngest.
        #expect(prefixes.load([0]) == Data(count: 1400))
        prefixes.save(Data(count: 1400), of: [3])
        #expect(prefixes.load([1]) == nil)
        for kept: Int32 in [0, 2, 3] { #expect(prefixes.load([kept]) != nil) }
        // What is larger than all may be is not kept at all, and costs the others nothing.
        prefixes.save(Data(count: 6000), of: [4])
        #expect(prefixes.load([4]) == nil)
        #expect(files().count == 3)
    }

    @Test func partsLeftBehindGo() throws {
        let prefixes = PrefixFolder(path: path, identity: "model")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, age) in [("old.part", 7200.0), ("new.part", 60.0), ("other.txt", 7200.0)] {
            try Data("x".utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: "\(path)/\(name)")
        }
        prefixes.save(Data(count: 10), of: [1])
        let names = files().map { URL(fileURLWithPath: $0).lastPathComponent }
        #expect(names.contains("new.part") && names.contains("other.txt") && !names.contains("old.part"))
        #expect(names.count == 3)
    }
}
