import Foundation
public import PulseCore

/// What the program itself says in a digest or a summary, in the reader's language. One value a language, so that none
/// can be forgotten: a phrase that a language lacks does not compile.
public struct Phrases: Sendable {
    /// A word in the singular and in the plural.
    struct Noun: Sendable {
        let one: String
        let many: String

        init(_ one: String, _ many: String) {
            self.one = one
            self.many = many
        }

        func callAsFunction(_ count: Int) -> String { Counted.text(count, one, many) }
    }

    private let language: Language
    let article: Noun
    let source: Noun
    let topic: Noun
    /// The digest's name with its day: `Your digest, Saturday, 21 November 2026`.
    let title: @Sendable (_ day: String) -> String
    /// How much was read since when: the articles told of, all that were read, and the words for sources and topics.
    let read: @Sendable (_ told: Int, _ all: Int, _ since: String, _ sources: String, _ topics: String) -> String
    /// How many articles were kept out because the reader has muted them; goes on with `read`.
    let muted: @Sendable (Int) -> String
    /// How many days in a row have something read, up to the digest's own; two at least.
    let daysInARow: @Sendable (Int) -> String
    /// In front of the name of another source of the same story.
    let also: String
    /// How many more articles of a section were read.
    let more: @Sendable (Int) -> String
    let nothingWritten: String
    let writtenBy: @Sendable (_ model: String) -> String
    /// How many articles the model saw the beginning of only.
    let shortened: @Sendable (Int) -> String
    /// How many sentences the articles did not support.
    let corrected: @Sendable (Int) -> String
    let doubts: String
    /// Why something is told in another language than the rest.
    let notTranslated: String
    let readAgain: String
    let summaryShortened: String
    let summaryNotTranslated: String
    /// In front of a language's name: `in Spanish`.
    private let inLanguage: String
    private let inAnotherLanguage: String

    public init(_ language: Language) {
        switch language {
        case .english: self = .english
        case .portuguese: self = .portuguese
        case .spanish: self = .spanish
        }
    }

    init(
        language: Language, article: Noun, source: Noun, topic: Noun, title: @escaping @Sendable (String) -> String,
        read: @escaping @Sendable (Int, Int, String, String, String) -> String,
        muted: @escaping @Sendable (Int) -> String, daysInARow: @escaping @Sendable (Int) -> String, also: String,
        more: @escaping @Sendable (Int) -> String,
        nothingWritten: String, writtenBy: @escaping @Sendable (String) -> String,
        shortened: @escaping @Sendable (Int) -> String, corrected: @escaping @Sendable (Int) -> String,
        doubts: String, notTranslated: String, readAgain: String, summaryShortened: String,
        summaryNotTranslated: String, inLanguage: String, inAnotherLanguage: String
    ) {
        self.language = language
        self.article = article
        self.source = source
        self.topic = topic
        self.title = title
        self.read = read
        self.muted = muted
        self.daysInARow = daysInARow
        self.also = also
        self.more = more
        self.nothingWritten = nothingWritten
        self.writtenBy = writtenBy
        self.shortened = shortened
        self.corrected = corrected
        self.doubts = doubts
        self.notTranslated = notTranslated
        self.readAgain = readAgain
        self.summaryShortened = summaryShortened
        self.summaryNotTranslated = summaryNotTranslated
        self.inLanguage = inLanguage
        self.inAnotherLanguage = inAnotherLanguage
    }

    /// The heading of a section, with the language it is told in where that is not the digest's: `World, in Spanish`.
    func sectionTitle(_ category: Category, foreignLanguage: String?) -> String {
        let title = category.title(in: language)
        guard let foreignLanguage else { return title }
        let known = foreignLanguage.hasPrefix("und") ? nil : Locale(identifier: language.locale)
        guard let name = known?.localizedString(forLanguageCode: foreignLanguage), name != foreignLanguage else {
            return "\(title), \(inAnotherLanguage)"
        }
        return "\(title), \(inLanguage) \(name)"
    }
}
