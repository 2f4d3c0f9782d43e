import CLlama
import PulseTestSupport
import PulseText
import Synchronization
import Testing

@testable import PulseInference

/// A tokenizer with one token for each word, space and all, so that the automaton's ways can be read as text.
private struct WordTokenizer: Tokenizer {
    /// Makes no token of this text, as a vocabulary that lacks a character would.
    var unknown: String?

    func tokens(following text: String, as reading: Vocabulary.Reading) -> [llama_token] {
        var words: [String] = []
        for character in text {
            if character == " " || words.isEmpty { words.append("") }
            words[words.count - 1].append(character)
        }
        return words.map { word in Self.number(of: word == unknown ? "?" : word) }
    }

    func piece(_ token: llama_token) -> [UInt8] { Array(Self.word(token).utf8) }

    // One table for all tests: numbers only ever get added, under a lock.
    private static let table = WordTable()
    static func number(of word: String) -> llama_token { table.number(of: word) }
    static func word(_ token: llama_token) -> String { table.word(token) }
}

/// What may follow what: starts, joins and ends.
struct SourceAutomatonTests {
    /// Short contexts, so that the examples can be short too.
    private static let rules = JoinRules(contextWithin: 2, contextAcross: 3, limit: 1)

    private func automaton(
        _ articles: [String], rules: JoinRules = Self.rules, fewest: Int = 1, sentences: Int? = nil,
        openings: Int? = nil, unknown: String? = nil
    ) -> SourceAutomaton {
        let parts = articles.enumerated().map { ChatMessage.Part(text: $1, source: $0) }
        let source = Source(
            [ChatMessage(role: .user, parts: parts)], tokenizer: WordTokenizer(unknown: unknown))
        return SourceAutomaton(
            source, rules: rules, minimumSentences: fewest, maximumSentences: sentences, openingSentences: openings)
    }

    private func words(_ automaton: SourceAutomaton, budget: Int = 1000) -> Set<String> {
        Set(automaton.options(budget: budget).tokens.map(WordTokenizer.word))
    }

    /// Takes the words of a text one by one; each must be allowed.
    private func follow(_ automaton: inout SourceAutomaton, _ text: String) {
        for token in WordTokenizer().tokens(following: text, as: .data) {
            #expect(automaton.options(budget: 1000).tokens.contains(token), "\(WordTokenizer.word(token)) in \(text)")
            _ = automaton.take(token, budget: 1000)
        }
    }

    @Test func theTextBeginsNearTheFront() {
        var automaton = automaton(["One came. Two very slowly went. Three stayed."], openings: 2)
        #expect(words(automaton) == ["One", "Two"])
        #expect(words(automaton, budget: 3) == ["One"])
        // Where none of the first fits, any that does.
        #expect(words(self.automaton(["One came very slowly. Two went."], openings: 1), budget: 2) == ["Two"])
        follow(&automaton, "Two very slowly went.")
        #expect(words(automaton) == [" One", " Three"])
    }

    @Test func startsAreThoseOfTheSourceWithoutASpaceAtTheFront() {
        var automaton = automaton(["One came. Two went.", "Three stayed."])
        #expect(words(automaton) == ["One", "Two", "Three"])
        #expect(!automaton.options(budget: 1000).mayEnd)
        follow(&automaton, "One came.")
        #expect(words(automaton) == [" Two", " Three"])
        #expect(automaton.options(budget: 1000).mayEnd)
    }

    @Test func insideASentenceOneWordFollows() {
        var automaton = automaton(["The red house fell down."])
        follow(&automaton, "The red house")
        #expect(words(automaton) == [" fell"])
        #expect(!automaton.options(budget: 1000).mayEnd)
    }

    @Test func eachStartIsUsedOnce() {
        var automaton = automaton(["One came. Two went."])
        follow(&automaton, "Two went. One came.")
        #expect(words(automaton).isEmpty)
        #expect(automaton.options(budget: 1000).mayEnd)
    }

    @Test func sentencesThatBeginAlikeAreToldOnce() {
        var automaton = automaton(["The bridge fell on Tuesday. It rained.", "THE bridge fell on Monday night."])
        follow(&automaton, "The bridge fell on Tuesday.")
        #expect(words(automaton) == [" It"])
    }

    @Test func aPronounFollowsWhoItStandsFor() {
        var automaton = automaton(["Ana won. She cried. Bo lost. It rained."])
        #expect(words(automaton) == ["Ana", "Bo"])
        follow(&automaton, "Ana won.")
        #expect(words(automaton) == [" She", " Bo"])
        var cried = automaton
        follow(&cried, " She cried.")
        #expect(words(cried) == [" Bo"])
        follow(&automaton, " Bo lost.")
        // She is Ana, and behind Bo would be Bo.
        #expect(words(automaton) == [" It"])
    }

    @Test func aPronounFollowsNobodyOfAnotherArticle() {
        var automaton = automaton(["Ana won.", "She lost. Bo cried."])
        #expect(words(automaton) == ["Ana", "Bo"])
        follow(&automaton, "Ana won.")
        #expect(words(automaton) == [" Bo"])
    }

    @Test func aTextOfPronounsIsToldAsItStands() {
        var automaton = automaton(["She won. He lost."])
        #expect(words(automaton) == ["She", "He"])
        follow(&automaton, "She won.")
        #expect(words(automaton) == [" He"])
    }

    @Test func limitOfSentences() {
        var automaton = automaton(["One came. Two went. Three stayed."], sentences: 2)
        follow(&automaton, "One came. Three stayed.")
        #expect(words(automaton).isEmpty)
        #expect(automaton.options(budget: 1000).mayEnd)
    }

    @Test func joinsFurtherOnInTheSentenceByTwoWords() {
        let text = "The old mayor said on Monday that the old mayor of Orlen would go."
        var automaton = automaton([text.replacing("The old", with: "Then the old")])
        follow(&automaton, "Then the old mayor")
        #expect(words(automaton) == [" said", " of"])
        follow(&automaton, " of Orlen would go.")
        #expect(automaton.options(budget: 1000).mayEnd)
    }

    @Test func neverJoinsBackwards() {
        var automaton = automaton(["Then the old mayor said that the old mayor of Orlen left."])
        follow(&automaton, "Then the old mayor said that the old mayor")
        #expect(words(automaton) == [" of"])
    }

    @Test func joinsAnotherSentenceByThreeWordsOnly() {
        var automaton = automaton(["Police in Orlen city said no. People in Orlen city said yes."])
        follow(&automaton, "Police in Orlen")
        #expect(words(automaton) == [" city"])
        follow(&automaton, " city")
        #expect(words(automaton) == [" said"])
        follow(&automaton, " said")
        #expect(words(automaton) == [" no.", " yes."])
        follow(&automaton, " yes.")
        // Both were told.
        #expect(words(automaton).isEmpty)
    }

    @Test func neverJoinsAnotherArticle() {
        var automaton = automaton(["Police in Orlen city said no.", "People in Orlen city said yes."])
        follow(&automaton, "Police in Orlen city said")
        #expect(words(automaton) == [" no."])
    }

    @Test func neverJoinsByCommonWordsOrBehindANumber() {
        var automaton = automaton(["Some of the men and of the women left. They sold 12 cows. We have sold 12 pigs."])
        follow(&automaton, "Some of the")
        #expect(words(automaton) == [" men"])
        var numbers = self.automaton(["Farmers here sold 12 cows. Others here sold 12 pigs."])
        follow(&numbers, "Farmers here sold 12")
        #expect(words(numbers) == [" cows."])
    }

    @Test func joinsByFourAndFiveWordsUnlessToldOtherwise() {
        let sentence = "Then the good old mayor said that the good old mayor of Orlen and one good old mayor would go."
        var inside = automaton([sentence], rules: JoinRules())
        follow(&inside, "Then the good old mayor")
        #expect(words(inside) == [" said", " of"])
        var across = automaton(
            ["Two red cows eat dry grass. One red cows eat dry hay. All two red cows eat dry straw."],
            rules: JoinRules())
        follow(&across, "Two red cows eat dry")
        #expect(words(across) == [" grass."])
    }

    @Test func endsOnceEnoughWasSaidOrNothingMoreCanBe() {
        var two = automaton(["One came. Two went.", "Three stayed."], fewest: 2)
        follow(&two, "One came.")
        #expect(!two.options(budget: 1000).mayEnd)
        // Nothing more fits.
        #expect(two.options(budget: 1).mayEnd)
        follow(&two, " Three stayed.")
        #expect(two.options(budget: 1000).mayEnd)
        var only = automaton(["One came."], fewest: 2)
        follow(&only, "One came.")
        #expect(only.options(budget: 1000).mayEnd)
        #expect(automaton([], fewest: 2).options(budget: 1000).mayEnd)
    }

    @Test func joinsNoMoreThanTheLimit() {
        let text = "Red cows eat grass. Then red cows eat hay. Now red cows eat corn."
        var none = automaton([text], rules: .none)
        follow(&none, "Then red cows eat")
        #expect(words(none) == [" hay."])
        var some = automaton([text])
        follow(&some, "Then red cows eat")
        #expect(words(some) == [" hay.", " corn."])
    }

    @Test func whatCannotBeFinishedIsNotBegun() {
        var automaton = automaton([
            "One two three four. Five six. Red cows eat grass. Then red cows eat hay and straw and corn."
        ])
        #expect(words(automaton, budget: 3) == ["Five"])
        #expect(words(automaton, budget: 1).isEmpty)
        #expect(words(automaton, budget: 4) == ["One", "Five", "Red"])
        follow(&automaton, "Five six.")
        #expect(automaton.options(budget: 0).mayEnd)
    }

    @Test func joinThatCannotBeFinishedIsNotTaken() {
        var automaton = automaton(["Old red cows eat hay. Then red cows eat hay and straw and corn."])
        follow(&automaton, "Then red cows eat")
        #expect(words(automaton, budget: 5) == [" hay", " hay."])
        #expect(words(automaton, budget: 4) == [" hay."])
        var short = self.automaton(["Then red cows eat hay today. Old red cows eat much more hay and straw and corn."])
        follow(&short, "Then red cows eat")
        #expect(words(short, budget: 1000) == [" hay", " much"])
        #expect(words(short, budget: 2) == [" hay"])
    }

    @Test func headlineThatAnotherSentenceContinues() {
        var automaton = automaton(["Markets fall\nMarkets fall again today"])
        follow(&automaton, "Markets fall")
        #expect(words(automaton).contains(" again"))
        #expect(automaton.options(budget: 1000).mayEnd)
    }

    @Test(arguments: [
        "One came. Two went. Three was cut of", "One came. Photo: AP\nTwo went.",
        "Heading\nOne came. Two went. And th…",
        "One came. Two went. She sa...",
    ]) func whatHasNoMarkIsLeftOutBesideWhatHas(text: String) {
        #expect(words(automaton([text])) == ["One", "Two"])
    }

    @Test func piecesOfAQuotationAreLeftOut() {
        let automaton = automaton(["He said: “We won. Now we rest.” Then he left (at ten. By car). “Fine.”"])
        #expect(words(automaton) == ["“Fine.”"])
        // Where there is nothing else, they are better than nothing.
        #expect(words(self.automaton(["“We won. Now we rest.”"])) == ["“We", "Now"])
    }

    @Test func neverJoinsOutOfAQuotation() {
        var automaton = automaton(["Ana said “many red cows eat hay” and left. Then red cows eat grass."])
        follow(&automaton, "Ana said “many red cows eat")
        #expect(words(automaton) == [" hay”"])
        follow(&automaton, " hay” and left. Then red cows eat")
        #expect(words(automaton) == [" grass."])
    }

    @Test func sentenceTheTokenizerCannotSpellIsLeftOut() {
        let automaton = automaton(["One came. Two went."], unknown: " came.")
        #expect(words(automaton) == ["Two"])
    }

    @Test func emptySourceMayOnlyEnd() {
        let automaton = automaton([])
        #expect(words(automaton).isEmpty)
        #expect(automaton.options(budget: 1000).mayEnd)
    }
}

/// What the program puts between two sentences.
struct SentenceSeamTests {
    @Test(arguments: [
        ("It ended.", "T", " "), ("He said \"no!\"", "T", " "), ("A headline", "T", ". "), ("", "T", ". "),
        ("雪が降った。", "電", ""), ("見出し", "電", "。"), ("「雪」", "A", "。"), ("It ended.", "雪", ""), ("(Up 3.5%)", "B", ". "),
        ("क्या हुआ।", "ब", " "),
    ]) func between(before: String, after: String, seam: String) {
        #expect(SentenceSeam.between(before, after.unicodeScalars.first) == seam)
    }
}

/// Words and their numbers, the same for as long as the tests run.
private final class WordTable: Sendable {
    private let words = Mutex<[String]>([])

    func number(of word: String) -> llama_token {
        words.withLock { words in
            if let number = words.firstIndex(of: word) { return llama_token(number) }
            words.append(word)
            return llama_token(words.count - 1)
        }
    }

    func word(_ token: llama_token) -> String { words.withLock { $0[Int(token)] } }
}
