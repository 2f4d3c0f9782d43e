import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseRendering

/// The formats that come whole, letter by letter.
@Suite struct DocumentTests {
    @Test func digestGolden() throws {
        for (name, text) in [
            ("digest.md", DigestMarkdown.render(Sample.digest, timeZone: Sample.utc)),
            ("digest.html", DigestHTML.render(Sample.digest, timeZone: Sample.lisbon)),
            ("hostile.md", DigestMarkdown.render(HostileSample.digest(), timeZone: Sample.utc)),
            ("hostile.html", DigestHTML.render(HostileSample.digest(), timeZone: Sample.utc)),
        ] {
            #expect(try text == Golden.text(name, actual: text))
        }
    }

    @Test(arguments: Language.allCases)
    func mailGolden(language: Language) throws {
        let message = EmailMessage(
            HostileSample.digest(language), from: try MailAddress("pulse@box.example"),
            to: try MailAddress.list("Ana Lima <ana@example.org>, \"Öberg, Åsa\" <asa@bücher.example>"),
            timeZone: Sample.lisbon)
        #expect(try message.text == Golden.text("mail.\(language.rawValue).eml", actual: message.text))
    }

    @Test func summaryGolden() throws {
        let text = SummaryMarkdown.render(Sample.summary)
        #expect(try text == Golden.text("summary.md", actual: text))
        let piped = Summary(
            article: Article(id: "-", title: "", content: "x"), text: "1. It *rained*. # And on.",
            sentences: ["1. It *rained*.", "# And on."].map { Sentence(text: $0, sources: [], isGrounded: true) },
            isShortened: false, corrections: Corrections(replaced: 1), language: .english, foreignLanguage: "pt",
            model: ModelIdentity(name: "m", sha256: nil), timing: Timing())
        let notes = [Phrases(.english).corrected(1), Phrases(.english).summaryNotTranslated].joined(separator: " ")
        #expect(SummaryMarkdown.render(piped) == "1\\. It \\*rained\\*. \\# And on.\n\n\(notes)\n")
        let empty = Summary(
            article: Article(id: "-", title: "", content: "x"), text: "", sentences: [], isShortened: false,
            language: .english, model: ModelIdentity(name: "m", sha256: nil), timing: Timing())
        #expect(SummaryMarkdown.render(empty) == Phrases(.english).nothingWritten + "\n")
    }

    /// What the terminal shows, the page and the mail say: the same sentences with the same marks, and the same sources.
    @Test(arguments: Language.allCases)
    func everyFormatSaysTheSame(language: Language) throws {
        let digest = HostileSample.digest(language)
        let outline = DigestOutline(digest, timeZone: Sample.utc)
        let text = DigestText.render(digest, style: TextStyle(timeZone: Sample.utc))
        let letter = DigestLetter.render(outline)
        let page = plain(DigestHTML.render(digest, timeZone: Sample.utc))
        let markdown = DigestMarkdown.render(digest, timeZone: Sample.utc)
        for section in outline.sections {
            let paragraph = section.sentences.map { sentence in
                sentence.gap + [sentence.text, sentence.marks.joined()].filter { !$0.isEmpty }.joined(separator: " ")
            }.joined()
            #expect(text.contains("\n\(paragraph)\n"))
            #expect(letter.contains("\n\(paragraph)\n"))
            #expect(page.contains(paragraph))
            for source in section.entries.flatMap(\.all) {
                let name = source.link?.address ?? source.key
                #expect(letter.contains(name) && markdown.contains(name))
            }
            for entry in section.entries {
                #expect(letter.contains("\n[\(entry.number)] \(entry.source.title)"))
                #expect(page.contains(entry.source.title))
            }
        }
        for sentence in outline.opening + outline.closing.sentences {
            #expect(text.contains(sentence) && letter.contains(sentence) && page.contains(sentence))
        }
        let marks = letter.matches(of: /\[\?\]/).count
        #expect(marks > 1 && text.matches(of: /\[\?\]/).count == marks)
    }

    /// The words of a page.
    private func plain(_ page: String) -> String {
        page.replacing(/<style>[\s\S]*?<\/style>/, with: "").replacing(/<[^>]*>/, with: "")
            .replacing("&nbsp;", with: " ").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }

    @Test func theSubjectTellsTheLeadStory() throws {
        func subject(_ titles: [[String]]) throws -> String {
            let stories = titles.enumerated().map { index, titles in
                Story(
                    titles.enumerated().map {
                        Reading(
                            article: Article(id: "\(index)-\($0)", title: $1, category: Category("world")),
                            readAt: Sample.now, origin: "test")
                    })
            }
            let section = Digest.Section(
                category: Category("world"), text: "", sentences: [], stories: stories, omitted: 0, shortened: 0)
            let digest = Digest(
                date: Sample.now, period: Period(hours: 48, endingAt: Sample.now), language: .english,
                model: ModelIdentity(name: "m", sha256: nil), sections: [section],
                readings: stories.flatMap(\.readings), timing: Timing())
            return EmailMessage(
                digest, from: try MailAddress("a@b.org"), to: [try MailAddress("a@b.org")], timeZone: Sample.utc
            ).subject
        }
        #expect(try subject([["One"]]) == "Your digest, 21 November: 1 article, 1 topic. One")
        // The story that most sources tell.
        #expect(
            try subject([["One"], ["Two", "Two again"]]) == "Your digest, 21 November: 3 articles, 1 topic. Two again")
        let long = try subject([["The council, " + String(repeating: "again and again ", count: 20)]])
        #expect(long.hasSuffix(" again…") || long.hasSuffix(" and…"))
        #expect(long.count < 120)
        #expect(try subject([[String(repeating: "橋", count: 200)]]).hasSuffix("橋橋…"))
    }

    /// What the terminal says of a digest beside its sentences is said everywhere.
    @Test func whatWasMutedCorrectedAndNotTranslatedIsSaid() {
        let reading = Reading(
            article: Article(id: "1", title: "橋", content: "橋が完成。", category: Category("world")), readAt: Sample.now,
            origin: "test")
        let section = Digest.Section(
            category: Category("world"), text: "橋が完成。市長が祝辞。",
            sentences: ["橋が完成。", "市長が祝辞。", "End."].map {
                Sentence(text: $0, sources: $0 == "End." ? ["1"] : [], isGrounded: true)
            }, stories: [Story([reading])], omitted: 0, shortened: 0, corrections: Corrections(replaced: 1, dropped: 1),
            foreignLanguage: "ja")
        let digest = Digest(
            date: Sample.now, period: Period(hours: 48, endingAt: Sample.now), language: .english,
            model: ModelIdentity(name: "m", sha256: nil), sections: [section], readings: [reading], muted: 7,
            timing: Timing())
        let outline = DigestOutline(digest, timeZone: Sample.utc)
        let page = DigestHTML.render(digest, timeZone: Sample.utc)
        let phrases = Phrases(.english)
        #expect(page.contains("<p lang=\"ja\""))
        for text in [DigestLetter.render(outline), plain(page), DigestMarkdown.render(digest, timeZone: Sample.utc)] {
            // No space between sentences where the script has none.
            #expect(text.contains("橋が完成。市長が祝辞。End."))
            for said in [phrases.muted(7), phrases.corrected(2), phrases.notTranslated, "World, in Japanese"] {
                #expect(text.contains(said))
            }
        }
    }
}
