/// A link that may be stored and shown: http or https, with a host, and nothing in it that could leave its place.
enum WebAddress {
    /// The longest that browsers and servers agree on, by RFC 9110, section 4.1: "at least 8000 octets".
    static let longest = 8000

    /// The address without surrounding space; nil where it is no such link.
    static func clean(_ text: String) -> String? {
        let address = text.trimmed
        guard address.utf8.count <= longest else { return nil }
        let lowercased = address.prefix(8).lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lowercased.hasPrefix($0) }) else { return nil }
        guard let first = address.dropFirst(scheme.count).unicodeScalars.first,
            !["/", "?", "#", ":"].contains(first)
        else { return nil }
        let isClean = address.unicodeScalars.allSatisfy { scalar in
            scalar.value > 0x20 && scalar.value != 0x7f && (scalar.isASCII || !scalar.properties.isWhitespace)
                && !["<", ">", "\"", "`", "\\"].contains(scalar) && !scalar.isUnsafe
        }
        return isClean ? address : nil
    }
}
