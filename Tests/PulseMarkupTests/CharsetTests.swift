import Foundation
import PulseText
import Testing

@testable import PulseMarkup

@Suite(.timeLimit(.minutes(2))) struct CharsetTests {
    /// A label of each encoding of the Encoding Standard, and a text with its bytes as Python's codecs write it.
    @Test(arguments: [
        ("csIBM866", "Паром идёт", "8fa0e0aeac20a8a4f1e2"),
        ("iso_8859-2:1987", "Žluťoučký kůň", "ae6c75bb6f75e86bfd206bf9f2"),
        ("latin3", "Ĉu ĝi ŝajnas", "c67520f86920fe616a6e6173"),
        ("l4", "Āžuolas ķīlis", "c0be756f6c617320f3ef6c6973"),
        ("cyrillic", "Паром идёт", "bfd0e0dedc20d8d4f1e2"),
        ("asmo-708", "العبارة", "c7e4d9c8c7d1c9"),
        ("sun_eu_greek", "Το πλοίο", "d4ef20f0ebefdfef"),
        ("iso-8859-8-i", "המעבורת", "e4eef2e1e5f8fa"),
        ("csISOLatin6", "Ægirs þing ŋ", "c66769727320fe696e6720bf"),
        ("iso885913", "Ąžuolas ūla", "c0fe756f6c617320fb6c61"),
        ("iso8859-14", "Ŵyn ŷd ṫ", "d0796e20fe6420f7"),
        ("csisolatin9", "Œuvre à 5 €", "bc7576726520e0203520a4"),
        ("iso-8859-16", "Știință €", "aa7469696efee320a4"),
        ("koi", "Паром идёт", "f0c1d2cfcd20c9c4a3d4"),
        ("koi8-u", "Їжак і ґава", "b7d6c1cb20a620adc1d7c1"),
        ("x-mac-roman", "Café “déjà” …", "4361668e20d2648e6a88d320c9"),
        ("iso-8859-11", "เรือเฟอร์รี่", "e0c3d7cde0bfcdc3ecc3d5e8"),
        ("x-cp1250", "Žluťoučký „kůň“", "8e6c759d6f75e86bfd20846bf9f293"),
        ("cp1251", "Паром «идёт»", "cfe0f0eeec20abe8e4b8f2bb"),
        ("iso_8859-1:1987", "Café “déjà” €", "436166e9209364e96ae0942080"),
        ("windows-1253", "Το πλοίο “€”", "d4ef20f0ebefdfef20938094"),
        ("latin5", "Şişli ığdır", "de69fe6c6920fdf064fd72"),
        ("cp1255", "המעבורת ₪", "e4eef2e1e5f8fa20a4"),
        ("x-cp1256", "العبارة پ", "c7e1dac8c7d1c92081"),
        ("windows-1257", "Ąžuolas „ūla“", "c0fe756f6c61732084fb6c6193"),
        ("x-cp1258", "Đà 5 ₫", "d0e0203520fe"),
        ("x-mac-cyrillic", "Паром идёт", "8fe0f0eeec20e8e4def2"),
        ("gb2312", "渡轮重新启航 €", "b6c9c2d6d6d8d0c2c6f4babd20a2e3"),
        ("x-x-big5", "渡輪重新啟航嘅", "b4e7bdfcadabb773b1d2afe89def"),
        ("cseucpkdfmtjapanese", "フェリーが再び出航", "a5d5a5a7a5eaa1bca4acbac6a4d3bdd0b9d2"),
        ("csISO2022JP", "フェリーが再び出航", "1b244225552527256a213c242c3a4624533d5039521b2842"),
        ("ms_kanji", "フェリーが再び出航①～", "83748346838a815b82aa8dc482d18f6f8d7187408160"),
        ("ks_c_5601-1987", "연락선이 똠방각하", "bfacb6f4bcb1c0cc208c63b9e6b0a2c7cf"),
    ])
    func everyEncodingIsRead(label: String, text: String, hexadecimal: String) throws {
        let digits = Array(hexadecimal)
        let bytes = try (0..<digits.count / 2).map {
            try #require(UInt8(String(digits[2 * $0...2 * $0 + 1]), radix: 16))
        }
        #expect(Charset.decode(Data(bytes), named: [label]) == text)
    }

    /// iconv(3) knows each name, and the labels are those of the standard.
    @Test func everyLabelHasAnEncoding() {
        let lists = EmbeddedLists.words(PackageResources.charsets_txt)
        #expect(lists.values.reduce(0) { $0 + $1.count } == 228)
        for (names, labels) in lists where names != "replacement" && !names.hasPrefix("UTF") {
            for label in labels {
                // In most encodings it is a letter, and in none of them what windows-1252 makes of it.
                let bytes = names == "ISO-2022-JP" ? Data("\u{1b}$B!!\u{1b}(B".utf8) : Data([0x41, 0xa4, 0xa1, 0x41])
                let text = Charset.decode(bytes, named: [label])
                #expect(text.first == (names == "ISO-2022-JP" ? "\u{3000}" : "A"), "\(label)")
                if !["CP1252", "CP1254", "CP1258"].contains(names) { #expect(text != "A¤¡A", "\(label)") }
            }
        }
    }

    /// The labels where publishers put them, with what they put around them.
    @Test(arguments: [
        "text/xml; charset=koi8-r", "text/xml;CHARSET = \"KOI8-R\"", "text/xml; charset=' koi8-r '; x=y",
        "text/html; charset= koi8-r",
    ])
    func theLabelOfAHeader(header: String) {
        #expect(Charset.decode(Data([0xf0, 0xc1, 0xd2]), named: [Charset.name(in: header)]) == "Пар")
    }

    @Test(arguments: [
        "<?xml version='1.0' encoding = 'iso_8859-5:1988'?>", "<?xml version=\"1.0\" encoding=\" ISO-8859-5 \"?>",
    ])
    func theLabelOfADeclaration(xml: String) {
        #expect(Charset.decode(Data([0xbf]), named: [Charset.name(inXML: Data(xml.utf8))]) == "П")
    }

    @Test(arguments: [
        "<meta charset=windows-1251>", "<META http-equiv=Content-Type content='text/html; Charset=CP1251'>",
        "<script charset='koi8-r' src=x></script><meta name=x><meta charset = \"x-cp1251\" />",
    ])
    func theLabelOfAPage(head: String) {
        #expect(Charset.decode(page: Data(head.utf8) + [0xcf], contentType: nil).hasSuffix("П"))
    }

    /// What is no character becomes U+FFFD, or the control character that browsers take it for, and reading goes on.
    @Test(
        arguments: [
            ("euc-jp", [0xa5, 0xd5, 0xff, 0xa5, 0xa7], "フ\u{fffd}ェ"), ("big5", [0xff, 0x41, 0xb4, 0xe7], "\u{fffd}A渡"),
            ("euc-kr", [0xbf, 0xac, 0x80, 0x41], "연\u{fffd}A"), ("iso-8859-8", [0xe4, 0xa1, 0xee], "ה\u{fffd}מ"),
            ("windows-1252", [0x41, 0x81, 0xe9, 0x42], "A\u{81}éB"),
            ("windows-1251", [0xcf, 0xe0, 0x98, 0xe0], "Па\u{98}а"),
            ("shift_jis", [0x83, 0x74, 0xfd, 0x83, 0x46], "フ\u{fffd}ェ"),
        ] as [(String, [UInt8], String)])
    func whatIsInvalidLosesNothingElse(label: String, bytes: [UInt8], text: String) {
        #expect(Charset.decode(Data(bytes), named: [label]) == text)
    }

    /// Labels that programs write though the bytes are something else.
    @Test(arguments: ["utf-16", "utf-8", "windows-1251", "shift_jis", "iso-2022-kr", "nonsense", ""])
    func whatIsUTF8StaysUTF8(label: String) {
        #expect(Charset.decode(Data("Café déjà".utf8), named: [label]) == "Café déjà")
        #expect(Charset.decode(Data("Only ASCII ~\\".utf8), named: [label]) == "Only ASCII ~\\")
    }

    @Test func wideCharactersAreSeenByTheirZeros() {
        #expect(Charset.decode(Data([0x3c, 0, 0x1f, 0x04, 0, 0xd8, 0x3e, 0]), named: []) == "<П\u{fffd}>")
        #expect(Charset.decode(Data([0, 0x3c, 0x04, 0x1f]), named: ["utf-8"]) == "<П")
    }
}
