import PulseTestSupport
import Testing

@testable import PulseText

@Suite(.timeLimit(.minutes(20))) struct PlainTextTests {
    @Test(arguments: [
        ("a\u{1b}[31mred\u{1b}[0m", "ared"), ("\u{1b}]0;title\u{7}text \u{1b}]8;;x\u{1b}\\y", "text y"),
        ("\u{1b}]never ended", "]never ended"), ("\u{1b}(Bx\u{1b}", "x"), ("\u{1b}[1\u{e9}", "[1é"), ("\u{1b}cx", "x"),
        ("title\r\nBcc: x", "title Bcc: x"), ("  two\t\tspaces \u{a0} ", "two spaces"),
        ("rtl\u{202e}evil\u{2066}", "rtlevil"), ("zero\u{200b}width\u{feff}", "zerowidth"), ("c1\u{9b}31m", "c1"),
        ("family 👩‍👩‍👧 stays", "family 👩‍👩‍👧 stays"), ("می\u{200c}خواهم", "می\u{200c}خواهم"), ("tag\u{e0041}", "tag"),
        ("", ""), ("\u{7}", ""),
    ])
    func lines(text: String, line: String) { #expect(PlainText.line(text) == line) }

    @Test func paragraphsAreTidied() {
        #expect(PlainText.paragraphs("one\ntwo\n\n\n three \r\n\r\nfour") == "one\n\ntwo\n\nthree\n\nfour")
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
            #expect(same("Z\(flood)\t\(flood)", "Z\(kept) \(kept)", tidy))
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

    // MARK: Every scalar

    /// Every scalar is kept, dropped or a space, as `PlainText` says, alone, between letters and between line breaks.
    @Test func everyScalarIsSorted() {
        var differing: [UInt32] = []
        var values: [UInt32] = []
        for range: ClosedRange<UInt32> in [0...0x3100, 0xf900...0x100ff, 0xdfff0...0xe01ff] { values += range }
        for plane: UInt32 in 2...16 { values += (plane << 16 | 0xfffd)...(plane << 16 | 0xffff) }
        for scalar in values.compactMap(Unicode.Scalar.init) where scalar != "\u{1b}" && scalar != "\u{9b}" {
            let isSpace = scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
            let isDropped = !isSpace && PlainText.isDropped(scalar)
            let character = isSpace || isDropped ? "" : String(scalar)
            let isBreak = isSpace && Character(scalar).isNewline
            let gap = isDropped ? "" : isBreak ? "\n\n" : " "
            let parted = character.isEmpty ? "a\n\nb" : "a\n\n\(character)\n\nb"
            if PlainText.line("\(scalar)") != character
                || PlainText.line("a\(scalar)b") != (isSpace ? "a b" : "a\(character)b")
                || PlainText.paragraphs("a\(scalar)b") != (isSpace ? "a\(gap)b" : "a\(character)b")
                || PlainText.paragraphs("a\n\n\(scalar)\n\nb") != parted
            {
                differing.append(scalar.value)
            }
        }
        #expect(differing.isEmpty, "\(differing.prefix(20))")
    }

    /// Texts at random out of what is hard: what is tidy stays as it is, whatever the text was.
    @Test func tidyingTwiceIsTidyingOnce() {
        let pieces = [
            "a", "Word", "é", "水", "👩‍👩‍👧", " ", "  ", "\t", "\n", "\r\n", "\r", "\n\n", "\u{b}", "\u{c}", "\u{85}",
            "\u{2028}", "\u{a0}", "\u{3000}", "\u{200b}", "\u{202e}", "\u{feff}", "\u{0}", "\u{7f}", "\u{301}",
            "\u{ad}", "\u{e0041}", "\u{200d}", ".", "\u{2066}", "\u{1b}[1m",
        ]
        var random = SplitMix(seed: 11)
        for _ in 0..<10_000 {
            let count = Int.random(in: 0...40, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let (line, paragraphs) = (PlainText.line(text), PlainText.paragraphs(text))
            #expect(PlainText.line(line) == line && !line.contains("  "), "\(text.debugDescription)")
            #expect(PlainText.paragraphs(paragraphs) == paragraphs, "\(text.debugDescription)")
            #expect(PlainText.line(paragraphs) == line, "\(text.debugDescription)")
        }
    }

    /// What a reader sees as one character is never a chain without end.
    @Test(arguments: [
        "👩\u{200d}", "\u{1f3fb}", "\u{1100}", "\u{915}\u{94d}", "\u{93e}", "\u{11a8}", "\u{1160}a\u{309}",
    ])
    func noCharacterIsEndless(piece: String) {
        let text = PlainText.line("word x" + String(repeating: piece, count: 5000) + " word")
        #expect(text.allSatisfy { $0.unicodeScalars.count <= 17 })
        #expect(text.hasPrefix("word ") && text.hasSuffix(" word"))
    }

    // MARK: Line breaks

    @Test func whatIsWrappedIsJoined() {
        let mail = """
            The ferry to Harnby sails again from Monday, after a repair that took
            three weeks and cost the harbour company some forty thousand crowns, Dr.
            Reis said on Friday.
            """
        #expect(!PlainText.paragraphs(mail).contains("\n"))
        let two = mail + "\nTickets cost four crowns, as before, and may be bought on board until\nthe month ends."
        #expect(PlainText.paragraphs(two).split(separator: "\n").map { $0.prefix(7) } == ["The fer", "Tickets"])
    }

    @Test(
        arguments: [
            "The ferry in the harbour of Harnby (left)\nThe ferry to Harnby sails again from Monday, after a long repair.",
            "colour\nmusic\nlooking things up when bored",
            "It rained.\nIt rained again, and the harbour of Harnby stood under water for a week.",
            "- The harbour of Harnby stood under water for a week.\n- The ferry sails again",
            String(repeating: "A paragraph of one line ", count: 9) + "\nand another one",
            // A poem, an address, headlines, sentences, a list and code.
            "Caminante, son tus huellas\nel camino y nada más;\ncaminante, no hay camino,\nse hace camino al andar.",
            "Ana Reis\nThe Harbour Company of Harnby\n12 Main St.\nHarnby AB1 2CD.",
            "Harbour festival from Friday\nMayor opens the new bridge\nStorm warning for the coast\nFerry costs more.",
            "The harbour stood under water.\nNobody was hurt in the town.\nThe ferry sails again on Monday.",
            "Shopping for the week in Marrow\n- eggs and bread and butter\n- a rope of forty metres.",
            "func main() {\nlet width = readLine() ?? \"\"\nprint(width.count + 12)\nreturn width.count * 2\n}",
        ])
    func partedLines(text: String) {
        #expect(PlainText.paragraphs(text).replacing("\n\n", with: "\n") == text.replacing(" \n", with: "\n"))
    }

    @Test(
        arguments: [
            """
            The old stone bridge at Marrow, which opened in 1950, closed on Friday after the river rose three metres \
            in a night. Engineers from the army said two of its five arches had shifted. The mayor said that repairs \
            will cost 4.2 million crowns.
            """,
            """
            Die alte Steinbrücke über die Marrow, die im Jahr 1950 eröffnet wurde, ist am Freitag für den gesamten \
            Verkehr geschlossen worden, nachdem der Fluss in einer Nacht um drei Meter gestiegen war. Die \
            Bürgermeisterin sagte, die Reparatur koste 4,2 Millionen Kronen.
            """,
        ], [28, 32, 36, 40, 44, 50, 72])
    func narrowLinesAreJoined(text: String, width: Int) {
        for measure in [{ $0.count }, { $0.utf8.count }] as [(String) -> Int] {
            var lines = [""]
            for word in text.split(separator: " ") {
                let line = lines[lines.count - 1]
                if line.isEmpty {
                    lines[lines.count - 1] = String(word)
                } else if measure("\(line) \(word)") <= width {
                    lines[lines.count - 1] = "\(line) \(word)"
                } else {
                    lines.append(String(word))
                }
            }
            // A line that happens to end with a sentence may end a paragraph.
            let paragraphs = PlainText.paragraphs(lines.joined(separator: "\n"))
            #expect(paragraphs.replacing("\n\n", with: " ") == text)
            #expect(paragraphs.split(separator: "\n").allSatisfy { $0.hasSuffix(".") }, "\(paragraphs)")
        }
    }

    @Test(
        arguments: [
            // A hyphen goes with the break, unless the text has the word with one.
            (
                "The bridge at Marrow closed on Fri-\nday after the river rose three me-\ntres, engi-\nneers said.",
                "The bridge at Marrow closed on Friday after the river rose three metres, engineers said."
            ),
            (
                "The well-known bridge and the well-\nknown arches of the UN-\nbacked plan closed.",
                "The well-known bridge and the well-known arches of the UN-backed plan closed."
            ),
            (
                "Der Verkehr in Harnby ruht auf allen Haupt-\nund Nebenstraßen.",
                "Der Verkehr in Harnby ruht auf allen Haupt- und Nebenstraßen."
            ),
            // Numbers within a sentence begin no list.
            (
                "The price of a ticket rose from 10\n- 12 crowns in a week, said the\nmayor of Marrow on Friday.",
                "The price of a ticket rose from 10 - 12 crowns in a week, said the mayor of Marrow on Friday."
            ),
            (
                "The council of Marrow voted in\n1990 and again in 1994 and in\n2026. It was a long debate.",
                "The council of Marrow voted in 1990 and again in 1994 and in 2026. It was a long debate."
            ),
            // Nor does a title end one.
            (
                "The council met Dr.\nAna Reis of St.\nArrel Hospital on Friday. It was a long debate.",
                "The council met Dr. Ana Reis of St. Arrel Hospital on Friday. It was a long debate."
            ),
        ])
    func whatIsWithinASentenceIsJoined(text: String, joined: String) { #expect(PlainText.paragraphs(text) == joined) }

    @Test func markupIsEscaped() {
        #expect(
            PlainText.escaped("<a title='\"'>1 & 2</a> \u{338}<\u{338}")
                == "&lt;a title=&#39;&quot;&#39;&gt;1 &amp; 2&lt;/a&gt; \u{338}&lt;\u{338}")
    }

    @Test func anEscapeSequenceGoesWhereverItStands() {
        let long = String(repeating: "word ", count: 500)
        #expect(PlainText.line(long + "\u{1b}[31mred") == long + "red")
        #expect(PlainText.paragraphs("a\n\n\u{9b}1mb\n" + long).hasPrefix("a\n\nb\n\nword"))
    }
}
