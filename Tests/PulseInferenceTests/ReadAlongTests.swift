import Testing

@testable import PulseInference

/// When another answer may begin beside those that somebody reads.
@Suite(.timeLimit(.minutes(20))) struct ReadAlongTests {
    private func text(words: Int) -> String { String(repeating: "gates ", count: words) }

    private func completion(words: Int, tokens: Int, finish: Completion.Finish = .endOfText) -> Completion {
        Completion(
            text: text(words: words), promptTokens: 0, outputTokens: tokens, thoughtTokens: 0,
            promptTime: .zero, outputTime: .zero, finish: finish, draftedTokens: 0, acceptedTokens: 0)
    }

    /// Sixteen words an answer are two seconds of reading; a token of a prompt takes 10 ms, a step 20 ms.
    private func reader(ended: Int, at now: Duration = .seconds(1)) -> ReadAlong {
        let reader = ReadAlong()
        reader.noteReading(of: 100, in: .seconds(1))
        reader.noteStep(of: 1, in: .milliseconds(20))
        for number in 0..<ended {
            reader.note(.text(text(words: 16)), of: number, at: now)
            reader.note(.finished(completion(words: 16, tokens: 24)), of: number, at: now)
        }
        return reader
    }

    @Test func theFirstAnswerIsWrittenAlone() {
        let reader = reader(ended: 0)
        reader.note(.text(text(words: 800)), of: 0, at: .seconds(1))
        #expect(!reader.hasTime(forPrompt: 1, at: .seconds(1)) && reader.least == 1)
    }

    @Test func aPromptIsReadWhereTheReaderHasNotCaughtUp() {
        let reader = reader(ended: 1)
        #expect(reader.hasTime(forPrompt: 190, at: .seconds(1)))
        #expect(!reader.hasTime(forPrompt: 210, at: .seconds(1)))
        #expect(!reader.hasTime(forPrompt: 190, at: .seconds(2)))
    }

    /// Who is told a publication's sentence in place of the model's reads that.
    @Test func whatIsRefusedEarlyIsReplaced() {
        let reader = reader(ended: 1)
        reader.note(.text(text(words: 1)), of: 1, at: .seconds(1))
        reader.note(.finished(completion(words: 1, tokens: 2, finish: .enough)), of: 1, at: .seconds(1))
        #expect(reader.hasTime(forPrompt: 500, at: .seconds(1)))
        #expect(!reader.hasTime(forPrompt: 520, at: .seconds(1)))
    }

    /// With another answer a step would take 200 ms for two thirds of a word, which are read in 83.
    @Test func slowerStepsTakeTimeToo() {
        let reader = reader(ended: 1)
        reader.noteStep(of: 1, in: .milliseconds(100))
        #expect(!reader.hasTime(forPrompt: 1, at: .seconds(1)))
        // Little is left of the answer that is being read.
        reader.note(.text(text(words: 15)), of: 1, at: .seconds(1))
        #expect(reader.hasTime(forPrompt: 1, at: .seconds(1)))
    }

    /// What is there of later answers is no use before those in between are whole.
    @Test func theLeadIsInOrder() {
        let reader = reader(ended: 1)
        reader.note(.text(text(words: 16)), of: 2, at: .seconds(1))
        reader.note(.finished(completion(words: 16, tokens: 24)), of: 2, at: .seconds(1))
        #expect(!reader.hasTime(forPrompt: 210, at: .seconds(1)))
        reader.note(.text(text(words: 16)), of: 1, at: .seconds(1))
        reader.note(.finished(completion(words: 16, tokens: 24)), of: 1, at: .seconds(1))
        #expect(reader.hasTime(forPrompt: 590, at: .seconds(1)))
        #expect(!reader.hasTime(forPrompt: 610, at: .seconds(1)))
    }

    /// Where the machine is too slow for the reader, more at once mean fewer waits.
    @Test func moreAreWrittenAtOnceInAnyCase() {
        #expect([3, 4, 8, 64].map { reader(ended: $0).least } == [1, 1, 2, 16])
    }
}
