import CCurl
import Foundation
import PulseText

/// An http or https URL, parsed by libcurl, so that the checked host is the one connected to: two parsers may find two
/// hosts in one URL.
package struct WebAddress: Sendable, Equatable {
    /// Its host is in ASCII.
    package let text: String
    /// In lower case and by IDNA, an IPv6 address in brackets.
    package let host: String
    package let isEncrypted: Bool
    let port: Int

    /// Nil for other schemes, without a host, and with a user name or password, which could end up in logs.
    package init?(_ text: String) {
        // libcurl ignores a third slash, and would take the next part for the host.
        guard let colon = text.range(of: "://"), !text[colon.upperBound...].hasPrefix("/"), let url = curl_url()
        else { return nil }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: url)?.lowercased(), ["http", "https"].contains(scheme),
            let written = Self.part(CURLUPART_HOST, of: url), !written.isEmpty, written != "[]",
            let host = WebURL.asciiHost(written),
            let port = Self.part(CURLUPART_PORT, of: url, flags: CURLU_DEFAULT_PORT).flatMap({ Int($0) })
        else { return nil }
        if written.utf8.allSatisfy({ $0 < 0x80 }) {
            self.text = text
        } else {
            guard curl_url_set(url, CURLUPART_HOST, host, 0) == CURLUE_OK, let text = Self.part(CURLUPART_URL, of: url)
            else { return nil }
            self.text = text
        }
        self.host = host
        self.port = port
        isEncrypted = scheme == "https"
    }

    /// The target of a redirect; `location` may be relative.
    func resolving(_ location: String) -> WebAddress? {
        guard let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        let flags = UInt32(CURLU_DISALLOW_USER) | pulse_curl_lenient_url()
        guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
            curl_url_set(url, CURLUPART_URL, location, flags) == CURLUE_OK,
            let text = Self.part(CURLUPART_URL, of: url)
        else { return nil }
        return WebAddress(text)
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer, flags: Int32 = 0) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &value, UInt32(flags)) == CURLUE_OK, let value else { return nil }
        defer { curl_free(value) }
        return String(cString: value)
    }

    /// The IP address, if the URL has one in place of a name.
    var literal: NetworkAddress? { NetworkAddress(host) }

    /// The parts after the scheme: host and port; path and query.
    private var written: (authority: Substring, path: Substring) {
        let rest = text.range(of: "://").map { text[$0.upperBound...] } ?? ""
        let authority = rest.prefix { !"/?#".contains($0) }
        return (authority, rest.dropFirst(authority.count).prefix { $0 != "#" })
    }

    /// Scheme, host and port.
    package var origin: String { (isEncrypted ? "https://" : "http://") + written.authority.lowercased() }

    /// Path and query; it begins with a slash.
    package var path: String { (written.path.hasPrefix("/") ? "" : "/") + written.path }

    /// Whether it names this machine.
    package var isLoopback: Bool { host == "localhost" || literal?.isLoopback == true }

    /// Whether the URL itself names this machine or a private network; a name may still resolve to one.
    package var isPrivate: Bool { isLoopback || literal?.isPublic == false }

    /// Whether both are URLs of one host.
    package static func isSameHost(_ first: String, _ second: String) -> Bool {
        guard let host = WebAddress(first)?.host else { return false }
        return host == WebAddress(second)?.host
    }

    /// Whether both are the same server, which may receive the same secrets. A change from http to https on the default
    /// ports is allowed.
    func isSameServer(as other: WebAddress) -> Bool {
        guard host == other.host else { return false }
        if port == other.port, isEncrypted == other.isEncrypted { return true }
        return isEncrypted && port == 443 && !other.isEncrypted && other.port == 80
    }
}

/// An IP address, resolved from a name or written in a URL.
struct NetworkAddress: Sendable, Hashable {
    /// Four or sixteen bytes in network order.
    let bytes: [UInt8]

    init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads `192.0.2.1` and `2001:db8::1`, the latter also in brackets. libcurl converts other forms (`0x7f.1`).
    init?(_ text: some StringProtocol) {
        let text = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : String(text)
        var four = [UInt8](repeating: 0, count: 4)
        var six = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = four
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = six
        } else {
            return nil
        }
    }

    var isLoopback: Bool { Self.loopback.contains { $0.contains(self) } }

    /// Whether it is an address on the internet: neither this machine nor a private network nor multicast.
    var isPublic: Bool {
        let address = embedded ?? self
        return !Self.closed.contains { $0.contains(address) }
    }

    /// The embedded IPv4 address of an IPv6 one: where a packet ends up.
    private var embedded: NetworkAddress? {
        guard let (_, first) = Self.embeddings.first(where: { $0.range.contains(self) }) else { return nil }
        return NetworkAddress(bytes: Array(bytes[first..<first + 4]))
    }

    private static let loopback = ["127.0.0.0/8", "::1/128", "::ffff:127.0.0.0/104"].compactMap(Range.init)

    /// From the IANA registries of special-purpose addresses (RFC 6890).
    private static let closed = [
        "0.0.0.0/8",  // this network; 0.0.0.0 reaches this machine
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",  // private (RFC 1918)
        "100.64.0.0/10",  // behind a provider's NAT (RFC 6598)
        "127.0.0.0/8",  // loopback
        "169.254.0.0/16",  // link-local (RFC 3927); in clouds, the machine's own secrets
        "192.0.0.0/24", "198.18.0.0/15",  // protocol assignments, benchmarks
        "224.0.0.0/4", "240.0.0.0/4",  // multicast, reserved, broadcast
        "64:ff9b:1::/48",  // NAT64 of one's own network (RFC 8215)
        "2001::/32",  // Teredo, which hides an IPv4 address (RFC 4380)
        "fc00::/7",  // unique local (RFC 4193)
        "fe80::/10", "fec0::/10",  // link-local, site-local
        "ff00::/8",  // multicast
    ].compactMap(Range.init)

    /// IPv6 prefixes that embed an IPv4 address, and the index of its first byte.
    private static let embeddings: [(range: Range, first: Int)] = [
        ("::ffff:0:0/96", 12),  // mapped (RFC 4291)
        ("::/96", 12),  // compatible (RFC 4291); also :: and ::1, which become addresses of 0.0.0.0/8
        ("64:ff9b::/96", 12),  // NAT64 (RFC 6052)
        ("2002::/16", 2),  // 6to4 (RFC 3056)
    ].compactMap { text, first in Range(text).map { ($0, first) } }

    /// A prefix in CIDR notation: `10.0.0.0/8`.
    struct Range: Sendable {
        private let start: [UInt8]
        private let bits: Int

        /// Nil unless the text is an address, a slash and a number of bits.
        init?(_ text: some StringProtocol) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let address = NetworkAddress(parts[0]), let bits = Int(parts[1]),
                (0...address.bytes.count * 8).contains(bits)
            else { return nil }
            start = address.bytes
            self.bits = bits
        }

        func contains(_ address: NetworkAddress) -> Bool {
            guard address.bytes.count == start.count else { return false }
            let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
            guard address.bytes[..<whole] == start[..<whole] else { return false }
            return rest == 0 || (address.bytes[whole] ^ start[whole]) >> (8 - rest) == 0
        }
    }
}

extension NetworkAddress: CustomStringConvertible {
    var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil else {
            return "an unknown address"
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
