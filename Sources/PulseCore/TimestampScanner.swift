/// Reads a time stamp from left to right.
struct TimestampScanner {
    private var rest: Substring.UTF8View

    /// White space around the text does not count.
    init(_ text: String) {
        let front = text.drop(while: \.isWhitespace)
        let end = front.lastIndex { !$0.isWhitespace }.map(front.index(after:)) ?? front.startIndex
        rest = front[..<end].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Passes over an ASCII character where it comes next.
    mutating func skip(_ character: Character) -> Bool {
        guard let byte = rest.first, byte == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    /// Exactly so many digits, as a number.
    mutating func digits(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(TimestampScanner.isDigit) else { return nil }
        rest.removeFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// The digits after a decimal mark, as a fraction of one; at least one digit.
    mutating func fraction() -> Double? {
        let digits = rest.prefix(while: TimestampScanner.isDigit)
        guard !digits.isEmpty else { return nil }
        rest.removeFirst(digits.count)
        // More digits than a Double tells apart say nothing.
        return Double("0." + String(Substring(digits.prefix(17))))
    }

    /// A decimal number of at most nine digits before its mark.
    mutating func number() -> Double? {
        let digits = rest.prefix(while: TimestampScanner.isDigit)
        guard (1...9).contains(digits.count), let whole = Double(String(Substring(digits))) else { return nil }
        rest.removeFirst(digits.count)
        guard skip(".") || skip(",") else { return whole }
        return fraction().map { whole + $0 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
