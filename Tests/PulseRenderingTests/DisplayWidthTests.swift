import Testing

@testable import PulseRendering

@Suite(.timeLimit(.minutes(20))) struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("한글", 4), ("🎉", 2), ("☀️", 2), ("☀", 1), ("ﬁ", 1),
        ("ｆ", 2), ("a\u{200d}", 1), ("👩🏽‍🚀", 6), ("हिन्दी", 5),
    ])
    func widths(text: String, columns: Int) { #expect(DisplayWidth.of(text) == columns) }

    @Test(arguments: [
        ("short", 9, "short"), ("exactly", 7, "exactly"), ("too long", 7, "too lo…"), ("cut here", 5, "cut…"),
        ("東京で橋", 5, "東京…"), ("東京で橋", 4, "東…"), ("", 3, ""),
    ])
    func clipping(text: String, columns: Int, clipped: String) {
        let result = DisplayWidth.clip(text, to: columns)
        #expect(result == clipped)
        #expect(DisplayWidth.of(result) <= columns)
    }
}
