import PulseCore
import PulseText

/// A word or a number in a sentence.
struct Word: Sendable {
    /// What has to be equal for two words to be the same: the word as `Words.folded` leaves it, without a possessive
    /// `'s`. An acronym keeps its capitals, so that `US` is not `us`.
    let key: String
    let isAcronym: Bool
    let isCapitalized: Bool
    /// Whether it stands between quotation marks.
    let isQuoted: Bool
    /// Whether a comma or the like, or nothing at all, stands before it.
    let opensClause: Bool
}

/// A sentence cut into words: a report's, or one that a model wrote.
struct Line: Sendable {
    /// Without articles and the like: see `CheckWords.free`.
    private(set) var words: [Word] = []
    /// Whether a quotation is open at the end.
    private(set) var isQuoteOpen: Bool
    private var opensClause = true
    private let hasSmallLetters: Bool

    /// - Parameter isQuoteOpen: Whether a quotation that an earlier sentence opened goes on.
    init(_ sentence: String, _ lexicon: CheckWords, isQuoteOpen: Bool = false) {
        self.isQuoteOpen = isQuoteOpen
        hasSmallLetters = sentence.contains(where: \.isLowercase)
        let text = Array(sentence)
        var index = 0
        while index < text.count {
            let end = Line.endOfWord(in: text, from: index)
            if end == index {
                read(text[index], before: index + 1 < text.count ? text[index + 1] : " ")
            } else if let word = word(text[index..<end], behind: text[..<index].last), !lexicon.free.contains(word.key)
            {
                words.append(word)
                opensClause = false
            }
            index = max(end, index + 1)
        }
    }

    // MARK: - Reading

    /// A word is letters and digits with the points between them (“U.S.”, “3.4”) and the commas and colons between
    /// digits (“1,200”, “10:30”), or a sign that says what is counted. An apostrophe ends it: “I'm” is two.
    private static func endOfWord(in text: [Character], from start: Int) -> Int {
        func isDigit(_ index: Int) -> Bool { text.indices.contains(index) && text[index].isNumber }
        func isPart(_ index: Int) -> Bool { isDigit(index) || text.indices.contains(index) && text[index].isLetter }
        func joins(_ index: Int) -> Bool {
            guard index > start, index < text.count else { return false }
            return text[index] == "." && isPart(index + 1)
                || ",:".contains(text[index]) && isDigit(index - 1) && isDigit(index + 1)
        }
        if "%$€£¥".contains(text[start]) { return start + 1 }
        // The minus of “-5”, but not the hyphen of “10-15”.
        let isMinus =
            "-\u{2212}".contains(text[start]) && isDigit(start + 1) && (start == 0 || text[start - 1].isWhitespace)
        var end = isMinus ? start + 1 : start
        while isPart(end) || joins(end) { end += 1 }
        return end
    }

    private mutating func read(_ sign: Character, before next: Character) {
        switch sign {
        case "\"": isQuoteOpen.toggle()
        case "“", "„", "«": isQuoteOpen = true
        case "”", "»": isQuoteOpen = false
        default: break
        }
        // No full stop: inside a sentence it ends an abbreviation. A hyphen that stands alone is a dash.
        if ",;:()[]–—\"“”„«»!?…".contains(sign) || sign == "-" && next.isWhitespace { opensClause = true }
    }

    /// Nil for the `s` of “Julia's”.
    private func word(_ text: ArraySlice<Character>, behind last: Character?) -> Word? {
        let isNumber = text.contains(where: \.isNumber)
        let text = String(isNumber ? text.map { $0 == "\u{2212}" ? "-" : $0 } : text.filter { $0 != "." })
        if text == "s", let last, "'’".contains(last) { return nil }
        let isCapitalized = text.first?.isUppercase == true
        let isAcronym =
            hasSmallLetters && isCapitalized && text.count > 1 && text.allSatisfy { $0.isUppercase || $0.isNumber }
        return Word(
            key: isAcronym ? text : Words.folded(text), isAcronym: isAcronym, isCapitalized: isCapitalized,
            isQuoted: isQuoteOpen, opensClause: opensClause)
    }
}
