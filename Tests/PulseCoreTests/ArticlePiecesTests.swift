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

    @Test func theOpeningIsAPieceOfItsOwn() {
        let text = "One two three. Four five.\n\nSix seven eight nine. Ten. Eleven."
        #expect(
            ArticlePieces.split(text, tokens: 5, opening: 4, count: words) == [
                "One two three.", "Four five.", "Six seven eight nine.", "Ten. Eleven.",
            ])
        #expect(
            ArticlePieces.split(text, tokens: 100, opening: 5, count: words) == [
                "One two three. Four five.", "Six seven eight nine. Ten. Eleven.",
            ])
        // A first sentence that is longer than the opening may be is not cut for it.
        #expect(ArticlePieces.split(text, tokens: 100, opening: 1, count: words).first == "One two three.")
        #expect(ArticlePieces.split(text, tokens: 100, opening: 100, count: words) == [text])
        #expect(ArticlePieces.split(" ", tokens: 100, opening: 100, count: words) == [])
    }

    // MARK: The plan that is made of them

    private static let template = "# system\nShorten {{category}}.\n# user\n{{title}}, {{source}}\n{{text}}"

    private func plan(_ text: String, opening: Int? = nil, limit: Int) throws -> SummaryPlan {
        let template = try PromptTemplate(job: .summary, parsing: Self.template)
        return try #require(
            SummaryPlan(
                article: Article(id: "1", title: "Long", content: text), template: template, opening: opening,
                limit: limit, measure: { words($0.system) + words($0.userText) }, count: words))
    }

    /// Every sentence is in the opening or in one prompt, whichever way it is divided.
    @Test(arguments: [nil, 1, 30, 40, 1000])
    func theWholeArticleIsRead(opening: Int?) throws {
        let sentences = (1...100).map { "Number \($0) of the sentences stands here." }
        let plan = try plan(sentences.joined(separator: " "), opening: opening, limit: 100)
        #expect(!plan.isShortened && plan.isDivided)
        #expect((plan.opening == nil) == (opening == nil))
        let all = [plan.opening].compactMap(\.self) + plan.prompts.map(\.userText)
        for sentence in sentences { #expect(all.count { $0.contains(sentence) } == 1, "\(sentence)") }
        #expect(plan.prompts.allSatisfy { words($0.system) + words($0.userText) <= 100 })
        #expect(plan.front.userText.contains(sentences[0]))
        #expect(plan.opening.map { $0.hasPrefix(sentences[0]) && words($0) <= 50 } != false)
    }

    /// What is told of the rest comes behind the opening as it stands, and is read with it.
    @Test func theOpeningStandsInFront() throws {
        let text = (1...30).map { "Number \($0) of the sentences stands here." }.joined(separator: " ")
        let plan = try plan(text, opening: 14, limit: 100)
        let merged = try #require(plan.merged(["Third.", "", "Fourth."]))
        #expect(
            merged.content
                == "Number 1 of the sentences stands here. Number 2 of the sentences stands here.\n\nThird.\n\nFourth.")
        #expect(plan.merged([text]) == nil)
        #expect(try self.plan(text, limit: 100).merged(["", ""]) == nil)
    }

    @Test func whatFitsIsNotDivided() throws {
        let plan = try plan("One two three. Four five.", opening: 1, limit: 100)
        #expect(plan.opening == nil && plan.prompts == [plan.front] && !plan.isShortened && !plan.isDivided)
    }

    /// Tokens of four bytes, in which one word without an end has no place to be cut at, and one character of millions
    /// of scalars neither.
    @Test(arguments: [("x", ""), ("👩\u{200d}", ""), ("x", ". And a sentence.")])
    func oneEndlessWordIsReadAsFarAsItMay(unit: String, end: String) throws {
        let text = String(repeating: unit, count: 100_000) + end
        func tokens(_ text: String) -> Int { (text.utf8.count + 3) / 4 }
        let template = try PromptTemplate(
            job: .summary, parsing: "# system\nShorten {{category}}.\n# user\n{{title}}, {{source}}\n{{text}}")
        for opening in [nil, 60] {
            let made = SummaryPlan(
                article: Article(id: "1", title: "Endless", content: text), template: template,
                opening: opening, limit: 200,
                measure: { tokens($0.system) + tokens($0.userText) }, count: tokens)
            let plan = try #require(made)
            // What is just too long for one piece makes two that are half full.
            #expect((1...2 * SummaryPlan.mostPieces).contains(plan.prompts.count), "\(plan.prompts.count)")
            #expect((plan.opening != nil) == (opening != nil))
            #expect(plan.isShortened)
            #expect(plan.prompts.allSatisfy { tokens($0.system) + tokens($0.userText) <= 200 })
            // More than the title is in it.
            #expect(tokens(plan.prompts[0].userText) > 40)
        }
    }
}
