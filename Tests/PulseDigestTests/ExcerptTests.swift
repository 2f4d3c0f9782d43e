import PulseCore
import PulseDigest
import Testing

@Suite(.timeLimit(.minutes(20))) struct ExcerptTests {
    private func words(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }

    @Test func aTextThatFitsIsWhole() {
        let excerpt = Excerpt(of: "One two. Three.\n\nFour.", tokens: 10, count: words)
        #expect(excerpt.text == "One two. Three.\n\nFour.")
        #expect(!excerpt.isShortened)
    }

    @Test(arguments: [(1, "One…"), (2, "One two."), (3, "One two. Three."), (4, "One two. Three.\n\nFour.")])
    func aTextIsCutAtASentence(tokens: Int, text: String) {
        let excerpt = Excerpt(of: "One two. Three.\n\nFour. Five.", tokens: tokens, count: words)
        #expect(excerpt.text == text)
        #expect(excerpt.isShortened)
    }

    @Test func aSentenceOfMegabytesIsCutAtAWord() {
        let long = String(repeating: "word ", count: 400_000)
        let excerpt = Excerpt(of: long, tokens: 7, count: words)
        #expect(excerpt.text == Array(repeating: "word", count: 7).joined(separator: " ") + "…")
        #expect(Excerpt(of: String(repeating: "x", count: 1_000_000), tokens: 0, count: words).text == "")
        #expect(Excerpt(of: "", tokens: 5, count: words) == Excerpt(of: " \n", tokens: 5, count: words))
    }

    @Test func aWordThatHasNoPlaceIsCut() {
        func bytes(_ text: String) -> Int { text.utf8.count }
        #expect(Excerpt(of: "abcdefghij klm. Next.", tokens: 8, count: bytes).text == "abcde…")
        #expect(Excerpt(of: "ábcdefghij", tokens: 3, count: bytes).text == "")
        #expect(Excerpt(of: "e\u{301}\u{301}\u{301}\u{301} word", tokens: 9, count: bytes).text == "e\u{301}\u{301}…")
        #expect(Excerpt(of: "One. Abcdefghij.", tokens: 8, count: bytes).text == "One.")
    }
}
