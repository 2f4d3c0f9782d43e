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

    private static func isOpening(_ character: Character) -> Bool {
        switch category(of: character) {
        case .openPunctuation, .initialPunctuation: true
        default: isStraightQuote(character)
        }
    }

    /// Punctuation, and signs that repeat or lengthen the previous letter: `。`, `」`, `…`, `々`, `ー`.
    private static func isClosing(_ character: Character) -> Bool {
        switch category(of: character) {
        case .closePunctuation, .finalPunctuation, .otherPunctuation, .modifierLetter: true
        default: false
        }
    }

    /// It both opens and closes, so no line breaks beside it.
    private static func isStraightQuote(_ character: Character) -> Bool { character == "\"" || character == "'" }

    private static func category(of character: Character) -> Unicode.GeneralCategory? {
        character.unicodeScalars.first?.properties.generalCategory
    }
}
