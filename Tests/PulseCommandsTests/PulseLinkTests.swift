import PulseCore
import Testing

@testable import PulseCommands

@Suite(.timeLimit(.minutes(10))) struct PulseLinkTests {
    @Test(arguments: [
        ("pulse://article?id=world/2024/jan/01/slug", "world/2024/jan/01/slug"),
        ("PULSE://ARTICLE?id=a%2Fb%20c", "a/b c"), ("pulse://article?x=1&id=abc", "abc"),
        ("https://example.com/?id=1", nil), ("abc123", nil), ("", nil),
    ])
    func links(text: String, id: String?) throws { #expect(try PulseLink.id(in: text) == id) }

    @Test(arguments: [
        "pulse://article", "pulse://article?id=", "pulse://feed?id=1", "pulse:article",
        "pulse://article?id=../../etc/passwd", "pulse://article?id=a/%2e%2e/b", "pulse://article?id=/etc/passwd",
        "pulse://article?id=a%5C..%5Cb", "pulse://article?id=a/./b", "pulse://article?id=a%0Ab",
        "pulse://article?id=%1B%5B0m",
    ])
    func whatLeadsElsewhereIsRefused(text: String) {
        #expect { try PulseLink.id(in: text) } throws: { ($0 as? PulseError)?.code == .badData }
    }
}
