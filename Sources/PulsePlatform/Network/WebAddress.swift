import CCurl
import Foundation

/// An http or https URL, parsed by libcurl, so that the checked host is the one connected to: two parsers may find two
/// hosts in one URL.
package struct WebAddress: Sendable, Equatable {
    package let text: String
    /// In lower case, an IPv6 address in brackets.
    package let host: String
    package let isEncrypted: Bool
    let port: Int

    /// Nil for other schemes, for a URL without a host, and for one with a user name or password, which could end up in
    /// messages and logs.
    package init?(_ text: String) {
        // libcurl ignores a third slash, and would take the next part for the host.
        guard let colon = text.range(of: "://"), !text[colon.upperBound...].hasPrefix("/"), let url = curl_url()
        else { return nil }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK else { return nil }
        self.init(url, text: text)
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

    private init?(_ url: OpaquePointer, text: String) {
        guard let scheme = Self.part(CURLUPART_SCHEME, of: url)?.lowercased(), ["http", "https"].contains(scheme),
            let host = Self.part(CURLUPART_HOST, of: url), !host.isEmpty, host != "[]",
            let port = Self.part(CURLUPART_PORT, of: url, flags: CURLU_DEFAULT_PORT).flatMap({ Int($0) })
        else { return nil }
        self.text = text
        self.host = host.lowercased()
        self.port = port
        isEncrypted = scheme == "https"
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
