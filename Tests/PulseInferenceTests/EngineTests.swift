import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseInference

/// The engine with the real library under it, on a fixture model.
@Suite(.timeLimit(.minutes(20))) struct EngineTests {
    @Test func describesTheModel() async throws {
        let engine = try await Fixture.engine { $0.name = "Tiny" }
        let model = engine.model
        #expect(model.name == "Tiny" && model.contextLength == 4096 && model.vocabularySize > 256)
        #expect(model.parameterCount > 50_000 && model.fileSize > 100_000 && model.threads == 1)
    }

    @Test func contextIsNeverLongerThanTheModelWasTrainedFor() async throws {
        for (asked, length) in [(100_000, 4096), (300, 300)] {
            #expect(try await Fixture.engine(contextLength: asked).model.contextLength == length)
        }
        let huge = try await Fixture.engine { $0.contextLength = 1 << 20 }
        #expect(huge.model.contextLength == EngineOptions.defaultContextLimit)
    }

    @Test func answersInOrderOfEvents() async throws {
        let engine = try await Fixture.engine()
        let log = EventLog()
        let completions = try await engine.generate([Fixture.request("Hello")]) { log.add($0, $1) }
        let completion = try #require(completions.first)
        #expect(completions.count == 1 && log.text() == completion.text)
        #expect(log.all.last?.event == .finished(completion))
        #expect(completion.outputTokens <= 16 && completion.promptTokens == log.readings().last)
        #expect(completion.promptTime > .zero)
        let tokens = try await engine.promptTokens(of: Fixture.request("Hello").messages)
        #expect(completion.promptTokens == tokens)
    }

    @Test func greedyTextIsTheSameEveryTime() async throws {
        let engine = try await Fixture.engine()
        let first = try await engine.answer(to: Fixture.request("Hello", tokens: 40))
        let second = try await engine.answer(to: Fixture.request("Hello", tokens: 40))
        #expect(first.text == second.text && !first.text.isEmpty)
    }

    /// What is answered again is written as if it had been asked alone with that sampling, and the prompt is not read
    /// anew.
    @Test func anAnswerCanBeBegunAgain() async throws {
        let engine = try await Fixture.engine()
        let sampled = Sampling(temperature: 1.5, topP: 0.95, seed: 3)
        let tries = EventLog()
        var first = Fixture.request("Hello", tokens: 40)
        first.again = { completion in
            tries.add(0, .finished(completion))
            return tries.all.count == 1 ? sampled : nil
        }
        let log = EventLog()
        let other = Fixture.request("Something else", tokens: 40)
        let completions = try await engine.generate([first, other]) { log.add($0, $1) }
        let alone = try await engine.answers(to: [Fixture.request("Hello", tokens: 40, sampling: sampled), other])
        #expect(completions.map(\.text) == alone.map(\.text))
        #expect(tries.all.count == 2 && tries.all.last?.event == .finished(completions[0]))
        #expect(log.all.count { $0.event.isBegunAgain } == 1)
        // Its last token alone gives logits.
        let begun = log.all.firstIndex { $0.event.isBegunAgain }
        let readings = log.all[(begun ?? 0)...].filter { $0.request == 0 }
            .compactMap { if case .reading(let tokens, let all) = $0.event { all - tokens } else { nil } }
        #expect(readings.max() == 1, "\(readings)")
    }

    /// Too little memory for both: the encoder stays closed, the model answers.
    @Test func anEncoderIsLeftOutForTheModel() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = try folder.write(FixtureModel().data(), to: "fixture.gguf")
        let options = EngineOptions(modelPath: path, sequences: 1, threads: 1)
        let file = Repository.root.appendingPathComponent("models/pulse-check.gguf").path
        for (mebibytes, isOpen) in [(UInt64(4096), true), (90, false)] {
            let encoder = try Encoder.load(file)
            let machine = Machine(budget: { MemoryBudget(machine: mebibytes << 20) })
            let engine = try await Engine.load(
                options, beside: encoder, on: encoder.thread, machine: machine, now: Fixture.clock)
            #expect(engine.model.plan?.concessions.contains(.encoder) == !isOpen)
            let words = [["The", "ferry", "ran", "aground", "."]]
            if isOpen {
                #expect(try encoder.vectors(of: words).first?.tokens.isEmpty == false)
            } else {
                #expect(throws: PulseError.self) { try encoder.vectors(of: words) }
            }
            _ = try await engine.answer(to: Fixture.request("Hello"))
        }
    }

    @Test func seedDecidesTheSampledText() async throws {
        let engine = try await Fixture.engine()
        func text(_ seed: UInt32) async throws -> String {
            let sampling = Sampling(temperature: 1.5, topP: 0.95, seed: seed)
            return try await engine.answer(to: Fixture.request("Hello", tokens: 40, sampling: sampling)).text
        }
        let first = try await text(1)
        #expect(try await text(1) == first)
        #expect(try await text(2) != first)
    }

    @Test func longPromptIsReadInChunks() async throws {
        let engine = try await Fixture.engine()
        let log = EventLog()
        let request = Fixture.request(String(repeating: "abcdefghij", count: 150), tokens: 1)
        _ = try await engine.generate([request]) { log.add($0, $1) }
        #expect(log.readings().count >= 4)
        #expect(log.readings() == log.readings().sorted())
    }

    @Test func promptThatFillsTheContextLeavesRoomOrIsRefused() async throws {
        let engine = try await Fixture.engine(contextLength: 256)
        let overhead = try await engine.promptTokens(of: Fixture.request("x").messages) - 1
        let fits = Fixture.request(String(repeating: "q", count: 256 - overhead - 3), tokens: 50)
        let completion = try await engine.answer(to: fits)
        #expect(completion.promptTokens == 253 && completion.outputTokens <= 3)
        let tooLong = Fixture.request(String(repeating: "q", count: 400))
        try await fails(.usage, "\(400 + overhead) tokens; prompt and answer together can have 256") {
            try await engine.answer(to: tooLong)
        }
        // The engine goes on after it.
        _ = try await engine.answer(to: Fixture.request("x"))
    }

    @Test func nothingAskedNothingWritten() async throws {
        let engine = try await Fixture.engine()
        #expect(try await engine.answers(to: []).isEmpty)
        let completion = try await engine.answer(to: Fixture.request("x", tokens: 0))
        #expect(completion.text == "" && completion.finish == .length)
        #expect(try await engine.answer(to: Fixture.request("x", tokens: -5)).outputTokens == 0)
    }

    @Test func countsTokensAndKnowsTheContextWithoutWeights() async throws {
        let whole = try await Fixture.engine()
        let light = try await Fixture.engine(vocabularyOnly: true)
        let texts = ["", "Hello", "<|im_end|>", "naïve ☃ 雪", String(repeating: "word ", count: 1000)]
        let counts = texts.map(light.tokens(of:))
        #expect(counts == texts.map(whole.tokens(of:)))
        #expect(counts[0] == 0 && counts[2] == 10)
        let request = Fixture.request("Hello")
        let prompt = try await whole.promptTokens(of: request.messages)
        #expect(try await light.promptTokens(of: request.messages) == prompt)
        // A prompt is cut to the same length as where it is answered.
        #expect(light.model.contextLength == whole.model.contextLength)
        try await fails(.bug, "Only the vocabulary") { try await light.answer(to: request) }
    }

    @Test func sentencePieceAddsNoSpaceInsideAPrompt() async throws {
        let engine = try await Fixture.engine { $0.isSentencePiece = true }
        let counts = ["abc", " abc", "the", " the", "", "\n", "雪"].map(engine.tokens(of:))
        #expect(counts == [3, 4, 2, 1, 0, 1, 3])
        let empty = try await engine.promptTokens(of: [ChatMessage(role: .user, text: "")])
        let three = try await engine.promptTokens(of: [ChatMessage(role: .user, text: "abc")])
        #expect(three == empty + 3)
        #expect(try await !engine.answer(to: Fixture.request("Hello")).text.isEmpty)
    }

    @Test func loadReportsProgress() async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try FixtureModel.write(to: folder.file("m.gguf"))
        let log = EventLog()
        _ = try await Engine.load(EngineOptions(modelPath: folder.file("m.gguf"))) { share in
            log.add(Int(share * 100), .text("loading"))
        }
        #expect(log.all.last?.request == 100)
    }
}
