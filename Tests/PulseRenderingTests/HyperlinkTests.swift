import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseRendering

@Suite struct HyperlinkTests {
    private func target(_ url: String) -> String? {
        Hyperlink(url, id: "ab12")?.around("x").split(separator: ";", maxSplits: 2).dropFirst(2).first
            .map { String($0.prefix { $0 != "\u{1b}" }) }
    }

    @Test func theSequence() {
        #expect(
            Hyperlink("https://a.example/b", id: "ab12")?.around("text")
                == "\u{1b}]8;id=ab12;https://a.example/b\u{1b}\\text\u{1b}]8;;\u{1b}\\")
    }

    @Test(arguments: [
        ("https://www.herald.example/a?b=c&d=%20#e", "https://www.herald.example/a?b=c&d=%20#e"),
        ("HTTP://a.example/", "http://a.example/"), ("https://a.example:8080/x;y", "https://a.example:8080/x;y"),
        ("http://[::1]/x", "http://[::1]/x"), ("https://a.example/ção x", "https://a.example/%C3%A7%C3%A3o%20x"),
        ("https://例え.example/道", "https://%E4%BE%8B%E3%81%88.example/%E9%81%93"),
        ("https://a.example/<b>\"|^`{}\\", "https://a.example/%3Cb%3E%22%7C%5E%60%7B%7D%5C"),
    ])
    func whatIsLinked(url: String, expected: String) { #expect(target(url) == expected) }

    @Test(arguments: [
        "", "a", "file:///etc/passwd", "javascript:alert(1)", "ftp://a.example/", "https:a.example", "https://",
        "https:///x", "https://?x", "https://user@bank.example/", "https://bank.example@evil.example/", "//a.example",
        "https://bank.example:80@evil.example", "https://bank.example@\u{301}evil.example", " https://a.example",
        "https:// a.example", "https://\u{1b}[1m",
        "pulse://article?id=1", "https://" + String(repeating: "a", count: 2000),
        "https://a.example/" + String(repeating: "é", count: 500),
    ])
    func whatIsNot(url: String) { #expect(Hyperlink(url, id: "1") == nil, "\(url)") }

    /// Whatever a URL or an id holds, the sequence is two sequences with printable ASCII in them.
    @Test func noEscapeIsSmuggled() throws {
        let hostile =
            (0...0x9f).compactMap(Unicode.Scalar.init).map(String.init) + [
                "\u{1b}]8;;\u{1b}\\", "\u{7}", "\u{9c}", "\u{9d}8;;", "\r\n", "\u{202e}", "\u{1b}[2J", "\u{2028}",
                "\u{feff}", ";id=2;", "\u{e0041}", "\u{1b}P", "%1b%5c",
            ]
        for text in hostile {
            let link = try #require(Hyperlink("https://a.example/" + text + "end", id: "a" + text + ";"))
            let around = link.around("x")
            #expect(
                around.hasPrefix("\u{1b}]8;id=a") && around.hasSuffix("end\u{1b}\\x\u{1b}]8;;\u{1b}\\"),
                "\(text.debugDescription)")
            let inside = around.dropFirst(2).dropLast("\u{1b}\\x\u{1b}]8;;\u{1b}\\".count)
            #expect(inside.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "\(text.debugDescription)")
            #expect(around.unicodeScalars.filter { $0 == "\u{1b}" }.count == 4)
        }
    }

    @Test func titlesAreLinkedOnlyWhereTheyCanBe() {
        let linked = DigestText.render(
            Sample.digest, style: TextStyle(width: 60, isStyled: true, hasLinks: true, timeZone: Sample.utc))
        let plain = DigestText.render(Sample.digest, style: TextStyle(width: 60, isStyled: true, timeZone: Sample.utc))
        #expect(linked.contains("\u{1b}]8;id=8703686;https://www.herald.example/bridge?a=1&b=2\u{1b}\\Council votes"))
        #expect(!plain.contains("\u{1b}]8"))
        // Without its links the text is the same.
        let bare = linked.replacing(/\e\]8;[^\e]*\e\\/, with: "")
        #expect(bare == plain)
    }
}
