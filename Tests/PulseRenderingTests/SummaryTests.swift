import PulseCore
import PulseTestSupport
import Testing

@testable import PulseRendering

/// One article, told in every format.
@Suite(.timeLimit(.minutes(20))) struct SummaryTests {
    @Test(arguments: [("summary", Sample.summary), ("summary.written", Sample.writtenSummary)])
    func golden(name: String, summary: Summary) throws {
        for (kind, text) in [
            ("txt", SummaryText.render(summary, style: TextStyle(width: 40, timeZone: Sample.utc))),
            ("md", SummaryMarkdown.render(summary)), ("json", SummaryJSON.render(summary)),
        ] {
            #expect(try text == Golden.text("\(name).\(kind)", actual: text))
        }
    }

    private func summary(
        _ texts: [String], language: Language = .english, model: String? = nil, refused: Int = 0
    ) -> Summary {
        Summary(
            article: Article(id: "-", title: "", content: "x"),
            sentences: texts.map { Sentence(text: $0, sources: ["-"], origin: model == nil ? .copied : .written) },
            language: language, model: model.map { ModelIdentity(name: $0, sha256: nil) }, refused: refused)
    }

    @Test func textFromAPipeHasNoHeading() {
        let bare = summary(["It rained.", "It stopped."])
        #expect(SummaryText.render(bare, style: TextStyle()) == "“It rained.” “It stopped.”\n")
        #expect(SummaryMarkdown.render(bare) == "“It rained.” “It stopped.”\n")
    }

    @Test func scriptsWithoutSpacesGetNone() {
        let text = SummaryText.render(summary(["東京で橋が完成した。", "市長が述べた。"]), style: TextStyle())
        #expect(text == "“東京で橋が完成した。”“市長が述べた。”\n")
    }

    @Test func markupIsText() {
        #expect(
            SummaryMarkdown.render(summary(["1. It *rained*.", "# And on."])) == "“1. It \\*rained\\*.” “\\# And on.”\n"
        )
        let text = SummaryText.render(summary(["It\u{1b}[2J rained.\n\n# Twice."]), style: TextStyle())
        #expect(text == "“It rained. # Twice.”\n")
    }

    @Test(arguments: Language.allCases)
    func whoseWordsTheseAreIsSaidInTheReadersLanguage(language: Language) {
        let phrases = language.phrases
        let written = summary(["It rained."], language: language, model: "a\u{1b}[1mb", refused: 1)
        for text in [SummaryText.render(written, style: TextStyle()), SummaryMarkdown.render(written)] {
            let notes = "\(phrases.writtenBy("ab")) \(phrases.refused(1))"
            #expect(text.replacing("\u{a0}", with: " ") == "It rained.\n\n\(notes.replacing("\u{a0}", with: " "))\n")
        }
        let empty = summary([], language: language)
        #expect(SummaryText.render(empty, style: TextStyle()) == phrases.noSummary + "\n")
        #expect(SummaryMarkdown.render(empty) == phrases.noSummary + "\n")
    }
}
