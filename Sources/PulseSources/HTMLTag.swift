/// The beginning of a tag: its name, and whether it ends an element.
struct HTMLTag {
    /// Lower case; empty for a comment, a declaration or a processing instruction.
    let name: String
    let isEnd: Bool
    /// The index after the name, which is inside the text.
    let nameEnd: Int

    /// Nil where the "<" at `start` is only a character, as in "a < b" and "I <3 you".
    init?(in text: UnsafeBufferPointer<UInt8>, at start: Int) {
        var index = start + 1
        guard index < text.count else { return nil }
        isEnd = text[index] == UInt8(ascii: "/")
        if isEnd { index += 1 }
        let nameStart = index
        // No element of HTML has a name longer than "blockquote" and "figcaption".
        while index < text.count, index - nameStart <= 16, HTMLTag.isNameByte(text[index]) { index += 1 }
        guard index < text.count else { return nil }
        let isDeclaration = !isEnd && (text[index] == UInt8(ascii: "!") || text[index] == UInt8(ascii: "?"))
        guard index > nameStart ? !HTMLTag.isDigit(text[nameStart]) : isDeclaration else { return nil }
        name = String(decoding: text[nameStart..<index], as: UTF8.self).lowercased()
        nameEnd = index
    }

    /// Whether what follows the name may follow one: the end of the tag, or an attribute. Not so in "<b-1>",
    /// "<i@example.org>" and "a<b && c>d".
    func isWellFormed(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = nameEnd
        while index < text.count, HTMLTag.isSpace(text[index]) { index += 1 }
        guard index < text.count else { return false }
        switch text[index] {
        case UInt8(ascii: ">"), UInt8(ascii: "/"): return true
        default: return !isEnd && index > nameEnd && HTMLTag.isNameByte(text[index])
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

    static func isNameByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
