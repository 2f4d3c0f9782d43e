import Foundation
import PulseCore
import Testing

@testable import PulseDigest

/// What a model's sentence must have beside being true.
@Suite(.timeLimit(.minutes(20))) struct StoryCriteriaTests {
    private static let article = Article(
        id: "a", title: "Orlen votes to rebuild its bridge",
        content: "The council of Orlen voted on Tuesday to rebuild the bridge for 12 million euros.", language: "en")

    private func criteria(told: String? = nil, title: String? = nil, length: StoryLength = .normal) -> StoryCriteria {
        let story = Story([Readings.make("a", title: Self.article.title, content: Self.article.content)])
        let own = Sentence(text: Self.article.content, title: title, sources: ["a"], origin: .copied)
        let update = told.map { Digest.Update(day: Day(Readings.now, in: .gmt), number: 1, text: $0) }
        return StoryCriteria(
            Digest.Entry(story: story, sentences: [own], update: update), reports: [Self.article], length: length)
    }

    @Test func aSentenceAboutItsTitleIsNews() {
        #expect(criteria().areMet(by: "Orlen will rebuild its bridge for 12 million euros, its council decided."))
    }

    @Test(arguments: [
        "The mayor of Harnby likes cold tea.", "They voted to rebuild the bridge of Orlen.",
        "the bridge will be rebuilt soon enough.", "Orlen's bridge, a work of stone and steel.",
        "Orlen votes to rebuild its bridge" + String(repeating: " and again", count: 20) + ".",
    ])
    func whatIsNoNewsIsNot(sentence: String) { #expect(!criteria().areMet(by: sentence), "\(sentence)") }

    /// A title before the publication's sentence is not part of it.
    @Test func itMayBeAsLongAsThePublicationsSentence() {
        let criteria = criteria(title: Self.article.title, length: .short)
        let most = "The council of Orlen voted on Tuesday to rebuild the bridge for 12 million euros"
        #expect(criteria.areMet(by: most + "."))
        #expect(!criteria.areMet(by: most + " and to paint it in the colours of the town by the end of May."))
    }

    @Test func anUpdateSaysWhatIsNew() {
        let known = criteria(told: "The council of Orlen voted on Tuesday to rebuild the bridge.")
        #expect(!known.areMet(by: "The council of Orlen voted to rebuild the bridge."))
        #expect(known.areMet(by: "Harnby Yard will rebuild the bridge of Orlen from May for 12 million euros."))
    }
}
