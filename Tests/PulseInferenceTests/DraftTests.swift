import Testing

@testable import PulseInference

/// What is drafted, how much of it, and what is learnt from the results.
@Suite(.timeLimit(.minutes(20))) struct DraftTests {
    // MARK: - From the prompt

    @Test func longestMatchIsContinued() {
        var index = PromptIndex([1, 2, 3, 4, 5, 9, 3, 4, 6, 8])
        index.add(3)
        #expect(index.continuation(atMost: 3) == [])
        index.add(4)
        // Both matches are as long; the first counts.
        #expect(index.continuation(atMost: 3) == [5, 9, 3])
        index = PromptIndex([1, 2, 3, 4, 5, 9, 3, 4, 6, 8])
        for token: Int32 in [9, 3, 4] { index.add(token) }
        #expect(index.continuation(atMost: 3) == [6, 8])
        #expect(index.continuation(atMost: 1) == [6])
        #expect(index.continuation(atMost: 0) == [])
    }

    @Test func theMatchThatIsFollowedIsFollowedOn() {
        // "5 6" stands twice, after the same words as far back as is compared.
        let words: [Int32] = Array(repeating: 7, count: 20)
        var index = PromptIndex(words + [5, 6, 1, 2] + words + [5, 6, 3, 4])
        for token in words + [5, 6] { index.add(token) }
        #expect(index.continuation(atMost: 2) == [1, 2])
        index.add(3)
        #expect(index.continuation(atMost: 2) == [4])
    }

    @Test func nothingToDraftFrom() {
        for prompt: [Int32] in [[], [1], [1, 2], [3, 3]] {
            var index = PromptIndex(prompt)
            index.add(8)
            index.add(9)
            #expect(index.continuation(atMost: 8) == [])
        }
    }

    @Test func theMatchGrowsWithTheRepetitionAndEndsWithAnotherToken() {
        var index = PromptIndex(Array(1...40))
        var lengths: [Int] = []
        for token: Int32 in [5, 6, 7, 8, 99, 20, 21] {
            index.add(token)
            lengths.append(index.matchLength)
        }
        #expect(lengths == [0, 2, 3, 4, 0, 0, 2])
    }

    // MARK: - How often they are accepted

    @Test func chanceFollowsTheResults() {
        var record = DraftRecord(for: .medium)
        let first = record.chance
        for _ in 0..<20 { record.note(drafted: 4, accepted: 4, written: 5) }
        #expect(record.chance > 0.95)
        for _ in 0..<20 { record.note(drafted: 4, accepted: 0, written: 1) }
        #expect(record.chance < 0.05)
        record.note(drafted: 0, accepted: 0, written: 1)
        #expect(record.chance < first)
    }

    @Test func aLongMatchPromisesMore() {
        let chances = [0, 4, 8].map { DraftRecord(for: .init(length: $0)).chance }
        #expect(chances == chances.sorted() && Set(chances).count == 3)
    }

    /// Tokens written without a draft until the next try is due.
    private func wait(_ record: inout DraftRecord) -> Int {
        var tokens = 0
        while !record.isRetryDue && tokens < 10_000 {
            record.note(drafted: 0, accepted: 0, written: 1)
            tokens += 1
        }
        return tokens
    }

    @Test func afterFailuresTriesBecomeRarerButNeverEndAndOneSuccessBringsThemBack() {
        var record = DraftRecord(for: .medium)
        var waits: [Int] = []
        for _ in 0..<6 {
            waits.append(wait(&record))
            record.note(drafted: 1, accepted: 0, written: 1)
        }
        #expect(waits == waits.sorted() && waits[0] < waits[1])
        #expect(waits[5] == waits[4] && waits[5] < 1000)
        _ = wait(&record)
        record.note(drafted: 1, accepted: 1, written: 2)
        #expect(wait(&record) == waits[0])
    }

    // MARK: - How many

    @Test func costGrowsWithTheBatchAndEachTokenCostsLess() {
        let costs = (1...100).map(DraftBudget.cost)
        #expect(costs == costs.sorted())
        #expect(costs[0] == 1)
        // Four rows are multiplied at a time: the last of each four is the cheapest.
        #expect([3, 7, 11, 15].allSatisfy { costs[$0] - costs[$0 - 1] < costs[$0 - 2] - costs[$0 - 3] })
        let perToken = zip(costs, 1...).map { $0 / Double($1) }.prefix(16)
        #expect(zip(perToken, perToken.dropFirst()).allSatisfy { $0 >= $1 })
    }

    @Test func sureDraftsFillTheBatchAndHopelessOnesAreNotMade() {
        func count(_ chance: Double, certain: Int = 1) -> Int {
            DraftBudget.counts(for: [.init(chance: chance, count: 20)], certain: certain, limit: 15)[0]
        }
        #expect(count(0.99) == 15)
        #expect(count(0.3) == 0)
        #expect((1...15).contains(count(0.7)))
        // Beside others a drafted token costs less.
        #expect(count(0.4, certain: 7) > 0)
    }

    @Test func limitsHold() {
        let offers = Array(repeating: DraftBudget.Offer(chance: 0.95, count: 4), count: 4)
        for limit in -1...20 {
            let counts = DraftBudget.counts(for: offers, certain: 4, limit: limit)
            #expect(counts.reduce(0, +) <= max(0, limit))
            #expect(counts.allSatisfy { $0 <= 4 })
        }
        #expect(DraftBudget.counts(for: [], certain: 0, limit: 9) == [])
    }

    @Test func whoseRetryIsDueDraftsOneToken() {
        let due = DraftBudget.Offer(chance: 0.01, count: 3, isRetryDue: true)
        let hopeless = DraftBudget.Offer(chance: 0.01, count: 3)
        #expect(DraftBudget.counts(for: [due, hopeless], certain: 2, limit: 8) == [1, 0])
        #expect(DraftBudget.counts(for: [due], certain: 2, limit: 0) == [0])
        #expect(DraftBudget.counts(for: [.init(chance: 0.9, count: 0, isRetryDue: true)], certain: 2, limit: 8) == [0])
    }
}
