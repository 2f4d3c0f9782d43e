import Foundation
import PulseText

/// A link that is safe to show: http or https, with a host and without a user name that could pass for one, in ASCII,
/// with no character that could end it in HTML, in Markdown or in a terminal's control sequence.
package struct WebLink: Sendable, Hashable {
    /// The longest that browsers and servers agree on, by RFC 9110, section 4.1: "at least 8000 octets".
    private static let longest = 8000

    package let address: String

    /// - Parameter text: As it was stored; nil where it makes no such link.
    package init?(_ text: String?) {
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

/// A hyperlink of a terminal, by the control sequence OSC 8
/// (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
///
/// The URL is an article's and not to be trusted. A `WebLink` is printable ASCII, so that no byte of it can end the
/// sequence or begin another.
struct Hyperlink: Sendable, Hashable {
    private let target: String
    private let id: String

    /// In bytes; terminals refuse longer ones (VTE: 2083).
    private static let longest = 2000

    /// - Returns: nil for a URL that is not safe.
    init?(_ url: String, id: String) {
        guard let link = WebLink(url), link.address.utf8.count <= Hyperlink.longest else { return nil }
        self.target = link.address
        let letters = id.unicodeScalars.filter { $0.isASCII && (Character($0).isLetter || Character($0).isNumber) }
        self.id = String(String.UnicodeScalarView(letters))
    }

    func around(_ text: String) -> String { "\u{1b}]8;id=\(id);\(target)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\" }
}
