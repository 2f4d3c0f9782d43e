import CCurl
import Foundation
import PulseCore
import PulseText

/// Owns libcurl's easy and multi handles, for one request after another.
///
/// libcurl verifies certificates. Which addresses may be connected to, and where redirects may lead, is decided here
/// and by the callers. The multi interface is used for a single transfer because it returns after each wait, so that
/// the transfer can be cancelled; `curl_easy_perform` calls its callbacks only about once a second.
struct CurlHandle: ~Copyable {
    let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    /// "The buffer must be at least CURL_ERROR_SIZE bytes big" and must outlive the handle (CURLOPT_ERRORBUFFER.3).
    private let reason: UnsafeMutablePointer<CChar>

    /// Must run once, before any handle is made (curl_global_init.3).
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// For the timeouts see `CurlClient.Policy`.
    init(userAgent: String, connectTimeout: Duration, stallTimeout: Duration) throws {
        guard Self.isReady, let easy = curl_easy_init() else { throw Self.failure }
        guard let multi = curl_multi_init() else {
            curl_easy_cleanup(easy)
            throw Self.failure
        }
        self.easy = easy
        self.multi = multi
        reason = .allocate(capacity: Int(CURL_ERROR_SIZE))
        reason.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))

        pulse_curl_set_quick_exit(easy)
        pulse_curl_set_protocols(easy)
        // Without this, libcurl uses signals. BlockingThread deals with SIGPIPE.
        pulse_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        pulse_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        pulse_curl_set_long(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        pulse_curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        pulse_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, connectTimeout.milliseconds)
        pulse_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        pulse_curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, max(1, stallTimeout.milliseconds / 1000))
        pulse_curl_set_string(easy, CURLOPT_USERAGENT, userAgent)
        pulse_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, reason)
        // A count that "differs from the amount passed" ends the transfer (CURLOPT_WRITEFUNCTION.3).
        pulse_curl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            return exchange.receive(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
        }
        pulse_curl_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            return exchange.head.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
        }
        pulse_curl_set_socket_opener(easy) { context, _, address in
            guard let context, let address else { return pulse_curl_no_socket() }
            var bytes: UnsafeRawPointer?
            let count = Int(pulse_curl_address_bytes(address, &bytes))
            let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
            let isPermitted = exchange.permits(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
            return isPermitted ? pulse_curl_open_socket(address) : pulse_curl_no_socket()
        }
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
        reason.deallocate()
    }

    /// Sends the request that was set up in `easy`, and hands the response to `exchange`. Follows no redirect. Throws
    /// only when cancelled, within a tenth of a second; returns libcurl's result.
    func perform(_ exchange: Exchange, cancellation: Cancellation) throws -> CURLcode {
        let context = Unmanaged.passUnretained(exchange).toOpaque()
        defer { withExtendedLifetime(exchange) {} }
        pulse_curl_set_string(easy, CURLOPT_URL, exchange.hop.address.text)
        // An empty proxy means none, and an empty list of exceptions means none: the environment is not read.
        pulse_curl_set_string(easy, CURLOPT_PROXY, exchange.hop.proxy ?? "")
        pulse_curl_set_string(easy, CURLOPT_NOPROXY, "")
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA] {
            pulse_curl_set_pointer(easy, option, context)
        }
        reason.pointee = 0
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else { throw Self.failure }
        defer { curl_multi_remove_handle(multi, easy) }
        var running: Int32 = 1
        while true {
            try cancellation.check()
            guard curl_multi_perform(multi, &running) == CURLM_OK else { throw Self.failure }
            if running == 0 { break }
            // Returns as soon as the socket is ready.
            curl_multi_poll(multi, nil, 0, 50, nil)
        }
        var queued: Int32 = 0
        guard let message = curl_multi_info_read(multi, &queued), message.pointee.msg == CURLMSG_DONE else {
            throw Self.failure
        }
        return message.pointee.data.result
    }

    /// libcurl's error message for the last request, as one line.
    func words(for code: CURLcode) -> String {
        let detail = String(cString: reason)
        return PlainText.line(detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail, limit: 200)
    }

    /// `Retry-After` in seconds; nil if the response has none.
    var retryAfter: Int? {
        let seconds = pulse_curl_get_offset(easy, CURLINFO_RETRY_AFTER)
        return seconds > 0 ? Int(clamping: seconds) : nil
    }

    private static var failure: PulseError {
        PulseError(
            .unavailable, "The system's libcurl could not be started, so nothing can be downloaded here.",
            hint: "Reinstall libcurl.")
    }
}

/// One request of a chain of redirects.
struct Hop: Sendable {
    let address: WebAddress
    /// Whether the user named this host; only then may it be in a private network.
    let isNamed: Bool
    /// Nil for a direct connection.
    let proxy: String?

    /// Whether the URL alone shows that the host must not be contacted.
    var isClosed: Bool { !isNamed && address.isPrivate }

    /// Whether the resolved address may be connected to. A proxy's address says nothing about the server.
    func permits(_ resolved: NetworkAddress) -> Bool {
        if proxy != nil { return true }
        // A loopback name is allowed without encryption, so it must not resolve to another machine.
        if address.isLoopback { return isNamed && resolved.isLoopback }
        return isNamed || resolved.isPublic
    }
}

/// The context of libcurl's callbacks, which take a single pointer. Used only on the thread that drives the transfer.
final class Exchange {
    let hop: Hop
    var head = ResponseHead()
    /// The resolved address, if it was refused.
    private(set) var refused: NetworkAddress?
    private let body: (ResponseHead, UnsafeRawBufferPointer) -> Bool

    /// - Parameter body: Receives each piece of the body, except a redirect's. Returns whether to continue.
    init(_ hop: Hop, body: @escaping (ResponseHead, UnsafeRawBufferPointer) -> Bool) {
        self.hop = hop
        self.body = body
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { head.location == nil && body(head, bytes) }

    func permits(_ bytes: [UInt8]) -> Bool {
        guard let resolved = NetworkAddress(bytes: bytes) else { return false }
        if hop.permits(resolved) { return true }
        refused = resolved
        return false
    }
}

struct ResponseHead: Sendable {
    private(set) var status = 0
    /// Names in lower case. Of a repeated header the last one counts, except `set-cookie`.
    private(set) var headers: [String: String] = [:]
    /// Whether the end of the headers was received.
    private(set) var isWhole = false
    /// Whether the headers exceeded `limit` and were cut off.
    private(set) var isTooLarge = false
    private var size = 0
    private static let limit = 256 << 10

    /// Receives a header line, and returns whether to continue.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        size += bytes.count
        isTooLarge = size > Self.limit
        guard !isTooLarge else { return false }
        let line = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if line.hasPrefix("HTTP/") {
            // 100 Continue has headers of its own, before the final ones.
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            headers = [:]
            isWhole = false
        } else if line.isEmpty {
            isWhole = status >= 200
        } else if !isWhole, let colon = line.firstIndex(of: ":") {
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            // Each cookie has a line of its own (RFC 6265, 3).
            let before = name == "set-cookie" ? headers[name].map { $0 + "\n" } : nil
            headers[name] = (before ?? "") + value
        }
        return true
    }

    var location: String? { isWhole && [301, 302, 303, 307, 308].contains(status) ? headers["location"] : nil }
}

extension Duration {
    var milliseconds: Int { Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000) }
}

/// The environment's proxies. libcurl does not read them, because the check of an address must know whether it is a
/// proxy's.
struct Proxies: Sendable {
    private let environment: [String: String]

    init(_ environment: [String: String]) { self.environment = environment }

    /// The proxy for a URL; nil for a direct connection, as for this machine.
    func proxy(for address: WebAddress) -> String? {
        guard !address.isLoopback, !isExcepted(address) else { return nil }
        // HTTP_PROXY may be a request's `Proxy:` header in a CGI program (CVE-2016-5385): ignored.
        let names = address.isEncrypted ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        return (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    /// `no_proxy` as libcurl reads it: names include subdomains, addresses may be ranges, an asterisk is everything.
    private func isExcepted(_ address: WebAddress) -> Bool {
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        return list.split(whereSeparator: { $0 == "," || $0 == " " }).contains { entry in
            if entry == "*" { return true }
            if let literal = address.literal {
                return NetworkAddress(entry) == literal || NetworkAddress.Range(entry)?.contains(literal) == true
            }
            let name = entry.lowercased().drop { $0 == "." }
            return !name.isEmpty && (address.host == name || address.host.hasSuffix(".\(name)"))
        }
    }
}
