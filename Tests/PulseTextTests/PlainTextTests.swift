import PulseTestSupport
import Testing

@testable import PulseText

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

    @Test(arguments: [
        ("one two", 7, "one two"), ("one two", 6, "one t…"), ("one two", 5, "one…"), ("a\nb\u{1b}[1mc", 3, "a…"),
        ("👩‍👩‍👧👩‍👩‍👧", 2, "👩‍👩‍👧👩‍👩‍👧"), ("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 2, "👩‍👩‍👧…"), ("", 5, ""), ("word", 1, "…"),
    ])
    func frontsOfLines(text: String, limit: Int, line: String) { #expect(PlainText.line(text, limit: limit) == line) }

    @Test func noUnsafeScalarSurvives() {
        let all = (0...0x10ffff).compactMap(Unicode.Scalar.init)
        let text = String(String.UnicodeScalarView(all))
        for cleaned in [PlainText.line(text), PlainText.printable(text), PlainText.paragraphs(text)] {
            #expect(!cleaned.unicodeScalars.contains(where: PlainText.isUnsafe))
        }
    }

    // MARK: Marks

    /// By bytes and, behind an escape sequence, by scalars.
    @Test(arguments: ["", "\u{1b}[0m"])
    func aFloodOfMarksIsCut(escape: String) {
        let flood = String(repeating: "\u{336}", count: 50)
        let kept = String(repeating: "\u{336}", count: 6)
        func same(_ text: String, _ expected: String, _ tidy: (String) -> String) -> Bool {
            tidy(escape + text).unicodeScalars.elementsEqual(expected.unicodeScalars)
        }
        for tidy in [PlainText.line, PlainText.paragraphs] {
            #expect(same("Z" + flood, "Z" + kept, tidy))
            #expect(same("Z\(flood)a\(flood) b", "Z\(kept)a\(kept) b", tidy))
            // What is left out does not begin the count again, and what stands apart does.
            #expect(same("Z\(kept)\u{200b}\(flood)", "Z" + kept, tidy))
            #expect(same("Z\(flood) \(flood)", "Z\(kept) \(kept)", tidy))
            #expect(same("Z\(flood)\n\(flood)", "Z\(kept) \(kept)", tidy))
        }
    }

    /// Every mark there is counts as one.
    @Test func everyMarkCounts() {
        let marks = (0...0x10ffff).compactMap(Unicode.Scalar.init).filter {
            [.nonspacingMark, .enclosingMark].contains($0.properties.generalCategory)
        }
        let floods = marks.filter { mark in
            PlainText.line("Z" + String(String.UnicodeScalarView(repeatElement(mark, count: 20))))
                .unicodeScalars.count > 7
        }
        #expect(floods.isEmpty, "\(floods.prefix(20))")
    }

    // MARK: By bytes and by scalars

    /// Every scalar of the scripts, and of the other planes what is special, alone, between letters, and between line
    /// breaks: the two ways agree.
    @Test func theBytesSayWhatTheScalarsSay() {
        var differing: [UInt32] = []
        var values: [UInt32] = []
        for range: ClosedRange<UInt32> in [0...0x3100, 0xf900...0x100ff, 0xdfff0...0xe01ff] { values += range }
        for plane: UInt32 in 2...16 { values += (plane << 16 | 0xfffd)...(plane << 16 | 0xffff) }
        for scalar in values.compactMap(Unicode.Scalar.init) {
            for text in ["\(scalar)", "a\(scalar)b", "a\n\(scalar)\nb"] {
                let line = PlainTextBytes.line(text)
                let paragraphs = PlainTextBytes.paragraphs(text)
                // Only escape sequences are left to the scalars.
                let isLeft = scalar == "\u{1b}" || scalar == "\u{9b}"
                if isLeft != (line == nil) || isLeft != (paragraphs == nil)
                    || line ?? "" != (isLeft ? "" : PlainText.scalarLine(text))
                    || paragraphs ?? "" != (isLeft ? "" : PlainText.scalarParagraphs(text))
                {
                    differing.append(scalar.value)
                }
            }
        }
        #expect(differing.isEmpty, "\(differing.prefix(20))")
    }

    /// Texts at random out of what is hard: every kind of space and line break, what is dropped, and letters of every
    /// length.
    @Test func textsAtRandomAgree() {
        let pieces = [
            "a", "Word", "é", "水", "👩‍👩‍👧", " ", "  ", "\t", "\n", "\r\n", "\r", "\n\n", "\u{b}", "\u{c}", "\u{85}",
            "\u{2028}",
            "\u{2029}", "\u{a0}", "\u{3000}", "\u{200b}", "\u{202e}", "\u{feff}", "\u{0}", "\u{7f}", "\u{301}",
            "\u{ad}", "\u{e0041}",
            "\u{200d}", ".", "\u{2066}",
        ]
        var random = SplitMix(seed: 11)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...24, using: &random)
            // Half of the texts are mostly marks: enough of them in a row to be too many.
            let marks = random.next() & 1
            let text = (0..<count).map { _ in
                let isMark = marks == 1 && Int.random(in: 0..<4, using: &random) > 0
                return (isMark ? ["\u{301}", "\u{20dd}", "\u{200d}"] : pieces).randomElement(using: &random) ?? ""
            }.joined()
            #expect(PlainTextBytes.line(text) == PlainText.scalarLine(text), "\(text.debugDescription)")
            #expect(PlainTextBytes.paragraphs(text) == PlainText.scalarParagraphs(text), "\(text.debugDescription)")
        }
    }

    @Test func anEscapeSequenceGoesWhereverItStands() {
        let long = String(repeating: "word ", count: 500)
        #expect(PlainText.line(long + "\u{1b}[31mred") == long + "red")
        #expect(PlainText.paragraphs("a\n\n\u{9b}1mb\n" + long).hasPrefix("a\n\nb word"))
    }
}
