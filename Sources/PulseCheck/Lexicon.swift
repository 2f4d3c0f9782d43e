import PulseCore

/// The words of a language that the check has to know. All are folded (`Word.fold`), and so is what is looked up.
struct Lexicon: Sendable {
    /// Words that may be added or left out anywhere: articles and the like. All others count.
    let free: Set<String>
    /// What makes a sentence depend on something else, or takes part of it back: “if”, “but”, “except”.
    let conditions: Set<String>
    /// What joins the members of a list.
    let listJoiners: Set<String>
    let firstPerson: Set<String>
    /// What says that somebody says something.
    let speaking: Set<String>
    /// What a model calls the text that it was given, or its own.
    let aboutText: Set<String>
    /// What stands before a colon in a prompt.
    let labels: Set<String>

    static func of(_ language: Language) -> Lexicon {
        switch language {
        case .english: english
        case .portuguese, .europeanPortuguese: portuguese
        case .spanish: spanish
        }
    }

    static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map { Word.fold(String($0)) })
    }
}
