import Testing

@testable import PulseMarkup

@Suite(.timeLimit(.minutes(20))) struct ArticleURLTests {
    @Test(arguments: [
        "https://example.org", "http://example.org/a?b=c#d", "HTTPS://Example.org/ä", "https://example.org:8080/@user",
        "https://[::1]/", "https://example.org/%3Cscript%3E",
    ])
    func kept(address: String) { #expect(ArticleURL.clean(" \(address)\n") == address) }

    /// Hosts by IDNA; what stands before a host is nobody's business. What ends a link is encoded, as browsers do.
    @Test(arguments: [
        ("https://Bücher.example/ü", "https://xn--bcher-kva.example/ü"),
        ("http://例え。テスト", "http://xn--r8jz45g.xn--zckzah"),
        ("https://user@example.org:8080/", "https://example.org:8080/"),
        ("https://ana:secret@bücher.example/a@b", "https://xn--bcher-kva.example/a@b"),
        ("https://example.org/a b?c d#e f", "https://example.org/a%20b?c%20d#e%20f"),
        ("https://example.org/\"onclick=<b>\\`", "https://example.org/%22onclick=%3Cb%3E%5C%60"),
        ("https://bücher.example/a b", "https://xn--bcher-kva.example/a%20b"),
    ])
    func cleaned(address: String, stored: String) { #expect(ArticleURL.clean(address) == stored) }

    @Test(arguments: [
        "https://ü..example/", "https://a\u{2100}.example/", "", "example.org", "//example.org", "ftp://example.org",
        "javascript:alert(1)", "file:///etc/passwd", "https://", "https:///path", "http://?q", "https://exa mple.org",
        "https://example.org\\@evil.example", "https://<b>/", "https://example.org/\u{1b}[31m",
        "https://example.org/\u{202e}", "https://example.org/a\nb", "http:/example.org", "https://:80",
        "https://example.org/" + String(repeating: "a", count: 9000),
    ])
    func refused(address: String) { #expect(ArticleURL.clean(address) == nil) }

    @Test func anAddressAsATitleHasNoScheme() {
        for scheme in ["http", "https", "HTTPS"] {
            #expect(ArticleDraft.title(ofAddress: scheme + "://a.example/b?c&d") == "a.example/b?c&amp;d")
        }
    }
}
