import PulseText

/// Plain text from the texts of feeds, which may be HTML, plain text, or plain text with character references.
///
/// Scripts, styles and whatever else a page does not show are removed, character references are decoded, each block is
/// a paragraph, and nothing is ever fetched.
public enum HTMLText {
    /// Paragraphs with a blank line between them, tidied by `PlainText`.
    public static func paragraphs(_ text: String) -> String {
        PlainText.paragraphs(visible(text))
    }

    /// One line, tidied by `PlainText`: for titles and names.
    public static func line(_ text: String) -> String {
        PlainText.line(visible(text))
    }

    /// The same for a text that is known to be HTML, even if it does not look like it.
    public static func paragraphs(html: String) -> String {
        let html = front(of: html)
        let form = HTMLForm(of: html)
        return PlainText.paragraphs(text(of: HTMLReferences.prepare(html), isPreformatted: form == .inline))
    }

    /// In bytes; the rest is cut off. It bounds the time that one article can take to a few seconds.
    private static let longest = 16 << 20

    /// In bytes. libxml2 looks up each name of a tag in a table that does not grow with the number of different names,
    /// so that a flood of them takes quadratic time. What is longer has its tags dropped first.
    private static let longestParsed = 2 << 20

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
        if html.count <= longestParsed, parser.parse(html, into: sink) {
            return String(decoding: sink.text, as: UTF8.self)
        }
        let flat = HTMLTextSink(isPreformatted: isPreformatted)
        _ = parser.parse(HTMLFlattening.flatten(html), into: flat)
        return String(decoding: flat.text, as: UTF8.self)
    }
}
