import struct Foundation.URL

/// URLs of web pages as strings: no network, no files.
public enum WebURL {
    /// The normalised URL of a page: scheme and host in lower case, without user name, default port, fragment and
    /// tracking parameters. Nil where the text is no http or https URL.
    public static func canonical(_ address: String) -> String? {
        Parts(address).map { $0.scheme + "://" + $0.authority + $0.path + $0.query }
    }

    /// The URL to store: the canonical one, unless its fragment names the page, as in “#!/news/1”.
    public static func stored(_ address: String) -> String {
        // Most have no fragment; searching the bytes finds that faster.
        let hasFragment = address.utf8.contains(UInt8(ascii: "#"))
        let isKept = hasFragment && (address.contains("#!") || address.contains("#/"))
        return isKept ? address : canonical(address) ?? address
    }

    /// A stored URL with the other of http and https, with or without a slash at the end of its path, and both.
    public static func spellings(of address: String) -> [String] {
        let rest = address.utf8.drop { $0 != UInt8(ascii: ":") }
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        let query = Substring(rest[path.endIndex...])
        let scheme = Substring(address.utf8[..<rest.startIndex])
        let same = String(Substring(path))
        let toggled = same.hasSuffix("/") ? String(same.dropLast()) : same + "/"
        let other = scheme == "https" ? "http" : "https"
        return [other + same + query, scheme + toggled + query, other + toggled + query]
    }

    /// A page's URLs share this: the canonical URL without its scheme, since http redirects to https, and without
    /// slashes at the end of its path. Nil where the text is no http or https URL.
    public static func identity(_ address: String) -> String? { Parts(address)?.identity }

    /// The identity of an article's page; nil also for a front page, which is no article.
    public static func page(_ address: String) -> String? {
        Parts(address).flatMap { $0.path == "/" ? nil : $0.identity }
    }

    /// The URL with everything percent-encoded that no URL may contain: spaces, quotation marks, controls, letters of
    /// other scripts, and a `%` that begins no `%XX`. Existing `%XX` stay, so that encoding twice changes nothing.
    /// Brackets stay, too: not allowed everywhere (RFC 3986, section 3.2.2), but servers distinguish them from `%5B`.
    public static func encoded(_ address: String) -> String {
        let bytes = Array(address.utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        func isHex(_ index: Int) -> Bool {
            index < bytes.count && Unicode.Scalar(bytes[index]).properties.isASCIIHexDigit
        }
        for (index, byte) in bytes.enumerated() {
            let isPercent = byte == UInt8(ascii: "%")
            if isPercent ? isHex(index + 1) && isHex(index + 2) : isAllowed(byte) {
                encoded.append(byte)
            } else {
                encoded += "%\(Hexadecimal.text(of: [byte], uppercase: true))".utf8
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        (0x21..<0x7f).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
    }

    /// The host in lower case, such as `www.herald.example`.
    public static func host(_ address: String) -> String? { Parts(address)?.host }

    /// Host and port in lower case; without the port where it is the scheme's default.
    public static func server(_ address: String) -> String? { Parts(address)?.authority }

    /// The URL, its host converted by `asciiHost` if not ASCII; nil if that fails.
    public static func withASCIIHost(_ address: String) -> String? {
        var host = authority(of: address)
        if let user = host.lastIndex(of: "@") { host = host[host.index(after: user)...] }
        if let port = host.lastIndex(of: ":") { host = host[..<port] }
        guard !host.utf8.allSatisfy({ $0 < 0x80 }) else { return address }
        return asciiHost(String(host)).map { address[..<host.startIndex] + $0 + address[host.endIndex...] }
    }

    /// The ASCII form in which a host is looked up and stored: by IDNA (UTS 46, as in browsers) where it has other
    /// letters. Nil where IDNA refuses it.
    ///
    /// Foundation has the tables. libcurl's conversion depends on the locale.
    public static func asciiHost(_ host: String) -> String? {
        if host.utf8.allSatisfy({ $0 < 0x80 }) { return host.lowercased() }
        guard let ascii = URL(string: "http://\(host)/")?.host(percentEncoded: false)?.lowercased() else { return nil }
        // Letters such as U+2100 map to several characters, one of which may end the host.
        let isName = ascii.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-._".utf8.contains($0) }
        return isName && !ascii.isEmpty ? ascii : nil
    }

    /// The URL's authority if IDNA refuses the host; nil where it is valid.
    public static func refusedHost(_ address: String) -> String? {
        withASCIIHost(address) == nil ? String(authority(of: address)) : nil
    }

    /// Whether the URL holds a user name or a password, which must not be shown or stored.
    public static func hasUser(_ address: String) -> Bool {
        address.firstRange(of: "://") != nil && authority(of: address).contains("@")
    }

    /// The URL without the user name and the password that it may hold, for messages.
    public static func withoutUser(_ address: String) -> String {
        let authority = authority(of: address)
        var end = authority.lastIndex(of: "@")
        // A password with a slash looks like a port that is no number.
        if end == nil, let colon = authority.lastIndex(of: ":"), !authority[colon...].dropFirst().allSatisfy(\.isNumber)
        {
            end = address.lastIndex(of: "@")
        }
        guard let end else { return address }
        return String(address[..<authority.startIndex] + address[address.index(after: end)...])
    }

    /// User, host and port, also of a malformed URL: without a scheme, or with a third slash.
    private static func authority(of address: String) -> Substring {
        let rest = address.firstRange(of: "://").map { address[$0.upperBound...].drop { $0 == "/" } } ?? address[...]
        return rest.prefix { !"/?#\\".contains($0) }
    }

    /// Whether two URLs are on the same server, controlled by one party. `www.herald.example` counts as
    /// `herald.example`.
    public static func haveSameSite(_ first: String, _ second: String) -> Bool {
        func name(_ address: String) -> Substring? {
            server(address).map { $0.hasPrefix("www.") ? $0.dropFirst(4) : $0[...] }
        }
        return name(first).map { $0 == name(second) } ?? false
    }

    public static func isFrontPage(_ address: String) -> Bool { Parts(address)?.path == "/" }

    /// Whether a host is one of `hosts` or a subdomain of one.
    public static func isHost(_ host: String, in hosts: some Sequence<String>) -> Bool {
        hosts.contains { host == $0 || host.hasSuffix("." + $0) }
    }

    private struct Parts {
        let scheme: String
        let host: String
        /// With the port where it is not the scheme's default.
        let authority: String
        let path: String
        /// With the question mark; empty where no parameter is left.
        let query: String

        var identity: String {
            var page = authority + path
            while page.last == "/" { page.removeLast() }
            return page + query
        }

        init?(_ address: String) {
            let start = address.prefix(8).lowercased()
            guard let scheme = ["https", "http"].first(where: { start.hasPrefix($0 + "://") }) else { return nil }
            let defaultPort = scheme == "https" ? ":443" : ":80"
            let location = address.dropFirst(scheme.count + 3).prefix { $0 != "#" }
            var authority = location.prefix { !"/?\\".contains($0) }
            let rest = location[authority.endIndex...]
            if let user = authority.lastIndex(of: "@") { authority = authority[authority.index(after: user)...] }
            var host = authority.lowercased()
            var port = ""
            // The colons of an IPv6 address are inside brackets.
            if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
                port = String(host[colon...])
                host = String(host[..<colon])
            }
            guard let ascii = WebURL.asciiHost(host) else { return nil }
            host = ascii
            if host.hasSuffix(".") { host.removeLast() }
            guard !host.isEmpty, !host.hasPrefix(".") else { return nil }
            self.scheme = scheme
            self.host = host
            self.authority = host + (port == defaultPort || port == ":" ? "" : port)
            let path = rest.prefix { $0 != "?" }
            self.path = path.isEmpty ? "/" : String(path)
            let parameters = rest[path.endIndex...].dropFirst().split(separator: "&")
                .filter { !Self.isTracking($0.prefix { $0 != "=" }.lowercased()) }
            query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
        }

        private static func isTracking(_ name: String) -> Bool {
            WebURL.trackers.contains(name) || WebURL.trackerPrefixes.contains { name.hasPrefix($0) }
        }
    }

    private static let trackerPrefixes = ["utm_", "mtm_", "pk_", "hsa_", "at_"]

    private static let trackers = EmbeddedLists.words(PackageResources.trackers_txt)["trackers", default: []]
}
