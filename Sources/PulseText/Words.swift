import Foundation

/// The words of a text, for comparing texts.
public enum Words {
    /// Every run of letters, digits and marks, in lower case. A point, comma or colon between two digits belongs to
    /// the number: `1,200.5` and `10:30` are one word each. An apostrophe inside a word ends it, so that `city's`
    /// and `city` share one.
    public static func all(in text: String) -> [String] { written(in: text).map { $0.lowercased() } }

    /// Numbers and names, in lower case. Names are words that start in upper case anywhere but at the start of the
    /// sentence.
    public static func facts(in sentence: String) -> Set<String> { facts(of: written(in: sentence)) }

    /// - Parameter words: A sentence's, as from `written`.
    package static func facts(of words: [Substring]) -> Set<String> {
        Set(
            words.enumerated().compactMap { index, word in
                let isNumber = word.contains(where: \.isNumeric)
                let isName = index > 0 && word.first?.isCapital == true && word != "I"
                return isNumber || isName ? word.lowercased() : nil
            })
    }

    /// The text in lower case and without accents, for comparing words that may be spelled differently.
    public static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// A name in the form in which names are compared: its words in lower case and without accents. A name without
    /// words, such as `★`, keeps its signs.
    public static func name(_ text: String) -> String {
        let folded = folded(text)
        let words = all(in: folded)
        return words.isEmpty ? folded.filter { !$0.isSpace } : words.joined(separator: " ")
    }

    /// The words of `all`, not lower-cased.
    package static func written(in text: String) -> [Substring] {
        var words: [Substring] = []
        var start: String.Index?
        var index = text.startIndex
        while index < text.endIndex {
            let character = text[index]
            let next = text.index(after: index)
            var joinsDigits: Bool {
                start != nil && ".,:".contains(character) && next < text.endIndex && text[next].isNumber
                    && text[text.index(before: index)].isNumber
            }
            if character.isAlphabetic || character.isNumeric || joinsDigits {
                if start == nil { start = index }
            } else if let from = start {
                words.append(text[from..<index])
                start = nil
            }
            index = next
        }
        if let from = start { words.append(text[from...]) }
        return words
    }
}

/// The standard library's properties with a shortcut for ASCII: Unicode's tables for every character would take most of
/// the time of reading a text.
extension Character {
    package var isSpace: Bool { ascii.map { $0.isASCIISpace } ?? isWhitespace }
    package var isAlphabetic: Bool { ascii.map { $0.isASCIILetter } ?? isLetter }
    package var isNumeric: Bool { ascii.map { $0.isASCIIDigit } ?? isNumber }
    package var isCapital: Bool { ascii.map { (0x41...0x5a).contains($0) } ?? isUppercase }

    /// Nil for a character that is not ASCII, and for one of several scalars.
    private var ascii: UInt8? { utf8.count == 1 ? utf8.first : nil }
}

extension String {
    /// `withUTF8` for a constant.
    @inlinable package func withBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Value) rethrows -> Value {
        var text = self
        return try text.withUTF8(body)
    }
}

/// Classes of ASCII, also for the bytes of UTF-8.
extension UInt8 {
    @inlinable package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    @inlinable package var isASCIILetter: Bool { (0x61...0x7a).contains(self | 0x20) }
    /// The small letter of a capital one; any other byte as it is.
    @inlinable package var asciiLowercased: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }
    @inlinable package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
    @inlinable package var isASCIISpace: Bool { self == 0x20 || (0x09...0x0d).contains(self) }
}

extension BinaryInteger {
    /// The number in decimal digits, with zeros before it up to a width.
    package func padded(_ width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

/// How far apart two spellings are: for “did you mean”.
public enum EditDistance {
    /// The number of letters to insert, delete, replace or swap with their neighbour (optimal string alignment).
    public static func between(_ left: String, _ right: String) -> Int {
        let a = Array(left.lowercased())
        let b = Array(right.lowercased())
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
                row.append(best)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }

    /// The nearest name within two edits or a third of its letters; for fewer than four letters, one edit.
    public static func nearest(to word: String, among names: some Sequence<String>) -> String? {
        names.map { (name: $0, distance: between(word, $0)) }
            .filter { $0.distance <= (word.count < 4 ? 1 : max(2, $0.name.count / 3)) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }
}

extension Unicode.Scalar {
    /// Whether it is of a script without spaces between words: Thai, Lao, Khmer, Burmese, kana, Chinese characters.
    public var isDense: Bool {
        switch value {
        case 0xe00...0xeff, 0x1000...0x109f, 0x1780...0x17ff, 0x3040...0x30ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
            0xf900...0xfaff, 0x20000...0x3ffff:
            true
        default: false
        }
    }
}
