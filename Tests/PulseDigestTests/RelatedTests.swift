import PulseCore
import Testing

@testable import PulseDigest

@Suite(.timeLimit(.minutes(20))) struct RelatedTests {
    private func reading(_ id: String, _ title: String, _ content: String, hours: Double) -> Reading {
        Readings.make(id, "general", title: title, content: content, minutesAgo: hours * 60)
    }

    @Test func theSameStoryComesFirstAndOtherThingsDoNot() {
        let all = [
            reading(
                "ferry-1", "Calder Strait ferry accord signed by Kestria",
                "Kestria and Vellmark signed an accord about the ferry across the Calder Strait on Friday.", hours: 1),
            reading(
                "ferry-2", "Kestria signs Calder Strait ferry accord",
                "The accord between Kestria and Vellmark about the Calder Strait ferry was signed.", hours: 2),
            reading(
                "strait", "Fishermen of the Calder Strait count their herring",
                "Boats of Vellmark found less herring than in any year before.", hours: 900),
            reading("football", "Rovers win the cup", "A late goal decided the final.", hours: 3),
        ]
        let related = RelatedArticle.readings(to: all[0].article, among: all)
        #expect(related.map(\.reading.article.id) == ["ferry-2", "strait"])
        #expect(related.map(\.isSameStory) == [true, false])
        #expect(related.allSatisfy { (0...1).contains($0.likeness) })
    }

    @Test func nothingIsRelatedToNothing() {
        let article = Article(id: "a", title: "", content: "")
        #expect(RelatedArticle.readings(to: article, among: []).isEmpty)
        #expect(
            RelatedArticle.readings(to: article, among: [reading("b", "Some title here", "Text.", hours: 1)]).isEmpty)
    }
}
