import PulseTestSupport
import Testing

@testable import PulseRendering

@Suite(.timeLimit(.minutes(20))) struct QuotedPrintableTests {
    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("a=b", "a=3Db"), ("é", "=C3=A9"), ("end \nnext\t", "end=20\nnext=09"),
        (".\n..x\na.b", "=2E\n=2E.x\na.b"), ("From me\nand From you", "=46rom me\nand From you"),
        ("\r\n\u{0}\u{7f}", "=0D\n=00=7F"), ("a b", "a b"), ("\n\n", "\n\n"),
    ])
    func encoding(text: String, encoded: String) { #expect(QuotedPrintable.encode(text) == encoded) }

    @Test func longLinesAreBrokenSoftly() {
        let encoded = QuotedPrintable.encode(String(repeating: "x", count: 3000))
        #expect(encoded.split(separator: "\n").allSatisfy { $0.count <= 76 })
        // A line of exactly the limit needs no break.
        let full = String(repeating: "x", count: 76)
        #expect(QuotedPrintable.encode(full) == full)
        #expect(QuotedPrintable.encode(full + "x") == full.dropLast() + "=\nxx")
    }

    /// Anything survives the way there and back, in lines that any server takes, and no character is cut in two.
    @Test(arguments: 0..<200)
    func everythingComesBack(seed: Int) throws {
        let text = RandomText.make(seed: seed, length: 400)
        let encoded = QuotedPrintable.encode(text)
        #expect(try MailDecoder.quotedPrintable(encoded) == Array(text.utf8))
        #expect(encoded.utf8.allSatisfy { $0 == 0x0a || $0 == 0x09 || (0x20..<0x7f).contains($0) })
        for line in encoded.split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(line.utf8.count <= 76)
            #expect(line.last.map { $0 != " " && $0 != "\t" } ?? true)
            #expect(!line.hasPrefix(".") && !line.hasPrefix("From "))
            let whole = try MailDecoder.quotedPrintable(String(line.hasSuffix("=") ? line.dropLast() : line))
            #expect(String(validating: whole, as: UTF8.self) != nil)
        }
    }
}
