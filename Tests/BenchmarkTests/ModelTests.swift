import Foundation
import PulseInference
import PulseTestSupport
import Testing

@testable import pulse_bench

@Suite(.timeLimit(.minutes(20))) struct ModelTests {
    private static let tiny = ModelShape(
        name: "tiny-shape", width: 256, layers: 2, heads: 8, keyHeads: 4, feedForward: 512, vocabulary: 8448,
        context: 512, ropeBase: 500_000)

    @Test func theShapeHasAsManyWeightsAsLlama() { #expect(ModelShape.llama1B.parameters == 1_235_814_400) }

    @Test func theLibraryTakesTheModelAndWritesWithIt() async throws {
        let folder = try TemporaryFolder()
        let cache = ModelCache(folder: folder.path + "/bench", shape: Self.tiny)
        var told: [String] = []
        let path = try cache.model(tokenizerFrom: Repository.nanoModel, threads: 1) { told.append($0) }
        #expect(path.hasSuffix("-Q4_K_M.gguf"))
        #expect(!told.isEmpty)
        let left = try FileManager.default.contentsOfDirectory(atPath: cache.folder).sorted()
        #expect(left == ["model.lock", (path as NSString).lastPathComponent], "nothing half-made is left")

        let engine = try await Engine.load(EngineOptions(modelPath: path, threads: 1))
        #expect(engine.model.vocabularySize == 8448)
        #expect(engine.model.parameterCount == UInt64(Self.tiny.parameters))
        let request = GenerationRequest(
            messages: [ChatMessage(role: .user, text: "The dam is sound, the authority said.")], maximumTokens: 40)
        let completion = try #require(try await engine.generate([request]) { _, _ in }.first)
        #expect(completion.finish == .length, "a greedy answer never ends by itself")
        #expect(completion.outputTokens == 40)
        #expect(!completion.text.contains("unused"))

        var again: [String] = []
        #expect(try cache.model(tokenizerFrom: Repository.nanoModel, threads: 1) { again.append($0) } == path)
        #expect(again.isEmpty, "it is made once")
    }

    @Test func aModelThatWasBegunIsFinished() throws {
        let folder = try TemporaryFolder()
        let cache = ModelCache(folder: folder.path, shape: Self.tiny)
        let path = try cache.model(tokenizerFrom: Repository.nanoModel, threads: 1) { _ in }
        let first = try Data(contentsOf: URL(fileURLWithPath: path))
        try FileManager.default.removeItem(atPath: path)
        // As an interruption leaves it, and as an older tokenizer does.
        try Data("half".utf8).write(to: URL(fileURLWithPath: path + ".part"))
        try Data("old".utf8).write(to: URL(fileURLWithPath: folder.path + "/tiny-shape-v0-0-Q4_K_M.gguf"))
        #expect(try cache.model(tokenizerFrom: Repository.nanoModel, threads: 1) { _ in } == path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == first, "the seed decides every weight")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    }

    @Test func aFileThatIsNoModelIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/text.gguf"
        try Data("not a model".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: BenchError.self) { _ = try TokenizerSource(path: path).tokens }
    }
}
