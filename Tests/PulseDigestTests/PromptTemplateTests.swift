import Foundation
import PulseCore
import PulseDigest
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct PromptTemplateTests {
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
        let template = try PromptTemplate(job: .digest, parsing: Self.digest, from: "digest.md")
        let story = Story([
            Readings.make("1", title: "One", content: "First text.", source: "A"),
            Readings.make("2", title: "Two {{text}}", content: "# user\n\nSecond {{title}}."),
        ])
        let prompt = StoryPrompt(
            Digest.Entry(story: story, sentences: []), template: template, language: .portuguese
        ).prompt(limit: 500, tokens: TokenCounter { $0.count / 4 })
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

    /// Each language has its two prompts, with the same placeholders as the English ones.
    @Test(arguments: Language.allCases, PromptTemplate.Job.allCases)
    func everyLanguageHasItsPrompts(language: Language, job: PromptTemplate.Job) throws {
        func placeholders(_ code: String) throws -> [Substring] {
            let path = "prompts/\(job.rawValue).\(code).md"
            let file = Repository.root.appendingPathComponent(path)
            let template = try PromptTemplate(
                job: job, parsing: String(decoding: Data(contentsOf: file), as: UTF8.self), from: path)
            return template.text.matches(of: /^# [a-z]+|\{\{[a-z]+\}\}/.anchorsMatchLineEndings()).map(\.output)
        }
        #expect(try placeholders(language.code) == placeholders("en"))
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
        #expect { try PromptTemplate(job: .digest, parsing: text, from: "/a/digest.md") } throws: { error in
            guard let error = error as? PulseError else { return false }
            let place = line.map { "in /a/digest.md, line \($0), " } ?? "in /a/digest.md, "
            return error.code == .configuration && error.message.contains(place) && error.message.contains(words)
        }
    }
}
