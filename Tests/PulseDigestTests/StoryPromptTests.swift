import Foundation
import PulseCore
import PulseDigest
import Testing

@Suite(.timeLimit(.minutes(20))) struct StoryPromptTests {
    private static func template() throws -> PromptTemplate {
        try PromptTemplate(
            job: .digest,
            parsing: """
                # system
                Rules {{words}}.
                # user
                {{articles}}
                Write, of {{count}}.
                # article
                {{number}} {{title}} ({{source}}): {{text}}
                """, from: "digest.md")
    }

    private func words(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }

    private func prompt(
        _ readings: [Reading], limit: Int = 4000, _ language: Language = .english, _ length: StoryLength = .normal
    ) throws -> Prompt? {
        StoryPrompt(
            Digest.Entry(story: Story(readings), sentences: []), template: try Self.template(), language: language,
            length: length
        ).prompt(limit: limit, tokens: TokenCounter(count: words))
    }

    @Test func aPromptHoldsItsStorysReportsAndNothingElse() throws {
        let story = [
            Readings.make("a", title: "One", content: "First told. Second told.", source: "Herald"),
            Readings.make("b", title: "Two", content: "Third told.", source: "Post"),
        ]
        #expect(
            try prompt(story)
                == Prompt(
                    system: "Rules thirty.",
                    user: "1 One (Herald): First told. Second told.\n\n2 Two (Post): Third told.\nWrite, of 2."))
    }

    @Test(arguments: [
        (Language.english, StoryLength.short, "twenty"), (.english, .long, "fifty"), (.spanish, .normal, "treinta"),
        (.french, .normal, "trente"), (.portuguese, .short, "vinte"), (.europeanPortuguese, .long, "cinquenta"),
    ])
    func aPromptSaysHowLong(language: Language, length: StoryLength, words: String) throws {
        #expect(try prompt([Readings.make("a")], language, length)?.system == "Rules \(words).")
    }

    /// However many reports there are: somebody waits while they are read.
    @Test(arguments: [(1, [120]), (2, [72, 48]), (3, [72, 24, 24])])
    func theTextsOfAStoryShareTheTokens(count: Int, shares: [Int]) throws {
        let names = ["Ada", "Bob", "Cid"].prefix(count)
        let reports = names.map { name in
            let text = Array(repeating: "\(name) went home.", count: 80).joined(separator: " ")
            return Readings.make(name, title: "T", content: text, source: name)
        }
        let user = try #require(try prompt(reports)).user
        #expect(
            names.map { 3 * (user.split(separator: "\($0) went", omittingEmptySubsequences: false).count - 1) }
                == shares)
        #expect(try prompt(reports)?.isShortened == false)
    }

    @Test func threeReportsOfDifferentPublicationsAreRead() {
        let story = Story(
            zip(["a", "b", "c", "d", "e"], ["Herald", "Herald", "Post", "Wire", "Mail"]).map {
                Readings.make($0, source: $1)
            })
        #expect(StoryPrompt.reports(of: Digest.Entry(story: story, sentences: [])).map(\.id) == ["a", "c", "d"])
    }

    /// Of what is new in a story, only what is new is asked: by the report that tells it, and with what was told.
    @Test func anUpdateIsAskedForWhatIsNew() throws {
        let template = try PromptTemplate(
            job: .digest,
            parsing: "# user\n{{articles}}\n# update\n{{articles}}\nKnown: {{known}}\n# article\n{{text}}",
            from: "digest.md")
        let story = Story([
            Readings.make("a", title: "One", content: "First told.", source: "Herald"),
            Readings.make("b", title: "Two", content: "Second told.", source: "Post"),
        ])
        func user(_ update: Digest.Update?) -> String? {
            StoryPrompt(
                Digest.Entry(story: story, sentences: [], update: update), template: template, language: .english
            ).prompt(limit: 100, tokens: TokenCounter(count: words))?.user
        }
        let day = Day(Readings.now, in: .gmt)
        #expect(user(nil) == "First told.\n\nSecond told.")
        #expect(user(Digest.Update(day: day, number: 1, text: "It was told.")) == "First told.\nKnown: It was told.")
        #expect(user(Digest.Update(day: day, number: 1)) == "First told.")
    }

    /// Every field of a template is filled once: what an article says is never looked at again.
    @Test func anArticleIsNoTemplate() throws {
        let story = [Readings.make("a", title: "{{text}}", content: "Told {{title}}.\n\n# user", source: "{{count}}")]
        #expect(try prompt(story)?.user == "1 {{text}} ({{count}}): Told {{title}}.\n\n# user\nWrite, of 1.")
    }

    /// However little room there is: the texts are cut, then reports are left out, and then there is no prompt.
    @Test func aPromptIsNeverLargerThanItsLimit() throws {
        let long = Array(repeating: "Told again and again.", count: 200).joined(separator: " ")
        let story = ["a", "b", "c"].map { Readings.make($0, content: long, source: $0) }
        var sizes: [Int] = []
        for limit in stride(from: 1, through: 500, by: 7) {
            guard let prompt = try prompt(story, limit: limit) else { continue }
            #expect(words(prompt.system) + words(prompt.user) <= limit)
            sizes.append(words(prompt.user))
        }
        #expect(try prompt(story, limit: 10) == nil)
        #expect(try prompt(story)?.isShortened == false)
        let whole = try #require(try prompt(story).map { words($0.system) + words($0.user) })
        for limit in [whole - 1, whole / 2, whole / 3] { #expect(try prompt(story, limit: limit)?.isShortened == true) }
        #expect(sizes == sizes.sorted() && sizes.count > 50)
    }

    @Test func aSummaryReadsAsMuchAsFits() throws {
        let template = try PromptTemplate(job: .summary, parsing: "# user\n{{title}}: {{text}}", from: "summary.md")
        let article = Article(
            id: "a", title: "Dam", content: Array(repeating: "It rose.", count: 400).joined(separator: " "))
        func made(_ limit: Int) -> Prompt? {
            SummaryPrompt(article, template: template, language: .english)
                .prompt(limit: limit, tokens: TokenCounter(count: words))
        }
        #expect(made(2000)?.isShortened == false)
        #expect(try #require(made(100)).isShortened)
        #expect(words(try #require(made(100)).user) <= 100)
        #expect(made(5) == nil)
    }
}
