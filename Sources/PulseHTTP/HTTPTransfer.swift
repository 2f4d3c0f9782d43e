import CCurl
import Foundation
package import PulseCore
package import PulseSystem
import PulseText

/// Downloads of files, one after another: each piece is handed on as it comes, and a download can go on where an
/// earlier one stopped. Proxies are those of the environment.
package struct HTTPTransfer: ~Copyable {
    package struct Settings: Sendable {
        package var userAgent = "pulse-digest"
        /// Until the connection (with TLS) stands.
        package var connectTimeout: Duration = .seconds(30)
        /// Without a single byte, before the connection counts as broken. Whole seconds. The whole transfer has no time
        /// limit: a slow line is no error.
        package var stallTimeout: Duration = .seconds(60)
        /// How many redirects are followed.
        package var redirects = 8

        package init() {}
    }

    /// How a transfer ended.
    package enum End {
        /// The server has answered. `status` is 200 or (from an offset) 206 if its body was taken. `retryAfter`: in
        /// seconds.
        case answered(status: Int, retryAfter: Int?)
        /// The server does not give the part that was asked for, but the whole or nothing.
        case rangeRefused
        /// The connection broke. `isTransient`: it is worth trying again; `isUnreachable`: it never stood.
        case broken(reason: String, isTransient: Bool, isUnreachable: Bool)
        /// A redirect that is not followed: to another protocol, from https to http, to a private network, or with a
        /// user name.
        case redirected(to: String)
        case redirectedTooOften
    }

    private let handle: CurlHandle
    private let redirects: Int

    /// Throws `.unavailable` if libcurl cannot be started.
    package init(_ settings: Settings) throws(PulseError) {
        handle = try CurlHandle(
            userAgent: settings.userAgent, connectTimeout: settings.connectTimeout, stallTimeout: settings.stallTimeout)
        redirects = settings.redirects
    }

    /// Asks for what is at `address`, from byte `offset` on, and returns how that ended and the host that was asked
    /// last.
    ///
    /// - Parameter body: Takes each piece of the wanted body, together with the length of that body if the server told
    ///   it. What it throws ends the transfer, and is thrown from here. The page that comes with an error is not read.
    package func get(
        _ address: WebAddress, from offset: Int64, cancellation: Cancellation,
        body: (_ length: Int64?, _ bytes: UnsafeRawBufferPointer) throws(PulseError) -> Void
    ) throws(PulseError) -> (host: String, end: End) {
        // With this, libcurl holds a 206 against the offset, and refuses other parts.
        pulse_curl_set_offset(handle.easy, CURLOPT_RESUME_FROM_LARGE, curl_off_t(offset))
        let proxies = Proxies(ProcessInfo.processInfo.environment)
        var current = address
        for _ in 0...redirects {
            let hop = Hop(
                address: current, isNamed: current.host == address.host, proxy: proxies.proxy(for: current))
            let target: String
            switch try ask(hop, isRest: offset > 0, cancellation: cancellation, body: body) {
            case .ended(let end): return (current.host, end)
            case .sentOn(let location): target = location
            }
            guard let next = current.resolving(target), next.isEncrypted || !current.isEncrypted,
                !Hop(address: next, isNamed: next.host == address.host, proxy: nil).isClosed
            else { return (current.host, .redirected(to: PlainText.line(target, limit: 200))) }
            current = next
        }
        return (current.host, .redirectedTooOften)
    }

    private enum Answer {
        case ended(End)
        case sentOn(location: String)
    }

    private func ask(
        _ hop: Hop, isRest: Bool, cancellation: Cancellation,
        body: (_ length: Int64?, _ bytes: UnsafeRawBufferPointer) throws(PulseError) -> Void
    ) throws(PulseError) -> Answer {
        try withoutActuallyEscaping(body) { (body) throws(PulseError) in
            // What `body` threw; libcurl only knows that the callback took nothing.
            var refusal: PulseError?
            let easy = handle.easy
            let exchange = Exchange(hop) { head, bytes in
                guard head.status == (isRest ? 206 : 200) else { return false }
                let length = Int64(pulse_curl_get_offset(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T))
                do throws(PulseError) {
                    try body(length < 0 ? nil : length, bytes)
                    return true
                } catch {
                    refusal = error
                    return false
                }
            }
            let code = try handle.perform(exchange, cancellation: cancellation)
            if let refusal { throw refusal }
            if let location = exchange.head.location { return .sentOn(location: location) }
            return .ended(end(code, exchange, isRest: isRest))
        }
    }

    /// - Parameter isRest: Whether the bytes from an offset on were asked for.
    private func end(_ code: CURLcode, _ exchange: Exchange, isRest: Bool) -> End {
        let words = handle.words(for: code)
        let status = exchange.head.status
        if status == 0, exchange.refused != nil { return .redirected(to: "an address of a private network") }
        switch code {
        case CURLE_OK where isRest && [200, 416].contains(status),
            CURLE_RANGE_ERROR where isRest && [200, 206].contains(status):
            return .rangeRefused
        // CURLE_WRITE_ERROR: the body was not wanted. CURLE_RANGE_ERROR: the page of an error is not the rest.
        case CURLE_OK, CURLE_WRITE_ERROR, CURLE_RANGE_ERROR:
            return .answered(status: status, retryAfter: handle.retryAfter)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
            CURLE_SSL_CONNECT_ERROR:
            return .broken(reason: words, isTransient: true, isUnreachable: true)
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_OPERATION_TIMEDOUT,
            CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return .broken(reason: words, isTransient: true, isUnreachable: false)
        default:
            return .broken(reason: words, isTransient: false, isUnreachable: false)
        }
    }
}
