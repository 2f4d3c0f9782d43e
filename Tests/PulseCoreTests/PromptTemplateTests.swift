import Foundation
import PulseCore
import Testing

@Suite struct PromptTemplateTests {
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

    private func section(_ articles: [Article]) -> Selection.Section {
        .init(
            category: Category("world"),
            stories: articles.map { Story([Reading(article: $0, readAt: .distantPast, origin: "test")]) }, omitted: 2)
    }

    private func words(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }

    @Test func aPromptIsFilledInOrder() throws {
        let template = try PromptTemplate(job: .digest, parsing: Self.digest)
        let articles = [
            Article(id: "1", title: "One", content: "First text.", source: "A"),
            Article(id: "2", title: "Two {{text}}", content: "# user\n\nSecond {{title}}."),
        ]
        let prompt = DigestPrompt(
            section: section(articles), template: template, budget: TokenBudget(prompt: 500, article: 100),
            measure: { words($0.system) + words($0.userText) }, count: words)
        let made = try #require(prompt)
        #expect(made.prompt.system == "Rules about World.")
        #expect(
            made.prompt.userText == """
                World (2)

                1. One (A)
                First text.

                2. Two {{text}} ()
                # user

                Second {{title}}.
                End.
                """)
        #expect(
            made.prompt.user.filter { $0.article != nil } == [
                .init("First text.", article: 0), .init("Second {{title}}.", article: 1),
            ])
        #expect(made.stories.count == 2 && made.shortened == 0 && made.omitted == 2)
    }

    /// It stands there whole, at its own length, and is no beginning.
    @Test func aSummaryStandsForItsArticle() throws {
        let template = try PromptTemplate(job: .digest, parsing: Self.digest)
        let long = (1...60).map { "Sentence \($0) is here." }.joined(separator: " ")
        let summary = (1...20).map { "Point \($0) was made." }.joined(separator: " ")
        let articles = [
            Article(id: "1", title: "One", content: long), Article(id: "2", title: "Two", content: long),
        ]
        let prompt = DigestPrompt(
            section: section(articles), template: template, texts: ["2": summary],
            budget: TokenBudget(prompt: 500, article: 40, summary: 80),
            measure: { words($0.system) + words($0.userText) }, count: words)
        let made = try #require(prompt)
        #expect(made.shortened == 1)
        #expect(made.prompt.userText.contains("Sentence 10 is here.") && made.prompt.userText.contains(summary))
        #expect(!made.prompt.userText.contains("Sentence 11 is here."))
        // Where the prompt holds no more, both give way alike.
        let small = DigestPrompt(
            section: section(articles), template: template, texts: ["2": summary],
            budget: TokenBudget(prompt: 100, article: 40, summary: 80),
            measure: { words($0.system) + words($0.userText) }, count: words)
        let cut = try #require(small)
        #expect(cut.shortened == 2 && cut.stories.count == 2)
        #expect(words(cut.prompt.userText) <= 100 && cut.prompt.userText.contains("Point 10 was made."))
    }

    /// With three stories or more, the first sentence of each; fewer give more.
    @Test(arguments: [(1, 3), (2, 2), (3, 1), (5, 1)])
    func aParagraphIsMadeOfLeads(stories: Int, sentences: Int) throws {
        let template = try PromptTemplate(job: .digest, parsing: Self.digest)
        let text = "One is here. Two is here.\n\nThree is here. Four is here."
        let articles = (0..<stories).map { Article(id: "\($0)", title: "T", content: text) }
        let made = DigestPrompt(
            section: section(articles), template: template, budget: TokenBudget(prompt: 900, article: 100),
            measure: { words($0.userText) }, count: words)
        let parts = try #require(made?.prompt.user)
        let leads = ["One is here.", "One is here. Two is here.", "One is here. Two is here.\n\nThree is here."]
        #expect(parts.filter { $0.article != nil } == (0..<stories).map { .init(leads[sentences - 1], article: $0) })
        #expect(made?.prompt.userText.components(separatedBy: text).count == stories + 1)
    }

    /// A greeting or a caption at the front is read and not told.
    @Test func whatIsNoSentenceIsNotTold() throws {
        let template = try PromptTemplate(job: .digest, parsing: Self.digest)
        let articles = (0..<3).map {
            Article(id: "\($0)", title: "T", content: "Dear reader,\n\nOne is here. Two is here.")
        }
        let made = DigestPrompt(
            section: section(articles), template: template, budget: TokenBudget(prompt: 500, article: 100),
            measure: { words($0.userText) }, count: words)
        #expect(
            made?.prompt.user.filter { $0.article != nil } == (0..<3).map { .init("One is here.", article: $0) })
        #expect(made?.prompt.userText.contains("Dear reader,") == true)
    }

    /// A bare title is in the prompt and is not what a digest is made of.
    @Test func aTitleAloneIsNoSource() throws {
        let template = try PromptTemplate(job: .digest, parsing: Self.digest)
        let articles = [Article(id: "1", title: "Only a title"), Article(id: "2", title: "T", summary: "A teaser.")]
        let made = DigestPrompt(
            section: section(articles), template: template, budget: TokenBudget(prompt: 500, article: 100),
            measure: { words($0.userText) }, count: words)
        #expect(made?.prompt.userText.contains("Only a title ()\nOnly a title") == true)
        #expect(made?.prompt.user.filter { $0.article != nil } == [.init("A teaser.", article: 1)])
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

    @Test func longTextsAreShortenedAlikeAndThenArticlesDropped() throws {
        let template = try PromptTemplate(job: .digest, parsing: Self.digest)
        let long = Array(repeating: "Ten words are in this one sentence and no more.", count: 20).joined(separator: " ")
        let articles = (0..<4).map { Article(id: "\($0)", title: "T", content: long) }
        func make(_ prompt: Int) -> DigestPrompt? {
            DigestPrompt(
                section: section(articles), template: template, budget: TokenBudget(prompt: prompt, article: 200),
                measure: { words($0.system) + words($0.userText) }, count: words)
        }
        let all = try #require(make(1000))
        #expect(all.stories.count == 4 && all.shortened == 0)
        let some = try #require(make(300))
        #expect(some.stories.count == 4 && some.shortened == 4 && some.omitted == 2)
        #expect(words(some.prompt.userText) + words(some.prompt.system) <= 300)
        let few = try #require(make(70))
        #expect(few.stories.count < 4 && few.omitted == 6 - few.stories.count)
        #expect(few.prompt.user.compactMap(\.article).count == few.stories.count)
        #expect(make(12) == nil)
    }

    @Test func aSummaryKeepsItsFront() throws {
        let template = try PromptTemplate(job: .summary, parsing: "# user\n{{title}} {{source}} {{text}}")
        let article = Article(
            id: "1", title: "T", content: (0..<100).map { "Sentence number \($0) ends." }.joined(separator: " "))
        func make(_ limit: Int) -> SummaryPrompt? {
            SummaryPrompt(
                article: article, template: template, limit: limit, measure: { words($0.userText) }, count: words)
        }
        #expect(make(1000)?.isShortened == false)
        let short = try #require(make(80))
        #expect(short.isShortened)
        #expect(short.prompt.userText.hasPrefix("T  Sentence number 0 ends."))
        #expect(short.prompt.userText.hasSuffix("ends."))
        #expect(words(short.prompt.userText) <= 80 && words(short.prompt.userText) > 60)
        #expect(make(20) == nil)
    }

    @Test func aTitleOfAHundredKilobytesIsClipped() throws {
        let template = try PromptTemplate(job: .summary, parsing: "# user\n{{title}}\n{{text}}")
        let article = Article(id: "1", title: String(repeating: "x", count: 100_000), content: "Short.")
        let prompt = SummaryPrompt(
            article: article, template: template, limit: 400, measure: { $0.userText.count }, count: { $0.count })
        let made = try #require(prompt)
        #expect(made.prompt.userText.count < 300)
    }
}
