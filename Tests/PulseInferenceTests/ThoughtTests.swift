import PulseCore
import PulseTestSupport
import Testing

@testable import PulseInference

/// What a model thinks before it answers is no part of the answer, and has an end. What is computed is real; what is
/// written is a script's.
@Suite(.timeLimit(.minutes(20))) struct ThoughtTests {
    private static let thought = "<think>\nIt rained. So: rain.\n</think>\n\n"

    private func request(_ script: [Int32], tokens: Int = 40) -> GenerationRequest {
        var request = Fixture.request("It rained in the night.", tokens: tokens)
        request.chooser = { count, sampled, _ in count < script.count ? script[count] : sampled }
        return request
    }

    private func engine() async throws -> Engine { try await Fixture.engine { $0.template = .thinking } }

    private static func nano() async throws -> Engine {
        try await Engine.load(EngineOptions(modelPath: Repository.nanoModel, threads: 1))
    }

    @Test(arguments: [true, false]) func theAnswerBehindAThoughtIsTheAnswer(marksCount: Bool) async throws {
        let engine = try await engine()
        let script = await engine.answerTokens(Self.thought + "Rain fell.", marksCount: marksCount)
        let log = EventLog()
        let completions = try await engine.generate([request(script, tokens: 12), Fixture.request("x")]) {
            log.add($0, $1)
        }
        #expect(completions[0].text == "Rain fell." && log.text(of: 0) == "Rain fell.")
        #expect(completions[0].finish == .endOfText)
        #expect(completions[0].thoughtTokens > 12 && completions[0].outputTokens == script.count - 1)
        let events = log.events(of: 0)
        let thinking = try #require(events.lastIndex { $0.isThinking })
        #expect(try thinking < #require(events.firstIndex { $0.isText }))
        #expect(completions[1].thoughtTokens == 0)
    }

    @Test func aThoughtWithoutEndIsEnded() async throws {
        let engine = try await engine()
        let endless = await engine.answerTokens("<think>" + String(repeating: "Hm. ", count: 200), marksCount: true)
        let log = EventLog()
        let completion = try #require(
            try await engine.generate([request(endless, tokens: 20)]) { log.add($0, $1) }.first)
        // Then the script goes on, and is the answer.
        #expect(completion.text.contains("Hm.") && completion.finish == .length)
        #expect((100...200).contains(completion.thoughtTokens))
        #expect(completion.outputTokens - completion.thoughtTokens <= 20)
        // The end stands in the context, and nothing that came after it is lost.
        #expect(try await engine.answer(to: request(endless, tokens: 20)).text == completion.text)
    }

    /// A model whose template knows no thoughts is let have none.
    @Test func aThoughtThatNobodyExpectsIsEndedAtOnce() async throws {
        let engine = try await Self.nano()
        let endless = await engine.answerTokens("<think>" + String(repeating: "Hm. ", count: 200))
        let completion = try await engine.answer(to: request(endless, tokens: 40))
        #expect(completion.thoughtTokens < 20 && completion.text.hasPrefix("Hm."))
        #expect(completion.outputTokens <= 40)
        // Where there is no room for the end of it, there is no answer.
        let short = try await engine.answer(to: request(endless, tokens: 6))
        #expect(short.finish == .onlyThought && short.text.isEmpty && short.outputTokens <= 6)
    }

    @Test(arguments: [true, false]) func anAnswerThatIsAllThoughtIsTold(isClosed: Bool) async throws {
        let engine = try await engine()
        let script = await engine.answerTokens(isClosed ? Self.thought : "<think>Rain", marksCount: true)
        let log = EventLog()
        let completion = try await engine.generate([request(script)]) { log.add($0, $1) }.first
        #expect(completion?.finish == .onlyThought && completion?.text == "")
        #expect(log.text() == "")
    }

    @Test func theTokensOfAThoughtAreNotTheAnswers() async throws {
        let engine = try await engine()
        let script = await engine.answerTokens(Self.thought + "Rain fell.", marksCount: true)
        #expect(try await engine.answer(to: request(script, tokens: 11)).text == "Rain fell.")
        let cut = try await engine.answer(to: request(script, tokens: 4))
        #expect(cut.finish == .length && !cut.text.isEmpty && "Rain fell.".hasPrefix(cut.text))
    }
}
