import PulseText
import Testing

@Suite(.timeLimit(.minutes(20))) struct WebURLTests {
    @Test(arguments: [
        ("HTTPS://Www.Gazette.example:443/A/b?utm_source=x&id=5#top", "https://www.gazette.example/A/b?id=5"),
        ("http://gazette.example:80", "http://gazette.example/"),
        ("http://gazette.example:8080/a", "http://gazette.example:8080/a"),
        ("https://user:word@gazette.example./a?", "https://gazette.example/a"),
        ("https://gazette.example/a?b=1&fbclid=x&c=%26&UTM_Medium=y", "https://gazette.example/a?b=1&c=%26"),
        ("https://gazette.example?id=1", "https://gazette.example/?id=1"),
        ("https://[2001:db8::1]:443/a", "https://[2001:db8::1]/a"),
        ("https://gazette.example/a?gclid", "https://gazette.example/a"),
    ])
    func aPageHasOneAddress(_ address: String, _ canonical: String) {
        #expect(WebURL.canonical(address) == canonical)
        #expect(WebURL.canonical(canonical) == canonical)
    }

    @Test(arguments: [
        "", "ftp://a.example/", "https://", "https:///a", "https://:80/", "about:blank", "https://user@/",
    ])
    func whatIsNoAddressHasNone(_ text: String) { #expect(WebURL.canonical(text) == nil) }

    @Test func httpAndHttpsAreOnePage() {
        #expect(WebURL.identity("http://a.example/x") == WebURL.identity("https://A.example:443/x?utm_id=3"))
        #expect(WebURL.identity("http://a.example/x/?q=1") == WebURL.identity("http://a.example/x?q=1"))
        #expect(WebURL.identity("http://a.example") == "a.example")
        #expect(WebURL.identity("http://a.example/x") != WebURL.identity("https://a.example/X"))
    }

    @Test func aHostStandsForThoseBelowIt() {
        #expect(WebURL.isHost("www.news.example", in: ["news.example"]))
        #expect(WebURL.isHost("news.example", in: ["news.example"]))
        #expect(!WebURL.isHost("fakenews.example", in: ["news.example"]))
        #expect(!WebURL.isHost("news.example.evil.example", in: ["news.example"]))
    }

    @Test func aPageWithoutAPathIsAFrontPage() {
        #expect(WebURL.isFrontPage("https://a.example"))
        #expect(WebURL.isFrontPage("https://a.example/?utm_source=x"))
        #expect(!WebURL.isFrontPage("https://a.example/x"))
    }
}
