/// Wraps a stream of text. Holds back only the last, incomplete word.
///
/// A line may also break before and after a wide character, because scripts with wide characters put no spaces between
/// words. A word wider than the line is cut. This is the part of Unicode Standard Annex #14 that news needs. A no-break
/// space, which untrusted text never contains (`PlainText.line`), is a space at which no line breaks.
struct LineWrapper {
    static let noBreakSpace: Character = "\u{a0}"

    private let width: Int?
    private var column = 0
    private var word = ""
    private var wordWidth = 0
    private var owesSpace = false

    /// - Parameter width: in columns; nil only collapses runs of spaces.
    init(width: Int?) { self.width = width }

    /// A whole text, wrapped; it ends with a line feed unless it is empty.
    static func wrap(_ text: String, width: Int?) -> String {
        var wrapper = LineWrapper(width: width)
        return wrapper.add(text) + wrapper.finish()
    }

    /// Adds text. Returns what can be printed now.
    mutating func add(_ text: String) -> String {
        var printed = ""
        for character in text {
            if character == LineWrapper.noBreakSpace, let width, !word.isEmpty, wordWidth + 1 < width {
                word.append(" ")
                wordWidth += 1
            } else if character.isWhitespace {
                printed += flush()
                owesSpace = column > 0
            } else {
                let columns = DisplayWidth.of(character)
                if let width, let last = word.last,
                    wordWidth + columns > width || LineBreak.isAllowed(between: last, and: character)
                {
                    printed += flush()
                }
                word.append(character)
                wordWidth += columns
            }
        }
        // Without a width the word need not wait for its end.
        if width == nil { printed += flush() }
        return printed
    }

    /// Returns the last word, with a line feed if anything was printed.
    mutating func finish() -> String {
        let rest = flush()
        defer { self = LineWrapper(width: width) }
        return column > 0 ? rest + "\n" : rest
    }

    private mutating func flush() -> String {
        guard !word.isEmpty else { return "" }
        var printed = ""
        if let width, column > 0, column + (owesSpace ? 1 : 0) + wordWidth > width {
            printed = "\n"
            column = 0
        } else if owesSpace {
            printed = " "
            column += 1
        }
        printed += word
        column += wordWidth
        word = ""
        wordWidth = 0
        owesSpace = false
        return printed
    }
}

/// Decides where a line may break without a space.
private enum LineBreak {
    /// Beside a wide character, but not before a closing or after an opening character.
    static func isAllowed(between left: Character, and right: Character) -> Bool {
        (isWide(left) || isWide(right)) && left != " " && !isOpening(left) && !isClosing(right)
    }

    private static func isWide(_ character: Character) -> Bool { DisplayWidth.of(character) > 1 }

    /// Straight quotation marks both open and close, so no line breaks beside them.
    private static func isOpening(_ character: Character) -> Bool {
        isAny([.openPunctuation, .initialPunctuation], character) || character == "\"" || character == "'"
    }

    /// Punctuation, and signs that repeat or lengthen the previous letter: `。`, `」`, `…`, `々`, `ー`.
    private static func isClosing(_ character: Character) -> Bool {
        isAny([.closePunctuation, .finalPunctuation, .otherPunctuation, .modifierLetter], character)
    }

    private static func isAny(_ categories: [Unicode.GeneralCategory], _ character: Character) -> Bool {
        character.unicodeScalars.first.map { categories.contains($0.properties.generalCategory) } ?? false
    }
}

/// The number of columns that a terminal gives to a text.
package enum DisplayWidth {
    package static func of(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + of($1) } }

    /// The sum over a character's scalars. Terminals give joined emoji between two columns in all and two for each
    /// part; this is the largest, so that no line is too long.
    static func of(_ character: Character) -> Int {
        // U+FE0F selects the emoji form of a character that also has a text form.
        let isEmojiForm = character.unicodeScalars.contains("\u{fe0f}")
        return character.unicodeScalars.reduce(0) { $0 + of($1, inEmojiForm: isEmojiForm) }
    }

    /// 2 for emoji and for wide and fullwidth characters (Unicode Standard Annex #11), 0 for marks, else 1.
    private static func of(_ scalar: Unicode.Scalar, inEmojiForm isEmojiForm: Bool) -> Int {
        if scalar.value < 0x300 { return scalar.value < 0x20 ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        if scalar.properties.isEmojiPresentation || isEmojiForm && scalar.properties.isEmoji { return 2 }
        switch scalar.value {
        case 0x1160...0x11ff: return 0
        case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xa000...0xa4cf,
            0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6,
            0x17000...0x18cff, 0x1b000...0x1b2ff, 0x1f200...0x1f2ff, 0x20000...0x3fffd:
            return 2
        default: return 1
        }
    }

    /// The text, cut to this many columns with an ellipsis if it is longer.
    package static func clip(_ text: String, to columns: Int) -> String {
        if of(text) <= columns { return text }
        var front = ""
        var used = 0
        for character in text {
            let width = of(character)
            if used + width > columns - 1 { break }
            front.append(character)
            used += width
        }
        while front.last?.isWhitespace == true { front.removeLast() }
        return front + "…"
    }
}

extension String {
    /// The text padded with spaces to a number of columns: at its end, or at its front for figures.
    package func padding(to columns: Int, atFront: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(0, columns - DisplayWidth.of(self)))
        return atFront ? spaces + self : self + spaces
    }
}
