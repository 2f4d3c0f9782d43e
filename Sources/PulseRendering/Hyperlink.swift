/// A hyperlink of a terminal: the sequence OSC 8, as terminals have agreed on it
/// (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
///
/// The URL is an article's and so is not to be trusted: only http and https, no user name that could pass for a host,
/// and nothing but printable ASCII inside the sequence, so that no byte of it can end the sequence or begin another.
struct Hyperlink: Sendable, Hashable {
    private let target: String
    private let id: String

    /// Terminals refuse longer ones (VTE: 2083 bytes), and none that is shown is.
    private static let longest = 2000

    /// - Returns: nil for what a terminal should not be led to.
    init?(_ url: String, id: String) {
        guard let target = Hyperlink.target(url) else { return nil }
        self.target = target
        self.id = String(
            String.UnicodeScalarView(
                id.unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic || Hyperlink.isDigit($0) }))
    }

    func around(_ text: String) -> String { "\u{1b}]8;id=\(id);\(target)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\" }

    private static func target(_ url: String) -> String? {
        guard url.utf8.count <= longest else { return nil }
        let lower = url.prefix(8).lowercased()
        guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else { return nil }
        // By scalars: a mark on “@” or “/” makes another character of it and takes nothing from its meaning.
        let rest = url.unicodeScalars.dropFirst(scheme.count)
        let host = rest.prefix { !"/?#\\".unicodeScalars.contains($0) }
        guard let first = host.first, first.properties.isAlphabetic || isDigit(first) || first == "[",
            !host.contains("@")
        else { return nil }
        let target = scheme + String(rest).utf8.map(escaped).joined()
        return target.utf8.count <= longest ? target : nil
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    /// What RFC 3986 lets stand in a URL stays, and everything else is percent-encoded; what is encoded already too.
    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            break
        default:
            guard "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte) else {
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return String(UnicodeScalar(byte))
    }
}
