import PulseCore
import PulseDigest
import Testing

/// Whatever comes is read as far as a bound, and ends.
@Suite(.timeLimit(.minutes(20))) struct HostileTests {
    private static let size = 3_000_000

    @Test(arguments: [
        "7", ".", "A", "A ", "1,", "a.", "\"", "“", "\n", "’t", "one hundred ", "e\u{301}", "\u{202e}", "%$",
    ])
    func megabytesOfOneThing(piece: String) {
        let text = String(repeating: piece, count: Self.size / piece.utf8.count)
        let article = Article(id: "1", title: text, content: text, source: text)
        let check = QuotationCheck([article, article, article])
        for sentence in ["Nobody was hurt in the fire.", String(text.prefix(590)), text + "."] {
            _ = check.verdict(on: sentence)
        }
        #expect(check.verdict(on: text) == .refused(.words))
        #expect(check.verdict(on: "Nobody was hurt in the fire.") == .refused(.words))
    }

    @Test func whatStandsBehindTheBoundIsNotRead() {
        let text = String(repeating: "The lake is full. ", count: 2_000) + "Nobody was hurt in the fire."
        #expect(!isHeld("Nobody was hurt in the fire.", by: text))
        #expect(isHeld("The lake is full.", by: text))
    }

    @Test func aNumberWithoutEndIsComparedToItsEnd() {
        let digits = String(repeating: "9", count: 400)
        #expect(!isHeld("The town has \(digits) trams.", by: "The town has \(digits)9 trams."))
        #expect(isHeld("The town has 1.2.3.4 of them.", by: "The town has 1.2.3.4 of them, today."))
        #expect(!isHeld("The town has 1.2.3.5 of them.", by: "The town has 1.2.3.4 of them, today."))
    }
}
