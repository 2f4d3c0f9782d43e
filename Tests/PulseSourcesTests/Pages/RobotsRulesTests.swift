import Foundation
import Testing

@testable import PulseSources

/// By RFC 9309, section 2.2 and its examples (5.1, 5.2).
@Suite(.timeLimit(.minutes(20))) struct RobotsRulesTests {
    @Test(arguments: [
        // Groups.
        ("", "/a", true), ("User-agent: *\nDisallow: /", "/a", false), ("User-agent: *\nDisallow:", "/a", true),
        ("User-agent: other\nDisallow: /", "/a", true), ("User-agent: pulse-digest\nDisallow: /", "/a", false),
        ("User-agent: Pulse-Digest/2.0\nDisallow: /", "/a", false), ("User-agent: pulse\nDisallow: /", "/a", true),
        ("User-agent: pulse-digest-x\nDisallow: /", "/a", true),
        ("User-agent: *\nDisallow: /\n\nUser-agent: pulse-digest\nDisallow: /b", "/a", true),
        ("User-agent: pulse-digest\nAllow: /\nUser-agent: *\nDisallow: /", "/a", true),
        ("User-agent: other\nUser-agent: pulse-digest\nDisallow: /", "/a", false),
        (
            "User-agent: pulse-digest\nDisallow: /b\nUser-agent: x\nDisallow: /\nUser-agent: pulse-digest\nDisallow: /a",
            "/a", false
        ),
        ("User-agent: pulse-digest\n\nUser-agent: *\nDisallow: /", "/a", false),
        ("Disallow: /\nUser-agent: *\nDisallow: /b", "/a", true),
        ("User-agent: pulse-digest\nCrawl-delay: 2\nUser-agent: *\nDisallow: /", "/a", true),
        // Case, characters, lines.
        ("USER-AGENT: *\r\nDISALLOW: /a\r\n", "/a", false), ("User-agent: *\rDisallow: /a", "/a", false),
        ("\u{feff}User-agent: *\nDisallow: /a", "/a", false), ("User-agent: * # all\nDisallow: /a # this", "/a", false),
        (" User-agent :*\n Disallow :/a", "/a", false),
    ])
    func whatMayBeFetched(file: String, path: String, allows: Bool) {
        #expect(RobotsRules(Data(file.utf8)).allows(path) == allows)
    }

    @Test(arguments: [
        // The longest match, and of equals the one that allows.
        ("Disallow: /a\nAllow: /a/b", "/a/b/c", true), ("Allow: /a/b\nDisallow: /a", "/a/c", false),
        ("Disallow: /a\nAllow: /a", "/a", true), ("Allow: /a\nDisallow: /a", "/a", true),
        ("Allow: /p\nDisallow: /", "/page", true), ("Allow: /page\nDisallow: /*.htm", "/page.htm", false),
        // Wildcards.
        ("Disallow: *.gif$", "/x/a.gif", false), ("Disallow: *.gif$", "/a.gif?x", true),
        ("Disallow: /*?", "/a?b", false), ("Disallow: /*?", "/a", true), ("Disallow: /a*b*c", "/a1b2c3", false),
        ("Disallow: /a*b*c", "/a1c2b3", true), ("Disallow: /a$", "/a", false), ("Disallow: /a$", "/ab", true),
        ("Disallow: /*a*a$", "/ba", true), ("Disallow: /*a*a$", "/bab/a", false),
        ("Disallow: /*/private/*$", "/x/private/y", false),
        // Case, characters, lines.
        ("Disallow: /A", "/a", true), ("Disallow: /é", "/%C3%A9", false), ("Disallow: /%c3%a9", "/é", false),
        ("Disallow: /%7Eu", "/~u", false), ("Disallow: /a%2Fb", "/a/b", true), ("Disallow: /a%", "/a%", false),
        ("Sitemap: x\nDisallow: /a\nNonsense\n:\n", "/a", false),
        // The file itself.
        ("Disallow: /", "/robots.txt", true),
    ])
    func whatEverybodyMayFetch(rules: String, path: String, allows: Bool) {
        #expect(RobotsRules(Data(("User-agent: *\n" + rules).utf8)).allows(path) == allows)
    }

    @Test func pauses() {
        func delay(_ text: String) -> Double? { RobotsRules(Data("User-agent: *\nCrawl-delay: \(text)".utf8)).delay }
        #expect(delay("2.5") == 2.5 && delay("-1") == nil && delay("soon") == nil)
    }

    @Test func whatIsNoTextIsPassedOver() {
        #expect(!RobotsRules(Data([0xff, 0x00] + Array("\nUser-agent: *\nDisallow: /a".utf8))).allows("/a"))
    }
}
