import Foundation
import PulseText

/// A URL that is safe to show: http or https, with a host in ASCII, without a user name that could pass for a host, and
/// without characters that could end it in HTML, Markdown or a terminal's control sequence.
package struct WebLink: Sendable, Hashable {
    /// RFC 9110, section 4.1: senders and recipients should support "at least 8000 octets".
    private static let longest = 8000

    package let address: String

    /// - Parameter text: a stored URL. The result is nil if it is not safe.
    package init?(_ text: String?) {
        guard let text, text.utf8.count <= WebLink.longest else { return nil }
        let line = PlainText.line(text)
        let start = line.prefix(8).lowercased()
        guard let scheme = ["https", "http"].first(where: { start.hasPrefix($0 + "://") }) else { return nil }
        let authority = line.dropFirst(scheme.count + "://".count).prefix { !"/?#\\".contains($0) }
        guard let host = WebLink.host(authority) else { return nil }
        let rest = line[authority.endIndex...]
        guard rest.first != "\\" else { return nil }
        let address = line.prefix(scheme.count) + "://" + host + WebURL.encoded(String(rest))
        self.address = String(address)
    }

    /// The host in ASCII, with its port; nil if it is invalid or could pass for another.
    private static func host(_ authority: Substring) -> String? {
        // Text before an “@” only looks like a host, and programs disagree about “%” in one.
        guard let first = authority.first, first.isLetter || first.isNumber || first == "[",
            !authority.contains(where: { "@%\"<>`".contains($0) || $0.isWhitespace }),
            let url = URL(string: "https://\(authority)/", encodingInvalidCharacters: true), url.host?.isEmpty == false
        else { return nil }
        let host = url.absoluteString.dropFirst("https://".count).dropLast()
        let isSafe = host.utf8.allSatisfy { (0x21..<0x7f).contains($0) && !"<>\"`\\/?#@%".utf8.contains($0) }
        return isSafe && !host.isEmpty ? String(host) : nil
    }
}
