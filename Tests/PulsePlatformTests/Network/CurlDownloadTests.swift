import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

/// What a download does with redirects; the rest is held by the tests of `models pull`.
@Suite(.timeLimit(.minutes(20))) struct CurlDownloadTests {
    @Test(arguments: ["http://localhost:1/", "http://10.0.0.1/", "http://[::1]/", "ftp://127.0.0.1/"])
    func noRedirectLeadsToAPrivateHost(target: String) throws {
        let server = try LoopbackServer(script: [.redirect(to: target)])
        let address = try #require(WebAddress(server.url()))
        let error = #expect(throws: PulseError.self) {
            _ = try CurlClient().download(address, from: 0, cancellation: Cancellation()) { _, _ in }
        }
        #expect(error?.code == (target.hasPrefix("http") ? .permission : .unavailable))
        #expect(error?.description.hasPrefix("127.0.0.1 redirects to ") == true)
    }

    @Test func onlyTheFileIsHandedOn() throws {
        let bytes: [UInt8] = Array(0..<100)
        let server = try LoopbackServer { request, _ in
            request.target == "/file" ? .file(bytes, for: request) : .redirect(to: "/file")
        }
        let address = try #require(WebAddress(server.url()))
        var received: [UInt8] = []
        let (_, end) = try CurlClient().download(address, from: 40, cancellation: Cancellation()) { length, bytes in
            #expect(length == 60)
            received += bytes
        }
        guard case .answered(206, retryAfter: nil) = end else { throw WrongFailure("It ended otherwise: \(end)") }
        #expect(received == Array(bytes[40...]))
    }
}
