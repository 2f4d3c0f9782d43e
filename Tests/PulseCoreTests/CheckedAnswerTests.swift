import Foundation
import PulseCore
import Testing

@Suite struct CheckedAnswerTests {
    private static func story(_ id: String, _ content: String) -> Story {
        Story([Reading(article: Article(id: id, title: "", content: content), readAt: .distantPast, origin: "test")])
    }

    private static let stories = [
        story("bridge", "The council of Orlen voted on Tuesday to rebuild the bridge. It will cost 12 million euros."),
        story(
            "senate",
            "The U.S. Senate passed the budget. Senators from the U.S. West opposed it. Dr. Lee spoke at No. 5 Hill Road."
        ),
        story("tokyo", "東京で新しい橋が完成した。市長が祝辞を述べた。"),
    ]

    /// The text as it is shown, with its numbers.
    private func read(_ pieces: some Sequence<String>, _ writing: CheckedAnswer.Writing = .free) -> String {
        var answer = CheckedAnswer(Self.stories.map(\.lead), writing: writing)
        var sentences: [Sentence] = []
        for piece in pieces { sentences += answer.add(piece) }
        sentences += answer.finish()
        #expect(sentences == answer.sentences)
        let citations = Citations(stories: Self.stories, numberedFrom: 4)
        return sentences.map { [$0.text, citations.marks(of: $0)].filter { !$0.isEmpty }.joined(separator: " ") }
            .joined(separator: " ")
    }

    @Test(arguments: [
        ("", ""), ("  ", ""),
        ("The council voted to rebuild the bridge.", "The council voted to rebuild the bridge. [4]"),
        (
            "The Senate passed the budget. It will cost €12m. ",
            "The Senate passed the budget. [5] It will cost €12m. [4]"
        ),
        // The publisher's own sentence, once.
        (
            "The bridge will cost 13 million euros to rebuild.",
            "The council of Orlen voted on Tuesday to rebuild the bridge. [4]"
        ),
        (
            "The council of Belmar voted to rebuild the bridge. The council voted on Monday to rebuild the bridge, at last.",
            "The council of Orlen voted on Tuesday to rebuild the bridge. [4]"
        ),
        ("Zebras graze quietly. It is. The Senate passed the budget.", "It is. The Senate passed the budget. [5]"),
        ("Senators from the US West opposed it.", "Senators from the US West opposed it. [5]"),
        (
            "Dr. Lee spoke at No. 5 Hill Road. The Senate passed the budget.",
            "Dr. Lee spoke at No. 5 Hill Road. [5] The Senate passed the budget. [5]"
        ),
    ])
    func whatTheArticlesDoNotSupportIsNotShown(text: String, shown: String) { #expect(read([text]) == shown) }

    /// Letter by letter, in pieces of every size, cut inside characters of several scalars: always the same.
    @Test(arguments: [
        "The Senate passed the budget. The bridge will cost 12 million euros. It is. Zebras in the U.S. The council voted! “Why?” he asked. No. 5 is at No. Nobody knows.",
        "東京で新しい橋が完成した。市長が祝辞を述べた。The council voted.",
        "e\u{301}. A\u{308}! 👩‍👩‍👧. The… bridge... The Senate?! Yes",
        "...\n\n. . .", "One.Two.Three. Four", "The council of Belmar voted to rebuild the bridge. <|im_end|> More",
    ])
    func piecesDoNotMatter(text: String) {
        for writing in [CheckedAnswer.Writing.free, .grounded] {
            let whole = read([text], writing)
            for size in 1...12 {
                var pieces: [String] = []
                var rest = text.unicodeScalars[...]
                while !rest.isEmpty {
                    pieces.append(String(rest.prefix(size)))
                    rest = rest.dropFirst(size)
                }
                #expect(read(pieces, writing) == whole, "in pieces of \(size)")
            }
        }
    }

    @Test func itIsSaidHowASentenceCameAbout() {
        var answer = CheckedAnswer(Self.stories.map(\.lead), writing: .free)
        _ = answer.add(
            "The U.S. Senate passed the budget. The council voted to rebuild. Dr. Lee spoke at No. 7 Hill Road. Zebras!"
        )
        _ = answer.finish()
        #expect(answer.sentences.map(\.origin) == [.copied, .model, .publisher])
        #expect(answer.corrections == Corrections(replaced: 1, dropped: 1))
        #expect(answer.text == answer.sentences.map(\.text).joined(separator: " "))
    }

    /// A join that tells of the one's subject with the other's number is taken back to the sentence it began as.
    @Test func aJoinDoesNotPairASubjectWithAnothersNumber() {
        let article = Article(
            id: "1", title: "",
            content:
                "Orlen will rebuild the old bridge over the river for 12 million euros. Belmar will rebuild the old bridge over the river in 2031."
        )
        var answer = CheckedAnswer([article], writing: .grounded)
        _ = answer.add("Orlen will rebuild the old bridge over the river in 2031.")
        _ = answer.finish()
        #expect(answer.text == "Orlen will rebuild the old bridge over the river for 12 million euros.")
        #expect(answer.sentences.map(\.origin) == [.publisher])
        var sound = CheckedAnswer([article], writing: .grounded)
        _ = sound.add("Orlen will rebuild the old bridge for 12 million euros.")
        _ = sound.finish()
        #expect(sound.sentences.map(\.origin) == [.model])
    }

    @Test func nothingIsLongerThanWhatItTellsOf() {
        let article = Article(id: "1", title: "", content: "Rain fell on Orlen and the fair was put off.")
        var answer = CheckedAnswer([article], writing: .free)
        _ = answer.add(
            "Rain fell on Orlen. The fair was put off, because rain fell on Orlen and on the fair. Rain fell.")
        _ = answer.finish()
        #expect(answer.text.count <= article.text.count)
        #expect(answer.text.hasPrefix("Rain fell on Orlen."))
    }

    @Test func whatWasCutOffIsNotShown() {
        var answer = CheckedAnswer(Self.stories.map(\.lead), writing: .free)
        _ = answer.add("The Senate passed the budget. The council voted to rebuild the")
        _ = answer.finish(isCut: true)
        #expect(answer.text == "The Senate passed the budget.")
    }

    /// A publisher's sentence that finds no room stands nowhere, and is not counted as if it did: the answer is never
    /// longer than what it tells of.
    @Test func aReplacementWithoutRoomIsNone() {
        let text = "The council of Orlen voted on Tuesday to rebuild the bridge. Snow fell in Orlen."
        var answer = CheckedAnswer([Article(id: "a", title: "", content: text)], writing: .free)
        let wordy = "It was on Tuesday that the council of Orlen voted to rebuild the bridge."
        _ = answer.add(wordy + " Snow fell in Orlen on Friday. ")
        _ = answer.finish()
        #expect(answer.sentences.map(\.text) == [wordy])
        #expect(answer.corrections == Corrections(replaced: 0, dropped: 1))
    }
}
