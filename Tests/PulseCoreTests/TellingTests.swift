import Foundation
import PulseCore
import Testing

@Suite struct TellingTests {
    static let english = "The council of Orlen voted on Tuesday to rebuild the bridge that had been closed."
    static let portuguese = "A câmara não aprovou na terça-feira a reconstrução da ponte, que estava fechada."
    static let spanish = "El ayuntamiento aprobó el martes la reconstrucción del puente, que estaba cerrado."

    private func article(_ id: String, _ text: String, tag: String? = nil) -> Article {
        Article(id: id, title: id, content: text, category: Category("world"), language: tag)
    }

    /// What the source says, what the text says, and what is believed.
    @Test(
        arguments: [
            (nil, portuguese, "pt"), ("pt-BR", portuguese, "pt"), ("PT_br", "Orlen", "pt"),
            // A feed's default is not what it is written in.
            ("en-US", portuguese, "pt"), ("en", spanish, "es"),
            // Too short to tell: the source's word.
            ("fi", "Orlen", "fi"), ("fil-PH", "Orlen", "fil"),
            // A shared script leaves the choice among its languages to the source, and no other.
            ("uk", "Міська рада проголосувала у вівторок.", "uk"),
            ("en", "Міська рада проголосувала у вівторок.", "und-Cyrl"),
            ("ja", "东京的新桥建成了，市长致辞。", "zh"),
            // No tags at all.
            ("und", "Orlen", nil), ("", "Orlen", nil), ("English", "Orlen", nil), ("x", "Orlen", nil),
            ("e1", "Orlen", nil),
            ("\u{1b}[1m", "Orlen", nil), (nil, "Orlen", nil), ("zxx", "Orlen", nil),
        ] as [(String?, String, String?)])
    func whatAnArticleIsWrittenIn(tag: String?, text: String, language: String?) {
        #expect(article("Orlen", text, tag: tag).writtenLanguage == language)
    }

    @Test func anArticleIsToldInItsOwnLanguage() {
        let telling = Telling(in: .english, translates: false)
        #expect(telling.foreignLanguage(of: article("a", Self.english)) == nil)
        #expect(telling.foreignLanguage(of: article("a", Self.portuguese)) == "pt")
        // Nobody knows: as if it were the reader's.
        #expect(telling.foreignLanguage(of: article("a", "Orlen")) == nil)
        let trusted = Telling(in: .english, translates: true)
        #expect(trusted.foreignLanguage(of: article("a", Self.portuguese)) == nil)
    }

    @Test func thePromptIsInTheLanguageOfTheText() {
        let telling = Telling(in: .spanish, translates: false)
        #expect(telling.promptLanguage(for: nil) == .spanish)
        #expect(telling.promptLanguage(for: "pt") == .portuguese)
        #expect(telling.promptLanguage(for: "fr") == .spanish)
        #expect(telling.promptLanguage(for: "und-Cyrl") == .spanish)
    }

    private func section(_ texts: [String], omitted: Int = 0) -> Selection.Section {
        Selection.Section(
            category: Category("world"),
            stories: texts.enumerated().map {
                Story([Reading(article: article("\($0)", $1), readAt: Date(timeIntervalSince1970: 0), origin: "test")])
            }, omitted: omitted)
    }

    private func told(_ sections: [Selection.Section]) -> [String] {
        sections.map {
            "\($0.foreignLanguage ?? "own"): \($0.stories.map(\.lead.id).joined(separator: " ")) +\($0.omitted)"
        }
    }

    @Test func aMixedCategoryIsDividedByLanguage() {
        let mixed = section([Self.spanish, Self.english, Self.portuguese, Self.english, "Orlen"], omitted: 7)
        #expect(
            told(Telling(in: .english, translates: false).divide([mixed]))
                == ["own: 1 3 4 +0", "es: 0 +0", "pt: 2 +7"])
        #expect(
            told(Telling(in: .portuguese, translates: false).divide([mixed]))
                == ["own: 2 4 +0", "es: 0 +0", "en: 1 3 +7"])
        #expect(told(Telling(in: .english, translates: true).divide([mixed])) == ["own: 0 1 2 3 4 +7"])
    }

    @Test func aCategoryOfOneLanguageStaysWhole() {
        let telling = Telling(in: .english, translates: false)
        #expect(told(telling.divide([section([Self.english, Self.english], omitted: 2)])) == ["own: 0 1 +2"])
        #expect(told(telling.divide([section([Self.spanish], omitted: 1)])) == ["es: 0 +1"])
        #expect(telling.divide([]).isEmpty)
    }

    /// Stories are neither lost nor told twice, and articles left out are counted once.
    @Test(arguments: Language.allCases) func nothingIsLost(language: Language) {
        let sections = [
            section([Self.spanish, Self.english, "?", Self.portuguese], omitted: 3), section(["?"]),
            section([Self.portuguese, Self.portuguese, Self.spanish], omitted: 4),
        ]
        let divided = Telling(in: language, translates: false).divide(sections)
        #expect(divided.reduce(0) { $0 + $1.stories.count } == 8)
        #expect(divided.reduce(0) { $0 + $1.omitted } == 7)
        #expect(!divided.contains { $0.stories.isEmpty })
    }
}
