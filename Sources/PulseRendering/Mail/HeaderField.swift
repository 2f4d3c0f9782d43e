import PulseText

/// One field of a message's header, folded: RFC 5322, sections 2.2 and 3.2.
///
/// Whatever is put in becomes one line before it is folded, so that no line break of a title or a name can begin a
/// field of its own.
enum HeaderField {
    /// "Each line of a header field that contains one or more 'encoded-word's is limited to 76 characters" (RFC 2047);
    /// others may have 78.
    private static let longest = 76

    /// A field whose value is text for people, such as the subject.
    static func text(_ name: String, _ value: String) -> String {
        let line = PlainText.line(value)
        let words = line.split(separator: " ").map(String.init)
        let isPlain =
            line.utf8.allSatisfy { (0x20..<0x7f).contains($0) } && !line.contains("=?")
            && words.allSatisfy { $0.count < room(behind: name) }
        return fold(name, isPlain ? words : EncodedWord.words(for: line, room: room(behind: name)))
    }

    /// Columns for the first token, which stands on the line of the field's name.
    private static func room(behind name: String) -> Int { longest - name.count - 2 }

    /// A field whose value is for programs: ASCII, made by this program alone.
    static func token(_ name: String, _ value: String) -> String {
        fold(name, value.split(separator: " ").map(String.init))
    }

    static func addresses(_ name: String, _ addresses: [MailAddress]) -> String {
        var tokens: [String] = []
        for (index, address) in addresses.enumerated() {
            let words = phrase(address.name, room: index == 0 ? room(behind: name) : EncodedWord.longest)
            let comma = index < addresses.count - 1 ? "," : ""
            tokens += words + [(words.isEmpty ? address.address : "<\(address.address)>") + comma]
        }
        return fold(name, tokens)
    }

    /// A display name: atoms, a quoted string, or encoded words.
    private static func phrase(_ name: String, room: Int) -> [String] {
        let line = PlainText.line(name)
        let isPrintable = line.utf8.allSatisfy { (0x20..<0x7f).contains($0) } && !line.contains("=?")
        if isPrintable, line.utf8.count <= 60 {
            let isAtoms = line.unicodeScalars.allSatisfy { $0 == " " || MailAddress.isAtomText($0) }
            if isAtoms { return line.split(separator: " ").map(String.init) }
            return ["\"" + line.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""]
        }
        return EncodedWord.words(for: line, room: room)
    }

    /// Lines as long as they may be, broken at the spaces between tokens. One token stays whole, however long.
    private static func fold(_ name: String, _ tokens: [String]) -> String {
        var field = name + ":"
        var column = field.count
        for (index, token) in tokens.enumerated() {
            if index > 0, column + 1 + token.count > longest {
                field += "\n"
                column = 0
            }
            field += " " + token
            column += 1 + token.count
        }
        return field + "\n"
    }
}
