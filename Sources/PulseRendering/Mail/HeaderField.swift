import Foundation
import PulseText

/// A folded header field of a message (RFC 5322, sections 2.2 and 3.2).
///
/// Every value becomes one line before folding, so that a line break in a title or name cannot begin another field.
enum HeaderField {
    /// "Each line of a header field that contains one or more 'encoded-word's is limited to 76 characters" (RFC 2047);
    /// others may have 78.
    private static let longest = 76

    static func common(
        from: MailAddress, to: [MailAddress], subject: String, date: Date, timeZone: TimeZone, id: String
    ) -> String {
        precondition(!to.isEmpty, "a message to nobody")
        return token("Date", text(of: date, in: timeZone)) + addresses("From", [from]) + addresses("To", to)
            + text("Subject", subject) + token("Message-ID", id) + token("MIME-Version", "1.0")
    }

    /// A date (RFC 5322, section 3.3), with English names in every language: `Sat, 21 Nov 2026 02:46:40 +0000`.
    static func text(of date: Date, in zone: TimeZone) -> String {
        date.formatted(
            Date.VerbatimFormatStyle(
                format: """
                    \(weekday: .abbreviated), \(day: .defaultDigits) \(month: .abbreviated) \(year: .padded(4)) \
                    \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
                    \(second: .twoDigits) \(timeZone: .iso8601(.short))
                    """,
                locale: Locale(identifier: "en_US_POSIX"), timeZone: zone, calendar: Calendar(identifier: .gregorian)))
    }

    /// A field with unstructured text, such as the subject.
    static func text(_ name: String, _ value: String) -> String {
        let line = PlainText.line(value)
        let words = line.split(separator: " ").map(String.init)
        let isPlain = needsNoEncoding(line) && words.allSatisfy { $0.count < room(behind: name) }
        return fold(name, isPlain ? words : EncodedWord.words(for: line, room: room(behind: name)))
    }

    private static func needsNoEncoding(_ line: String) -> Bool {
        line.utf8.allSatisfy { (0x20..<0x7f).contains($0) } && !line.contains("=?")
    }

    /// The columns for the first token, which is on the line of the field's name.
    private static func room(behind name: String) -> Int { longest - name.count - 2 }

    /// A field with a machine-readable ASCII value that this program made.
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
        if needsNoEncoding(line), line.utf8.count <= 60 {
            let isAtoms = line.utf8.allSatisfy { $0 == UInt8(ascii: " ") || MailAddress.isAtomText($0) }
            if isAtoms { return line.split(separator: " ").map(String.init) }
            return ["\"" + line.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""]
        }
        return EncodedWord.words(for: line, room: room)
    }

    /// Folds at the spaces between tokens. A token is never broken.
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

/// Non-ASCII text in a header: encoded words (RFC 2047).
enum EncodedWord {
    /// "An 'encoded-word' may not be more than 75 characters long"
    static let longest = 75
    private static let frame = "=?utf-8?q?".count + "?=".count

    /// Splits the text into encoded words, which readers join without the spaces between them. No character is divided,
    /// except one whose code points do not fit in one word.
    ///
    /// - Parameter room: the columns for the first word.
    static func words(for text: String, room: Int = longest) -> [String] {
        let coding = Coding.fitting(text)
        var words: [String] = []
        var current = ""
        func limit() -> Int { (words.isEmpty ? min(room, longest) : longest) - frame }
        func add(_ piece: String) {
            if !current.isEmpty, coding.length(of: current + piece) > limit() {
                words.append(coding.word(current))
                current = ""
            }
            current += piece
        }
        for character in text {
            let piece = String(character)
            if coding.length(of: piece) <= limit() {
                add(piece)
            } else {
                for scalar in piece.unicodeScalars { add(String(scalar)) }
            }
        }
        if !current.isEmpty { words.append(coding.word(current)) }
        return words
    }

    private enum Coding {
        case q, b

        /// Q keeps Latin text readable in the source of a message; B is much shorter for other scripts.
        static func fitting(_ text: String) -> Coding { q.length(of: text) * 2 <= b.length(of: text) * 3 ? .q : .b }

        func length(of text: String) -> Int {
            switch self {
            case .q: text.utf8.reduce(0) { $0 + (Coding.isPlain($1) || $1 == 0x20 ? 1 : 3) }
            case .b: (text.utf8.count + 2) / 3 * 4
            }
        }

        func word(_ text: String) -> String {
            switch self {
            case .b: return "=?utf-8?b?" + Data(text.utf8).base64EncodedString() + "?="
            case .q:
                let payload = text.utf8.reduce(into: "") { payload, byte in
                    if byte == 0x20 {
                        payload += "_"
                    } else if Coding.isPlain(byte) {
                        payload.unicodeScalars.append(Unicode.Scalar(byte))
                    } else {
                        payload += QuotedPrintable.escaped(byte)
                    }
                }
                return "=?utf-8?q?" + payload + "?="
            }
        }

        /// Bytes that need no encoding even in a display name (RFC 2047, section 5 (3)).
        private static func isPlain(_ byte: UInt8) -> Bool {
            byte.isASCIIAlphanumeric || "!*+-/".utf8.contains(byte)
        }
    }
}

/// The quoted-printable encoding of UTF-8 text: RFC 2045, section 6.7.
enum QuotedPrintable {
    /// "encoded lines must not be longer than 76 characters, not counting the trailing CRLF"
    private static let longest = 76

    /// Encodes text as printable ASCII, with line feeds as line endings. No character is divided between lines.
    static func encode(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { encoded(line: $0) }.joined(separator: "\n")
    }

    private static func encoded(line: Substring.UnicodeScalarView) -> String {
        var encoded = ""
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
        return encoded
    }

    /// Also encodes trailing white space, which is lost in transit; a leading full stop, which ends an SMTP message if
    /// a program forgets to double it; and a leading F, because mbox files separate messages by "From ".
    private static func token(for scalar: Unicode.Scalar, isFirst: Bool, isLast: Bool) -> String {
        let isPlain =
            switch scalar {
            case " ", "\t": !isLast
            case ".", "F": !isFirst
            default: ("!"..."~").contains(scalar) && scalar != "="
            }
        return isPlain ? String(scalar) : String(scalar).utf8.map(escaped).joined()
    }

    /// An encoded byte: `=C3`.
    static func escaped(_ byte: UInt8) -> String { "=" + Hexadecimal.text(of: [byte], uppercase: true) }
}
