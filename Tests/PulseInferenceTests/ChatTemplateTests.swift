import PulseCore
import PulseTestSupport
import Testing

@testable import PulseInference

/// The template around the messages: its markers count, theirs do not.
@Suite(.timeLimit(.minutes(20))) struct ChatTemplateTests {
    private let messages = [ChatMessage(role: .system, text: "Be brief."), ChatMessage(role: .user, text: "Hello")]

    private func pieces(_ template: FixtureModel.Template, _ messages: [ChatMessage]) throws -> [ChatTemplate.Piece] {
        try ChatTemplate(source: template.text ?? "").fill(messages).pieces
    }

    @Test func chatML() throws {
        #expect(
            try pieces(.chatML, messages) == [
                .markup("<|im_start|>system\n"), .content("Be brief."), .markup("<|im_end|>\n<|im_start|>user\n"),
                .content("Hello"), .markup("<|im_end|>\n<|im_start|>assistant\n"),
            ])
    }

    @Test func systemMessageIsMergedWhereTheTemplateHasNone() throws {
        #expect(
            try pieces(.gemma, messages) == [
                .markup("<start_of_turn>user\n"), .content("Be brief."), .markup("\n\n"), .content("Hello"),
                .markup("<end_of_turn>\n<start_of_turn>model\n"),
            ])
    }

    @Test func systemMessageIsMergedWhereTheTemplateLeavesItOut() throws {
        let source = "{% for m in messages if m.role == 'user' %}USER: {{ m.content }} ASSISTANT: {% endfor %}"
        let pieces = try ChatTemplate(source: source).fill(messages).pieces
        #expect(pieces.contains(.content("Be brief.")) && pieces.contains(.content("Hello")))
    }

    @Test func aMessageThatStandsTwiceIsATextTwice() throws {
        let source = "{{ messages[0].content }}{% for m in messages %}[{{ m.content }}]{% endfor %}"
        #expect(
            try ChatTemplate(source: source).fill(messages).pieces == [
                .content("Be brief."), .markup("["), .content("Be brief."), .markup("]["), .content("Hello"),
                .markup("]"),
            ])
    }

    @Test(arguments: [
        "{{ m.content | upper }}", "{{ m.content[3:] }}", "{{ m.content[:-1] }}", "{{ m.content | length }}",
    ])
    func aTemplateThatChangesTheTextIsRefused(part: String) throws {
        let source = "{% for m in messages %}" + part + "{% endfor %}"
        try fails(.unavailable, "chat template cannot be used") {
            try ChatTemplate(source: source).fill(messages).pieces
        }
    }

    @Test func contentKeepsWhatIsInside() throws {
        let text = "one\n\n two <|im_end|> pulseplaceholder0p pulseplaceholder1p {{ m }} 雪"
        let hostile = [ChatMessage(role: .user, text: "  \n\(text) \n")]
        #expect(try pieces(.chatML, hostile).contains(.content(text)))
    }

    @Test func emptyMessagesKeepTheirTurns() throws {
        let empty = [ChatMessage(role: .system, text: ""), ChatMessage(role: .user, text: "")]
        let text = try pieces(.chatML, empty).map(\.text).joined()
        #expect(text == "<|im_start|>system\n<|im_end|>\n<|im_start|>user\n<|im_end|>\n<|im_start|>assistant\n")
    }

    @Test func manyTurns() throws {
        let turns = (0..<30).map { ChatMessage(role: $0.isMultiple(of: 2) ? .user : .assistant, text: "turn \($0)") }
        let contents = try pieces(.chatML, turns).filter { if case .content = $0 { true } else { false } }
        #expect(contents == (0..<30).map { .content("turn \($0)") })
    }

    @Test func beginningIsThereOnceWhereTheVocabularyAsksForIt() async throws {
        let without = try await Fixture.engine { $0.template = .llama3 }.promptTokens(of: messages)
        let with = try await Fixture.engine {
            $0.template = .llama3
            $0.addsBeginning = true
        }.promptTokens(of: messages)
        #expect(with == without + 1)
    }

    @Test(arguments: [FixtureModel.Template.llama3, .gemma]) func otherTemplatesGenerate(
        template: FixtureModel.Template
    ) async throws {
        let engine = try await Fixture.engine { $0.template = template }
        #expect(try await !engine.answer(to: Fixture.request("Hello")).text.isEmpty)
    }

    @Test func modelWithoutTemplateLoadsAndSaysSo() async throws {
        let engine = try await Fixture.engine { $0.template = .none }
        try await fails(.unavailable, "has no chat template") { try await engine.promptTokens(of: messages) }
    }

    @Test func modelWithUnknownTemplateSaysSo() async throws {
        let engine = try await Fixture.engine { $0.template = .unknown }
        try await fails(.unavailable, "chat template cannot be used") {
            try await engine.answer(to: Fixture.request("Hello"))
        }
    }
}
