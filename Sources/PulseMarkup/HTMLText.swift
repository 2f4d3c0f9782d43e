import CXML
import PulseText

/// Plain text from texts of feeds, which may be HTML, plain text, or plain text with character references.
///
/// Scripts, styles and other invisible content are removed, character references are decoded, and each block becomes a
/// paragraph. Nothing is ever fetched.
public enum HTMLText {
    /// Paragraphs with a blank line between them, tidied by `PlainText`.
    public static func paragraphs(_ text: String) -> String {
        PlainText.paragraphs(visible(unescaped(text)))
    }

    /// One line, tidied by `PlainText`: for titles and names.
    public static func line(_ text: String) -> String { PlainText.line(visible(text)) }

    /// The same for a title that should be plain, but may be HTML: "Use <b> and <i>" keeps its words.
    public static func title(_ text: String) -> String {
        line(isMarkup(text) ? text : text.replacing("<", with: "&lt;"))
    }

    /// Paragraphs of a text that is known to be HTML, even if it does not look like it.
    public static func paragraphs(html: String) -> String {
        let html = unescaped(front(of: html))
        return PlainText.paragraphs(text(of: html, isPreformatted: HTMLForm(of: html) == .inline))
    }

    /// Whether a text that should be plain is HTML after all: an element in it is closed, closes itself or has
    /// attributes, or a `<br>` follows a word.
    public static func isMarkup(_ text: String) -> Bool { text.withBytes { HTMLForm.hasWholeElement($0) } }

    /// In bytes; the rest is cut off, which limits the time for one article to a few seconds.
    private static let longest = 16 << 20

    /// In bytes. libxml2 looks up each tag name in a hash table of fixed size, so that many different names take
    /// quadratic time. The tags of a longer text are dropped first.
    private static let longestParsed = 2 << 20

    private static func front(of text: String) -> String {
        text.utf8.count > longest ? String(decoding: text.utf8.prefix(longest), as: UTF8.self) : text
    }

    /// Undoes one level of escaping of HTML that a feed has escaped twice: it has no tags, but begins with one once its
    /// references are decoded. Any other text is returned as it is.
    private static func unescaped(_ text: String) -> String {
        guard text.drop(while: \.isWhitespace).hasPrefix("&lt;"), HTMLForm(of: text) == .references else { return text }
        let html = self.text(of: front(of: text), isPreformatted: true)
        return HTMLForm(of: html) == .blocks && isMarkup(html) ? html : text
    }

    private static func visible(_ text: String) -> String {
        let text = front(of: text)
        switch HTMLForm(of: text) {
        case .plain: return text
        case .references:
            // Without tags a "<" is a character, and line breaks are those of plain text.
            let escaped = text.split(separator: "<", omittingEmptySubsequences: false).joined(separator: "&lt;")
            return self.text(of: escaped, isPreformatted: true)
        case let form: return self.text(of: text, isPreformatted: form == .inline)
        }
    }

    private static func text(of html: String, isPreformatted: Bool) -> String {
        guard let parser = HTMLParser() else { return "" }
        let html = HTMLBounding.bounded(HTMLUnclosed.shown(HTMLReferences.prepare(html)))
        var sink = HTMLTextSink(isPreformatted: isPreformatted)
        if html.count > longestParsed || !parser.parse(html, into: sink) {
            sink = HTMLTextSink(isPreformatted: isPreformatted)
            _ = parser.parse(HTMLFlattening.flatten(html), into: sink)
        }
        return String(decoding: sink.text, as: UTF8.self)
    }
}

/// How a text is to be read, judged by its tags and references.
enum HTMLForm: Equatable {
    /// No HTML. A single "<" is a character, as in "a < b", and so is "<string>".
    case plain
    /// No tags, but character references, such as `&amp;`.
    case references
    /// Only inline tags: paragraphs are those of plain text.
    case inline
    /// A document, or a part of one.
    case blocks

    init(of text: String) { self = text.withBytes { HTMLForm.sniff($0) } }

    private static func sniff(_ text: UnsafeBufferPointer<UInt8>) -> HTMLForm {
        var form = HTMLForm.plain
        // Only a tag that ends with ">" counts.
        let lastClose = text.lastIndex(of: UInt8(ascii: ">")) ?? -1
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "<") where index < lastClose:
                guard let tag = HTMLTag(in: text, at: index), tag.nameEnd <= lastClose else { continue }
                if HTMLElements.all.contains(tag.name), tag.isWellFormed(in: text) {
                    if tag.name == "br" || HTMLElements.blocks.contains(tag.name) { return .blocks }
                    form = .inline
                } else if tag.name.isEmpty, isDeclaration(text, tag.nameEnd), form == .plain {
                    form = .inline
                }
            case UInt8(ascii: "&") where form == .plain:
                if isReference(text, at: index) { form = .references }
            default:
                continue
            }
        }
        return form
    }

    /// See `HTMLText.isMarkup`.
    fileprivate static func hasWholeElement(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var opened: Set<String> = []
        var index = text.startIndex
        while let start = text[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = start + 1
            guard let tag = HTMLTag(in: text, at: start), HTMLElements.all.contains(tag.name) else { continue }
            if tag.isEnd {
                if opened.contains(tag.name) { return true }
                continue
            }
            opened.insert(tag.name)
            // A line break after a word, and not a mention of one in a sentence.
            if tag.name == "br" || tag.name == "wbr", start > 0, text[start - 1] > 0x20 { return true }
            index = tag.nameEnd
            while index < text.count, text[index] <= 0x20 { index += 1 }
            let name = index
            while index < text.count, text[index].isASCIIAlphanumeric || text[index] == UInt8(ascii: "-") { index += 1 }
            let isAttribute = index > name && index > tag.nameEnd && text[index...].first == UInt8(ascii: "=")
            if isAttribute || text[index...].starts(with: "/>".utf8) { return true }
        }
        return false
    }

    /// "<!--", "<!DOCTYPE", "<![CDATA[".
    private static func isDeclaration(_ text: UnsafeBufferPointer<UInt8>, _ mark: Int) -> Bool {
        guard text[mark] == UInt8(ascii: "!"), mark + 1 < text.count else { return false }
        return [UInt8(ascii: "-"), UInt8(ascii: "D"), UInt8(ascii: "d"), UInt8(ascii: "[")].contains(text[mark + 1])
    }

    private static func isReference(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        var end = start + 1
        if end < text.count, text[end] == UInt8(ascii: "#") { end += 1 }
        let nameStart = end
        while end < text.count, end - nameStart <= 32, text[end].isASCIIAlphanumeric { end += 1 }
        // No reference has a single letter; "&T;" is a mistake in a headline about AT&T.
        let least = nameStart == start + 1 ? 2 : 1
        return end < text.count && text[end] == UInt8(ascii: ";") && end - nameStart >= least
    }
}

/// Collects the visible text of a document from the parser's events. No tree is built: ten megabytes of `<b>` would be
/// hundreds of megabytes of nodes.
final class HTMLTextSink: HTMLSink {
    /// UTF-8; a blank line ends a block, and `<br>` is a line feed.
    private(set) var text: [UInt8] = []
    /// The number of open elements. It is limited, because libxml2 compares an unmatched end tag with all of them,
    /// which takes too long on a page that only opens elements.
    private var depth = 0
    /// Open elements inside and including the outermost invisible one; 0 while text is visible.
    private var hiddenDepth = 0
    /// Open `<pre>` elements, inside which line breaks count.
    private var preformattedDepth: Int
    /// Whether a superscript has begun after a digit.
    private var isRaised = false
    private var footnotes = FootnoteMarks()

    /// Deeper than any article; for deeper ones see `HTMLFlattening`.
    static let deepest = 200

    /// - Parameter isPreformatted: Whether line breaks count everywhere.
    init(isPreformatted: Bool) { preformattedDepth = isPreformatted ? 1 : 0 }

    override func start(_ name: String, attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        depth += 1
        if depth > HTMLTextSink.deepest { stopParser() }
        if hiddenDepth > 0 || HTMLElements.invisible.contains(name) || Self.isHidden(attributes) {
            hiddenDepth += 1
            return
        }
        if name == "pre" { preformattedDepth += 1 }
        if FootnoteMarks.mayBe(name) {
            footnotes.start(name, Self.attributes(attributes, FootnoteMarks.attributes), depth: depth, at: text.count)
        }
        switch name {
        case "br": text.append(UInt8(ascii: "\n"))
        case "td", "th": text.append(UInt8(ascii: " "))
        case "q": text.append(contentsOf: "“".utf8)
        case "sup": isRaised = text.last?.isASCIIDigit == true
        default: if HTMLElements.blocks.contains(name) { endBlock() }
        }
    }

    override func end(_ name: String) {
        depth -= 1
        if hiddenDepth > 0 {
            hiddenDepth -= 1
            return
        }
        if let mark = footnotes.end(depth: depth + 1, of: text) { text.removeSubrange(mark...) }
        if name == "pre" { preformattedDepth -= 1 }
        if name == "q" { text.append(contentsOf: "”".utf8) }
        if HTMLElements.blocks.contains(name) { endBlock() }
    }

    override func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard hiddenDepth == 0 else { return }
        // 10<sup>8</sup> is not 108.
        if isRaised, let first = bytes.first, first.isASCIIDigit || first == UInt8(ascii: "-") {
            text.append(UInt8(ascii: "^"))
        }
        isRaised = false
        let start = text.count
        text.append(contentsOf: bytes)
        guard preformattedDepth == 0 else { return }
        // Outside of `<pre>`, a line break is a space.
        text.withUnsafeMutableBufferPointer { text in
            for index in start..<text.count where text[index] == 0x0a || text[index] == 0x0d { text[index] = 0x20 }
        }
    }

    private func endBlock() {
        guard let last = text.last, last != UInt8(ascii: "\n") || text.dropLast().last != UInt8(ascii: "\n") else {
            return
        }
        text.append(contentsOf: [UInt8(ascii: "\n"), UInt8(ascii: "\n")])
    }

    /// Whether the element is hidden by an attribute, or is no part of the text by its class.
    private static func isHidden(_ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) -> Bool {
        guard var next = attributes else { return false }
        while let name = next[0] {
            if xmlStrEqual(name, "hidden") == 1 { return true }
            if xmlStrEqual(name, "class") == 1, let value = next[1],
                HTMLElements.isUnread(classes: UnsafeBufferPointer(start: value, count: Int(xmlStrlen(value))))
            {
                return true
            }
            if xmlStrEqual(name, "style") == 1, let value = next[1] {
                let style = String(cString: value).lowercased().filter { !$0.isWhitespace }
                if style.contains("display:none") || style.contains("visibility:hidden") { return true }
            }
            next += 2
        }
        return false
    }
}
