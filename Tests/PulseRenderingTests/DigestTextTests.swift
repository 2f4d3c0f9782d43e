import Foundation
import PulseCore
import PulseRendering
import PulseTestSupport
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
            article: Article(id: "-", title: "", content: "x"), text: "It rained.", sentences: [], isShortened: false,
            language: .english, model: ModelIdentity(name: "m", sha256: nil), timing: Timing())
        #expect(SummaryText.render(bare, style: TextStyle()) == "It rained.\n")
    }

    /// However the model cuts its text, what is printed is the same.
    @Test(arguments: [nil, 24, 60], [1, 2, 3, 7, 1000])
    func piecesMakeTheSameText(width: Int?, size: Int) {
        let whole = Sample.digest.sections[0].text
        let style = TextStyle(width: width, timeZone: Sample.utc)
        var atOnce = DigestText(style: style, language: .english)
        var inPieces = DigestText(style: style, language: .english)
        var printed = ""
        var rest = whole[...]
        while !rest.isEmpty {
            printed += inPieces.text(String(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        let end = { (text: inout DigestText) in text.sectionEnd(omitted: 0) }
        #expect(printed + end(&inPieces) == atOnce.text(whole) + end(&atOnce))
    }

    @Test func withoutAWidthEveryWordIsPrintedAtOnce() {
        var text = DigestText(style: TextStyle(timeZone: Sample.utc), language: .english)
        #expect(text.text("The coun") == "The coun")
        #expect(text.text("cil ") == "cil")
        #expect(text.text("voted") == " voted")
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
        for line in text.split(separator: "\n") where !line.contains("Donaudampf") {
            #expect(line.reduce(0) { $0 + ($1.isASCII || "éÁã—…█▌".contains($1) ? 1 : 2) } <= width, "\(line)")
        }
    }
}
