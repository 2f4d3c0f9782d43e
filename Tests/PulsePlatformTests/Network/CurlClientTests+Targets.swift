import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulsePlatform

/// Where a request may lead: redirects, and addresses that nobody may name.
extension CurlClientTests {
    // MARK: - Redirects

    @Test(arguments: [301, 302, 303, 307, 308]) func redirectsAreFollowed(status: Int) async throws {
        let server = try LoopbackServer { request, _ in
            request.target == "/end" ? LoopbackResponse(body: [1]) : .redirect(to: "/end", status: status)
        }
        let answer = try await client().send(request(server.url()) { $0.headers = [("Authorization", "Bearer t")] })
        #expect(answer.body == Data([1]) && answer.url == server.url("end"))
        #expect(server.requests.map { $0.headers["authorization"] } == ["Bearer t", "Bearer t"])
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func whatBecomesOfAPost(status: Int, method: String) async throws {
        let server = try LoopbackServer { request, _ in
            request.target == "/end" ? LoopbackResponse() : .redirect(to: "/end", status: status)
        }
        _ = try await client().send(
            request(server.url()) {
                $0.method = "POST"
                $0.body = Data([1, 2])
            })
        let last = try #require(server.requests.last)
        #expect(last.method == method && last.body == (method == "POST" ? [1, 2] : []))
    }

    @Test func aRedirectWithoutATargetIsAnAnswer() async throws {
        let server = try LoopbackServer(script: [LoopbackResponse(status: 302)])
        #expect(try await client().send(request(server.url())).status == 302)
    }

    @Test func redirectsInCircles() async throws {
        let server = try LoopbackServer(script: [.redirect(to: "/again")])
        let error = try await failure(client(), request(server.url()))
        #expect(error.message == "127.0.0.1 redirects more than 8 times." && server.requests.count == 9)
    }

    @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/passwd", "gopher://127.0.0.1:70/", "http://me:pw@127.0.0.1/"])
    func redirectsToWhatIsNoWebAddress(target: String) async throws {
        let server = try LoopbackServer(script: [.redirect(to: target)])
        let error = try await failure(client(), request(server.url()))
        #expect(error.message == "127.0.0.1 redirects to something that is not a web address.")
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["Authorization", "X-Auth-Token", "Cookie", "X-Api-Key", "X-Whatever"])
    func secretsStayWithTheirServer(name: String) async throws {
        let thief = try LoopbackServer(script: [LoopbackResponse()])
        let server = try LoopbackServer(script: [.redirect(to: thief.url("?k=query"))])
        let error = try await failure(client(), request(server.url()) { $0.headers = [(name, "hunter2")] })
        #expect(error.code == .permission && error.message.contains("another server, http://127.0.0.1:\(thief.port), "))
        #expect(thief.requests.isEmpty && !"\(error)".contains("hunter2") && !"\(error)".contains("query"))
    }

    @Test func bodiesStayWithTheirServer() async throws {
        let thief = try LoopbackServer(script: [LoopbackResponse()])
        let server = try LoopbackServer(script: [.redirect(to: thief.url(), status: 307)])
        let error = try await failure(
            client(),
            request(server.url()) {
                $0.method = "POST"
                $0.body = Data("api_key=hunter2".utf8)
            })
        #expect(error.code == .permission && thief.requests.isEmpty)
    }

    @Test func whatIsNoSecretMayGoOn() async throws {
        let other = try LoopbackServer(script: [LoopbackResponse(body: [1])])
        let server = try LoopbackServer(script: [.redirect(to: other.url())])
        let answer = try await client().send(request(server.url()) { $0.headers = [("Accept", "text/html")] })
        #expect(answer.body == Data([1]) && other.requests[0].headers["accept"] == "text/html")
    }

    // MARK: - Whom it may ask

    @Test(arguments: [
        "http://127.0.0.1:1/", "http://localhost:1/", "https://10.0.0.1/", "https://[::1]/", "https://2130706433/",
        "https://[::ffff:192.168.0.1]/", "https://169.254.169.254/latest/meta-data", "https://0.0.0.0/",
    ])
    func aLinkToAPrivateAddressIsNotFollowed(url: String) async throws {
        #expect(try await failure(client(), HTTPRequest(url)).says(.permission, "private network"))
    }

    @Test func aLinkWhoseNameIsPrivateIsNotFollowed() async throws {
        let server = try LoopbackServer(script: [LoopbackResponse()])
        var link = HTTPRequest("http://a.test:\(server.port)/?key=secret")
        link.allowsPlainHTTP = true
        let error = try await failure(client(server), link)
        #expect(error.code == .permission && error.message.hasPrefix("a.test is 127.0.0.1, which is an address of"))
        #expect(server.requests.isEmpty && !"\(error)".contains("secret"))
    }

    @Test func theUserMayNameAPrivateHost() async throws {
        let server = try LoopbackServer { request, _ in
            request.target == "/end" ? LoopbackResponse(body: [1]) : .redirect(to: "/end")
        }
        let asked = request("http://a.test:\(server.port)/") { $0.allowsPlainHTTP = true }
        #expect(try await client(server).send(asked).body == Data([1]))
    }

    @Test(arguments: [
        "http://b.test:PORT/", "http://127.0.0.1:PORT/", "http://localhost:PORT/", "http://0:PORT/",
        "http://[::1]:PORT/",
    ])
    func noRedirectLeadsToAPrivateHost(target: String) async throws {
        let server = try LoopbackServer { request, _ in
            .redirect(to: target.replacing("PORT", with: request.headers["host"]?.split(separator: ":").last ?? ""))
        }
        let asked = request("http://a.test:\(server.port)/") { $0.allowsPlainHTTP = true }
        let error = try await failure(client(server), asked)
        #expect(error.code == .permission && error.message.hasPrefix("a.test redirects to "))
        #expect(error.message.contains("private network") && server.requests.count == 1)
    }

    @Test func encryptionIsExpected() async throws {
        let server = try LoopbackServer(script: [LoopbackResponse()])
        let error = try await failure(client(server), request("http://a.test:\(server.port)/"))
        #expect(error.code == .permission && error.hint == "Use its https:// address.")
        #expect(server.requests.isEmpty)
        // Neither do redirects go round this.
        let first = try LoopbackServer(script: [.redirect(to: "http://a.test:\(server.port)/")])
        #expect(try await failure(client(server), request(first.url())).code == .permission)
    }

    @Test(arguments: [
        "", "example.org", "ftp://example.org/", "https://me:hunter2@example.org/", "https:///x", "https://h/a b",
    ])
    func whatCannotBeFetched(url: String) async throws {
        let error = try await failure(client(), request(url))
        #expect(error.code == .badData && !"\(error)".contains("hunter2"))
    }

    @Test(arguments: [
        ("X-A", "b\r\nX-C: d"), ("X-A\r\nX-B", "c"), ("X A", "b"), ("", "b"), ("X-A", "\0"), ("X:A", "b"),
    ])
    func aHeaderCannotSmuggleAnother(name: String, value: String) async throws {
        let server = try LoopbackServer(script: [LoopbackResponse()])
        #expect(try await failure(client(), request(server.url()) { $0.headers = [(name, value)] }).code == .badData)
        #expect(server.requests.isEmpty)
    }

    @Test func aProxyMayBePrivateButWhatItIsAskedForMayNot() async throws {
        let proxy = try LoopbackServer(script: [LoopbackResponse(body: [1])])
        let client = client { $0.environment = ["http_proxy": "http://127.0.0.1:\(proxy.port)"] }
        var request = HTTPRequest("http://name.invalid/x")
        request.allowsPlainHTTP = true
        #expect(try await client.send(request).body == Data([1]))
        #expect(proxy.requests.map(\.target) == ["http://name.invalid/x"])
        request.url = "http://10.0.0.1/"
        #expect(try await failure(client, request).code == .permission)
    }

    @Test func aRequestDoesNotTellItsSecrets() {
        let request = request("https://example.org/?key=hunter2") { $0.headers = [("Authorization", "hunter2")] }
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", "\([request])", String(reflecting: request), dumped] {
            #expect(!text.contains("hunter2"))
        }
        #expect("\(request)" == "GET example.org")
    }
}
