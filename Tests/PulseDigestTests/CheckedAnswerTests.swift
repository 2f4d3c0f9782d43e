import PulseCore
import PulseDigest
import Testing

@Suite(.timeLimit(.minutes(20))) struct CheckedAnswerTests {
    private static let reports = [
        Article(
            id: "herald", title: "Orlen votes to rebuild the bridge",
            content: "The council of Orlen voted on Tuesday to rebuild the bridge. It will cost 12 million euros."),
        Article(
            id: "post", title: "Orlen bridge to rise again",
            content: "Orlen's bridge over the Dask will be rebuilt for 12 million euros, the council decided."),
    ]

    private static let vote = "The council of Orlen voted on Tuesday to rebuild the bridge."

    private func read(_ pieces: some Sequence<String>, isCut: Bool = false) -> CheckedAnswer {
        var answer = CheckedAnswer(Self.reports, most: 2)
        let sentences = pieces.flatMap { answer.add($0) } + answer.finish(isCut: isCut)
        #expect(sentences == answer.sentences)
        return answer
    }

    @Test func aSentenceOfAReportIsShownAndCited() {
        let answer = read([Self.vote])
        #expect(answer.sentences.map(\.origin) == [.copied])
        #expect(answer.sentences.first?.sources.first == "herald")
        #expect(answer.refused == 0)
    }

    /// The model's own quotation marks, and the article's.
    @Test(arguments: [
        ("“\(vote)”", [vote]), ("\"\(vote.dropLast())\".", [vote]),
        ("“We will not pay.”", []),
    ])
    func quotationMarksThatNoReportHasAreDropped(text: String, shown: [String]) {
        #expect(read([text]).sentences.map(\.text) == shown)
    }

    @Test func aQuotationWhoseEndIsLeftOutSaysSo() {
        let answer = read(["Orlen's bridge over the Dask will be rebuilt for 12 million euros."])
        #expect(answer.sentences.map(\.text) == ["Orlen's bridge over the Dask will be rebuilt for 12 million euros …"])
        #expect(answer.sentences.map(\.origin) == [.shortened])
    }

    @Test(arguments: [
        "The council of Orlen voted on Tuesday to rebuild the bridge for 13 million euros.",
        "The council of Belmar voted on Tuesday to rebuild the bridge.", "Zebras graze quietly by the river.",
        "The article is about a bridge in Orlen.", "Source: The Herald.", "We will rebuild the bridge.",
    ])
    func whatTheReportsDoNotBearOutIsNotShown(text: String) {
        let answer = read([text])
        #expect(answer.sentences.isEmpty, "\(answer.sentences)")
        #expect(answer.refused == 1)
    }

    /// Where doubtful words are marked, what is left out is what is left out otherwise, but for what nothing bears out.
    @Test(arguments: [
        ("Zebras graze quietly by the river.", [Sentence.Origin.written], 1),
        (vote, [.copied], 0),
        ("The council of Orlen voted on Tuesday.", [], 0), ("Orlen votes to rebuild the bridge.", [], 0),
        ("Source: The Herald.", [], 0), ("We will rebuild the bridge.", [], 0),
        ("The council of Orlen voted on Tuesday. It will cost 12 million euros.", [], 0),
    ])
    func onlyWhatNothingBearsOutIsMarked(text: String, origins: [Sentence.Origin], marked: Int) {
        let answer = CheckedAnswer(Self.reports, most: 2, mode: .mark).read(text)
        #expect(answer.sentences.map(\.origin) == origins, "\(answer.sentences)")
        #expect(answer.refused == marked && answer.sentences.count { $0.doubtful != nil } == marked)
    }

    @Test func noMoreSentencesAreShownThanAskedFor() {
        #expect(read([Self.reports.map(\.content).joined(separator: " ")]).sentences.count == 2)
    }

    @Test func whatWasCutOffIsNotShown() {
        #expect(read(["The council of Orlen voted on Tuesday to rebuild the"], isCut: true).sentences.isEmpty)
        #expect(read(["", "  "]).sentences.isEmpty)
    }

    /// Letter by letter, in pieces of every size, cut inside characters of several scalars: always the same.
    @Test(arguments: [
        "The council of Orlen voted on Tuesday to rebuild the bridge. It will cost €12m. Zebras in the U.S. No. 5 is at No.",
        "e\u{301}. A\u{308}! 👩‍👩‍👧. The… bridge... The council?! Yes", "...\n\n. . .",
        "The council of Belmar voted to rebuild the bridge. <|im_end|> More",
    ])
    func piecesDoNotMatter(text: String) {
        let whole = read([text]).sentences
        for size in 1...12 { #expect(read(text.pieces(of: size)).sentences == whole, "in pieces of \(size)") }
    }

    // MARK: - Enough

    /// What the model had written when no more was needed of it.
    private func needed(of text: String) -> String {
        var answer = CheckedAnswer(Self.reports, most: 2)
        var written = ""
        for character in text where !answer.isSettled {
            written.append(character)
            _ = answer.add(String(character))
        }
        return written
    }

    @Test(arguments: [
        ("The council of Belmar voted on Tuesday to rebuild the bridge.", "The council of Belmar vo"),
        ("Orlen's bridge over the old town will be rebuilt.", "Orlen's bridge over the old to"),
        ("Zebras graze by the river. It will cost 12 million euros.", "Zebras gr"),
        ("\(vote) It will cost 12 million euros. And more.", "\(vote) It will cost 12 million euros. And mo"),
    ])
    func aModelWritesNoMoreThanCanBeShown(text: String, most: String) {
        let needed = needed(of: text)
        #expect(most.hasPrefix(needed), "\(needed)")
        #expect(read([needed], isCut: true).sentences == read([text]).sentences)
        #expect(read([needed], isCut: true).refused == read([text]).refused)
    }

    /// What may be an announcement, a heading or a sign of Markdown is not shown anyway, and what follows may be.
    @Test(arguments: [
        "Here is the entry: ", "Of course. ", "# The bridge\n", "**The bridge**\n", "Sure! ", "- ", "1. ", "Summary: ",
    ])
    func whatIsRemovedEndsNoAnswer(front: String) { #expect(needed(of: front + Self.vote) == front + Self.vote) }

    @Test func repeatedSentencesEndNoAnswer() {
        let again = "The council of Orlen voted on Tuesday to rebuild the bridges."
        let text = "\(Self.vote) \(again) It will cost 12 million euros."
        #expect(needed(of: text) == text)
    }
}
