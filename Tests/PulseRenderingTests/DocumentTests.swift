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
            article: Article(id: "-", title: "", content: "x"), text: "1. It *rained*.\n\n# And on", sentences: [],
            isShortened: false, language: .english, model: ModelIdentity(name: "m", sha256: nil), timing: Timing())
        #expect(SummaryMarkdown.render(piped) == "1\\. It \\*rained\\*.\n\n\\# And on\n")
    }
}
