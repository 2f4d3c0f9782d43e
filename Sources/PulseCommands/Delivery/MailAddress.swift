import PulseCore

/// Someone to send mail to, as `ana@example.org` or `Ana Lima <ana@example.org>`.
///
/// The address is an addr-spec of RFC 5322, section 3.4.1, with a dot-atom before the @: what people have. Quoted local
/// parts, address literals and groups are refused, and with them everything that could end a header or be taken for an
/// option of sendmail.
struct MailAddress: Sendable, Hashable {
    /// What stands before the angle brackets; empty where nothing does.
    let name: String
    let address: String

    init(_ text: String) throws(InvalidValue) {
        guard !text.unicodeScalars.contains(where: { PlainText.isUnsafe($0) || $0 == "\n" || $0.properties.isNewline })
        else {
            throw InvalidValue("holds a line break or another character that no address has.")
        }
        let text = text.trimmed
        if text.hasSuffix(">"), let open = text.firstIndex(of: "<") {
            address = String(text[text.index(after: open)...].dropLast()).trimmed
            var name = String(text[..<open]).trimmed
            if name.count > 1, name.hasPrefix("\""), name.hasSuffix("\"") { name = String(name.dropFirst().dropLast()) }
            self.name = name
        } else {
            name = ""
            address = text
        }
        guard !name.contains(where: { "<>\"\\".contains($0) }), Self.isAddress(address) else {
            throw InvalidValue(
                "takes one address such as ana@example.org or “Ana Lima <ana@example.org>”, not “\(PlainText.line(text))”."
            )
        }
    }

    /// What tells two addresses apart. Upper and lower case are the same everywhere that matters.
    var key: String { address.lowercased() }

    /// As it was written, tidied.
    var text: String { name.isEmpty ? address : "\(name) <\(address)>" }

    private static func isAddress(_ text: String) -> Bool {
        // RFC 5321, section 4.5.3.1: 64 octets before the @, and 254 for a whole address.
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 254, parts[0].utf8.count <= 64 else { return false }
        return isDotted(parts[0], by: { isLetterOrDigit($0) || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) })
            && isDotted(parts[1], by: { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") })
            && parts.allSatisfy { !$0.hasPrefix("-") }
    }

    private static func isDotted(_ text: Substring, by isAllowed: (UInt8) -> Bool) -> Bool {
        text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
            !atom.isEmpty && atom.utf8.allSatisfy(isAllowed)
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isNewline: Bool { generalCategory == .lineSeparator || generalCategory == .paragraphSeparator }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
