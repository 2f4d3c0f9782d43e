import PulseText
import Testing

@Suite(.timeLimit(.minutes(20))) struct WordsTests {
    @Test func wordsAreLowerCaseAndNumbersStayWhole() {
        #expect(
            Words.all(in: "The bank's 1,200.5 euros, at 10:30; café—açaí!")
                == ["the", "bank", "s", "1,200.5", "euros", "at", "10:30", "café", "açaí"])
        #expect(Words.all(in: "") == [])
        #expect(Words.all(in: "7. 8") == ["7", "8"])
    }

    @Test func aNameWithoutAWordIsItsSigns() {
        #expect(Words.name(" The  Herald, Éclair!") == "the herald eclair")
        #expect(Words.name(" ★ ★") == "★★" && Words.name("—") != Words.name("★"))
        #expect(Words.name("") == "" && Words.name(" \n") == "")
    }

    @Test func factsAreNumbersAndNamesButNotTheFirstWord() {
        #expect(Words.facts(in: "The mayor of Orlen paid 12 million euros.") == ["orlen", "12"])
        #expect(Words.facts(in: "When I left, it rained.") == [])
    }
}
