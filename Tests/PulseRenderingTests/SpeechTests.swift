import PulseCore
import PulseTestSupport
import Testing

@testable import PulseRendering

/// What is read aloud, and what is handed on in a line or two.
@Suite(.timeLimit(.minutes(20))) struct SpeechTests {
    @Test func golden() throws {
        for (name, speech) in [
            ("digest.speech.txt", SpeechText(Sample.digest, timeZone: Sample.utc)),
            ("digest.written.speech.txt", SpeechText(Sample.written, timeZone: Sample.utc)),
            ("hostile.speech.txt", SpeechText(HostileSample.digest(), timeZone: Sample.utc)),
            ("summary.speech.txt", SpeechText(Sample.writtenSummary)),
        ] {
            #expect(try speech.text == Golden.text(name, actual: speech.text))
        }
    }

    @Test(arguments: Language.allCases)
    func goldenOfEachLanguage(language: Language) throws {
        let speech = SpeechText(LanguageSample(language, isWritten: true).digest, timeZone: Sample.utc)
        let text = speech.paragraphs.map { "\($0.language)\t\($0.text)\n" }.joined()
        #expect(try text == Golden.text("digest.\(language.rawValue).speech.txt", actual: text))
    }

    @Test(arguments: [
        ("It rained [1], and stopped [23].", "It rained, and stopped."),
        ("See https://x.example/a?b=c, or www.x.example.", "See, or."), ("A title", "A title."),
        ("Said [the council], so {it} is", "Said the council, so it is."), ("Is it? (https://x.example/a)", "Is it?"),
        ("┌──┐ It rained ▌", "It rained."), ("[[volm 1]] loud", "volm 1 loud."), ("• *One* → two:", "One two."),
        ("“It rained.”", "“It rained.”"), ("東京で橋が完成した。", "東京で橋が完成した。"),
        ("Un mot : deux ; trois", "Un mot : deux ; trois."), ("It\u{1b}[2J rained\n\nagain.", "It rained again."),
        ("!-!-!QUIT now.", "! ! !QUIT now."),
    ])
    func onlyWordsAreSpoken(text: String, spoken: String) {
        let summary = Summary(
            article: Article(id: "-", title: "", content: text),
            sentences: [Sentence(text: text, sources: ["-"], origin: .copied)], language: .english)
        #expect(SpeechText(summary).text == spoken + "\n")
    }

    /// Every paragraph is a whole sentence on one line, with a language to say it in.
    @Test(arguments: Language.allCases)
    func nothingIsForTheEye(language: Language) {
        for digest in [HostileSample.digest(language), LanguageSample(language).digest] {
            let speech = SpeechText(digest, timeZone: Sample.utc)
            for paragraph in speech.paragraphs {
                #expect(!paragraph.text.contains { "\n[]<>|│─█".contains($0) } && !paragraph.text.contains("://"))
                #expect(!paragraph.text.contains("pulse-digest history"))
                #expect(paragraph.text.last.map { ".!?…。”\"»)".contains($0) } == true, "\(paragraph.text.suffix(20))")
                #expect(!paragraph.language.isEmpty)
            }
            #expect(speech.paragraphs[0].language == language.rawValue)
        }
    }

    // MARK: - Handed on

    private func article(_ title: String, source: String, url: String?) -> Article {
        Article(id: "1", url: url, title: title, content: "Text.", source: source)
    }

    @Test func anArticleIsHandedOnInTwoLines() {
        let whole = article("A *title*", source: "The [Herald]", url: "https://a.example/b")
        #expect(ShareText.render(whole) == "A *title* — The [Herald]\nhttps://a.example/b\n")
        #expect(ShareText.markdown(whole) == "[A \\*title\\* — The \\[Herald\\]](<https://a.example/b>)\n")
        let bare = article("A title", source: "", url: nil)
        #expect(ShareText.render(bare) == "A title\n" && ShareText.markdown(bare) == "A title\n")
        let hostile = article("A\u{1b}[31m\r\ntitle", source: "S\nT", url: "javascript:alert(1)")
        #expect(ShareText.render(hostile) == "A title — S T\n")
    }
}
