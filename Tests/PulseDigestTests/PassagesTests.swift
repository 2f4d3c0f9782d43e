import Foundation
import PulseCore
import Testing

@testable import PulseDigest

/// What is found for a question, and what counts as an answer.
@Suite(.timeLimit(.minutes(5))) struct PassagesTests {
    private func text(_ sentences: Int) -> String {
        (1...sentences).map { "Sentence number \($0) stands here." }.joined(separator: " ")
    }

    private func repeated(_ sentence: String, _ count: Int) -> String {
        Array(repeating: sentence, count: count).joined(separator: " ")
    }

    private func article(_ content: String, title: String = "Harbour reopens") -> Article {
        Article(id: "a", title: title, content: content)
    }

    @Test(arguments: [(1, 1), (3, 1), (4, 2), (21, 7), (22, 7), (200, 7)])
    func aTextIsCutIntoThreeSentencesAndSevenPassagesAtMost(sentences: Int, count: Int) {
        let passages = Passages.of(article(text(sentences)))
        #expect(passages.count == count)
        #expect(passages.joined(separator: " ") == text(sentences))
    }

    @Test func anArticleThatIsOnlyATitleIsItsTitle() {
        let bare = article("")
        #expect(Passages.of(bare) == ["Harbour reopens"])
        #expect(Passages.encoderInput("Harbour reopens", of: bare) == "Harbour reopens")
        #expect(
            Passages.encoderInput("Ships passed.", of: article("Ships passed.")) == "Harbour reopens. Ships passed.")
        #expect(Passages.of(article("", title: "")) == [""])
    }

    @Test func ofALongPassageThatIsShownWhichSharesMost() {
        let long = text(4) + " The lock was built by Ansgar Rowe. " + text(3)
        let excerpt = Passages.excerpt(of: long, for: "who built the lock?")
        #expect(excerpt.contains("Ansgar Rowe") && excerpt.count < long.count / 2, "\(excerpt)")
        #expect(Passages.excerpt(of: "One. Two.", for: "who?") == "One. Two.")
        // In characters, of which a letter may take several bytes.
        let unbroken = String(repeating: "я", count: 2000)
        #expect(Passages.excerpt(of: unbroken, for: "who?") == unbroken)
        let cut = Passages.excerpt(of: unbroken + unbroken, for: "who?")
        #expect(cut.count <= 2000 && cut.hasSuffix("…"))
    }

    @Test func rareWordsCountMost() {
        let texts = ["The harbour is open.", "The harbour was sold to Rowe.", "The harbour froze.", "Nothing else."]
        let shares = Passages.shares(of: "Who sold the harbour?", in: texts)
        #expect(shares[1] > 0.99 && shares[0] < 0.5 && shares[0] == shares[2] && shares[0] > 0 && shares[3] == 0)
        #expect(Passages.shares(of: "zebra", in: texts) == [0, 0, 0, 0])
        #expect(Passages.terms(of: "What did the ferries, the FERRIES cost?") == ["ferr", "cost"])
        #expect(Passages.terms(of: "Was there any news article about ferries?") == ["ferr"])
        #expect(Passages.terms(of: "news").count == 1)
    }

    // MARK: - What a model reads

    private func prompt(_ passages: [(id: String, text: String)], question: String) throws -> String {
        let template = try PromptTemplate(
            job: .ask,
            parsing: """
                # system
                Rules.
                # user
                {{passages}}

                {{question}}
                # passage
                {{title}}: {{text}}
                """, from: "ask.md")
        func words(_ text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }
        let prompt = QuestionPrompt(
            question,
            passages: passages.map { id, text in
                Passage(reading: Readings.make(id, title: "On \(id)"), text: text, score: nil)
            }, days: [:], template: template, language: .english
        ).prompt(limit: 4000, tokens: TokenCounter(count: words))
        return try #require(prompt).user
    }

    @Test func passagesOfOneArticleStandTogether() throws {
        let user = try prompt([("a", "One."), ("b", "Two."), ("a", "Three.")], question: "What?")
        #expect(user == "On a: One.\nThree.\n\nOn b: Two.\n\nWhat?")
    }

    /// Somebody waits while they are read.
    @Test func theNearestPassagesHaveMostOfTheRoom() throws {
        let names = ["ant", "bee", "cat", "dog"]
        let user = try prompt(names.map { ($0, repeated("\($0) sat.", 50)) }, question: "What?")
        #expect(names.map { user.ranges(of: "\($0) sat.").count } == [50, 50, 0, 0])
        let long = try prompt([("ant", repeated("ant sat.", 200))], question: "?")
        #expect(long.ranges(of: "ant sat.").count == 80)
    }

    /// Not the beginning, if what was asked about stands further down.
    @Test func ofAPassageThatIsTooLongWhatSharesMostIsRead() throws {
        let rest = repeated("Nothing happened.", 90)
        let user = try prompt([("a", rest + " Rowe built the lock. " + rest)], question: "Who built the lock?")
        #expect(user.contains("Rowe built the lock."), "\(user)")
    }

    // MARK: - Vectors

    private func vector(_ seed: Int) -> [Float] {
        (0..<PassageVectors.width).map { Float(sin(Double(seed * 1000 + $0 * $0))) }
    }

    private func cosine(_ one: [Float], _ other: [Float]) -> Float {
        func product(_ a: [Float], _ b: [Float]) -> Float { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
        return product(one, other) / (product(one, one) * product(other, other)).squareRoot()
    }

    @Test func eightBitsAreEnough() throws {
        let vectors = (1...7).map(vector)
        let packed = PassageVectors.pack(vectors)
        #expect(packed.count <= 3000)
        let question = vector(8)
        let cosines = packed.withUnsafeBytes(CompactVector(question).cosines)
        #expect(cosines.count == 7)
        for (packed, whole) in zip(cosines, vectors) {
            #expect(abs(try #require(packed) - cosine(question, whole)) < 0.01)
        }
        let own = PassageVectors.pack([question]).withUnsafeBytes(CompactVector(question).cosines)
        #expect(abs(try #require(own[0]) - 1) < 0.001)
        // One after another.
        var begun = PassageVectors.room(for: 7)
        PassageVectors.put(vectors[2], at: 2, in: &begun)
        #expect(!PassageVectors.areAll(in: begun) && PassageVectors.areAll(in: packed))
        let some = begun.withUnsafeBytes(CompactVector(question).cosines)
        #expect(some.indices.filter { some[$0] != nil } == [2] && some[2] == cosines[2])
    }

    @Test func whatIsCutShortHasFewerVectors() {
        let packed = PassageVectors.pack([vector(1), vector(2)])
        #expect(packed.dropLast().withUnsafeBytes(CompactVector(vector(3)).cosines).count == 1)
        #expect([UInt8]().withUnsafeBytes(CompactVector(vector(3)).cosines).isEmpty)
        let nothing = CompactVector(Array(repeating: 0, count: PassageVectors.width))
        #expect(packed.withUnsafeBytes(nothing.cosines) == [0, 0])
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude])
    func aDamagedVectorIsRead(number: Float) {
        #expect(abs(CompactVector([1, number, 2]).cosine(with: CompactVector([1, 2, 3]))) <= 1)
    }

    // MARK: - Answers

    private func said(_ answer: String, to question: String) -> CheckedAnswer {
        let report = article(
            "The harbour of Calder reopened on Monday after nine weeks. Repairs had cost 4 million crowns.")
        let criteria = QuestionCriteria(question, articles: [report], isStrict: true)
        return CheckedAnswer([report], most: CheckedAnswer.answer, question: criteria).read(answer)
    }

    /// The check listed them, though no word is shared.
    @Test func aSentenceWithoutTermsKeepsItsSources() {
        let report = article("It was so.")
        let criteria = QuestionCriteria("", articles: [report], isStrict: false)
        let sentence = Sentence(text: "It was so.", sources: [report.id], origin: .copied)
        #expect(criteria.sources(of: sentence).sources == [report.id])
    }

    @Test func aSentenceThatIsRefusedDoesNotEndTheAnswer() {
        let answer = said(
            "Elephants danced in the harbour of Calder. It was cold. The harbour of Calder reopened on Monday after "
                + "nine weeks. Repairs had cost 4 million crowns.",
            to: "when did the harbour of Calder reopen?")
        #expect(answer.sentences.map(\.text) == ["The harbour of Calder reopened on Monday after nine weeks."])
        // The last is true, and has nothing of the question.
        #expect(answer.refused == 3)
        #expect(answer.sentences.allSatisfy { $0.sources == ["a"] })
    }

    @Test(arguments: [
        "What did Zebedee say about the harbour of Calder?", "What did the harbour of Calder cost in 1911?",
        "Who won the cup?",
    ])
    func whatTheArticlesDoNotNameIsNotAnswered(question: String) {
        #expect(said("The harbour of Calder reopened on Monday after nine weeks.", to: question).sentences.isEmpty)
    }

    @Test(arguments: ["Nothing.", "Nothing", "Nada."])
    func nothingIsNoAnswer(answer: String) {
        #expect(said(answer, to: "what did the repairs cost?").sentences.isEmpty)
    }

    /// What one asks with is nothing to search for, with and without its accents.
    @Test(arguments: [
        ("¿Qué pasó en Letonia?", ["Letonia"]), ("¿Cuántas personas dimitieron?", ["personas", "dimitieron"]),
        ("Quantas pessoas ficaram feridas?", ["pessoas", "ficaram", "feridas"]), ("What happened in Riga?", ["Riga"]),
        ("Que s’est-il passé à Riga ?", ["Riga"]), ("Qu'est-ce qui s'est passé à Riga ?", ["Riga"]),
        ("Que se passa-t-il à Riga ?", ["Riga"]), ("Quoi de neuf à Riga ?", ["Riga"]),
    ])
    func aQuestionsWords(question: String, words: [String]) {
        #expect(AskedWord.all(in: question).map(\.text) == words)
    }
}
