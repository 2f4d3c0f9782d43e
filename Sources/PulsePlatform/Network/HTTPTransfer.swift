import CCurl
import Foundation
package import PulseCore
import PulseText
import Synchronization

/// One request with its redirects. It blocks its thread.
struct HTTPTransfer: ~Copyable {
    private let handle: CurlHandle
    private let policy: CurlClient.Policy
    private let cancellation: Cancellation
    private let first: WebAddress
    private let request: HTTPRequest
    private let proxies: Proxies
    private let deadline: ContinuousClock.Instant
    private let resolved: UnsafeMutablePointer<curl_slist>?
    /// The URL of the current or last request.
    private(set) var address: WebAddress
    /// libcurl's result of the last request; nil before it.
    private var code: CURLcode?
    /// Whether libcurl decompresses. Off after a wrong `Content-Encoding`.
    private var decompresses = true

    /// - Parameter offset: The byte at which a download starts; its response is not compressed. Nil: it may be.
    init(
        _ request: HTTPRequest, _ address: WebAddress, _ policy: CurlClient.Policy, _ cancellation: Cancellation,
        offset: Int64? = nil
    ) throws {
        handle = try CurlHandle(
            userAgent: policy.userAgent, connectTimeout: policy.connectTimeout, stallTimeout: policy.stallTimeout)
        self.policy = policy
        self.cancellation = cancellation
        self.request = request
        first = address
        self.address = address
        proxies = Proxies(policy.environment)
        deadline = .now + policy.totalTimeout
        resolved = policy.resolved.reduce(nil) { curl_slist_append($0, $1) }
        if let offset {
            // With this, libcurl compares a 206 response with the offset and refuses other ranges.
            pulse_curl_set_offset(handle.easy, CURLOPT_RESUME_FROM_LARGE, curl_off_t(offset))
        } else {
            // All compressions that libcurl was built with.
            pulse_curl_set_string(handle.easy, CURLOPT_ACCEPT_ENCODING, "")
        }
        if !request.takesBeginning {
            pulse_curl_set_offset(handle.easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(policy.sizeLimit))
        }
        if let file = policy.certificates { pulse_curl_set_string(handle.easy, CURLOPT_CAINFO, file) }
        if let resolved { pulse_curl_set_pointer(handle.easy, CURLOPT_RESOLVE, resolved) }
    }

    deinit { curl_slist_free_all(resolved) }

    /// In seconds.
    var retryAfter: Int? { handle.retryAfter }

    /// - Parameter take: Receives each piece of the body, and returns whether to continue. Its errors are rethrown.
    mutating func run(
        _ take: (ResponseHead, UnsafeRawBufferPointer) throws -> Bool
    ) throws -> (head: ResponseHead, movedTo: String?) {
        var request = request
        var movedTo: String?
        var isForGood = true
        for _ in 0...policy.redirects {
            let head = try ask(request, take)
            guard let location = head.location else { return (head, movedTo) }
            guard let next = address.resolving(location) else {
                throw PulseError(
                    .unavailable, "\(address.shown) redirects to something that is not a web address.",
                    hint: "Look at the address with a browser.")
            }
            if address.isEncrypted, !next.isEncrypted {
                throw PulseError(
                    .permission,
                    "\(address.shown) redirects from https to plain http at \(next.shown), which is not followed.",
                    hint: "Ask its operator for an https:// address.")
            }
            // "The request method [may be changed] from POST to GET", as all clients do (RFC 9110, 15.4).
            if head.status == 303 && request.method != "HEAD" || head.status < 303 && request.method == "POST" {
                request.method = "GET"
                request.body = nil
                request.headers.removeAll { $0.name.lowercased() == "content-type" }
            }
            if request.isConfidential, !next.isSameServer(as: address) {
                throw PulseError.confidentialRedirect(address, next)
            }
            address = next
            isForGood = isForGood && [301, 308].contains(head.status)
            if isForGood { movedTo = next.text }
        }
        throw PulseError(
            .unavailable, "\(first.shown) redirects more than \(policy.redirects) times.",
            hint: "Look at the address with a browser: it may ask for cookies or a login.")
    }

    private mutating func ask(
        _ request: HTTPRequest, _ take: (ResponseHead, UnsafeRawBufferPointer) throws -> Bool
    ) throws -> ResponseHead {
        code = nil
        guard address.isEncrypted || address.isLoopback || request.allowsPlainHTTP else {
            throw PulseError(
                .permission,
                "The connection to \(address.shown) would not be encrypted, so that others could read and change it.",
                hint: "Use its https:// address.")
        }
        let hop = Hop(
            address: address, isNamed: request.isFromUser && address.host == first.host,
            proxy: proxies.proxy(for: address))
        guard !hop.isClosed else { throw PulseError.privateAddress(of: hop, first: first) }
        let rest = ContinuousClock.now.duration(to: deadline).milliseconds
        guard rest > 0 else { throw PulseError.late(address, policy) }
        pulse_curl_set_long(handle.easy, CURLOPT_TIMEOUT_MS, rest)
        var lines = setUp(request)
        defer { curl_slist_free_all(lines) }
        // libcurl does not copy the list, so it must outlive the request (CURLOPT_HTTPHEADER.3).
        lines = curl_slist_append(lines, "Expect:")
        pulse_curl_set_pointer(handle.easy, CURLOPT_HTTPHEADER, lines)

        let tooLarge = PulseError.tooLarge(address, limit: policy.sizeLimit)
        let (code, head, refused, isEmpty) = try withoutActuallyEscaping(take) {
            (take) -> (CURLcode, ResponseHead, NetworkAddress?, Bool) in
            var left = policy.sizeLimit
            // Why the callback refused a piece; libcurl knows only that it did.
            var refusal: (any Error)?
            var isUnwanted = false
            let exchange = Exchange(hop) { head, bytes in
                do {
                    guard bytes.count <= left || request.takesBeginning else { throw tooLarge }
                    left -= bytes.count
                    isUnwanted = try !take(head, bytes)
                    return !isUnwanted
                } catch {
                    refusal = error
                    return false
                }
            }
            let code = try handle.perform(exchange, cancellation: cancellation)
            if let refusal { throw refusal }
            return (isUnwanted ? CURLE_OK : code, exchange.head, exchange.refused, left == policy.sizeLimit)
        }
        if head.location != nil { return head }
        // Wrong `Content-Encoding`: repeated without decompression. For brotli it is CURLE_WRITE_ERROR.
        if [CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR].contains(code), head.isWhole, isEmpty, decompresses,
            request.method == "GET"
        {
            decompresses = false
            pulse_curl_set_string(handle.easy, CURLOPT_ACCEPT_ENCODING, nil)
            return try ask(request, take)
        }
        if code == CURLE_FILESIZE_EXCEEDED { throw tooLarge }
        // A header line of more than 100 KB is reported as out of memory, or since libcurl 8.6 by a code of its own.
        let isLongLine = code == CURLE_OUT_OF_MEMORY || code.rawValue == 100
        if head.isTooLarge || !head.isWhole && isLongLine {
            throw PulseError(
                .badData, "\(address.shown) sent headers that are far too long, and its response was not read.",
                hint: "The fault is the server's.", cause: "\(address.shown): long headers")
        }
        if head.status == 0, let refused { throw PulseError.privateAddress(of: hop, resolved: refused, first: first) }
        self.code = code
        // CURLE_RANGE_ERROR: the server sent another range.
        if code == CURLE_OK || code == CURLE_RANGE_ERROR { return head }
        var failure = failure(code, of: hop)
        failure.isOffline = try isOffline(code, hop)
        throw failure
    }

    /// Whether this machine is offline, rather than the server failing.
    private func isOffline(_ code: CURLcode, _ hop: Hop) throws -> Bool {
        let isLookup =
            code == CURLE_COULDNT_RESOLVE_HOST
            || code == CURLE_OPERATION_TIMEDOUT
                && pulse_curl_get_offset(handle.easy, CURLINFO_NAMELOOKUP_TIME_T) <= 0
        guard isLookup || [CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT].contains(code) else { return false }
        // A machine that cannot reach its proxy is offline.
        guard hop.proxy == nil else { return true }
        if !pulse_has_route() { return !hop.address.isPrivate }
        guard isLookup else { return false }
        return try !LocalNetwork.hasNameServer(cancellation)
    }

    /// The result of a download that completed. `isRest`: a range from an offset was requested.
    func downloadEnd(_ status: Int, isRest: Bool) -> CurlClient.DownloadEnd {
        switch code {
        case CURLE_OK? where isRest && [200, 416].contains(status),
            CURLE_RANGE_ERROR? where isRest && [200, 206].contains(status):
            .rangeRefused
        // An error page also leads to CURLE_RANGE_ERROR.
        default: .answered(status: status, retryAfter: retryAfter)
        }
    }

    /// How the connection of a download failed; nil if it did not.
    var breakage: CurlClient.DownloadEnd? {
        guard let code else { return nil }
        let isUnreachable = [
            CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_SSL_CONNECT_ERROR,
        ].contains(code)
        let breaksOff = [
            CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_OPERATION_TIMEDOUT,
            CURLE_HTTP2, CURLE_HTTP2_STREAM,
        ].contains(code)
        return .broken(
            reason: handle.words(for: code), isTransient: isUnreachable || breaksOff, isUnreachable: isUnreachable)
    }

    /// Sets the method and the body, and returns the headers.
    private func setUp(_ request: HTTPRequest) -> UnsafeMutablePointer<curl_slist>? {
        let easy = handle.easy
        pulse_curl_set_long(easy, CURLOPT_HTTPGET, 1)
        pulse_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, nil)
        if request.method == "HEAD" {
            pulse_curl_set_long(easy, CURLOPT_NOBODY, 1)
        } else if request.body != nil || request.method == "POST" {
            let body = request.body ?? Data()
            pulse_curl_set_long(easy, CURLOPT_POST, 1)
            pulse_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            // libcurl copies the body. The NUL gives an empty body an address.
            (body + [0]).withUnsafeBytes { bytes in
                let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                pulse_curl_set_string(easy, CURLOPT_COPYPOSTFIELDS, start)
            }
        }
        if !["GET", "HEAD", "POST"].contains(request.method) || request.method == "GET" && request.body != nil {
            pulse_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method)
        }
        return request.headers.reduce(nil) { list, header in
            // A header without value needs a semicolon; a colon would remove the header (CURLOPT_HTTPHEADER.3).
            curl_slist_append(list, header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
    }

    private func failure(_ code: CURLcode, of hop: Hop) -> PulseError {
        let host = hop.address.shown
        let cause = String(cString: curl_easy_strerror(code))
        func error(_ message: Message, _ hint: Message) -> PulseError {
            PulseError(.unavailable, message, hint: hint, cause: "\(host): \(cause)")
        }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return error("The host \(host) was not found.", "Check its spelling and the connection to the internet.")
        case CURLE_COULDNT_RESOLVE_PROXY:
            return error("The proxy for \(host) was not found.", "Check the variable https_proxy.")
        case CURLE_COULDNT_CONNECT where hop.proxy != nil:
            return error("The proxy for \(host) refused the connection.", "Check the variable https_proxy.")
        case CURLE_COULDNT_CONNECT:
            return error(
                "\(host) refused the connection on port \(hop.address.port).",
                "Check the address and whether the server is running.")
        // libcurl counts whole milliseconds, so its timeout may fire a moment early.
        case CURLE_OPERATION_TIMEDOUT where .now + .milliseconds(100) >= deadline:
            return .late(hop.address, policy)
        case CURLE_OPERATION_TIMEDOUT where pulse_curl_get_offset(handle.easy, CURLINFO_PRETRANSFER_TIME_T) <= 0:
            return error(
                "\(host) has not answered for \(policy.connectTimeout.inSeconds).",
                "Try again later, and check the address and the connection to the internet.")
        case CURLE_OPERATION_TIMEDOUT:
            return error("\(host) has sent nothing for \(policy.stallTimeout.inSeconds).", "Try again later.")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return PulseError(
                .unavailable, "The certificate of \(host) cannot be trusted (\(handle.words(for: code))).",
                hint: "Check the address and this machine's clock; without a valid certificate nothing is fetched.",
                cause: "\(host): \(handle.words(for: code))")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER:
            return error(
                "No encrypted connection to \(host) can be made (\(handle.words(for: code))).",
                "Check the address: at port \(hop.address.port) there may be a server without TLS.")
        case CURLE_SSL_CACERT_BADFILE:
            return error("The certificates for checking \(host) cannot be read.", "Install ca-certificates.")
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return error("\(host) closed the connection before its response was complete.", "Try again later.")
        case CURLE_BAD_CONTENT_ENCODING:
            return error("\(host) sent a response that cannot be decompressed.", "Try again later.")
        default: return error("Fetching from \(host) failed (\(handle.words(for: code))).", "Try again later.")
        }
    }
}

extension WebAddress {
    /// The host, for messages; the rest of the URL may hold secrets.
    var shown: String { PlainText.line(host, limit: 100) }
}

extension Duration {
    fileprivate var inSeconds: Message { self < .seconds(2) ? "a second" : "\(milliseconds / 1000) seconds" }
}

extension PulseError {
    fileprivate static func confidentialRedirect(_ address: WebAddress, _ next: WebAddress) -> PulseError {
        let target = "\(next.isEncrypted ? "https" : "http")://\(next.shown):\(next.port)"
        return PulseError(
            .permission,
            "\(address.shown) redirects to another server, \(target), to which confidential data is not sent.",
            hint: "If that is where the service is now, change the address to it.")
    }

    fileprivate static func privateAddress(
        of hop: Hop, resolved: NetworkAddress? = nil, first: WebAddress
    ) -> PulseError {
        let host = hop.address.shown
        let place: Message = resolved.map { "\(host) is \($0), which is" } ?? "\(host) is"
        let way: Message = hop.address == first ? "" : "\(first.shown) redirects to \(host). "
        return PulseError(
            .permission, "\(way)\(place) an address of this machine or of a private network, and is not contacted.",
            hint: Self.privateHint)
    }

    private static let privateHint: Message = "Private addresses work only if you enter them yourself."

    /// Whether the request was refused because the address is private.
    package var isOfPrivateAddress: Bool { hint == Self.privateHint }

    private static let tooLargeHint: Message = "Check that this is the right address."
    private static let lateHint: Message = "Try again later, when the server or the connection is faster."

    package var isTooLarge: Bool { hint == Self.tooLargeHint }
    private var isLate: Bool { hint == Self.lateHint }

    /// Whether a smaller request may succeed: the response was too large, or not complete in time.
    package var shouldRequestLess: Bool { isTooLarge || isLate && HTTPBudget.current?.isSpent != true }

    fileprivate static func tooLarge(_ address: WebAddress, limit: Int) -> PulseError {
        let size: Message = limit >= 1 << 20 ? "\(limit >> 20) MiB" : "\(limit) bytes"
        return PulseError(
            .badData, "The response of \(address.shown) is larger than \(size), and was not read.",
            hint: tooLargeHint)
    }

    fileprivate static func late(_ address: WebAddress, _ policy: CurlClient.Policy) -> PulseError {
        PulseError(
            .unavailable, "The response of \(address.shown) was not whole after \(policy.totalTimeout.inSeconds).",
            hint: lateHint)
    }
}

/// Asked after a server could not be reached, to distinguish a server that is down from a network that is.
enum LocalNetwork {
    /// Whether a name server answers at all. It is asked for a root server, which each one knows, because getaddrinfo
    /// reports a failed look-up and a missing name server alike.
    static func hasNameServer(_ cancellation: Cancellation) throws -> Bool {
        let answer = Answer()
        Thread.detachNewThread {
            var list: UnsafeMutablePointer<addrinfo>?
            let code = getaddrinfo("a.root-servers.net", nil, nil, &list)
            if let list { freeaddrinfo(list) }
            answer.isThere.withLock { $0 = code != EAI_AGAIN }
        }
        // getaddrinfo waits longer and cannot be cancelled.
        let end = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < end {
            if let isThere = answer.isThere.withLock({ $0 }) { return isThere }
            try cancellation.sleep(.milliseconds(20))
        }
        return false
    }

    private final class Answer: Sendable {
        let isThere = Mutex<Bool?>(nil)
    }
}
