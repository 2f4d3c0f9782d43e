import Testing

@testable import PulseInference

/// The model that comes with the program, on the sample history: a trained model's choices.
///
/// Its weights are quantised, and ggml multiplies them in other steps where a batch has another size: measured, logits
/// differ by 0.02 in the median and 0.35 at most. Where two tokens are closer than that, either may be chosen: in 3 of
/// 763 choices of twenty texts. So each choice made in a batch is made again alone, and must be the model's favourite
/// there, or as good to within that.
@Suite(.timeLimit(.minutes(10))) struct NanoTests {
    private static let tie: Float = 0.75

    @Test func choicesOfABatchAreThoseOfOneAtATime() async throws {
        let requests = Array(SampleRequests.stories(tokens: 40).prefix(20))
        #expect(requests.count == 20)
        var batched = requests
        for index in batched.indices { batched[index].choiceLog = ChoiceLog() }
        let completions = try await SampleRequests.engine().generate(batched) { _, _ in }
        #expect(completions.reduce(0) { $0 + $1.acceptedTokens } > 0)

        var again = requests
        for index in again.indices {
            again[index].guesses = false
            again[index].replayedChoices = batched[index].choiceLog?.tokens
            again[index].choiceLog = ChoiceLog()
        }
        let alone = try await SampleRequests.engine(sequences: 1).generate(again) { _, _ in }
        #expect(alone.map(\.text) == completions.map(\.text))
        #expect(alone.map(\.finish) == completions.map(\.finish))
        #expect(alone.map(\.outputTokens) == completions.map(\.outputTokens))
        let gaps = again.flatMap { $0.choiceLog?.all.map(\.gap) ?? [] }
        #expect(gaps.allSatisfy { $0 < Self.tie })
        // Nearly always it is the favourite itself.
        #expect(gaps.count { $0 > 0 } * 10 <= gaps.count)
    }
}
