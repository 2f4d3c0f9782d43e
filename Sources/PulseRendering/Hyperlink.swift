/// A hyperlink of a terminal: the sequence OSC 8, as terminals have agreed on it
/// (https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda).
///
/// The URL is an article's and so is not to be trusted: it leads where a document's links may lead, and a `WebLink` is
/// printable ASCII, so that no byte of it can end the sequence or begin another.
struct Hyperlink: Sendable, Hashable {
    private let target: String
    private let id: String

    /// Terminals refuse longer ones (VTE: 2083 bytes), and none that is shown is.
    private static let longest = 2000

    /// - Returns: nil for what a terminal should not be led to.
    init?(_ url: String, id: String) {
        guard let link = WebLink(url), link.address.utf8.count <= Hyperlink.longest else { return nil }
        self.target = link.address
        let letters = id.unicodeScalars.filter { $0.isASCII && (Character($0).isLetter || Character($0).isNumber) }
        self.id = String(String.UnicodeScalarView(letters))
    }

    func around(_ text: String) -> String { "\u{1b}]8;id=\(id);\(target)\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\" }
}
