import PulseCore
import PulseTestSupport
import PulseText
import Testing

@testable import PulseRendering

/// The formats that come whole, letter by letter.
@Suite(.timeLimit(.minutes(20))) struct DocumentTests {
    @Test func digestGolden() throws {
        for (name, text) in [
            ("digest.md", DigestMarkdown.render(Sample.digest, timeZone: Sample.utc)),
            ("digest.html", DigestHTML.render(Sample.digest, timeZone: Sample.lisbon)),
            ("week.md", DigestMarkdown.render(Sample.week, timeZone: Sample.utc)),
            ("week.html", DigestHTML.render(Sample.week, timeZone: Sample.utc)),
            ("week.80.txt", DigestText.render(Sample.week, style: TextStyle(width: 80, timeZone: Sample.utc))),
            ("week.eml", try message(Sample.week).text), ("week.mail.txt", try message(Sample.week).plain),
            ("updates.md", DigestMarkdown.render(Sample.updates, timeZone: Sample.utc)),
            ("updates.80.txt", DigestText.render(Sample.updates, style: TextStyle(width: 80, timeZone: Sample.utc))),
            ("updates.mail.txt", try message(Sample.updates).plain),
            ("hostile.md", DigestMarkdown.render(HostileSample.digest(), timeZone: Sample.utc)),
            ("hostile.html", DigestHTML.render(HostileSample.digest(), timeZone: Sample.utc)),
        ] {
            #expect(try text == Golden.text(name, actual: text))
        }
    }

    private func message(_ digest: Digest) throws -> EmailMessage {
        EmailMessage(
            digest, from: try MailAddress("pulse@box.example"),
            to: try MailAddress.list("Ana Lima <ana@example.org>, \"Öberg, Åsa\" <asa@bücher.example>"),
            timeZone: Sample.lisbon)
    }

    @Test(arguments: Language.allCases)
    func mailGolden(language: Language) throws {
        let message = try message(LanguageSample(language).digest)
        #expect(try message.text == Golden.text("mail.\(language.rawValue).eml", actual: message.text))
        #expect(try message.plain == Golden.text("mail.\(language.rawValue).txt", actual: message.plain))
    }

    @Test func mailOfEverything() throws {
        let plain = try message(Sample.digest).plain
        #expect(try plain == Golden.text("mail.txt", actual: plain))
    }

    /// Whatever a story says, a message has the same fields, and its parts come back as they were.
    @Test func nothingBreaksOutOfAMessage() throws {
        let hostile = try message(HostileSample.digest())
        let parsed = try MailDecoder.message(hostile.text)
        let tame = try MailDecoder.message(try message(Sample.digest).text)
        #expect(parsed.fields.map(\.name) == tame.fields.map(\.name))
        #expect(!parsed.fields.contains { $0.name == "Bcc" })
        let parts = try MailDecoder.parts(parsed)
        #expect(parts.map(\.text) == [hostile.plain, hostile.html])
        #expect(!hostile.plain.unicodeScalars.contains { PlainText.isUnsafe($0) })
    }

    /// Since which day a story is new, and which day something was told on, in words.
    @Test(arguments: Language.allCases)
    func weekdays(language: Language) throws {
        let week = Sample.inLanguage(language, of: Sample.week)
        let updates = Sample.inLanguage(language, of: Sample.updates)
        let lines = [
            DigestText.render(updates, style: TextStyle(timeZone: Sample.utc)),
            DigestText.render(week, style: TextStyle(timeZone: Sample.utc)), try message(week).subject,
        ]
        let text = lines.joined(separator: "\n") + "\n"
        #expect(try text == Golden.text("week.\(language.rawValue).txt", actual: text))
    }

    /// What the terminal shows, the page, the mail and Markdown say: the same stories, the same sources.
    @Test(arguments: Language.allCases)
    func everyFormatSaysTheSame(language: Language) throws {
        for digest in [HostileSample.digest(language), LanguageSample(language, isWritten: true).digest] {
            let outline = DigestOutline(digest, timeZone: Sample.utc)
            let text = DigestText.render(digest, style: TextStyle(timeZone: Sample.utc))
            let letter = spaced(DigestLetter.render(outline))
            let page = spaced(plain(DigestHTML.render(digest, timeZone: Sample.utc)))
            let colon = spaced(language.phrases.colon)
            let markdown = DigestMarkdown.render(digest, timeZone: Sample.utc)
            for section in outline.sections {
                for said in [text, letter, page] {
                    #expect(said.contains(section.heading))
                    #expect(section.omitted.map { said.contains(spaced($0.text)) } ?? true)
                }
                #expect(section.omitted.map { markdown.contains($0.command) } ?? true)
                for entry in section.entries + section.titled {
                    #expect(text.contains("\(entry.number)  \(entry.wording.text)"))
                    #expect(letter.contains("\n\(entry.number). \(entry.wording.text)"))
                    #expect(page.contains(entry.wording.text))
                    #expect(markdown.contains("\n\(entry.number). \(MarkdownText.line(entry.wording.text))"))
                    for source in entry.sources {
                        #expect(text.contains(source.name) && page.contains(source.name))
                        #expect(markdown.contains(MarkdownText.line(source.name)))
                        guard let link = source.link else { continue }
                        #expect(markdown.contains(link.address))
                        if section.entries.contains(entry) {
                            #expect(letter.contains("\(source.name)\(colon) \(link.address)\n"))
                        }
                    }
                }
            }
            for sentence in outline.opening + outline.closing {
                for said in [text, letter, page] { #expect(said.contains(spaced(sentence))) }
                #expect(markdown.contains(MarkdownText.line(sentence)))
            }
        }
    }

    /// A terminal has no no-break spaces.
    private func spaced(_ text: String) -> String { text.replacing("\u{a0}", with: " ") }

    /// The words of a page.
    private func plain(_ page: String) -> String {
        page.replacing(/<style>[\s\S]*?<\/style>/, with: "").replacing(/<[^>]*>/, with: "")
            .replacing("&nbsp;", with: " ").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }

    @Test func theSubjectTellsTheFirstStory() throws {
        func subject(_ titles: [String]) throws -> String {
            let entries = titles.enumerated().map { index, title in
                let article = Article(id: "\(index)", title: title, category: Category("world"))
                return Sample.entry(Story([Reading(article: article, readAt: Sample.now, origin: "test")]))
            }
            let digest = Digest(
                date: Sample.now, period: Period(hours: 48, endingAt: Sample.now), language: .english,
                sections: [Digest.Section(heading: .category(Category("world")), entries: entries)])
            return EmailMessage(
                digest, from: try MailAddress("a@b.org"), to: [try MailAddress("a@b.org")], timeZone: Sample.utc
            ).subject
        }
        #expect(try subject(["One"]) == "Your digest, 21 November: 1 story. One")
        #expect(try subject(["Two", "One"]) == "Your digest, 21 November: 2 stories. Two")
        let long = try subject(["The council, " + String(repeating: "again and again ", count: 20)])
        #expect(long.hasSuffix(" again…") || long.hasSuffix(" and…"))
        #expect(long.count < 120)
        #expect(try subject([String(repeating: "橋", count: 200)]).hasSuffix("橋橋…"))
        #expect(try subject(["One\r\nBcc: eve@example.org"]).hasSuffix("One Bcc: eve@example.org"))
    }
}
