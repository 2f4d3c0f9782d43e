import PulseText

/// The quoted-printable encoding of UTF-8 text: RFC 2045, section 6.7.
enum QuotedPrintable {
    /// "encoded lines must not be longer than 76 characters, not counting the trailing CRLF"
    private static let longest = 76

    /// Encodes text as printable ASCII, with line feeds as line endings. No character is divided between lines.
    static func encode(_ text: String) -> String {
        var encoded = ""
        encoded.reserveCapacity(text.utf8.count * 5 / 4)
        var isFirst = true
        for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
            if !isFirst { encoded += "\n" }
            isFirst = false
            encode(line[...], to: &encoded)
        }
        return encoded
    }

    private static func encode(_ line: Substring.UnicodeScalarView, to encoded: inout String) {
        var column = 0
        var rest = line
        while let scalar = rest.popFirst() {
            let isLast = rest.isEmpty
            var token = token(for: scalar, isFirst: column == 0, isLast: isLast)
            // A soft line break takes one column.
            if column + token.utf8.count > longest - (isLast ? 0 : 1) {
                encoded += "=\n"
                column = 0
                token = self.token(for: scalar, isFirst: true, isLast: isLast)
            }
            encoded += token
            column += token.utf8.count
        }
    }

    /// Also encodes trailing white space, which is lost in transit; a leading full stop, which ends an SMTP message if
    /// a program forgets to double it; and a leading F, because mbox files separate messages by "From ".
    private static func token(for scalar: Unicode.Scalar, isFirst: Bool, isLast: Bool) -> String {
        switch scalar {
        case " ", "\t": if !isLast { return String(scalar) }
        case "=": break
        case ".", "F": if !isFirst { return String(scalar) }
        case "!"..."~": return String(scalar)
        default: break
        }
        return String(scalar).utf8.map(escaped).joined()
    }

    /// An encoded byte: `=C3`.
    static func escaped(_ byte: UInt8) -> String { "=" + Hexadecimal.text(of: [byte], uppercase: true) }
}
