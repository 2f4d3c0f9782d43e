import Testing

@testable import PulsePlatform

@Suite(.timeLimit(.minutes(20))) struct NetworkAddressTests {
    @Test(arguments: [
        "8.8.8.8", "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
        "198.17.255.255", "198.20.0.0", "223.255.255.255", "2001:4860:4860::8888", "2606:4700::1111", "2a00::",
        "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1",
    ])
    func isOnTheInternet(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.isPublic && !address.isLoopback)
    }

    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255", "169.254.0.0",
        "169.254.169.254", "169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.168.0.0",
        "192.168.255.255", "198.18.0.0", "198.19.255.255", "224.0.0.1", "239.255.255.250", "240.0.0.1",
        "255.255.255.255", "::", "fc00::1", "fd12:3456::1", "fdff:ffff::", "fe80::1", "febf::1", "fec0::1", "ff02::1",
        "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::10.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:a00:1::1",
        "2002:7f00:1::", "2001::1",
    ])
    func isPrivate(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(!address.isPublic && !address.isLoopback)
    }

    @Test(arguments: ["127.0.0.1", "127.0.0.0", "127.255.255.255", "::1", "::ffff:127.0.0.1", "[::1]"])
    func isThisMachine(text: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect(address.isLoopback && !address.isPublic)
    }

    @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4 ", "localhost", "2130706433", ":::", "[", "[]"])
    func isNoAddress(text: String) { #expect(NetworkAddress(text) == nil) }

    @Test func addressesAreWrittenAsUsual() {
        #expect(NetworkAddress("2001:DB8:0:0::1").map(String.init(describing:)) == "2001:db8::1")
        #expect(NetworkAddress(bytes: [10, 0, 0, 1]).map(String.init(describing:)) == "10.0.0.1")
        #expect(NetworkAddress(bytes: [1, 2, 3]) == nil)
    }

    @Test(arguments: ["10.0.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10/8", "::/129", "/8", "10.0.0.0/8/9"])
    func isNoRange(text: String) { #expect(NetworkAddress.Range(text) == nil) }
}

@Suite(.timeLimit(.minutes(20))) struct ProxiesTests {
    @Test(arguments: [
        ("https://example.org/", "secure:1"), ("http://example.org/", "plain:2"), ("http://127.0.0.1/", nil),
        ("http://localhost/", nil), ("https://lan/", nil), ("https://nas.lan/", nil), ("https://plan/", "secure:1"),
        ("https://10.1.2.3/", nil), ("https://11.1.2.3/", "secure:1"), ("https://[fd00::1]/", nil),
    ])
    func theEnvironmentNamesThem(text: String, proxy: String?) throws {
        let proxies = Proxies([
            "https_proxy": "secure:1", "http_proxy": "plain:2", "no_proxy": ".lan, 10.0.0.0/8,fd00::1",
        ])
        #expect(try proxies.proxy(for: #require(WebAddress(text))) == proxy)
    }

    @Test func oneForAll() throws {
        let address = try #require(WebAddress("http://example.org/"))
        #expect(Proxies(["ALL_PROXY": "socks5h://p:1"]).proxy(for: address) == "socks5h://p:1")
        #expect(Proxies(["HTTP_PROXY": "from a request's header"]).proxy(for: address) == nil)
        #expect(Proxies(["all_proxy": "p:1", "NO_PROXY": "*"]).proxy(for: address) == nil)
        #expect(Proxies([:]).proxy(for: address) == nil)
    }
}
