import PulseCore
import Testing

@Suite struct AttributionTests {
    private let attribution = Attribution([
        Article(
            id: "bridge", title: "Orlen rebuilds bridge",
            content: "The council of Orlen voted on Tuesday to rebuild the bridge. It will cost 12 million euros."),
        Article(
            id: "bank", title: "Bank raises rates",
            content: "The central bank of Verdania raised its main rate to 4.5 percent."),
        Article(
            id: "bridge2", title: "Council votes for new bridge",
            content: "In Orlen, the council voted on Tuesday to rebuild the bridge."),
    ])

    @Test func aSentenceFindsItsArticle() throws {
        let sentences = attribution.sentences(
            of: "The bank raised its main rate to 4.5 percent. The bridge will cost 12 million euros.")
        #expect(sentences.map(\.sources) == [["bank"], ["bridge"]])
        #expect(sentences.allSatisfy { $0.isGrounded })
    }

    @Test func whatTwoArticlesSayHasTwoSources() {
        let sentences = attribution.sentences(of: "The council voted on Tuesday to rebuild the bridge.")
        #expect(sentences.first?.sources == ["bridge", "bridge2"])
    }

    @Test(arguments: [
        "The bridge of Orlen will cost 13 million euros.",
        "The council of Belmar voted on Tuesday to rebuild the bridge.",
    ])
    func anInventedNumberOrNameIsNotGrounded(sentence: String) {
        let found = attribution.sentences(of: sentence)
        #expect(found.count == 1 && found[0].sources.contains("bridge") && !found[0].isGrounded)
    }

    @Test func whereNothingIsSaidNothingIsUnsupported() {
        for sentence in attribution.sentences(of: "It is the. …") {
            #expect(sentence.sources.isEmpty && sentence.isGrounded)
        }
    }

    @Test(arguments: ["Football fans celebrated in the streets.", "Nobody in Farland knows."])
    func whatNobodySaysHasNoSource(sentence: String) {
        let found = attribution.sentences(of: sentence)
        #expect(found.allSatisfy { $0.sources.isEmpty && !$0.isGrounded })
    }

    @Test func noTextIsNoSentence() {
        #expect(attribution.sentences(of: "").isEmpty)
        #expect(Attribution([]).sentences(of: "A sentence.").first?.sources == [])
    }
}
