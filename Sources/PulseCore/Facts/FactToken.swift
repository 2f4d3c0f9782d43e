import Foundation

/// A word, a number or a sign of a sentence, as far as checking facts needs it.
struct FactToken: Sendable, Hashable {
    /// As it is written, without a possessive ending and, in an acronym, without its points: `U.S.'s` is `US`.
    var text: String
    /// In lower case and without accents.
    var folded: String
    /// Whether a sentence, a quotation or a clause behind a colon begins with it: a capital letter tells nothing there.
    var isInitial: Bool
    /// Whether punctuation stands between it and the token before.
    var isApart: Bool
    /// Whether a minus stands before it.
    var isNegative = false

    var isCapitalised: Bool { text.unicodeScalars.first?.properties.isUppercase == true }
    var isNumeral: Bool { text.unicodeScalars.first.map(FactToken.isDigit) == true }
    var isAcronym: Bool { text.count > 1 && text.unicodeScalars.allSatisfy { $0.properties.isUppercase } }

    /// The tokens of a sentence, in order.
    static func all(in sentence: String) -> [FactToken] {
        var scanner = Scanner(text: Array(sentence.unicodeScalars))
        return scanner.run()
    }

    static func fold(_ text: String) -> String {
        // Most words are plain letters, and need no table.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    fileprivate static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.numericType == .decimal
    }
}

private struct Scanner {
    let text: [Unicode.Scalar]
    var index = 0
    var tokens: [FactToken] = []
    var isInitial = true
    var isApart = false
    var isNegative = false

    mutating func run() -> [FactToken] {
        while index < text.count {
            let scalar = text[index]
            if FactToken.isDigit(scalar) {
                numeral()
            } else if isLetter(scalar) {
                word()
            } else {
                sign(scalar)
            }
        }
        return tokens
    }

    private mutating func sign(_ scalar: Unicode.Scalar) {
        index += 1
        if isMinus(scalar, at: index - 1) { isNegative = true }
        if Scanner.signs.contains(scalar) {
            add(String(scalar))
        } else if Scanner.openers.contains(scalar) {
            isInitial = true
            isApart = true
        } else if !scalar.properties.isWhitespace, scalar != "-", scalar != "'", scalar != "’" {
            isApart = true
        }
    }

    /// A hyphen is a minus where it stands before a number, and neither behind a word nor between two numbers.
    private func isMinus(_ scalar: Unicode.Scalar, at place: Int) -> Bool {
        guard scalar == "-" || scalar == "\u{2212}", place + 1 < text.count else { return false }
        guard FactToken.isDigit(text[place + 1]) || Scanner.signs.contains(text[place + 1]) else { return false }
        if place == 0 { return true }
        return (text[place - 1].properties.isWhitespace || text[place - 1] == "(") && tokens.last?.isNumeral != true
    }

    /// Digits, with the points, commas and narrow spaces that belong to the number, and the letters stuck to it.
    private mutating func numeral() {
        var number = String.UnicodeScalarView()
        while index < text.count {
            let scalar = text[index]
            if FactToken.isDigit(scalar) {
                number.append(scalar)
            } else if ".,:".unicodeScalars.contains(scalar), index + 1 < text.count, FactToken.isDigit(text[index + 1])
            {
                number.append(scalar)
            } else if Scanner.narrowSpaces.contains(scalar), isGroup(at: index + 1) {
                // A space that groups digits says nothing about the number.
            } else {
                break
            }
            index += 1
        }
        var suffix = String.UnicodeScalarView()
        while index < text.count, isLetter(text[index]) || "ºª²³".unicodeScalars.contains(text[index]) {
            suffix.append(text[index])
            index += 1
        }
        add(String(number) + String(suffix))
    }

    /// Three digits and no fourth: the next group of a number.
    private func isGroup(at start: Int) -> Bool {
        start + 3 <= text.count && text[start..<start + 3].allSatisfy(FactToken.isDigit)
            && (start + 3 == text.count || !FactToken.isDigit(text[start + 3]))
    }

    private mutating func word() {
        var word = String.UnicodeScalarView()
        let start = index
        while index < text.count, isLetter(text[index]) || FactToken.isDigit(text[index]) {
            word.append(text[index])
            index += 1
            // `U.S.`, `a.m.`: single letters with a point each.
            if isDotted || index == start + 1, index < text.count, text[index] == ".", index + 1 < text.count,
                isLetter(text[index + 1]),
                index + 2 >= text.count || !isLetter(text[index + 2])
            {
                index += 1
                isDotted = true
            }
        }
        if isDotted, index < text.count, text[index] == "." { index += 1 }
        if index < text.count, "²³".unicodeScalars.contains(text[index]) {
            word.append(text[index])
            index += 1
        }
        isDotted = false
        add(String(word))
        // What follows an apostrophe is a possessive or a short form, or the rest of a name such as “d’Aubray”.
        guard index + 1 < text.count, Scanner.apostrophes.contains(text[index]) else { return }
        let end = text[(index + 1)...].firstIndex { !isLetter($0) } ?? text.count
        let tail = String(String.UnicodeScalarView(text[(index + 1)..<end])).lowercased()
        if ["s", "t", "re", "ve", "ll", "d", "m"].contains(tail) {
            index = end
            // Behind a possessive another name begins: “Kestria’s Rook”.
            isApart = true
        }
    }

    /// Whether the word being read is letters with points between them.
    private var isDotted = false

    private mutating func add(_ text: String) {
        tokens.append(
            FactToken(
                text: text, folded: FactToken.fold(text), isInitial: isInitial, isApart: isApart, isNegative: isNegative
            ))
        isInitial = false
        isApart = false
        // “-$5”
        if !text.unicodeScalars.allSatisfy(Scanner.signs.contains) { isNegative = false }
    }

    private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
    }

    init(text: [Unicode.Scalar]) { self.text = text }

    private static let signs = Set("$€£¥%°℃".unicodeScalars)
    private static let openers = Set("\"“„«»‘:([—–•!?…。！？「『".unicodeScalars)
    private static let apostrophes = Set("'’ʼ".unicodeScalars)
    private static let narrowSpaces = Set("\u{a0}\u{2009}\u{202f} ".unicodeScalars)
}
