import CCurl
import Foundation
import PulseCore
import PulseText

/// The owner of libcurl's easy and multi handles, for one exchange after another: a request and the answer to it.
///
/// libcurl checks certificates and the names in them, and by its default would go on to check nothing else: which
/// addresses may be connected to, and where redirects may lead, is decided here and by those who call it. Its multi
/// interface is driven by hand, with one transfer in it, because that returns after each wait and can be stopped then;
/// `curl_easy_perform` asks its callbacks only about once a second.
struct CurlHandle: ~Copyable {
    let easy: UnsafeMutableRawPointer
    private let multi: UnsafeMutableRawPointer
    /// "The buffer must be at least CURL_ERROR_SIZE bytes big" and must outlive the handle (CURLOPT_ERRORBUFFER.3).
    private let reason: UnsafeMutablePointer<CChar>

    /// Once for the program, before any handle (curl_global_init.3).
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// - Parameters:
    ///   - connectTimeout: Until the connection (with TLS) stands.
    ///   - stallTimeout: Without a single byte, before the connection counts as broken. Whole seconds.
    init(userAgent: String, connectTimeout: Duration, stallTimeout: Duration) throws(PulseError) {
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
        // libcurl sets no signal handlers; BlockingThread deals with SIGPIPE.
        pulse_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        pulse_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        pulse_curl_set_long(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        pulse_curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        pulse_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, connectTimeout.milliseconds)
        pulse_curl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, 1)
        pulse_curl_set_long(easy, CURLOPT_LOW_SPEED_TIME, max(1, stallTimeout.milliseconds / 1000))
        pulse_curl_set_string(easy, CURLOPT_USERAGENT, userAgent)
        pulse_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, reason)
        // "If that amount differs from the amount passed to your callback function", the transfer ends
        // (CURLOPT_WRITEFUNCTION.3, CURLOPT_HEADERFUNCTION.3).
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
            guard exchange.permits(Array(UnsafeRawBufferPointer(start: bytes, count: count))) else {
                return pulse_curl_no_socket()
            }
            return pulse_curl_open_socket(address)
        }
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_multi_cleanup(multi)
        reason.deallocate()
    }

    /// Sends the request that was set up in `easy`, and gives the answer to `exchange`. No redirect is followed. Throws
    /// only if it was cancelled, within a tenth of a second; how the exchange ended is in what it returns.
    func perform(_ exchange: Exchange, cancellation: Cancellation) throws(PulseError) -> CURLcode {
        let context = Unmanaged.passUnretained(exchange).toOpaque()
        defer { withExtendedLifetime(exchange) {} }
        pulse_curl_set_string(easy, CURLOPT_URL, exchange.hop.address.text)
        // An empty proxy is none, whatever the environment says, and an empty list of exceptions likewise.
        pulse_curl_set_string(easy, CURLOPT_PROXY, exchange.hop.proxy ?? "")
        pulse_curl_set_string(easy, CURLOPT_NOPROXY, "")
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA] {
            pulse_curl_set_pointer(easy, option, context)
        }
        reason.pointee = 0
        return try drive(cancellation)
    }

    private func drive(_ cancellation: Cancellation) throws(PulseError) -> CURLcode {
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

    /// What libcurl says about the last exchange, as one line.
    func words(for code: CURLcode) -> String {
        let detail = String(cString: reason)
        return PlainText.line(detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail, limit: 200)
    }

    /// How long the server asks to be left alone, in seconds; nil if it does not.
    var retryAfter: Int? {
        let seconds = pulse_curl_get_offset(easy, CURLINFO_RETRY_AFTER)
        return seconds > 0 ? Int(clamping: seconds) : nil
    }

    private static var failure: PulseError {
        PulseError(.unavailable, "The system's libcurl could not be started, so nothing can be downloaded here.")
    }
}

/// One server on the way to an answer: the one that was asked for, or one that a redirect leads to.
struct Hop: Sendable {
    let address: WebAddress
    /// Whether the user has named its host: only then it may be of a private network.
    let isNamed: Bool
    /// nil if it is reached directly.
    let proxy: String?

    /// Whether its name alone says that it must not be asked.
    var isClosed: Bool { !isNamed && address.isPrivate }

    /// Whether it may be connected to, now that its name is resolved. A proxy's address says nothing about the server.
    func permits(_ resolved: NetworkAddress) -> Bool {
        if proxy != nil { return true }
        // Unencrypted, this name is trusted to stay on this machine.
        if address.isLoopback { return isNamed && resolved.isLoopback }
        return isNamed || resolved.isPublic
    }
}

/// Stands between libcurl's callbacks, which can be given no more than a pointer, and whoever wants the answer. It is
/// used only on the thread that drives the transfer.
final class Exchange {
    let hop: Hop
    var head = ResponseHead()
    /// The address that the name led to, if it was not permitted.
    private(set) var refused: NetworkAddress?
    private let body: (ResponseHead, UnsafeRawBufferPointer) -> Bool

    /// - Parameter body: Takes each piece of the body, and returns whether to go on. That of a redirect is not
    ///   given to it.
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

/// The status and the headers of an answer.
struct ResponseHead: Sendable {
    private(set) var status = 0
    /// Names in lower case; of a repeated header the last one.
    private(set) var headers: [String: String] = [:]
    /// Whether it has ended, so that nothing is missing from it.
    private(set) var isWhole = false
    /// Whether it was cut off: it is far longer than any head has reason to be.
    private(set) var isTooLarge = false
    private var size = 0
    private static let limit = 256 << 10

    /// Takes a line, and returns whether to go on.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        size += bytes.count
        isTooLarge = size > Self.limit
        guard !isTooLarge else { return false }
        let line = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if line.hasPrefix("HTTP/") {
            // 100 Continue comes with a head of its own, before that of the answer.
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

    /// Where a redirect leads; nil if this is none.
    var location: String? {
        isWhole && [301, 302, 303, 307, 308].contains(status) ? headers["location"] : nil
    }
}

extension Duration {
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
