import Foundation
import PulseText

/// A link that may be shown: http or https, with a host and no user name that could pass for one, in ASCII, with nothing
/// in it that could end its place in HTML, in Markdown or in a terminal's sequence.
struct WebLink: Sendable, Hashable {
    /// The longest that browsers and servers agree on, by RFC 9110, section 4.1: "at least 8000 octets".
    private static let longest = 8000

    let address: String

    /// - Parameter text: As it was stored; nil where it makes no such link.
    init?(_ text: String?) {
        guard let text, text.utf8.count <= WebLink.longest else { return nil }
        // Letters of other scripts, spaces and quotation marks become %XX, a host in another script its ASCII form.
        guard let url = URL(string: PlainText.line(text), encodingInvalidCharacters: true),
            let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme), url.host?.isEmpty == false
        else { return nil }
        let address = url.absoluteString
        let isSafe = address.unicodeScalars.allSatisfy {
            (0x21..<0x7f).contains($0.value) && !["<", ">", "\"", "`", "\\"].contains($0)
        }
        guard isSafe else { return nil }
        // What stands before an “@” is no host, whatever it looks like; programs disagree about a “%” in one.
        let authority = address.dropFirst(scheme.count + "://".count).prefix { !"/?#".contains($0) }
        guard let first = authority.first, first.isLetter || first.isNumber || first == "[",
            !authority.contains(where: "@%".contains)
        else { return nil }
        self.address = address
    }
}
