import Testing

@testable import PulseMarkup

@Suite(.timeLimit(.minutes(20))) struct ArticleURLTests {
    @Test(arguments: [
        "https://example.org", "http://example.org/a?b=c#d", "HTTPS://Example.org/ä", "https://user@example.org:8080/",
        "https://[::1]/", "https://example.org/%3Cscript%3E",
    ])
    func kept(address: String) {
        #expect(ArticleURL.clean(" \(address)\n") == address)
    }

    @Test(arguments: [
        "", "example.org", "//example.org", "ftp://example.org", "javascript:alert(1)", "file:///etc/passwd",
        "https://",
        "https:///path", "http://?q", "https://exa mple.org", "https://example.org/\"onclick=",
        "https://example.org/<b>",
        "https://example.org/\u{1b}[31m", "https://example.org/\u{202e}", "https://example.org/a\nb",
        "http:/example.org",
        "https://:80", "https://example.org/" + String(repeating: "a", count: 9000),
    ])
    func refused(address: String) {
        #expect(ArticleURL.clean(address) == nil)
    }
}
