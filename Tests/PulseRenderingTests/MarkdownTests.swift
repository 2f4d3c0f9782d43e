import Foundation
import PulseCore
import Testing

@testable import PulseRendering

@Suite(.timeLimit(.minutes(20))) struct MarkdownTests {
    @Test(arguments: [
        ("plain, words. (here)", "plain, words. (here)"), ("1. one", "1\\. one"), ("12) one", "12\\) one"),
        ("in 2026. Then", "in 2026. Then"), ("- a - b", "\\- a - b"), ("+ a", "\\+ a"), ("=== a", "\\=\\== a"),
        ("a == b %%c%% 5% d^e^", "a \\== b \\%%c\\%% 5% d\\^e\\^"),
        ("# a #", "\\# a \\#"), ("> a", "\\> a"), ("a_b_*c*", "a\\_b\\_\\*c\\*"), ("[a](b)", "\\[a\\](b)"),
        ("`a`", "\\`a\\`"), ("a\\", "a\\\\"), ("<b>", "\\<b\\>"), ("AT&T &amp; & co", "AT\\&T \\&amp; & co"),
        ("a | b ~~c~~ $d$", "a \\| b \\~\\~c\\~\\~ \\$d\\$"), ("http://x.example", "http\\://x.example"),
        ("www.x.example", "www\\.x.example"), ("a@x.example", "a\\@x.example"), ("a\n# b\u{202e}", "a \\# b"),
    ])
    func escaping(text: String, markdown: String) { #expect(MarkdownText.line(text) == markdown) }

    @Test func addressesStayWhole() {
        let link = WebLink("https://example.org/a_(b)?c=1&copy;=2")
        #expect(MarkdownText.link("x", link) == "[x](<https://example.org/a_(b)?c=1\\&copy;=2>)")
        #expect(MarkdownText.link("x", nil) == "x")
    }

    /// Nobody would know of them otherwise, since a story is quoted once.
    @Test func theOtherReportsOfAStoryAreNamed() {
        func reading(_ title: String) -> Reading {
            let article = Article(id: title, title: title, content: "Text.", source: "Wire", publishedAt: .now)
            return Reading(article: article, readAt: .now, origin: "test")
        }
        let passage = Passage(
            reading: reading("One"), text: "Text.", score: 0.5, others: ["Two", "Three", "Four", "Five"].map(reading))
        let reply = Reply(question: "What?", passages: [passage], language: .english)
        let others = "Also: Two — Wire; Three — Wire; Four — Wire; 1 more article."
        let text = ReplyText(style: TextStyle(width: nil), language: .english).closing(reply)
        #expect(text.contains("\n    \(others)\n"))
        #expect(ReplyMarkdown.render(reply, timeZone: .gmt).contains("“Text.”\\\n   \(others)\n"))
    }

    @Test(arguments: [
        ("a --b 'c d'", "`a --b 'c d'`"), ("a `b` c", "``a `b` c``"), ("`a`", "`` `a` ``"),
        ("a ``` b", "````a ``` b````"), ("a\n# <b>", "`a # <b>`"),
    ])
    func code(text: String, markdown: String) { #expect(MarkdownText.code(text) == markdown) }
}
