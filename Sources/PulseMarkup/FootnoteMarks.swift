import PulseText

/// Finds the marks of footnotes, such as `<sup><a href="#fn1">1</a></sup>`. Left in a text, they read as numbers of its
/// sentences. A power (`10<sup>6</sup>`), a unit (`m<sup>2</sup>`) and an ordinal (`1<sup>st</sup>`) are none.
package struct FootnoteMarks {
    private struct Element {
        let depth: Int
        let start: Int
        var isRaised: Bool
        /// Whether its attributes call it a footnote.
        var isNamed: Bool
        /// Whether it links to a place in a page.
        var isLink: Bool
    }

    private var open: [Element] = []

    package init() {}

    package static func mayBe(_ name: String) -> Bool { name == "a" || name == "sup" || name == "span" }
    /// The attributes that `start` needs.
    package static let attributes: Set<String> = ["class", "id", "role", "href"]

    /// - Parameters:
    ///   - depth: The number of open elements, with this one.
    ///   - start: Where its text begins.
    package mutating func start(_ name: String, _ attributes: [String: String], depth: Int, at start: Int) {
        let link = attributes["href"].flatMap { href in href.firstIndex(of: "#").map { href[$0...].dropFirst() } }
        let names = [attributes["class"], attributes["id"], attributes["role"], link.map { String($0) }]
            .compactMap(\.self).joined(separator: " ").lowercased()
        let isNamed = names.split(separator: " ").contains { name in
            name.hasPrefix("fn") || HTMLElements.footnotes.contains { name.contains($0) }
        }
        open.append(
            Element(
                depth: depth, start: start, isRaised: name == "sup", isNamed: isNamed, isLink: link?.isEmpty == false))
    }

    /// - Parameters:
    ///   - depth: The same as at its start.
    ///   - text: All text so far, in UTF-8.
    /// - Returns: Where the element's text begins, if it is a footnote's mark.
    package mutating func end(depth: Int, of text: [UInt8]) -> Int? {
        guard let element = open.last, element.depth == depth else { return nil }
        open.removeLast()
        if let outer = open.indices.last {
            open[outer].isRaised = open[outer].isRaised || element.isRaised
            open[outer].isNamed = open[outer].isNamed || element.isNamed
            open[outer].isLink = open[outer].isLink || element.isLink
        }
        return FootnoteMarks.isMark(element, in: text) ? element.start : nil
    }

    /// In bytes.
    private static let longest = 24
    private static let signs = Set("[](),;*†‡§¶↩↑⤴\u{fe0e}–-".unicodeScalars)

    private static func isMark(_ element: Element, in text: [UInt8]) -> Bool {
        guard text.count > element.start, text.count - element.start <= longest else { return false }
        // `HTMLTextSink` writes a caret before a superscript that follows a digit.
        let mark = String(decoding: text[element.start...], as: UTF8.self).unicodeScalars
            .filter { !$0.properties.isWhitespace && $0 != "^" }
        guard let first = mark.first, let last = mark.last else { return false }
        let isBracketed = first == "[" && last == "]"
        let digits = mark.count { ("0"..."9").contains($0) }
        guard digits + mark.count(where: signs.contains) == mark.count else {
            // Such as [note 1], or a letter.
            return (element.isNamed || element.isRaised && element.isLink) && (isBracketed || mark.count == 1)
        }
        if element.isNamed || isBracketed && (element.isRaised || element.isLink) { return true }
        // The 14 of carbon-14 stands before its word.
        let isAttached = element.start > 0 && text[element.start - 1] > 0x20
        if element.isRaised {
            return element.isLink || digits <= 3 && isAttached && isAfterWord(text, element.start, mark)
        }
        // A linked number after a space, as in "see rule 4", is no mark.
        return element.isLink && isAttached && isAfterWord(text, element.start, mark)
    }

    /// Whether a mark stands after a word or the end of a clause. A number after a short word is the power of a unit
    /// ("m²"), and so are 2 and 3 in "120 metres²".
    private static func isAfterWord(_ text: [UInt8], _ start: Int, _ mark: String.UnicodeScalarView) -> Bool {
        var end = start
        if end > 0, text[end - 1] == 0x20 { end -= 1 }
        guard end > 0 else { return false }
        if ".,;:!?\"%".utf8.contains(text[end - 1]) { return true }
        let tail = text[max(0, end - 3)..<end]
        if ["”", "’", "»", "…"].contains(where: { tail.suffix($0.utf8.count).elementsEqual($0.utf8) }) { return true }
        if text[end - 1] == UInt8(ascii: ")") { end -= 1 }
        var word = end
        while word > max(0, end - longest), text[word - 1] >= 0x80 || text[word - 1].isASCIILetter { word -= 1 }
        // Continuation bytes of UTF-8 do not count.
        guard text[word..<end].count(where: { $0 & 0xc0 != 0x80 }) > 3 else { return false }
        let isUnit = word > 1 && text[word - 1] == 0x20 && text[word - 2].isASCIIDigit
        return !isUnit || mark.first != "2" && mark.first != "3" || mark.count > 1
    }
}
