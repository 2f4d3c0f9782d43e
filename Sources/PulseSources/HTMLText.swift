import PulseText

/// Plain text from what a feed calls a text: HTML, plain text, or plain text with a few references in it.
///
/// Scripts, styles and everything else a page does not show are gone, every character reference is decoded, each
/// block is a paragraph, and nothing is ever fetched.
public enum HTMLText {
    /// Paragraphs with a blank line between them, tidied by `PlainText`.
    public static func paragraphs(_ text: String) -> String {
        PlainText.paragraphs(visible(text))
    }

    /// One line, tidied by `PlainText`: for titles and names.
    public static func line(_ text: String) -> String {
        PlainText.line(visible(text))
    }

    /// Paragraphs of what is known to be HTML, though it may not look so.
    public static func paragraphs(html: String) -> String {
        let html = front(of: html)
        let form = HTMLForm(of: html)
        return PlainText.paragraphs(text(of: HTMLReferences.prepare(html), isPreformatted: form == .inline))
    }

    /// Whether a text holds HTML: a tag that HTML knows, closed, or a character reference. "a < b" and "I <3 you" do
    /// not; "List<String>" does not either.
    public static func looksLikeHTML(_ text: String) -> Bool { HTMLForm(of: text) != .plain }

    /// What is longer is no article: so no text, however it is made, takes longer than a few seconds.
    private static let longest = 16 << 20

    private static func front(of text: String) -> String {
        text.utf8.count > longest ? String(decoding: text.utf8.prefix(longest), as: UTF8.self) : text
    }

    private static func visible(_ text: String) -> String {
        let text = front(of: text)
        switch HTMLForm(of: text) {
        case .plain:
            return text
        case .references:
            // Without tags a "<" is a character, and line breaks are those of plain text.
            let escaped = text.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "&lt;")
            return self.text(of: HTMLReferences.prepare(escaped), isPreformatted: true)
        case .inline:
            return self.text(of: HTMLReferences.prepare(text), isPreformatted: true)
        case .blocks:
            return self.text(of: HTMLReferences.prepare(text), isPreformatted: false)
        }
    }

    private static func text(of html: [UInt8], isPreformatted: Bool) -> String {
        guard let parser = HTMLParser() else { return "" }
        let html = HTMLBounding.bounded(html)
        let sink = HTMLTextSink(isPreformatted: isPreformatted)
        if parser.parse(html, into: sink) { return String(decoding: sink.text, as: UTF8.self) }
        let flat = HTMLTextSink(isPreformatted: isPreformatted)
        _ = parser.parse(HTMLFlattening.flatten(html), into: flat)
        return String(decoding: flat.text, as: UTF8.self)
    }
}
