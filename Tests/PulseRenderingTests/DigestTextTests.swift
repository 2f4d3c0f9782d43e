import Foundation
import PulseCore
import PulseRendering
import PulseTestSupport
import PulseText
import Testing

@Suite struct DigestTextTests {
    @Test(arguments: [
        ("digest.txt", TextStyle(timeZone: Sample.utc)),
        ("digest.terminal.txt", TextStyle(width: 60, isStyled: true, timeZone: Sample.lisbon)),
        ("digest.narrow.txt", TextStyle(width: 1, timeZone: Sample.utc)),
    ])
    func golden(name: String, style: TextStyle) throws {
        let text = DigestText.render(Sample.digest, style: style)
        #expect(try text == Golden.text(name, actual: text))
    }

    @Test func summaryGolden() throws {
        let text = SummaryText.render(Sample.summary, style: TextStyle(width: 40, timeZone: Sample.utc))
        #expect(try text == Golden.text("summary.txt", actual: text))
    }

    @Test func textFromAPipeHasNoHeading() {
        let bare = Summary(
            article: Article(id: "-", title: "", content: "x"), text: "It rained.",
            sentences: [Sentence(text: "It rained.", sources: ["-"], isGrounded: true)], isShortened: false,
            language: .english, model: ModelIdentity(name: "m", sha256: nil), timing: Timing())
        #expect(SummaryText.render(bare, style: TextStyle()) == "It rained.\n")
    }

    /// What is printed sentence by sentence is what is printed at once.
    @Test(arguments: [nil, 24, 60])
    func sentencesMakeTheSameText(width: Int?) {
        let style = TextStyle(width: width, timeZone: Sample.utc)
        var text = DigestText(style: style, language: .english)
        let section = Sample.digest.sections[0]
        var printed = text.sectionHeading(section.category, stories: section.stories)
        for sentence in section.sentences { printed += text.sentence(sentence) }
        printed += text.sectionEnd(omitted: section.omitted)
        #expect(DigestText.render(Sample.digest, style: style).contains(printed))
    }

    @Test func aSentenceIsPrintedWithItsNumbersAtOnce() {
        var text = DigestText(style: TextStyle(timeZone: Sample.utc), language: .english)
        _ = text.sectionHeading(Category("world"), stories: Sample.digest.sections[0].stories)
        #expect(text.sentence(Sample.digest.sections[0].sentences[0]).hasSuffix("the bridge. [1]"))
        #expect(text.sentence(Sentence(text: "It rained.", sources: [], isGrounded: true)) == " It rained.")
    }

    @Test func scriptsWithoutSpacesGetNone() {
        var text = DigestText(style: TextStyle(timeZone: Sample.utc), language: .english)
        let sentences = ["東京で橋が完成した。", "市長が述べた。"].map { Sentence(text: $0, sources: [], isGrounded: true) }
        #expect(text.sentence(sentences[0]) + text.sentence(sentences[1]) == "東京で橋が完成した。市長が述べた。")
    }

    @Test func nothingUnsafeIsPrinted() {
        for style in [TextStyle(timeZone: Sample.utc), TextStyle(width: 50, timeZone: Sample.utc)] {
            let text = DigestText.render(Sample.digest, style: style)
            #expect(!text.unicodeScalars.contains { PlainText.isUnsafe($0) })
        }
    }

    @Test(arguments: [24, 40, 60, 88])
    func noLineIsWiderThanTheTerminal(width: Int) {
        let text = DigestText.render(Sample.digest, style: TextStyle(width: width, timeZone: Sample.utc))
        // Wide characters take two columns; those that only look so here are bounded from above.
        for line in text.split(separator: "\n") {
            #expect(line.reduce(0) { $0 + ($1.isASCII || "äéÁã—…█▌".contains($1) ? 1 : 2) } <= width, "\(line)")
        }
    }
}
