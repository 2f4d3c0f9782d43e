/// Breaks a stream of text into lines. Only the word that is not yet complete is held back.
///
/// A line may also break before and after a wide character, since scripts that have them put no spaces between words; a
/// word that is wider than the line is cut. That is the part of Unicode Standard Annex #14 that news needs. A no-break
/// space, which no text from outside has (`PlainText.line`), is a space that keeps two words on one line.
struct LineWrapper {
    static let noBreakSpace: Character = "\u{a0}"

    private let width: Int?
    private var column = 0
    private var word = ""
    private var wordWidth = 0
    private var owesSpace = false

    /// - Parameter width: Columns; nil passes everything through but runs of spaces.
    init(width: Int?) { self.width = width }

    /// What can be printed now.
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
        // Without a width nothing depends on the word's end, so it need not wait.
        if width == nil { printed += flush() }
        return printed
    }

    /// What was held back, with the line's end where anything was printed at all.
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

/// Where a line may break without a space.
private enum LineBreak {
    /// Beside a wide character, but not before what closes and not after what opens.
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

    /// Marks of every kind, and the signs that repeat or lengthen the letter before: `。`, `」`, `…`, `々`, `ー`.
    private static func isClosing(_ character: Character) -> Bool {
        switch category(of: character) {
        case .closePunctuation, .finalPunctuation, .otherPunctuation, .modifierLetter: true
        default: false
        }
    }

    /// It opens as well as it closes, so there is no break on either side of it.
    private static func isStraightQuote(_ character: Character) -> Bool { character == "\"" || character == "'" }

    private static func category(of character: Character) -> Unicode.GeneralCategory? {
        character.unicodeScalars.first?.properties.generalCategory
    }
}
