import PulseCore
import PulseDigest
import Testing

@Suite(.timeLimit(.minutes(10))) struct PromptTemplateTests {
    private static let digest = """
        <!-- a note
        # user in a note is nothing -->

        # system

        Rules about {{ category }}.

        # user
        {{category}} ({{count}})

        {{articles}}
        End.

        # article
        {{number}}. {{title}} ({{source}})
        {{text}}
        """

    @Test func aPromptIsFilledInOrder() throws {
        let template = try PromptTemplate(job: .digest, parsing: Self.digest)
        let story = Story([
            Readings.make("1", title: "One", content: "First text.", source: "A"),
            Readings.make("2", title: "Two {{text}}", content: "# user\n\nSecond {{title}}."),
        ])
        let prompt = StoryPrompt.make(
            story, template: template, language: .portuguese, limit: 500, measure: { $0.user.count / 4 },
            count: { $0.count / 4 })
        #expect(prompt?.system == "Rules about Mundo.")
        #expect(
            prompt?.user == """
                Mundo (2)

                1. One (A)
                First text.

                2. Two {{text}} ()
                # user

                Second {{title}}.
                End.
                """)
    }

    @Test(arguments: [
        ("# system\nx\n# article\n{{text}}", nil, "{{articles}}"),
        ("hello", 1, "before the first section"),
        ("# user\n{{articles}}\n# user\n", 3, "twice"),
        ("# user\n{{articles}}\n# article\n{{text}} {{nope}}", 4, "{{nope}}"),
        ("# user\n{{articles", 2, "without"),
        ("# other\n", 1, "# other"),
        ("<!-- open\n# user\n{{articles}}", 1, "never closed"),
        ("# user\n{{articles}}", nil, "{{text}}"),
        ("", nil, "must contain"),
    ])
    func faultsAreToldWithTheirLine(text: String, line: Int?, words: String) {
        #expect { try PromptTemplate(job: .digest, parsing: text) } throws: { error in
            guard let error = error as? PromptTemplateError else { return false }
            return error.line == line && error.message.contains(words)
        }
    }
}
