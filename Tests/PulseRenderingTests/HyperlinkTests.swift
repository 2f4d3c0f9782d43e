import PulseCore
import PulseTestSupport
import Testing

@testable import PulseRendering

@Suite(.timeLimit(.minutes(20))) struct HyperlinkTests {
    private let style = TextStyle(hasLinks: true)

    private func target(_ url: String) -> String? {
        style.link("x", to: url, id: "ab12").split(separator: ";", maxSplits: 2).dropFirst(2).first
            .map { String($0.prefix { $0 != "\u{1b}" }) }
    }

    @Test func theSequence() {
        #expect(
            style.link("text", to: "https://a.example/b", id: "ab12")
                == "\u{1b}]8;id=ab12;https://a.example/b\u{1b}\\text\u{1b}]8;;\u{1b}\\")
    }

    /// What leads to a place is for `WebLink` to say; a terminal has its own limit.
    @Test func whatIsLinked() {
        #expect(target("https://www.herald.example/a?b=c&d=%20#e") == "https://www.herald.example/a?b=c&d=%20#e")
        #expect(target("https://例え.example/道") == "https://xn--r8jz45g.example/%E9%81%93")
        for url in ["javascript:alert(1)", "https://bank.example@evil.example/"] { #expect(target(url) == nil) }
        let longest = "https://a.example/" + String(repeating: "a", count: 2000 - 18)
        #expect(target(longest) == longest)
        #expect(target(longest + "a") == nil)
        #expect(target("https://a.example/" + String(repeating: "é", count: 500)) == nil)
    }

    /// Whatever a URL or an id holds, the sequence is two sequences with printable ASCII in them.
    @Test func noEscapeIsSmuggled() {
        let hostile =
            (0...0x9f).compactMap(Unicode.Scalar.init).map(String.init) + [
                "\u{1b}]8;;\u{1b}\\", "\u{7}", "\u{9c}", "\u{9d}8;;", "\r\n", "\u{202e}", "\u{1b}[2J", "\u{2028}",
                "\u{feff}", ";id=2;", "\u{e0041}", "\u{1b}P", "%1b%5c",
            ]
        for text in hostile {
            let around = style.link("x", to: "https://a.example/" + text + "xend", id: "a" + text + ";")
            #expect(
                around.hasPrefix("\u{1b}]8;id=a") && around.hasSuffix("end\u{1b}\\x\u{1b}]8;;\u{1b}\\"),
                "\(text.debugDescription)")
            let inside = around.dropFirst(2).dropLast("\u{1b}\\x\u{1b}]8;;\u{1b}\\".count)
            #expect(inside.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "\(text.debugDescription)")
            #expect(around.unicodeScalars.filter { $0 == "\u{1b}" }.count == 4)
        }
    }

    @Test func sourcesAreLinkedOnlyWhereTheyCanBe() {
        let linked = DigestText.render(
            Sample.digest, style: TextStyle(width: 60, isStyled: true, hasLinks: true, timeZone: Sample.utc))
        let plain = DigestText.render(Sample.digest, style: TextStyle(width: 60, isStyled: true, timeZone: Sample.utc))
        #expect(linked.contains(";https://www.herald.example/bridge?a=1&b=2\u{1b}\\The"))
        #expect(!plain.contains("\u{1b}]8"))
        // Without its links the text is the same.
        let bare = linked.replacing(/\e\]8;[^\e]*\e\\/, with: "")
        #expect(bare == plain)
    }

    /// No link leads where its article does not.
    @Test func everyLinkIsAnArticles() {
        let text = DigestText.render(
            HostileSample.digest(), style: TextStyle(width: 60, isStyled: true, hasLinks: true, timeZone: Sample.utc))
        let targets = Set(text.matches(of: /\e\]8;id=[a-z0-9]*;([^\e]*)/).map { String($0.output.1) })
        #expect(
            targets == [
                "https://herald.example/a?b=1&c=%22%3E%3Cscript%3E", "https://diario.example/ponte_(2026)",
                "https://akhbar.example/%D8%AE%D8%A8%D8%B1/1", "http://xn--bcher-kva.example/x%20y",
                "https://example.org/untitled", "https://long.example/", "http://long.example/?a=1&b=2",
            ])
    }
}
