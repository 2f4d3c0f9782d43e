import Testing

@testable import pulse_bench

@Suite(.timeLimit(.minutes(20))) struct ArgumentsTests {
    @Test func withoutWordsEverythingIsMeasured() throws {
        let arguments = try Arguments([])
        #expect(arguments.groups == Arguments.Group.allCases)
        #expect(arguments.rounds == 3)
        #expect(arguments.tokens == 96)
        #expect(arguments.articles == 1_000_000)
        #expect(arguments.usesPeer)
    }

    @Test func rowsAreChosenByName() throws {
        #expect(try Arguments(["--rows", "stories,lookup,stories"]).groups == [.stories, .lookup])
        #expect(try Arguments(["--rows=store"]).groups == [.store])
    }

    @Test func quickIsOneRoundAndMayBeAdjusted() throws {
        let arguments = try Arguments(["--quick", "--rounds", "2", "--no-peer", "--output=a b.json", "--threads", "1"])
        #expect(arguments.isQuick)
        #expect(arguments.rounds == 2)
        #expect(arguments.tokens == 32)
        #expect(!arguments.usesPeer)
        #expect(arguments.output == "a b.json")
        #expect(arguments.threads == 1)
    }

    @Test(
        arguments: [
            (["--rows", "storeis"], "There is no row “storeis”. There are: today, ranking"),
            (["--rounds"], "--rounds needs a value."), (["--rounds="], "--rounds needs a value."),
            (["--rounds", "0"], "from 1 to 100, not “0”"), (["--tokens", "many"], "not “many”"),
            (["today"], "“today” is not known"), (["--fast"], "--help"),
        ])
    func whatIsNotKnownIsSaid(_ words: [String], _ part: String) throws {
        let error = #expect(throws: BenchError.self) { try Arguments(words) }
        #expect(try #require(error).description.contains(part))
    }

    @Test func theHelpNamesEveryRow() {
        for group in Arguments.Group.allCases { #expect(Arguments.help.contains("  \(group.rawValue) ")) }
    }
}
