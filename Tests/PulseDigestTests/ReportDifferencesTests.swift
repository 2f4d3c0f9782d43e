import Foundation
import PulseCore
import Testing

@testable import PulseDigest

/// Where reports contradict each other.
@Suite(.timeLimit(.minutes(1))) struct ReportDifferencesTests {
    /// An hour apart, each by another publication.
    private func differences(
        _ texts: [String], language: String = "en", sources: [String] = [], hours: Double = 1
    ) -> [String] {
        let articles = texts.enumerated().map { place, text in
            Article(
                id: "r\(place)", title: "Wall of Tamsin dam gives way", content: text,
                source: sources.isEmpty ? "Paper \(place)" : sources[place], language: language,
                publishedAt: Date(timeIntervalSince1970: Double(place) * hours * 3600))
        }
        return ReportDifferences.between(articles).map { "\($0.sources[0]): \($0.text)" }
    }

    private static let context =
        " The wall gave way on Monday morning after a week of rain, the province of Arrel said."

    @Test(arguments: [
        (
            "Rescuers counted 12 people dead.", "At least 15 people were killed.", "12 people dead",
            "At least 15 people were killed"
        ),
        ("The flood left 31 injured.", "It injured 44 before noon.", "31 injured", "injured 44"),
        (
            "At least nine were killed.", "The flood killed at least 12.", "At least nine were killed",
            "killed at least 12"
        ),
        ("Some 120 firefighters came.", "They called 160 firefighters.", "Some 120 firefighters", "160 firefighters"),
        ("It took 17 lives.", "Twelve miners are dead.", "17 lives", "Twelve miners are dead"),
    ])
    func bothAreQuoted(first: String, second: String, left: String, right: String) {
        #expect(differences([first + Self.context, second + Self.context]) == ["r0: \(left)", "r1: \(right)"])
        // The later report is last, whatever was read first.
        #expect(differences([second + Self.context, first + Self.context]) == ["r0: \(right)", "r1: \(left)"])
    }

    /// What only looks like a contradiction.
    @Test(arguments: [
        ("12 people are dead.", "Twelve people were killed."), ("At least 12 were killed.", "15 people are dead."),
        ("31 were hurt.", "About 30 were hurt."), ("17 people are dead.", "Two of the dead were children."),
        ("17 people are dead.", "After nine dead-straight kilometres it turns."),
        ("17 people are dead.", "In 2019 a flood here killed 40."), ("12 people are dead.", "It killed 80,000 hens."),
        ("He fought 12 hours.", "It took 15 hours."), ("It cost 1.2 million euros.", "It cost 1.4 million euros."),

        ("31 injured, two seriously.", "31 were injured, four of them seriously."),
        ("Two firefighters fell.", "They called 160 firefighters."), ("", ""), ("12", "15"),
    ])
    func nothingElseIs(first: String, second: String) {
        #expect(differences([first + Self.context, second + Self.context]).isEmpty)
    }

    /// The next day's higher toll is the newer one, a lower one is not; nor is that of the same day.
    @Test func aTollThatRoseOvernightIsNoContradiction() {
        let texts = ["12 people are dead.", "15 people are dead."].map { $0 + Self.context }
        #expect(differences(texts, hours: 24).isEmpty)
        #expect(differences(texts, hours: 9).count == 2 && differences(texts.reversed(), hours: 24).count == 2)
        let things = ["They called 120 firefighters.", "They called 160 firefighters."].map { $0 + Self.context }
        #expect(differences(things, hours: 24).count == 2)
    }

    /// Of a number in several words no part is one.
    @Test(arguments: [
        ("es", "El choque dejó 61 heridos.", "Hubo sesenta y un heridos."),
        ("pt", "O choque deixou 61 feridos.", "Houve sessenta e um feridos."),
        ("fr", "Le choc a fait 61 blessés.", "On compte soixante et onze blessés."),
        ("en", "The crash injured 300 people.", "Two hundred people were injured."),
    ])
    func aPartOfANumberIsNone(language: String, first: String, second: String) {
        #expect(differences([first, second], language: language).isEmpty)
    }

    @Test func onePublicationMayCorrectItself() {
        let texts = ["12 people are dead." + Self.context, "15 people are dead." + Self.context]
        #expect(differences(texts, sources: ["Herald", "Herald"]).isEmpty)
    }

    @Test(arguments: [
        (
            "pt", "Pelo menos 15 mortos foram contados na barragem.",
            "A cheia fez 12 mortos, disse o governo da província."
        ),
        (
            "es", "Al menos 15 muertos se contaron en la presa.",
            "La riada dejó 12 muertos, dijo el gobierno de la provincia."
        ),
        (
            "fr", "Au moins 15 morts ont été comptés au barrage.",
            "La crue a fait 12 morts, a dit le gouvernement de la province."
        ),
    ])
    func inEachLanguage(language: String, first: String, second: String) {
        #expect(differences([first, second], language: language).count == 2)
        #expect(differences([first, first], language: language).isEmpty)
    }

    @Test func eachLanguageCountsTheSameThings() {
        for language in Language.allCases {
            let lexicon = language.countLexicon
            #expect(Set(lexicon.casualties.values) == Set(0..<5), "\(language)")
            #expect(!lexicon.atLeast.isEmpty && !lexicon.about.isEmpty && lexicon.numbers.count > 15)
        }
    }
}
