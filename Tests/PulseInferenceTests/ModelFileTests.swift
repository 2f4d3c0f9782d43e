import Foundation
import PulseTestSupport
import Testing

@testable import PulseInference

/// Files that are no model, or not quite: each is told from the others, and none of them ends the process.
@Suite(.timeLimit(.minutes(10))) struct ModelFileTests {
    private let folder: TemporaryFolder
    private let sound = FixtureModel().data()

    init() throws {
        folder = try TemporaryFolder()
    }

    private func failure(loading path: String) async -> EngineError? {
        await #expect(throws: EngineError.self) { try await Engine.load(EngineOptions(modelPath: path, threads: 1)) }
    }

    private func failure(loading data: Data) async throws -> EngineError? {
        await failure(loading: try folder.write(data, to: "model.gguf"))
    }

    @Test func missing() async {
        let error = await failure(loading: folder.file("none.gguf"))
        #expect(error?.code == .modelNotFound)
        #expect(error?.message.contains(folder.file("none.gguf")) == true)
    }

    @Test func folderInsteadOfAFile() async {
        #expect(await failure(loading: folder.path)?.code == .modelNotGGUF)
    }

    @Test(.enabled(if: getuid() != 0, "root may read everything")) func unreadable() async throws {
        let path = try folder.write(sound, to: "secret.gguf")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        #expect(await failure(loading: path)?.code == .modelUnreadable)
    }

    @Test func empty() async throws {
        #expect(try await failure(loading: Data())?.code == .modelEmpty)
    }

    @Test(arguments: ["G", "GGU", "<html>404</html>", "ggml and more", "GGUD"]) func somethingElse(text: String)
        async throws
    {
        #expect(try await failure(loading: Data(text.utf8))?.code == .modelNotGGUF)
    }

    @Test func cutAnywhere() async throws {
        var lengths = Array(stride(from: 4, to: sound.count, by: 9973))
        lengths += [5, 8, 12, 20, 24, 25, 32, 100, 1000, sound.count - 1]
        for length in lengths {
            #expect(try await failure(loading: sound.prefix(length))?.code == .modelTruncated, "cut at \(length)")
        }
    }

    @Test func bytesChangedAnywhereInTheFront() async throws {
        // A changed byte may leave a model that works; what counts is that the process lives and errors are ours.
        var random = SplitMix(seed: 42)
        var codes: Set<EngineError.Code> = []
        for _ in 0..<400 {
            var data = sound
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                data[Int.random(in: 4..<7000, using: &random)] = .random(in: 0...255, using: &random)
            }
            let path = try folder.write(data, to: "model.gguf")
            do throws(EngineError) {
                let engine = try await Engine.load(EngineOptions(modelPath: path, contextLength: 256, threads: 1))
                _ = try await engine.generate([Fixture.request("Hello", tokens: 2)]) { _, _ in }
            } catch {
                codes.insert(error.code)
                #expect(!error.message.isEmpty)
            }
        }
        #expect(codes.contains(.modelCorrupted))
        #expect(!codes.contains(.modelNotFound))
    }

    @Test func metadataThatLibllamaWouldDieOf() async throws {
        func damaged(_ key: String, _ value: GGUFWriter.Value?) async throws -> EngineError? {
            try await failure(
                loading: FixtureModel().data { writer in
                    writer.metadata.removeAll { $0.key == key }
                    if let value { writer.metadata.append((key, value)) }
                })
        }
        #expect(try await damaged("general.architecture", nil)?.code == .modelCorrupted)
        #expect(try await damaged("general.architecture", .string("nonesuch"))?.code == .modelUnsupported)
        #expect(try await damaged("llama.attention.head_count", .uint32(0))?.code == .modelCorrupted)
        #expect(try await damaged("llama.block_count", .uint32(5_000_000))?.code == .modelCorrupted)
        #expect(try await damaged("llama.block_count", .string("two"))?.code == .modelCorrupted)
        #expect(try await damaged("tokenizer.ggml.tokens", .strings(["a", "a"]))?.code == .modelCorrupted)
        #expect(try await damaged("tokenizer.ggml.tokens", .string("a"))?.code == .modelCorrupted)
        #expect(try await damaged("tokenizer.ggml.token_type", .int32s([1, 1]))?.code == .modelCorrupted)
        #expect(try await damaged("tokenizer.ggml.scores", .floats([1]))?.code == .modelCorrupted)
        #expect(try await damaged("tokenizer.ggml.merges", .int32s([1]))?.code == .modelCorrupted)
        #expect(try await damaged("tokenizer.ggml.eos_token_id", .uint32(9_999_999))?.code == .modelCorrupted)
        #expect(try await damaged("general.alignment", .uint32(3))?.code == .modelCorrupted)
        #expect(try await damaged("tokenizer.ggml.pre", .string("nonesuch"))?.code == .modelUnsupported)
    }

    @Test func tensorThatIsNotThere() async throws {
        let data = FixtureModel().data { $0.tensors.removeAll { $0.name == "blk.1.ffn_up.weight" } }
        let error = try await failure(loading: data)
        #expect(error?.code == .modelCorrupted)
        #expect(error?.cause?.contains("blk.1.ffn_up.weight") == true)
    }

    @Test func vocabularyWithoutEnd() async throws {
        let path = folder.file("endless.gguf")
        try FixtureModel.write(to: path) { $0.hasEnd = false }
        #expect(await failure(loading: path)?.code == .noEndOfText)
        // Its tokens can be counted all the same.
        let light = try await Engine.load(EngineOptions(modelPath: path, vocabularyOnly: true))
        #expect(await light.countingTokens { $0("abc") } == 3)
    }

    @Test func contextThatNoMachineHolds() async throws {
        let path = folder.file("vast.gguf")
        try FixtureModel.write(to: path) {
            $0.contextLength = 2_000_000_000
            $0.layers = 8
        }
        let options = EngineOptions(modelPath: path, contextLength: 2_000_000_000, threads: 1)
        let error = await #expect(throws: EngineError.self) { try await Engine.load(options) }
        #expect(error?.code == .tooLittleMemory)
    }

    @Test func everyMessageIsASentenceThatEnds() async throws {
        for error in [await failure(loading: folder.file("none")), try await failure(loading: Data())] {
            #expect(error?.message.hasSuffix(".") == true)
            #expect(error?.description == error?.message)
        }
    }
}
