import Testing

@testable import PulseRendering

@Suite(.timeLimit(.minutes(20))) struct WebLinkTests {
    @Test(arguments: [
        ("https://example.org/a?b=1&c=2#d", "https://example.org/a?b=1&c=2#d"),
        (" HTTP://example.org ", "HTTP://example.org"), ("https://example.org/a b", "https://example.org/a%20b"),
        ("https://example.org/\"><script>", "https://example.org/%22%3E%3Cscript%3E"),
        ("https://example.org/خبر", "https://example.org/%D8%AE%D8%A8%D8%B1"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://example.org/a_(b)", "https://example.org/a_(b)"),
        ("https://example.org/%41%zz", "https://example.org/%41%25zz"), ("https://[::1]/", "https://[::1]/"),
        ("https://x.example/a%20b?f[]=1&q=c%26d", "https://x.example/a%20b?f[]=1&q=c%26d"),
        ("https://x.example/é%20è", "https://x.example/%C3%A9%20%C3%A8"),
        ("https://x.example/?q=a|b{c}", "https://x.example/?q=a%7Cb%7Bc%7D"),
    ])
    func links(text: String, address: String) { #expect(WebLink(text)?.address == address) }

    @Test(arguments: [
        nil, "", "example.org", "//example.org", "javascript:alert(1)", "java\nscript:alert(1)", "ftp://example.org/",
        "data:text/html,x", "file:///etc/passwd", "http://", "https:///x", "http:example.org", "mailto:a@example.org",
        "https://example.org/" + String(repeating: "x", count: 8000),
        // A user name that passes for a host.
        "https://user@bank.example/", "https://bank.example@evil.example/", "https://bank.example:80@evil.example",
        "https://bank.example@\u{301}evil.example", "https://bank.example\\@evil.example/", "https://@evil.example/",
        "https://:@evil.example/", "https://bank.example%2f@evil.example",
        "a", "https://", "https://?x", "https:// a.example", "https://\u{1b}[1m", "https://-a.example/x",
        "https://.a.example/", "https://%41.example/", "pulse://article?id=1",
    ])
    func notLinks(text: String?) { #expect(WebLink(text) == nil) }

    @Test(arguments: 0..<200)
    func whateverIsALinkIsSafe(seed: Int) {
        let text = RandomText.make(seed: seed, length: 20)
        for candidate in ["https://example.org/" + text, "http://" + text, text] {
            guard let link = WebLink(candidate) else { continue }
            #expect(link.address.lowercased().hasPrefix("http"))
            #expect(link.address.utf8.allSatisfy { (0x21..<0x7f).contains($0) })
            #expect(!link.address.contains { "<>\"`\\".contains($0) })
        }
    }
}
