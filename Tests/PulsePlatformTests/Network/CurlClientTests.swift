import CZlib
import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulsePlatform

/// Everything a server may do, on real sockets of this machine.
@Suite(.timeLimit(.minutes(20))) struct CurlClientTests {
    /// Patience for a busy machine, and names that lead to this machine: `a.test` and `b.test`.
    func client(_ server: LoopbackServer? = nil, _ change: (inout CurlClient.Policy) -> Void = { _ in })
        -> CurlClient
    {
        var policy = CurlClient.Policy()
        policy.connectTimeout = .seconds(60)
        policy.stallTimeout = .seconds(60)
        policy.totalTimeout = .seconds(600)
        policy.environment = [:]
        if let server { policy.resolved = ["a.test", "b.test"].map { "\($0):\(server.port):127.0.0.1" } }
        change(&policy)
        return CurlClient(policy)
    }

    func request(_ url: String, _ change: (inout HTTPRequest) -> Void = { _ in }) -> HTTPRequest {
        var request = HTTPRequest(url)
        request.isFromUser = true
        change(&request)
        return request
    }

    func failure(
        _ client: CurlClient, _ request: HTTPRequest, _ location: SourceLocation = #_sourceLocation
    ) async throws -> PulseError {
        try #require(
            await #expect(throws: PulseError.self, sourceLocation: location) { try await client.send(request) },
            sourceLocation: location)
    }

    /// The error of a request to a server that answers so.
    func failure(
        of answer: LoopbackResponse, _ location: SourceLocation = #_sourceLocation,
        _ change: (inout CurlClient.Policy) -> Void = { _ in }
    ) async throws -> PulseError {
        let server = try LoopbackServer(script: [answer])
        return try await failure(client(nil, change), request(server.url()), location)
    }

    /// The body that a server's answer is read as.
    func body(
        of answer: LoopbackResponse, _ change: (inout CurlClient.Policy) -> Void = { _ in }
    ) async throws -> Data {
        let server = try LoopbackServer(script: [answer])
        return try await client(nil, change).send(request(server.url())).body
    }

    // MARK: - Answers

    @Test func anAnswerIsReturnedWhole() async throws {
        let told = LoopbackResponse(headers: ["ETag": "\"1\"", "X-Empty": ""], text: "<rss/>")
        let server = try LoopbackServer(script: [told])
        let url = server.url("feed?key=1")
        let answer = try await client().send(request(url) { $0.headers = [("Accept", "text/xml")] })
        #expect(answer.status == 200 && answer.body == Data("<rss/>".utf8) && answer.url == url)
        #expect(answer.headers["etag"] == "\"1\"" && answer.headers["x-empty"] == "")
        let asked = try #require(server.requests.first)
        #expect(asked.method == "GET" && asked.target == "/feed?key=1" && asked.headers["accept"] == "text/xml")
        #expect(asked.headers["user-agent"] == "pulse-digest")
        #expect(asked.headers["accept-encoding"]?.contains("gzip") == true)
    }

    @Test(arguments: [201, 204, 304, 400, 401, 404, 410, 500, 502, 503]) func everyStatusIsAnAnswer(status: Int)
        async throws
    {
        let server = try LoopbackServer(script: [LoopbackResponse(status: status)])
        let answer = try await client().send(request(server.url()) { $0.headers = [("If-None-Match", "\"1\"")] })
        #expect(
            answer.status == status && answer.body.isEmpty && server.requests[0].headers["if-none-match"] == "\"1\"")
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"]) func aBodyIsSent(method: String) async throws {
        let body = Data("{\"a\":\"\0ü\"}".utf8)
        let server = try LoopbackServer(script: [LoopbackResponse(body: [111, 107])])
        let answer = try await client().send(
            request(server.url()) {
                $0.method = method
                $0.body = body
                $0.headers = [("Content-Type", "application/json"), ("Authorization", "Bearer t")]
            })
        let asked = try #require(server.requests.first)
        #expect(answer.status == 200 && asked.method == method && asked.body == Array(body))
        #expect(asked.headers["content-type"] == "application/json" && asked.headers["authorization"] == "Bearer t")
        #expect(asked.headers["expect"] == nil)
    }

    @Test(arguments: ["POST", "HEAD", "DELETE"]) func noBodyIsSent(method: String) async throws {
        let server = try LoopbackServer(script: [LoopbackResponse()])
        #expect(try await client().send(request(server.url()) { $0.method = method }).status == 200)
        #expect(server.requests[0].method == method && server.requests[0].body.isEmpty)
    }

    @Test func aCompressedAnswerIsDecompressed() async throws {
        let text = Data(String(repeating: "news ", count: 1000).utf8)
        let answer = LoopbackResponse(headers: ["Content-Encoding": "gzip"], body: gzip(text))
        #expect(try await body(of: answer) == text)
    }

    // MARK: - Too much, too slow, too little

    @Test func aFloodEndsAtTheLimit() async throws {
        let flood = LoopbackResponse(body: [UInt8](repeating: 65, count: 4 << 20)).with { $0.length = .none }
        let error = try await failure(of: flood) { $0.sizeLimit = 1 << 20 }
        #expect(error.code == .badData)
        #expect(error.message == "The response of 127.0.0.1 is larger than 1 MiB, and was not read.")
    }

    @Test func aLengthAboveTheLimitIsEnough() async throws {
        let error = try await failure(of: LoopbackResponse().with { $0.length = .pretended(1 << 30) })
        #expect(error.message.contains("larger than 16 MiB"))
    }

    @Test func theLimitItselfIsStillGood() async throws {
        let answer = LoopbackResponse(body: [UInt8](repeating: 65, count: 1000))
        #expect(try await body(of: answer) { $0.sizeLimit = 1000 }.count == 1000)
        #expect(try await failure(of: answer) { $0.sizeLimit = 999 }.code == .badData)
    }

    @Test func aBombIsCountedDecompressed() async throws {
        let bomb = gzip(Data(count: 64 << 20))
        #expect(bomb.count < 1 << 20)
        let answer = LoopbackResponse(headers: ["Content-Encoding": "gzip"], body: bomb)
        #expect(try await failure(of: answer) { $0.sizeLimit = 1 << 20 }.code == .badData)
    }

    /// Names that are no compression, and compression that is none: the answer is read as it is.
    @Test(arguments: ["UTF-8", "utf-8", "identity", "none", "binary", "gzip", "x-gzip", "br", "gzip, utf-8"])
    func whatIsNotCompressedAsItSaysIsReadAsItIs(encoding: String) async throws {
        let answer = LoopbackResponse(headers: ["Content-Encoding": encoding], text: "<rss>no gzip</rss>")
        #expect(try await body(of: answer) == Data("<rss>no gzip</rss>".utf8))
    }

    @Test(arguments: ["gzip", "x-gzip", "GZIP"]) func gzipByItsNames(encoding: String) async throws {
        let answer = LoopbackResponse(headers: ["Content-Encoding": encoding], body: gzip(Data("<rss/>".utf8)))
        #expect(try await body(of: answer) == Data("<rss/>".utf8))
    }

    @Test func brokenCompressionIsTold() async throws {
        var packed = gzip(Data((0..<50_000).map { "\($0 * 7919 % 10_007) " }.joined().utf8))
        // The checksum stands before the length, at the end (RFC 1952, 2.3).
        packed[packed.count - 8] ^= 1
        let answer = LoopbackResponse(headers: ["Content-Encoding": "gzip"], body: packed)
        #expect(try await failure(of: answer).message.contains("decompressed"))
    }

    @Test func aHeadWithoutEnd() async throws {
        let headers = (0..<200).map { ("X-\($0)", String(repeating: "x", count: 4000)) }
        let answer = LoopbackResponse(headers: Dictionary(uniqueKeysWithValues: headers))
        #expect(try await failure(of: answer).code == .badData)
    }

    @Test func aServerThatSaysNothing() async throws {
        let server = try LoopbackServer(script: [LoopbackResponse().with { $0.isSilent = true }])
        let error = try await failure(client { $0.stallTimeout = .seconds(1) }, request(server.url("?key=secret")))
        #expect(error.code == .unavailable)
        #expect(error.description == "127.0.0.1 has sent nothing for a second. Try again later.")
    }

    @Test func aServerThatStopsInTheMiddle() async throws {
        let half = LoopbackResponse(body: [1, 2, 3, 4]).with { $0.stallsAfter = 2 }
        let error = try await failure(of: half) { $0.stallTimeout = .seconds(1) }
        #expect(error.message.hasSuffix("has sent nothing for a second."))
    }

    @Test func aServerThatTricklesForEver() async throws {
        let trickle = LoopbackResponse(body: [UInt8](repeating: 65, count: 1000)).with {
            ($0.pause, $0.chunk) = (.milliseconds(100), 1)
        }
        let error = try await failure(of: trickle) { $0.totalTimeout = .seconds(2) }
        #expect(error.message == "The response of 127.0.0.1 was not whole after 2 seconds.")
    }

    @Test(arguments: [false, true]) func aServerThatBreaksOff(resets: Bool) async throws {
        let half = LoopbackResponse(body: [1, 2, 3, 4]).with {
            $0.breaksOffAfter = 2
            $0.resets = resets
        }
        let error = try await failure(of: half)
        #expect(
            error.code == .unavailable
                && error.message == "127.0.0.1 closed the connection before its response was complete.")
    }

    @Test func aLengthThatIsTooShortCutsTheBody() async throws {
        let answer = LoopbackResponse(body: [1, 2, 3, 4]).with { $0.length = .pretended(2) }
        #expect(try await body(of: answer) == Data([1, 2]))
    }

    @Test func nobodyListens() async throws {
        let error = try await failure(client(), request("http://127.0.0.1:1/?key=secret"))
        #expect(error.message == "127.0.0.1 refused the connection on port 1.")
        #expect(error.hint?.contains("server is running") == true)
    }

    @Test func aNameThatIsNone() async throws {
        let error = try await failure(client(), request("https://name.invalid/?key=secret"))
        #expect(error.code == .unavailable && error.message.contains("name.invalid"))
        #expect(!"\(error)\(error.cause ?? "")".contains("secret"))
    }

    @Test func cancellingEndsItSoon() async throws {
        let client = client { ($0.stallTimeout, $0.totalTimeout) = (.seconds(3600), .seconds(3600)) }
        try await cancelIsHeard(by: client, during: LoopbackResponse().with { $0.isSilent = true })
    }

    /// Cancels a request once the server has it.
    private func cancelIsHeard(by client: CurlClient, during answer: LoopbackResponse) async throws {
        let server = try LoopbackServer(script: [answer])
        let task = Task { try await client.send(request(server.url())) }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        task.cancel()
        await #expect(throws: PulseError.interrupted) { try await task.value }
    }

    // MARK: - Servers that are busy

    @Test(arguments: [429, 503]) func aBusyServerIsAskedAgain(status: Int) async throws {
        let busy = LoopbackResponse(status: status, headers: ["Retry-After": "1"])
        let server = try LoopbackServer(script: [busy, LoopbackResponse(body: [1])])
        #expect(try await client().send(request(server.url())).body == Data([1]))
        #expect(server.requests.count == 2)
    }

    @Test func notForEver() async throws {
        let server = try LoopbackServer(script: [LoopbackResponse(status: 429, headers: ["Retry-After": "1"])])
        #expect(try await client { $0.retries = 1 }.send(request(server.url())).status == 429)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [nil, "3600", "soon", "-1", "Wed, 21 Oct 2099 07:28:00 GMT", "Wed, 21 Oct 2015 07:28:00 GMT"])
    func norIfThatWouldTakeLong(retryAfter: String?) async throws {
        let busy = LoopbackResponse(status: 429, headers: retryAfter.map { ["Retry-After": $0] } ?? [:])
        let server = try LoopbackServer(script: [busy])
        let answer = try await client().send(request(server.url()))
        #expect(answer.status == 429 && answer.headers["retry-after"] == retryAfter && server.requests.count == 1)
    }

    @Test func waitingCanBeCancelled() async throws {
        let busy = LoopbackResponse(status: 429, headers: ["Retry-After": "60"])
        try await cancelIsHeard(by: client(), during: busy)
    }

    /// What gzip makes of it: windowBits of 15 + 16 "to write a simple gzip header and trailer" (zlib.h).
    private func gzip(_ data: Data) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = Array(data)
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                deflate(&stream, Z_FINISH)
                return output.count - Int(stream.avail_out)
            }
        }
        return Array(output[..<count])
    }
}
