import PulseCore

/// What the check has to know of a language. All words are folded (`Token.fold`), and so is what is looked up.
struct Lexicon: Sendable {
    /// Words that may be added or left out anywhere: articles and the like. All others count.
    let free: Set<String>
    /// What makes a sentence depend on something else, or takes part of it back: “if”, “but”, “except”.
    let conditions: Set<String>
    /// The first person, and the words that say who speaks.
    let firstPerson: Set<String>
    let speaking: Set<String>
    /// What an entry calls itself or its story, and the labels that stand before a colon in a prompt.
    let aboutText: Set<String>
    let labels: Set<String>

    let numbers: [String: Double]
    /// “Second” is a time too, and stands in none.
    let ordinals: [String: Int]
    /// Shares of a whole, as percentages: “half”, “a third”.
    let shares: [String: Double]
    let multipliers: [String: Double]
    /// “hundred and five”, “trinta e um”; and what ends a list.
    let numberJoiners: Set<String>
    let listJoiners: Set<String>
    /// What may stand before a number and behind one, of at most two words.
    let hedges: [String: Number.Hedge]
    let units: [String: String]
    let thousands: Character

    let months: [String: Int]
    let weekdays: [String: Int]
    let daysHaveCapitals: Bool
    /// A people's name, with the name of its country.
    let demonyms: [String: String]

    static func of(_ language: Language) -> Lexicon {
        switch language {
        case .english: english
        case .portuguese, .europeanPortuguese: portuguese
        case .spanish: spanish
        }
    }

    static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map { Token.fold(String($0)) })
    }

    /// Values, and the words for each; `_` stands for the space between two words.
    static func table<Value>(_ rows: KeyValuePairs<Value, String>) -> [String: Value] {
        var table: [String: Value] = [:]
        for (value, text) in rows { for word in words(text) { table[word.replacing("_", with: " ")] = value } }
        return table
    }

    /// Words in a row, which count from `first` on in equal steps; `/` stands between two for the same.
    static func counted(_ text: String, from first: Int = 1, by step: Int = 1) -> [String: Int] {
        var table: [String: Int] = [:]
        for (place, names) in text.split(whereSeparator: \.isWhitespace).enumerated() {
            for name in names.split(separator: "/") {
                table[Token.fold(String(name)).replacing("_", with: " ")] = first + place * step
            }
        }
        return table
    }

    static func numbers(_ ones: String, _ tens: String, _ hundreds: String = "") -> [String: Double] {
        [counted(tens, from: 20, by: 10), counted(hundreds, from: 100, by: 100)]
            .reduce(counted(ones, from: 0)) { $0.merging($1) { first, _ in first } }.mapValues(Double.init)
    }

    /// Between commas: a country, and what its people and things are called.
    static func peoples(_ text: String) -> [String: String] {
        var peoples: [String: String] = [:]
        for entry in text.split(separator: ",") {
            let words = entry.split(whereSeparator: \.isWhitespace).map { Token.fold(String($0)) }
            for word in words.dropFirst() { peoples[word] = words[0] }
        }
        return peoples
    }
}
