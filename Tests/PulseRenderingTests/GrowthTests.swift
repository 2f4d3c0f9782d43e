import PulseTestSupport
import Testing

@testable import PulseRendering

/// What a text from outside may cost to be written: no more than its length.
@Suite(.timeLimit(.minutes(20))) struct GrowthTests {
    private static let shapes: [(String, @Sendable (Int) -> String)] = [
        ("words", { String(repeating: "word ", count: $0) }),
        ("one word", { String(repeating: "a", count: $0) }),
        ("digits and full stops", { String(repeating: "1", count: $0) + String(repeating: ".)", count: $0) }),
        ("hosts", { String(repeating: "www.", count: $0) }),
        ("addresses without end", { "https://" + String(repeating: "!", count: $0) }),
        ("brackets", { String(repeating: "[1", count: $0) }),
        ("backticks", { String(repeating: "`a", count: $0) }),
        ("marks on one letter", { "a" + String(repeating: "\u{301}", count: $0) }),
        ("ideographs", { String(repeating: "漢「", count: $0) }),
        ("emoji", { String(repeating: "👩\u{200d}", count: $0) }),
        ("no-break spaces", { String(repeating: "a\u{a0}", count: $0) }),
    ]

    private static let writers: [(String, @Sendable (String) -> Void)] = [
        ("Markdown", { _ = MarkdownText.line($0) }),
        ("code", { _ = MarkdownText.code($0) }),
        (
            "lines of 72",
            { text in
                var wrapper = LineWrapper(width: 72)
                _ = wrapper.add(text) + wrapper.finish()
            }
        ),
        ("clipped", { _ = DisplayWidth.clip($0, to: 1 << 20) }),
        ("header", { _ = HeaderField.text("Subject", $0) }),
        ("quoted-printable", { _ = QuotedPrintable.encode($0) }),
    ]

    static let cases = writers.flatMap { name, write in
        shapes.map { shape, make in GrowthCase("\(name) of \(shape)", to: 1 << 17, make, write) }
    }

    @Test(arguments: cases) func costGrowsWithTheInput(_ growth: GrowthCase) throws { try growth.check() }
}
