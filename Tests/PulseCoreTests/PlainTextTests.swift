import PulseCore
import Testing

@Suite struct PlainTextTests {
    @Test(arguments: [
        ("a\u{1b}[31mred\u{1b}[0m", "ared"), ("\u{1b}]0;title\u{7}text \u{1b}]8;;x\u{1b}\\y", "text y"),
        ("\u{1b}]never ended", "]never ended"), ("\u{1b}(Bx\u{1b}", "x"), ("\u{1b}[1\u{e9}", "[1é"), ("\u{1b}cx", "x"),
        ("title\r\nBcc: x", "title Bcc: x"),
        ("  two\t\tspaces \u{a0} ", "two spaces"),
        ("rtl\u{202e}evil\u{2066}", "rtlevil"),
        ("zero\u{200b}width\u{feff}", "zerowidth"),
        ("c1\u{9b}31m", "c1"),
        ("family 👩‍👩‍👧 stays", "family 👩‍👩‍👧 stays"),
        ("می\u{200c}خواهم", "می\u{200c}خواهم"),
        ("tag\u{e0041}", "tag"),
        ("", ""), ("\u{7}", ""),
    ])
    func lines(text: String, line: String) { #expect(PlainText.line(text) == line) }

    @Test func paragraphsAreTidied() {
        #expect(PlainText.paragraphs("one\ntwo\n\n\n three \r\n\r\nfour") == "one two\n\nthree\n\nfour")
        #expect(PlainText.paragraphs(" \n \n") == "")
    }

    @Test func printableKeepsLineFeedsAndText() {
        #expect(PlainText.printable("a\nb\u{1b}]0;x\u{7}c\u{202e}") == "a\nb]0;xc")
        #expect(PlainText.printable("plain é 水") == "plain é 水")
    }

    @Test func noUnsafeScalarSurvives() {
        let all = (0...0x10ffff).compactMap(Unicode.Scalar.init)
        let text = String(String.UnicodeScalarView(all))
        for cleaned in [PlainText.line(text), PlainText.printable(text), PlainText.paragraphs(text)] {
            #expect(!cleaned.unicodeScalars.contains(where: PlainText.isUnsafe))
        }
    }
}
