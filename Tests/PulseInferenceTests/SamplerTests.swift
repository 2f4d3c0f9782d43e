import CLlama
import Testing

@testable import PulseInference

/// Which token is chosen from given logits.
@Suite(.timeLimit(.minutes(20))) struct SamplerTests {
    private func choices(_ sampling: Sampling, from rows: [[Float]]) throws -> [llama_token?] {
        var sampler = try Sampler(sampling, candidates: Sampler.Candidates())
        var choices: [llama_token?] = []
        for row in rows { choices.append(row.withUnsafeBufferPointer { sampler.choose(from: $0) }) }
        return choices
    }

    @Test func greedyTakesTheFirstOfTheLikeliest() throws {
        let rows: [[Float]] = [[0, 3, 1, 3], [-5], [-2, -.infinity, -1], [7, 1]]
        #expect(try choices(Sampling(), from: rows) == [1, 0, 2, 0])
    }

    @Test func greedyPassesOverWhatIsNoNumberAndChoosesNothingWhereNothingIs() throws {
        let rows: [[Float]] = [[.nan, 1, 2], [1, .nan, 0], [.nan, .nan], []]
        #expect(try choices(Sampling(), from: rows) == [2, 0, nil, nil])
    }

    @Test func aSampledTokenIsOneOfTheProbableAndTheSeedsChoice() throws {
        // Rows of different lengths, so that none is chosen from what another left behind.
        let rows = (0..<60).map { number -> [Float] in
            let others = Array(repeating: Float(-100), count: 3 + number % 7)
            return others + [4, 4] + others
        }
        func choose(_ seed: UInt32) throws -> [llama_token?] {
            try choices(Sampling(temperature: 1, topP: 0.9, seed: seed), from: rows)
        }
        let chosen = try choose(3)
        for (number, token) in chosen.enumerated() {
            let first = llama_token(3 + number % 7)
            #expect(token == first || token == first + 1)
        }
        #expect(chosen == (try choose(3)))
        #expect(chosen != (try choose(4)))
        #expect(try choices(Sampling(temperature: 1), from: [[]]) == [nil])
    }
}
