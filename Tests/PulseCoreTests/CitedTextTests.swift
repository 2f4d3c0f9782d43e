import Foundation
import PulseCore
import Testing

@Suite struct CitedTextTests {
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

    private func cite(_ pieces: some Sequence<String>) -> String {
        var text = CitedText(stories: Self.stories, numberedFrom: 4)
        return pieces.reduce("") { $0 + text.add($1) } + text.finish()
    }

    @Test(arguments: [
        ("", ""), ("  ", ""),
        ("The council voted to rebuild the bridge.", "The council voted to rebuild the bridge. [4]"),
        (
            "The Senate passed the budget. The bridge will cost 12 million euros. ",
            "The Senate passed the budget. [5] The bridge will cost 12 million euros. [4]"
        ),
        ("The bridge will cost 13 million euros.", "The bridge will cost 13 million euros. [?]"),
        (
            "Zebras graze quietly. It is. The bridge will cost 12 million euros",
            "Zebras graze quietly. [?] It is. The bridge will cost 12 million euros [4]"
        ),
        ("Senators from the U.S. West opposed it.", "Senators from the U.S. West opposed it. [5]"),
        (
            "Dr. Lee spoke at No. 5 Hill Road. The Senate passed the budget.",
            "Dr. Lee spoke at No. 5 Hill Road. [5] The Senate passed the budget. [5]"
        ),
        (
            "The council voted.\n\nThe Senate passed the budget.",
            "The council voted. [4]\n\nThe Senate passed the budget. [5]"
        ),
    ])
    func sentencesCarryTheirNumbers(text: String, cited: String) { #expect(cite([text]) == cited) }

    /// Letter by letter, in pieces of every size, cut inside characters of several scalars: always the same.
    @Test(arguments: [
        "The Senate passed the budget. The bridge will cost 12 million euros. It is. Zebras in the U.S. The council voted! “Why?” he asked. No. 5 is at No. Nobody knows.",
        "東京で新しい橋が完成した。市長が祝辞を述べた。The council voted.",
        "e\u{301}. A\u{308}! 👩‍👩‍👧. The… bridge... The Senate?! Yes",
        "...\n\n. . .", "One.Two.Three. Four",
    ])
    func piecesDoNotMatter(text: String) {
        let whole = cite([text])
        for size in 1...12 {
            var pieces: [String] = []
            var rest = text.unicodeScalars[...]
            while !rest.isEmpty {
                pieces.append(String(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(cite(pieces) == whole, "in pieces of \(size)")
        }
    }

    @Test func textIsNotHeldBackLongerThanAWord() {
        var text = CitedText(stories: Self.stories, numberedFrom: 1)
        #expect(text.add("The coun") == "The coun")
        #expect(text.add("cil vo") == "cil vo")
        #expect(text.add("ted. ") == "ted.")
        #expect(text.add("Th") == "")
        #expect(text.add("e bridge") == " [1] The bridge")
    }
}
