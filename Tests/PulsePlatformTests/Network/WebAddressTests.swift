import Testing

@testable import PulsePlatform

@Suite(.timeLimit(.minutes(20))) struct WebAddressTests {
    @Test(arguments: [
        "https://h/x", "HTTP://h", "https://h:8443/x?y=z#w", "http://[::1]:80/", "https://münchen.example/",
    ])
    func webAddresses(text: String) { #expect(WebAddress(text) != nil) }

    @Test(arguments: [
        "", "h/x", "//h/x", "ftp://h/x", "file:///etc/passwd", "https:///x", "https://me@h/", "javascript:1",
    ])
    func whatIsNoWebAddress(text: String) { #expect(WebAddress(text) == nil) }

    /// By IDNA, as in browsers, in any locale.
    @Test(arguments: [
        ("http://bücher.example/a?b", "http://xn--bcher-kva.example/a?b"),
        ("http://BÜCHER.Example/", "http://xn--bcher-kva.example/"),
        ("https://straße.de/", "https://xn--strae-oqa.de/"),
        ("http://例え.テスト:8080/", "http://xn--r8jz45g.xn--zckzah:8080/"),
        ("http://例え。テスト/", "http://xn--r8jz45g.xn--zckzah/"),
        ("http://xn--bcher-kva.example/", "http://xn--bcher-kva.example/"),
        ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
    ])
    func hostsAreStoredInASCII(text: String, stored: String) throws {
        #expect(try #require(WebAddress(text)).text == stored)
        let start = try #require(WebAddress("https://a.example/x"))
        #expect(start.resolving(text)?.text == stored)
    }

    /// A host that IDNA refuses, or whose letters hide the end of another.
    @Test(arguments: [
        "http://ü..example/", "http://a\u{2100}.example/", "http://a\u{ff0f}b.example/", "http://ü\u{200d}.example/",
        "http://\(String(repeating: "ü", count: 80)).example/", "http://ü@bücher.example/", "http://ü b.example/",
    ])
    func hostsThatIDNARefuses(text: String) { #expect(WebAddress(text) == nil) }

    @Test func digitsOfOtherScriptsAreAnAddressOfThisMachine() {
        #expect(WebAddress("http://\u{ff11}27.0.0.1/")?.isLoopback == true)
        #expect(WebAddress("http://\u{ff4c}ocalhost/")?.isLoopback == true)
        #expect(WebAddress("http://\u{ff11}0。0.0.1/")?.isPrivate == true)
    }

    /// What a redirect may lead to depends on it.
    @Test func whatIsEncryptedIsKnown() {
        #expect(WebAddress("HTTPS://h/")?.isEncrypted == true && WebAddress("http://h/")?.isEncrypted == false)
    }

    /// libcurl reads the numeric forms of an IPv4 address as the system's resolver does (inet_aton).
    @Test(arguments: [
        ("http://2130706433/", "127.0.0.1"), ("http://0x7f.1/", "127.0.0.1"), ("http://0177.0.0.1/", "127.0.0.1"),
        ("http://127.1/", "127.0.0.1"), ("http://0/", "0.0.0.0"), ("http://3232235777/", "192.168.1.1"),
        ("http://0xA9FEA9FE/latest", "169.254.169.254"), ("http://EXAMPLE.org/", "example.org"),
        ("http://[::FFFF:7f00:1]/", "[::ffff:127.0.0.1]"), ("http://%6cocalhost/", "localhost"),
    ])
    func theHostIsWhatWillBeConnectedTo(text: String, host: String) throws {
        let address = try #require(WebAddress(text))
        #expect(address.host == host || address.literal == NetworkAddress(host))
    }

    @Test func hostsOfAddressesAreCompared() {
        #expect(WebAddress.isSameHost("https://A.example/x", "http://a.example:8080"))
        #expect(!WebAddress.isSameHost("https://a.example", "https://b.example"))
        #expect(!WebAddress.isSameHost("news:a", "news:a"))
    }

    @Test(arguments: [
        "http://127.0.0.1/", "http://127.255.0.9:81/", "http://[::1]/", "http://localhost/", "http://LOCALHOST:8080/",
        "http://2130706433/", "http://[::ffff:127.0.0.1]/",
    ])
    func thisMachine(text: String) { #expect(WebAddress(text)?.isLoopback == true) }

    @Test(arguments: [
        "http://128.0.0.1/", "http://localhost.example.org/", "http://127.0.0.1.example.org/", "http://0.0.0.0/",
        "http://127.0.0.1@example.org/",
    ])
    func anotherMachine(text: String) { #expect(WebAddress(text)?.isLoopback != true) }

    @Test(arguments: [
        ("/b?c", "https://h:8443/b?c"), ("b", "https://h:8443/a/b"), ("//g/x", "https://g/x"),
        ("?q", "https://h:8443/a/x?q"), ("http://g:1/a b", "http://g:1/a%20b"),
    ])
    func whereARedirectLeads(location: String, target: String) throws {
        #expect(try #require(WebAddress("https://h:8443/a/x?y=z")).resolving(location)?.text == target)
    }

    @Test(arguments: ["ftp://g/", "file:///etc/passwd", "https://me:pw@g/", "javascript:1", "https:///"])
    func whereNoRedirectLeads(location: String) throws {
        #expect(try #require(WebAddress("https://h/")).resolving(location) == nil)
    }

    @Test(arguments: [
        ("https://h/a", "https://H:443/b", true), ("http://h/", "https://h/", true), ("https://h/", "http://h/", false),
        ("http://h:8080/", "https://h:8443/", false), ("https://h/", "https://www.h/", false),
        ("http://h:1/", "http://h:2/", false),
    ])
    func whatIsTheSameServer(first: String, next: String, isSame: Bool) throws {
        #expect(try #require(WebAddress(next)).isSameServer(as: #require(WebAddress(first))) == isSame)
    }
}
