import PulseText

import struct Foundation.URL

/// Links to be stored and shown: http or https, with a host, and without characters that could end the link where it
/// is shown.
package enum ArticleURL {
    /// The longest link in bytes, by RFC 9110, section 4.1: "at least 8000 octets".
    package static let longest = 8000

    /// The URL without surrounding white space and user name, with its host in ASCII, and percent-encoded as in
    /// browsers; nil if it is not valid.
    package static func clean(_ text: String) -> String? {
        let written = text.trimmed
        let address = encoded(written)
        guard address.utf8.count <= longest else { return nil }
        let lowercased = address.prefix(8).lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lowercased.hasPrefix($0) }),
            let first = address.dropFirst(scheme.count).unicodeScalars.first,
            !["/", "?", "#", ":"].contains(first),
            !written.utf8.dropFirst(scheme.utf8.count).prefix(while: { !"/?#".utf8.contains($0) })
                .contains(where: isEncoded)
        else { return nil }
        let isClean = address.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && scalar.value != 0x7f && (scalar.isASCII || !scalar.properties.isWhitespace)
                && !PlainText.isUnsafe(scalar)
        }
        guard isClean else { return nil }
        if address.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "@") }) { return address }
        // A password must not be stored, and a user name may pass for a host.
        return WebURL.withASCIIHost(WebURL.hasUser(address) ? WebURL.withoutUser(address) : address)
    }

    /// The absolute URL of a link as publishers write it; nil if it may not be stored.
    /// - Parameter base: The base of a relative URL.
    package static func resolve(_ text: String, base: String?) -> String? {
        var link = String(text.trimmed.unicodeScalars.filter { $0 != "\n" && $0 != "\r" && $0 != "\t" })
        guard !link.isEmpty else { return nil }
        let start = link.prefix(8).lowercased()
        if start.hasPrefix("feed://") {
            link = "http://" + link.dropFirst(7)
        } else if start.hasPrefix("feed:") {
            link = String(link.dropFirst(5))
        }
        guard !isAbsolute(link) else { return clean(link) }
        if let colon = link.firstIndex(of: ":"), !link[..<colon].contains(where: { "/?#".contains($0) }) { return nil }
        guard let base else { return nil }
        // Foundation percent-encodes a second time if another character needs encoding, so it only gets an encoded
        // path.
        let (path, rest) = parts(WebURL.encoded(link))
        let (location, query) = parts(base)
        guard !path.isEmpty else {
            let isQuery = rest.hasPrefix("?")
            return clean(location + (isQuery ? "" : query.prefix { $0 != "#" }) + rest)
        }
        guard let url = URL(string: path, relativeTo: URL(string: location)) else { return nil }
        return clean(url.absoluteString + rest)
    }

    /// The URL before its query or fragment, and the rest.
    private static func parts(_ address: String) -> (path: String, rest: String) {
        let path = address.prefix { !"?#".contains($0) }
        return (String(path), String(address[path.endIndex...]))
    }

    package static func isAbsolute(_ link: String) -> Bool {
        let start = link.prefix(8).lowercased()
        return start.hasPrefix("https://") || start.hasPrefix("http://")
    }

    /// Percent-encodes what browsers encode. Letters of other scripts stay, because people read URLs.
    private static func encoded(_ link: String) -> String {
        guard link.utf8.contains(where: isEncoded) else { return link }
        return link.unicodeScalars.map { scalar in
            scalar.isASCII && isEncoded(UInt8(scalar.value))
                ? "%" + String(scalar.value, radix: 16, uppercase: true) : String(scalar)
        }.joined()
    }

    private static func isEncoded(_ byte: UInt8) -> Bool { " \"<>\\`".utf8.contains(byte) }
}
