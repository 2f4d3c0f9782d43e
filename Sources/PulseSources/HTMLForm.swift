/// How much HTML a text is, by a look at its tags and references.
enum HTMLForm: Equatable {
    /// None. A lone "<" is a character, as in "a < b", and so is "<string>".
    case plain
    /// No tags, but character references, such as `&amp;`.
    case references
    /// Only tags that stand within a line: its paragraphs are those of plain text.
    case inline
    /// A document or a piece of one.
    case blocks

    init(of text: String) {
        var text = text
        self = text.withUTF8 { HTMLForm.sniff($0) }
    }

    private static func sniff(_ text: UnsafeBufferPointer<UInt8>) -> HTMLForm {
        var form = HTMLForm.plain
        // A tag counts only where it is closed.
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

    /// "<!--", "<!DOCTYPE", "<![CDATA[".
    private static func isDeclaration(_ text: UnsafeBufferPointer<UInt8>, _ mark: Int) -> Bool {
        guard text[mark] == UInt8(ascii: "!"), mark + 1 < text.count else { return false }
        return [UInt8(ascii: "-"), UInt8(ascii: "D"), UInt8(ascii: "d"), UInt8(ascii: "[")].contains(text[mark + 1])
    }

    private static func isReference(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        var end = start + 1
        if end < text.count, text[end] == UInt8(ascii: "#") { end += 1 }
        let nameStart = end
        while end < text.count, end - nameStart <= 32, HTMLTag.isNameByte(text[end]) { end += 1 }
        // "&T;" is a slip of a headline about AT&T more often than a reference; none has a single letter.
        let least = nameStart == start + 1 ? 2 : 1
        return end < text.count && text[end] == UInt8(ascii: ";") && end - nameStart >= least
    }
}
