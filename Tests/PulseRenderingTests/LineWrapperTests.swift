import PulseTestSupport
import Testing

@testable import PulseRendering

@Suite(.timeLimit(.minutes(20))) struct LineWrapperTests {
    private func wrapped(_ text: String, _ width: Int?) -> String {
        var wrapper = LineWrapper(width: width)
        return wrapper.add(text) + wrapper.finish()
    }

    @Test(arguments: [
        ("one two three", 7, "one two\nthree\n"), ("one  two", 20, "one two\n"), ("", 7, ""), (" \n", 7, ""),
        // A wide character ends a word and begins one.
        ("東京で橋が完成した", 8, "東京で橋\nが完成し\nた\n"), ("abc東京", 7, "abc東京\n"), ("abc東京", 6, "abc東\n京\n"),
        ("東京 abcdef", 8, "東京\nabcdef\n"), ("東京abcdef", 8, "東京\nabcdef\n"),
        // No line begins with what closes, and none ends with what opens.
        ("東京で橋。", 8, "東京で\n橋。\n"), ("東京は「橋」と", 8, "東京は\n「橋」と\n"), ("東京 (橋) は", 7, "東京\n(橋) は\n"),
        ("東京 \"橋\" は", 6, "東京\n\"橋\"\nは\n"),
        // Words that belong together stay together, unless they are wider than the line.
        ("one two\u{a0}three", 10, "one\ntwo three\n"), ("ab cd\u{a0}efghijk", 6, "ab\ncd efg\nhijk\n"),
        ("東京 —\u{a0}東京", 8, "東京\n— 東京\n"),
        // A word that is wider than the line is cut.
        ("abcdefghijklmnop", 6, "abcdef\nghijkl\nmnop\n"), ("ab cdefghijk lm", 6, "ab\ncdefgh\nijk lm\n"),
        ("ภาษาไทยไม่มีช่องว่าง", 6, "ภาษาไท\nยไม่มีช่อ\nงว่าง\n"),
    ])
    func lines(text: String, width: Int, expected: String) { #expect(wrapped(text, width) == expected) }

    @Test func withoutAWidthNothingIsBroken() {
        #expect(wrapped("東京で橋が完成した。 " + String(repeating: "x", count: 500), nil).filter { $0 == "\n" }.count == 1)
    }

    /// What has come is shown but for the word that may go on.
    @Test func scriptsWithoutSpacesAreShownAsTheyCome() {
        var wrapper = LineWrapper(width: 24)
        #expect(wrapper.add("東京で橋が") == "東京で橋")
        #expect(wrapper.add("完成した。") == "が完成し")
        #expect(wrapper.finish() == "た。\n")
        var thai = LineWrapper(width: 10)
        #expect(
            thai.add(String(repeating: "ก", count: 25)) == String(repeating: "ก", count: 10) + "\n"
                + String(repeating: "ก", count: 10))
    }

    /// However the text is cut into pieces the lines are the same; none is too wide, and no character is lost.
    @Test(arguments: 0..<300)
    func textsAtRandom(seed: Int) {
        var random = SplitMix(seed: UInt64(seed))
        let pieces = [
            "a", "word", "donaudampfschifffahrt", " ", " ", "東", "京。", "「", "」", "(", ")", "\"", "é", "👩🏽‍🚀", "ก", "ー",
            "한글",
        ]
        let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in
            pieces.randomElement(using: &random) ?? ""
        }.joined()
        let width = Int.random(in: 8...30, using: &random)
        let whole = wrapped(text, width)
        var wrapper = LineWrapper(width: width)
        var printed = ""
        for character in text { printed += wrapper.add(String(character)) }
        #expect(printed + wrapper.finish() == whole, "\(text)")
        for line in whole.split(separator: "\n") { #expect(DisplayWidth.of(line) <= width, "\(line)") }
        #expect(whole.filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
    }
}
