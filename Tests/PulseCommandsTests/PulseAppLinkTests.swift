import PulseCore
import PulseTestSupport
import Testing

@testable import PulseApp
@testable import PulseCommands

@Suite(.timeLimit(.minutes(20))) struct PulseAppLinkTests {
    @Test(arguments: [
        ("pulse://article?id=world/2024/jan/01/slug", "world/2024/jan/01/slug"),
        ("PULSE://ARTICLE?id=a%2Fb", "a/b"), ("pulse://article?x=1&id=abc", "abc"),
        ("pulse://article?id=\(String(repeating: "a", count: 512))", String(repeating: "a", count: 512)),
        ("https://example.com/?id=1", nil), ("abc123", nil), ("", nil),
    ])
    func links(text: String, id: String?) throws { #expect(try PulseAppLink.id(in: text) == id) }

    @Test(arguments: [
        ("pulse://feed", ["today"]), ("pulse://feed?x=1", ["today"]), ("pulse://bookmarks", ["bookmarks", "list"]),
        ("pulse://search?q=ferry%20accord", ["history", "search", "--", "ferry accord"]),
        ("pulse://search?q=--help", ["history", "search", "--", "--help"]),
        ("pulse://search?q=a%1B%5B0m%0Ab", ["history", "search", "--", "a b"]),
        ("pulse://category?name=science", ["today", "--category", "science"]), ("pulse://article?id=abc", nil),
    ])
    func whatTheyAreHere(text: String, arguments: [String]?) throws {
        let link = try #require(try PulseAppLink(text))
        #expect(link.arguments == arguments)
        guard let arguments else { return }
        #expect(try Parser(commands: Program.commands).parse(arguments).command != nil)
    }

    @Test(arguments: [
        "pulse://article", "pulse://article?id=", "pulse:article", "pulse://home", "pulse://settings",
        "pulse://media?type=video", "pulse://", "pulse://article?id=../../etc/passwd", "pulse://article?id=a/%2e%2e/b",
        "pulse://article?id=/etc/passwd", "pulse://article?id=a%5C..%5Cb", "pulse://article?id=a/./b",
        "pulse://article?id=a%0Ab", "pulse://article?id=%1B%5B0m", "pulse://article?id=a%20b",
        "pulse://article?id=\(String(repeating: "a", count: 513))", "pulse://search", "pulse://search?q=",
        "pulse://search?q=\(String(repeating: "a", count: 257))", "pulse://category",
    ])
    func whatMeansNothingIsRefused(text: String) {
        #expect {
            try PulseAppLink(text)
        } throws: { error in
            let error = error as? PulseError
            return error?.code == .badData && error?.message.contains("\u{1b}") == false
        }
    }

    @Test func whatIsNoArticleIsNoReference() throws {
        try fails(.badData) { try PulseAppLink.id(in: "pulse://feed") }
    }
}
