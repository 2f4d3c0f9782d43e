import Foundation

/// Text of any language in a header: RFC 2047's encoded words.
enum EncodedWord {
    /// "An 'encoded-word' may not be more than 75 characters long"
    static let longest = 75
    private static let frame = "=?utf-8?q?".count + "?=".count

    /// The text as words, to be put on lines with one space between them, which readers take away again. No character
    /// is divided between two words; one of many code points only where it is too long for one.
    ///
    /// - Parameter room: Columns that the first word may take, where that is less than it could.
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

        /// Q keeps Latin text readable where a header is looked at as it is; B is much shorter for other scripts.
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

        /// What stands for itself even in a name: RFC 2047, section 5 (3).
        private static func isPlain(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "!*+-/".utf8.contains(byte)
            }
        }
    }
}
