import CCurl
import Foundation
import PulseCore
import PulseText

/// An HTTP client over libcurl; each request has a thread of its own.
///
/// Certificates are always verified. Redirects are followed here and not by libcurl, so that each can be checked: never
/// from https to http, never to a private network, and never with confidential data to another server. Proxies come
/// from the environment.
public struct CurlClient: HTTPClient {
    public struct Policy: Sendable {
        public var userAgent = "pulse-digest"
        /// For connecting, TLS included.
        public var connectTimeout: Duration = .seconds(20)
        /// The longest time without a byte, in whole seconds.
        public var stallTimeout: Duration = .seconds(30)
        /// For the whole response, redirects included.
        public var totalTimeout: Duration = .seconds(120)
        /// The largest body in bytes, decompressed.
        public var sizeLimit = 16 << 20
        /// The most redirects that are followed.
        public var redirects = 8
        /// The most repetitions of a request to a busy server, which must name a short delay.
        public var retries = 2
        /// A PEM file of certificates to trust instead of the system's; nil for the system's.
        public var certificates: String?
        /// The environment variables that name proxies.
        var environment = ProcessInfo.processInfo.environment
        /// "host:port:address" as in CURLOPT_RESOLVE, instead of a DNS lookup: for tests.
        var resolved: [String] = []

        public init() {}
    }

    private let policy: Policy

    public init(_ policy: Policy = Policy()) { self.policy = policy }

    /// Cancelling the task stops the request within a tenth of a second and throws `.interrupted`. Throws
    /// `.unavailable` if there is no response, or no trustworthy one; `.badData` if the URL is invalid or the response
    /// too large; `.permission` if a rule of this client refuses the request.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let address = WebAddress(request.url) else {
            throw PulseError(
                .badData, "This is not an address that can be fetched.",
                hint: "It must begin with https:// and a host's name, and hold no user name or password.")
        }
        for (name, value) in request.headers where !isHeader(name, value) {
            throw PulseError(
                .badData,
                "A header for \(address.shown) contains a character that headers may not contain, such as a line break."
            )
        }
        var policy = policy
        let budget = HTTPBudget.current
        if let budget { policy.totalTimeout = max(.zero, min(policy.totalTimeout, budget.left)) }
        let begin = ContinuousClock.now
        defer { budget?.spend(begin.duration(to: .now)) }
        let response = try await BlockingThread.run { [policy] cancellation in
            var waits = 0
            while true {
                var fetch = try HTTPTransfer(request, address, policy, cancellation)
                var body = Data()
                var isWhole = true
                let (head, movedTo) = try fetch.run { _, bytes in
                    let rest = policy.sizeLimit - body.count
                    isWhole = !request.takesBeginning || bytes.count <= rest
                    body.append(contentsOf: isWhole ? bytes : UnsafeRawBufferPointer(rebasing: bytes.prefix(rest)))
                    return isWhole
                }
                // 429 is "Too Many Requests", 503 "Service Unavailable".
                guard [429, 503].contains(head.status), waits < policy.retries, let seconds = fetch.retryAfter,
                    seconds <= 60
                else {
                    return HTTPResponse(
                        status: head.status, headers: head.headers, body: body, url: fetch.address.text,
                        movedTo: movedTo, isWhole: isWhole)
                }
                waits += 1
                try cancellation.sleep(.seconds(seconds))
            }
        }
        budget?.spend(response.body.count)
        return response
    }

    /// How a download ended.
    package enum DownloadEnd {
        /// The body was taken only if `status` is 200, or 206 for an offset. `retryAfter` is in seconds.
        case answered(status: Int, retryAfter: Int?)
        /// The server did not send the requested range.
        case rangeRefused
        /// The connection failed. `isTransient`: a retry may work; `isUnreachable`: there was no connection at all.
        case broken(reason: String, isTransient: Bool, isUnreachable: Bool)
    }

    /// Downloads a file from a URL of the user's, from byte `offset` on; blocks the calling thread. Returns how that
    /// ended, and the host of the last request. Throws as `send` does, except for a failed connection.
    ///
    /// - Parameter body: Receives each piece of the body, with the length of the body if the server stated it. An error
    ///   that it throws ends the transfer and is rethrown. The body of an error response is not read.
    package func download(
        _ address: WebAddress, from offset: Int64, cancellation: Cancellation,
        body: (_ length: Int64?, _ bytes: UnsafeRawBufferPointer) throws -> Void
    ) throws -> (host: String, end: DownloadEnd) {
        var request = HTTPRequest(address.text)
        (request.isFromUser, request.allowsPlainHTTP) = (true, true)
        var fetch = try HTTPTransfer(request, address, policy, cancellation, offset: offset)
        do {
            let (head, _) = try fetch.run { head, bytes in
                guard head.status == (offset > 0 ? 206 : 200) else { return false }
                try body(head.headers["content-length"].flatMap { Int64($0) }, bytes)
                return true
            }
            return (fetch.address.host, fetch.downloadEnd(head.status, isRest: offset > 0))
        } catch {
            // If the task is cancelled while the failure is examined, only the cancellation is reported.
            try cancellation.check()
            guard let end = fetch.breakage else { throw error }
            return (fetch.address.host, end)
        }
    }

    /// libcurl sends headers unchanged, so a line feed in one would begin another (RFC 9110, 5.1 and 5.5).
    private func isHeader(_ name: String, _ value: String) -> Bool {
        let marks = "!#$%&'*+-.^_`|~".utf8
        let isToken = name.utf8.allSatisfy { $0.isASCIIAlphanumeric || marks.contains($0) }
        return !name.isEmpty && isToken && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
    }
}
