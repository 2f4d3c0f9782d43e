import PulseCore
import PulseTestSupport
import Testing

@Suite struct ArticlePiecesTests {
    private func words(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }

    @Test(arguments: 1...40)
    func nothingIsLeftOutAndNothingIsTooLong(tokens: Int) {
        var random = SplitMix(seed: UInt64(tokens))
        let text = (0..<30).map { number in
            let sentence =
                (0..<Int.random(in: 1...25, using: &random)).map { "w\(number)x\($0)" }.joined(separator: " ") + "."
            return sentence + (Int.random(in: 0..<4, using: &random) == 0 ? "\n\n" : " ")
        }.joined().replacing("w", with: "W")
        let pieces = ArticlePieces.split(text, tokens: tokens, count: words)
        #expect(pieces.allSatisfy { words($0) <= tokens && words($0) > 0 })
        #expect(
            pieces.flatMap { $0.split(whereSeparator: \.isWhitespace) } == text.split(whereSeparator: \.isWhitespace))
    }

    @Test func piecesEndWithSentences() {
        let text = "One two three. Four five. Six seven eight nine. Ten."
        #expect(
            ArticlePieces.split(text, tokens: 5, count: words) == [
                "One two three. Four five.", "Six seven eight nine. Ten.",
            ])
        #expect(ArticlePieces.split(text, tokens: 100, count: words) == [text])
        #expect(ArticlePieces.split(" \n\n ", tokens: 5, count: words) == [])
    }

    /// One word of a megabyte has no place to be cut at.
    @Test func aWordOfAMegabyteIsCut() {
        let text = String(repeating: "x", count: 1_000_000)
        let pieces = ArticlePieces.split(text, tokens: 1000) { ($0.utf8.count + 3) / 4 }
        #expect(pieces.joined(separator: " ").filter { $0 == "x" }.count == 1_000_000)
        #expect(pieces.allSatisfy { $0.utf8.count <= 4000 + $0.filter { $0 == " " }.count })
    }

    // MARK: The plan that is made of them

    /// Tokens of four bytes, in which one word without an end has no place to be cut at, and one character of millions
    /// of scalars neither.
    @Test(arguments: [("x", ""), ("👩\u{200d}", ""), ("x", ". And a sentence.")])
    func oneEndlessWordIsReadAsFarAsItMay(unit: String, end: String) throws {
        let text = String(repeating: unit, count: 100_000) + end
        func tokens(_ text: String) -> Int { (text.utf8.count + 3) / 4 }
        let template = try PromptTemplate(
            job: .summary, parsing: "# system\nShorten {{category}}.\n# user\n{{title}}, {{source}}\n{{text}}")
        for lead in [nil, 60] {
            let made = SummaryPlan(
                article: Article(id: "1", title: "Endless", content: text), template: template, lead: lead, limit: 200,
                measure: { tokens($0.system) + tokens($0.userText) }, count: tokens)
            let plan = try #require(made)
            // What is just too long for one piece makes two that are half full.
            #expect((1...2 * SummaryPlan.mostPieces).contains(plan.prompts.count), "\(plan.prompts.count)")
            #expect(plan.isShortened)
            #expect(plan.prompts.allSatisfy { tokens($0.system) + tokens($0.userText) <= 200 })
            // More than the title is in it.
            #expect(tokens(plan.prompts[0].userText) > 40)
        }
    }
}
