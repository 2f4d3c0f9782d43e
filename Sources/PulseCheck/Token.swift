import Foundation

/// A word, a number or a day of a sentence.
struct Token: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// A word that carries content.
        case plain
        /// See `Lexicon`.
        case free, condition
        /// A word with a capital where none is due.
        case name
        case number(Number)
        /// A weekday, or a month with its day where there is one.
        case weekday(Int)
        case date(month: Int, day: Int?)
    }

    var kind: Kind
    /// Folded; an acronym in capitals, so that `US` is not `us`; of a people its country's.
    var key: String
    /// In lower case and without accents.
    var folded: String
    /// As it is written.
    var text: String
    /// Whether a comma or the like, or nothing at all, stands before it.
    var opensClause: Bool
    /// Whether a capital tells nothing here: at the front of a sentence, of a quotation, or behind a colon.
    var isInitial: Bool
    /// Whether it stands between quotation marks.
    var isQuoted: Bool

    var isFree: Bool { kind == .free }
    var isAcronym: Bool { key.first?.isUppercase == true }
    var isNumber: Bool { if case .number = kind { true } else { false } }
    var isDay: Bool { if case .weekday = kind { true } else if case .date = kind { true } else { false } }

    /// Whether the two say the same.
    func agrees(with other: Token) -> Bool {
        switch (kind, other.kind) {
        case (.number(let mine), .number(let theirs)): mine.agrees(with: theirs)
        case (.date(let month, nil), .date(let otherMonth, _)): month == otherMonth
        case (.number, _), (_, .number), (.weekday, _), (_, .weekday), (.date, _), (_, .date): kind == other.kind
        case (.name, _): key == other.key || Token.singular(key) == Token.singular(other.key)
        default: key == other.key
        }
    }

    static func singular(_ word: String) -> String {
        word.count > 3 && word.hasSuffix("s") ? String(word.dropLast()) : word
    }

    /// In lower case and without accents.
    static func fold(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
