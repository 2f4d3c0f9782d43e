import Foundation
import Testing

@testable import PulseCore

@Suite(.timeLimit(.minutes(20))) struct LanguageTests {
    @Test func aLanguageIsItsTag() throws {
        #expect(Language.allCases.map(\.rawValue) == ["en", "pt", "pt-PT", "es", "fr"])
        #expect(Language.allCases.map(\.code) == ["en", "pt", "pt", "es", "fr"])
        #expect(Language(rawValue: "fr") == .french && Language(rawValue: "de") == nil)
        let data = try JSONEncoder().encode([Language.europeanPortuguese])
        #expect(String(decoding: data, as: UTF8.self) == "[\"pt-PT\"]")
        #expect(try JSONDecoder().decode([Language].self, from: data) == [.europeanPortuguese])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Language].self, from: Data("[\"de\"]".utf8)) }
    }

    /// Headings are in the reader's language; what only a source knows is in the source's.
    @Test func categoriesAreNamedInTheLanguage() {
        #expect(
            Language.allCases.map { Category("sports").title(in: $0) } == [
                "Sports", "Esportes", "Desporto", "Deportes", "Sports",
            ])
        #expect(Category("gardening").title(in: .french) == "Gardening")
        for language in Language.allCases where language != .english {
            for category in Category.known { #expect(language.categories[category.name] != nil, "\(category.name)") }
        }
    }

    /// Lists are of one word each, in the form in which they are looked up.
    @Test(arguments: Language.allCases)
    func noListIsEmpty(language: Language) {
        let (lead, check) = (language.leadLexicon, language.quotationLexicon)
        for words in [
            lead.stopWords, lead.verbs, lead.pronouns, lead.connectives, lead.definite, lead.early, lead.captions,
            lead.features, lead.daysGoOn, lead.prepositions, check.free, check.conditions, check.listJoiners,
            check.firstPerson,
            check.firstPersonSingular, check.speaking, check.aboutText, check.labels,
        ] {
            #expect(!words.isEmpty && words.allSatisfy { $0 == $0.lowercased() })
        }
        for list in [lead.quotes, lead.harmless, lead.days, lead.clauses] { #expect(!list.isEmpty) }
        // Of two days the longer is looked for first.
        for (index, day) in lead.days.enumerated() {
            #expect(!lead.days[..<index].contains { day.hasPrefix($0 + " ") }, "\(day)")
        }
    }

    /// A name that a file lacks, or misspells, would be shown in place of the phrase.
    @Test(arguments: Language.allCases)
    func everyFileHasTheSamePhrases(language: Language) {
        #expect(Set(language.phrases.patterns.keys) == Set(Language.english.phrases.patterns.keys))
        for pattern in language.phrases.patterns.values {
            #expect(pattern.count { $0 == "{" } == pattern.count { $0 == "}" }, "\(pattern)")
        }
    }

    /// Articles are compared by the words that are stop words in no language, so French must not take any away.
    @Test func frenchStopWordsMeanNothingElsewhere() {
        #expect(
            Language.french.leadLexicon.stopWords.isDisjoint(with: [
                "ai", "au", "car", "comment", "dire", "fin", "font", "ma", "main", "mes", "mis", "net", "non", "par",
                "plus", "pour", "sa", "sur", "tel", "tout",
            ]))
    }
}
