/// What a character is, as the standard library says it. It looks into Unicode's tables for every one, which takes most
/// of the time of going through a text; nearly all of them are ASCII, where a comparison will do.
extension Character {
    package var isSpace: Bool { ascii.map { $0 == 0x20 || (0x09...0x0d).contains($0) } ?? isWhitespace }
    package var isAlphabetic: Bool { ascii.map { (0x61...0x7a).contains($0 | 0x20) } ?? isLetter }
    package var isNumeric: Bool { ascii.map { (0x30...0x39).contains($0) } ?? isNumber }
    package var isCapital: Bool { ascii.map { (0x41...0x5a).contains($0) } ?? isUppercase }

    /// Nil for any other, and for one of several scalars.
    private var ascii: UInt8? { utf8.count == 1 ? utf8.first : nil }
}
