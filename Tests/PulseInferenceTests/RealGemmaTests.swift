import PulseTestSupport
import Testing

@testable import PulseInference

/// The engine on a real Gemma 3, whose layers see 512 tokens each, but for every sixth. What is computed in another
/// order can differ in the last bits, so a text is forced, and the logits are compared.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: RealModel.gemma != nil, "\(RealModel.absenceOfGemma)"))
struct RealGemmaTests {
    private static func engine(sequences: Int = 4) async throws -> Engine {
        var options = EngineOptions(
            modelPath: try #require(RealModel.gemma), contextLength: 2048, sequences: sequences, cells: 8192)
        // A base model goes on with what it is given.
        options.chatTemplate = "{{ bos_token }}{% for message in messages %}{{ message['content'] }}{% endfor %}"
        return try await Engine.load(options)
    }

    private static func news(_ days: Int) -> String {
        (1...days).map { number in
            "On day \(number) the council of Port Merrow heard \(number * 7) letters about the harbour wall. "
        }
        .joined()
    }

    private static func request(_ text: String, drafts: Bool = false) -> GenerationRequest {
        GenerationRequest(messages: [ChatMessage(role: .user, text: text)], maximumTokens: 24, drafts: drafts)
    }

    /// The likeliest tokens of a request that is asked alone.
    private static func alone(_ request: GenerationRequest) async throws -> [Int32] {
        let choices = ChoiceLog()
        _ = try await engine(sequences: 1).answer(to: request.choosing(choices, drafts: false))
        return choices.tokens
    }

    @Test func itsVocabularyIsRead() async throws {
        let engine = try await Self.engine()
        #expect(engine.model.vocabularySize == 262_144 && engine.model.contextLength == 2048)
        #expect(engine.tokens(of: "São Paulo, 東京, 42") > 5)
    }

    /// Beyond the window, with a prefix that all have.
    @Test func aBatchIsAsGoodAsOneAtATime() async throws {
        let requests = ["The mayor said", "In the end the wall", "Nobody had asked", "The first letter"].map {
            Self.request(Self.news(45) + $0)
        }
        let engine = try await Self.engine()
        #expect(try await engine.promptTokens(of: requests[0].messages) > 900)
        let choices = ChoiceLog()
        var forced: [GenerationRequest] = []
        for request in requests { forced.append(request.choosing(choices, writing: try await Self.alone(request))) }
        let completions = try await engine.answers(to: forced)
        #expect(completions.allSatisfy { !$0.text.isEmpty })
        // Of a text of 24 tokens, no other order of the sums has made more than 0.2.
        #expect(choices.gaps.allSatisfy { $0 < 1 })
    }

    /// Behind the window nothing is drafted, because the cells that a refused draft needs may be lost.
    @Test(arguments: [12, 45]) func whatIsDraftedIsWhatWouldBeWritten(days: Int) async throws {
        let request = Self.request(
            Self.news(days) + "On day \(days + 1) the council of Port Merrow heard", drafts: true)
        let choices = ChoiceLog()
        let drafted = request.choosing(choices, writing: try await Self.alone(request))
        let completion = try await Self.engine().answer(to: drafted)
        #expect((completion.acceptedTokens > 0) == (days == 12) && choices.gaps.allSatisfy { $0 < 1 })
    }
}
