import PulseTestSupport
import PulseText
import Testing

/// Reading a text costs what its length is, whatever its shape.
@Suite(.timeLimit(.minutes(20))) struct GrowthTests {
    static let cases = repeated + ended + plain + markers + words + languages + streams

    static let repeated: [GrowthCase] = [
        ("ordinals", "Der 3. "), ("numbers", "3. "), ("initials", "J. "), ("abbreviations", "Dr. Mr. "),
        ("doubled initials", "EE. "), ("hyphens", "J.-"), ("titles", "г. "), ("dotted letters", "U.S. "),
        ("companies", "Sand Co. "), ("marks", "?! "), ("stops", "."), ("closers", ".\"”» "), ("guillemets", ". »"),
        ("open quotations", "“"), ("quotations of all kinds", " “‘«„「A."), ("quotations", "“A. B,” she. "),
        ("apostrophes", " ‘As’ b. "), ("lower case after a stop", "a. iOS "), ("white space after a stop", ".     "),
        ("no space", "a.b"), ("ideographs", "水。"), ("flags", "🇵🇹"), ("families", "👩\u{200d}"),
        ("marks on letters", "e\u{301}"), ("lines", "a\n"), ("words", "word "),
    ].map { shape in
        GrowthCase("sentences: \(shape.0)", pieces(shape.1)) { text in
            _ = Sentences.ranges(in: text)
            _ = Sentences.isClosed(text)
            _ = Sentences.isUnspaced(text)
        }
    }

    static let ended: [GrowthCase] = [
        ("a long word", "a", ". Then 3. "), ("flags before a stop", "🇵🇹", ". Then"), ("spaces", " ", "x. "),
        ("one long sentence", "word, ", "3. Mai"),
    ].map { shape in
        GrowthCase("sentences: \(shape.0)", { String(repeating: shape.1, count: $0) + shape.2 }) { text in
            _ = Sentences.ranges(in: text)
        }
    }

    static let plain: [GrowthCase] = [
        ("escape", "\u{1b}"), ("strings without an end", "\u{1b}]x"), ("sequences without an end", "\u{1b}[1;"),
        ("one-byte sequences", "\u{9b}1"), ("lines", "x\n"), ("blank lines", " \n\n"), ("flags", "🇵🇹"),
        ("families", "👩\u{200d}"), ("marks", "e\u{301}"), ("dropped", "\u{200b}a"), ("spaces", "  a"),
        ("wrapped lines", String(repeating: "word ", count: 14) + "word.\n"),
        ("divided words", "words are divi-\nded at any line's end-\n"),
        ("items", "- " + String(repeating: "word ", count: 14) + "\n"),
    ].map { shape in
        GrowthCase("plain text: \(shape.0)", pieces(shape.1)) { text in
            _ = PlainText.line(text, limit: 300, bytes: 1200)
            _ = PlainText.paragraphs(text)
            _ = PlainText.printable(text)
        }
    }

    static let markers: [GrowthCase] = [
        ("marks", "<|a|>"), ("open marks", "<|"), ("long names", "<|" + String(repeating: "a", count: 60)),
        ("[|", "[|"),
    ]
    .map { shape in GrowthCase("chat markers: \(shape.0)", pieces(shape.1)) { _ = ChatMarkers.removed(from: $0) } }

    static let words: [GrowthCase] = [
        ("numbers", "1,"), ("words", "Word "), ("flags", "🇵🇹,1"), ("apostrophes", "a'"), ("accents", "é,"),
    ].map { shape in
        GrowthCase("words: \(shape.0)", pieces(shape.1)) { text in
            _ = Words.all(in: text)
            _ = Words.facts(in: text)
            _ = Words.name(text)
        }
    }

    static let languages: [GrowthCase] = [
        ("quotation marks", "“"), ("letters", "ação"), ("words", "the de "), ("flags", "🇵🇹"),
    ].map { shape in
        GrowthCase("language: \(shape.0)", pieces(shape.1)) { _ = LanguageDetector.language(of: $0) }
    }

    static let streams: [GrowthCase] = [
        ("words", "word "), ("sentences", "One ends. "), ("ordinals", "Der 3. "), ("quotations", " “A. "),
    ].map { shape in
        GrowthCase("stream: \(shape.0)", pieces(shape.1)) { text in
            var stream = SentenceStream()
            _ = stream.add(text)
            _ = stream.finish()
        }
    }

    static func pieces(_ piece: String) -> @Sendable (Int) -> String { { String(repeating: piece, count: $0) } }

    @Test(arguments: cases) func costGrowsWithTheTextAndNoFaster(shape: GrowthCase) throws { try shape.check() }
}
