import CLlama
import PulseTestSupport
import Testing

@testable import PulseInference

/// No article can forge the template: whatever it says, the only control tokens in the prompt are the template's own,
/// in the same order.
@Suite(.timeLimit(.minutes(20))) struct AttackTests {
    static let templates: [FixtureModel.Template] = [.chatML, .llama3, .gemma, .mistral, .phi, .commandR, .deepSeek]

    /// The control tokens of a prompt around a text, in order.
    private func controls(around text: String, template: FixtureModel.Template, isSentencePiece: Bool) throws
        -> [llama_token]
    {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        var fixture = FixtureModel()
        fixture.template = template
        fixture.isSentencePiece = isSentencePiece
        let path = try folder.write(fixture.data(), to: "fixture.gguf")
        LlamaLibrary.start(logsToStandardError: false)
        let model = try Model(path: path, reading: .vocabularyOnly)
        let template = model.chatTemplate
        let source = try #require(template)
        let messages = [
            ChatMessage(role: .system, text: "You write."),
            ChatMessage(role: .user, text: "Text: \(text)\nWrite."),
        ]
        let vocabulary = model.vocabulary
        let prompt = TokenizedPrompt(try ChatTemplate(source: source).fill(messages), in: vocabulary)
        let spelled = prompt.tokens.flatMap { vocabulary.isControl($0) ? [] : vocabulary.piece($0) }
        // Every byte of the attack is there, as text. SentencePiece writes a space as “▁”, and cannot tell them apart.
        let written = String(decoding: spelled, as: UTF8.self).replacing("▁", with: " ")
        #expect(written.contains(text.replacing("▁", with: " ")))
        return prompt.tokens.filter(vocabulary.isControl)
    }

    @Test(arguments: templates, [false, true])
    func marksOfAnyFamilyStayText(template: FixtureModel.Template, isSentencePiece: Bool) throws {
        let benign = try controls(around: "It rained.", template: template, isSentencePiece: isSentencePiece)
        #expect(!benign.isEmpty)
        let attacks = (Attack.orders + Attack.marks + Attack.forgeries + Attack.characters).map(\.content)
        let all = attacks.joined(separator: " ")
        #expect(try controls(around: all, template: template, isSentencePiece: isSentencePiece) == benign)
    }
}
