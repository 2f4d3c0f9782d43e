import PulseText

/// The beginning of a tag: its name, and whether it is an end tag.
package struct HTMLTag {
    /// Lower case; empty for a comment, a declaration or a processing instruction.
    package let name: String
    package let isEnd: Bool
    /// The index after the name, always inside the text.
    package let nameEnd: Int

    /// Nil where the "<" at `start` does not begin a tag, as in "a < b" and "I <3 you".
    package init?(in text: UnsafeBufferPointer<UInt8>, at start: Int) {
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

    /// Whether the name is followed by the end of the tag or an attribute, unlike in "<b-1>", "<i@example.org>" and
    /// "a<b && c>d".
    package func isWellFormed(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = nameEnd
        while index < text.count, HTMLTag.isSpace(text[index]) { index += 1 }
        guard index < text.count else { return false }
        switch text[index] {
        case UInt8(ascii: ">"), UInt8(ascii: "/"): return true
        default: return !isEnd && index > nameEnd && HTMLTag.isNameByte(text[index])
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

    package static func isNameByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension UnsafeBufferPointer<UInt8> {
    /// The index after a delimiter such as `-->`; the end of the text where there is none.
    package func index(after mark: StaticString, from start: Int) -> Int {
        let mark = UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount)
        var position = Swift.min(start, count)
        while let first = self[position...].firstIndex(of: mark[0]) {
            if self[first...].starts(with: mark) { return first + mark.count }
            position = first + 1
        }
        return count
    }
}

/// Elements by their meaning for plain text, read from `Lists/html-elements.txt`.
package enum HTMLElements {
    private static let lists = EmbeddedLists.phrases(PackageResources.html_elements_txt).mapValues { Set($0) }
    /// Elements without readable content.
    package static let invisible = lists["invisible"] ?? []
    /// Elements that begin a new line.
    package static let blocks = lists["blocks"] ?? []
    /// All elements by which a text is recognised as HTML.
    static let all = lists.values.reduce(Set()) { $0.union($1) }
}
