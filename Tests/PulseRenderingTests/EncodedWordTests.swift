import PulseCore
import PulseTestSupport
import PulseText
import Testing

@testable import PulseRendering

@Suite(.timeLimit(.minutes(20))) struct EncodedWordTests {
    @Test func latinTextStaysReadable() {
        #expect(EncodedWord.words(for: "Olá, você") == ["=?utf-8?q?Ol=C3=A1=2C_voc=C3=AA?="])
        #expect(EncodedWord.words(for: "東京") == ["=?utf-8?b?5p2x5Lqs?="])
        #expect(EncodedWord.words(for: "") == [])
    }

    @Test(arguments: 0..<200)
    func everythingComesBack(seed: Int) throws {
        let text = RandomText.make(seed: seed, length: 120)
        let words = EncodedWord.words(for: text, room: 60)
        #expect(words.allSatisfy { $0.utf8.count <= 75 })
        #expect((words.first?.utf8.count ?? 0) <= 60)
        let decoded = try words.map(MailDecoder.encodedWord).joined()
        #expect(decoded.unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    /// A character of many code points stays whole where it fits into a word at all.
    @Test func noCharacterIsDivided() throws {
        let family = "👩🏽‍🚀"
        let words = EncodedWord.words(for: String(repeating: family, count: 20))
        for word in try words.map(MailDecoder.encodedWord) { #expect(word.allSatisfy { String($0) == family }) }
        let tower = "e" + String(repeating: "\u{301}", count: 100)
        let decoded = try EncodedWord.words(for: tower).map(MailDecoder.encodedWord).joined()
        #expect(decoded == tower)
    }

    @Test(arguments: 0..<200)
    func aFieldIsOneFieldWhateverItHolds(seed: Int) throws {
        let text = RandomText.make(seed: seed, length: 300)
        let field = HeaderField.text("Subject", text)
        let lines = field.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.last == "")
        for (index, line) in lines.dropLast().enumerated() {
            #expect(line.utf8.count <= 76)
            #expect(index == 0 ? line.hasPrefix("Subject:") : line.hasPrefix(" ") && line.count > 1)
            #expect(line.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
        }
        #expect(try MailDecoder.field(field).value == PlainText.line(text))
    }

    @Test(arguments: [
        ("Plain words", "Subject: Plain words\n"), ("", "Subject:\n"),
        ("=?utf-8?q?not_ours?=", "Subject: =?utf-8?q?=3D=3Futf-8=3Fq=3Fnot=5Fours=3F=3D?=\n"),
        ("a\r\nBcc: x@example.org", "Subject: a Bcc: x@example.org\n"), ("a\u{0}\u{85}b", "Subject: a b\n"),
    ])
    func fields(value: String, field: String) { #expect(HeaderField.text("Subject", value) == field) }

    /// RFC 2047, section 2: a line with an encoded word in it has 76 characters at most, the first one too.
    @Test(arguments: ["From", "To", "Reply-To"])
    func addressesStayWithinTheLine(name: String) throws {
        let people = [
            "Ångström " + String(repeating: "é", count: 60), String(repeating: "東京", count: 30), "Åsa", "Ana Lima",
        ]
        for count in 1...people.count {
            let addresses = try people.prefix(count).map { try MailAddress("\($0) <someone@example.org>") }
            let field = HeaderField.addresses(name, addresses)
            for line in field.split(separator: "\n") where line.contains("=?") {
                #expect(line.utf8.count <= 76, "\(line)")
            }
            let expected = addresses.map { "\($0.name) <\($0.address)>" }.joined(separator: ", ")
            #expect(try MailDecoder.field(field).value == expected)
        }
    }

    @Test func longPlainTextIsFoldedAtSpaces() {
        let field = HeaderField.text("Subject", String(repeating: "seven is ", count: 20))
        #expect(field.split(separator: "\n").allSatisfy { $0.count <= 76 && !$0.hasSuffix(" ") })
        #expect(!field.contains("=?"))
    }
}
