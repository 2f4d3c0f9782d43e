import PulseCore
import PulseInference
import PulseTestSupport
import Testing

/// The forms of the weights, on the model that comes with the program.
@Suite(.timeLimit(.minutes(20))) struct WeightsFormTests {
    private static let question = GenerationRequest(
        messages: [ChatMessage(role: .user, text: "The bridge over the Arvela reopened on Thursday.")],
        maximumTokens: 12)

    private func load(_ path: String = Repository.nanoModel, rearranged: Bool = false) async throws -> Engine {
        try await Engine.load(EngineOptions(modelPath: path, threads: 1, repacksWeights: rearranged))
    }

    @Test(arguments: [true, false]) func theSpeedIsMeasuredAndNothingOfItStays(rearranged: Bool) async throws {
        let engine = try await load(rearranged: rearranged)
        let before = try await engine.answer(to: Self.question)
        let speed = try await engine.measureSpeed()
        #expect(speed.reading > 0 && speed.step > speed.reading && speed.sequences == 16)
        #expect(speed.story.isFinite && speed.story > 0)
        #expect(try await engine.answer(to: Self.question).text == before.text)
    }

    @Test func withoutAMXWeightsAreUsuallyMapped() {
        #expect(WeightsForm.usual(with: "CPU : SSE3 = 1 | AVX2 = 1 | AVX512 = 1 | REPACK = 1 | ") == .mapped)
        #expect(WeightsForm.usual(with: "CPU : SSE3 = 1 | AVX2 = 1 | AMX_INT8 = 1 | REPACK = 1 | ") == .rearranged)
        #expect(WeightsForm.usual(with: "CPU : NEON = 1 | ARM_FMA = 1 | REPACK = 1 | ") == .rearranged)
    }

    @Test func aVocabularyAloneHasNoSpeed() async throws {
        let engine = try await Engine.load(EngineOptions(modelPath: Repository.nanoModel, vocabularyOnly: true))
        await #expect(throws: PulseError.self) { try await engine.measureSpeed() }
    }

    @Test func aModelIsRewritten() async throws {
        let folder = try TemporaryFolder()
        let copy = folder.file("copy.gguf")
        #expect(await Engine.rewrite(Repository.nanoModel, to: copy))
        let (old, new) = (try await load(), try await load(copy))
        // llama.h: LLAMA_FTYPE_MOSTLY_Q8_0.
        #expect(new.model.fileType == 7)
        #expect(new.model.parameterCount == old.model.parameterCount)
        #expect(new.model.vocabularySize == old.model.vocabularySize)
        #expect(try await new.answer(to: Self.question).outputTokens > 0)
    }

    @Test func whatIsNoModelIsNotRewritten() async throws {
        let folder = try TemporaryFolder()
        let letter = try folder.write("Dear aunt", to: "letter.gguf")
        #expect(await !Engine.rewrite(letter, to: folder.file("copy.gguf")))
        #expect(await !Engine.rewrite(Repository.nanoModel, to: folder.file("nowhere/copy.gguf")))
    }
}
