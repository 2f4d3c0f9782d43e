import Testing

@testable import PulseInference

/// What is guessed, how much of it, and what is learnt from it.
@Suite(.timeLimit(.minutes(10))) struct GuessTests {
    // MARK: - From the prompt

    @Test func longestMatchIsContinued() {
        var index = PromptIndex([1, 2, 3, 4, 5, 9, 3, 4, 6, 8])
        index.add(3)
        #expect(index.continuation(atMost: 3) == [])
        index.add(4)
        // Both places are as long; the first counts.
        #expect(index.continuation(atMost: 3) == [5, 9, 3])
        index = PromptIndex([1, 2, 3, 4, 5, 9, 3, 4, 6, 8])
        for token: Int32 in [9, 3, 4] { index.add(token) }
        #expect(index.continuation(atMost: 3) == [6, 8])
        #expect(index.continuation(atMost: 1) == [6])
        #expect(index.continuation(atMost: 0) == [])
    }

    @Test func placeThatIsFollowedIsFollowedOn() {
        // "5 6" stands twice, behind the same words as far back as is compared.
        let words: [Int32] = Array(repeating: 7, count: 20)
        var index = PromptIndex(words + [5, 6, 1, 2] + words + [5, 6, 3, 4])
        for token in words + [5, 6] { index.add(token) }
        #expect(index.continuation(atMost: 2) == [1, 2])
        index.add(3)
        #expect(index.continuation(atMost: 2) == [4])
    }

    @Test func nothingToGuessFrom() {
        for prompt: [Int32] in [[], [1], [1, 2], [3, 3]] {
            var index = PromptIndex(prompt)
            index.add(8)
            index.add(9)
            #expect(index.continuation(atMost: 8) == [])
        }
    }

    // MARK: - How often they come true

    @Test func chanceFollowsTheResults() {
        var record = GuessRecord(on: .medium)
        let first = record.chance
        for _ in 0..<20 { record.note(made: 4, accepted: 4) }
        #expect(record.chance > 0.95)
        for _ in 0..<20 { record.note(made: 4, accepted: 0) }
        #expect(record.chance < 0.05)
        record.note(made: 0, accepted: 0)
        #expect(record.chance < first)
    }

    @Test func whoFailsTriesAgainMoreAndMoreRarely() {
        var record = GuessRecord(on: .medium)
        var waits: [Int] = []
        for _ in 0..<6 {
            var wait = 0
            while !record.isDue {
                record.noteSilence(1)
                wait += 1
            }
            waits.append(wait)
            record.note(made: 1, accepted: 0)
        }
        #expect(waits == [16, 32, 64, 128, 128, 128])
        while !record.isDue { record.noteSilence(1) }
        record.note(made: 1, accepted: 1)
        for _ in 0..<16 { record.noteSilence(1) }
        #expect(record.isDue)
    }

    /// The longer the answer repeats the prompt, the better the ground; a token that is not in the prompt ends it.
    @Test func theGroundIsTheLengthOfTheRepetition() {
        var index = PromptIndex(Array(1...40))
        var grounds: [GuessGround] = []
        for token in Array<Int32>(5...14) + [99, 20, 21, 22] {
            index.add(token)
            grounds.append(GuessGround(match: index.match))
        }
        let expected: [GuessGround] = [
            .short, .short, .short, .medium, .medium, .medium, .medium, .long, .long, .long, .short, .short, .short,
            .short,
        ]
        #expect(grounds == expected)
        #expect(index.match == 3)
        #expect(GuessGround.short.firstChance < GuessGround.long.firstChance)
    }

    // MARK: - How many

    @Test func costGrowsWithTheBatchAndEachTokenCostsLess() {
        let costs = (1...100).map(GuessBudget.cost)
        #expect(costs == costs.sorted())
        #expect(costs[0] == 1)
        // Four rows are multiplied at a time: the last of each four is the cheapest.
        #expect([3, 7, 11, 15].allSatisfy { costs[$0] - costs[$0 - 1] < costs[$0 - 2] - costs[$0 - 3] })
        #expect(zip(costs, 1...).map { $0 / Double($1) }.prefix(16).reduce(into: [2.0]) { $0.append($1) }.isDescending)
    }

    @Test func certainGuessesFillTheBatchAndHopelessOnesAreNotMade() {
        func count(_ chance: Double, certain: Int = 1) -> Int {
            GuessBudget.counts(
                for: [.init(chance: chance, count: 20)], certain: certain, room: 15)[0]
        }
        #expect(count(0.99) == 15)
        #expect(count(0.3) == 0)
        #expect((1...15).contains(count(0.7)))
        // Beside others a guess costs less.
        #expect(count(0.4, certain: 7) > 0)
    }

    @Test func boundsHold() {
        let offers = Array(repeating: GuessBudget.Offer(chance: 0.95, count: 4), count: 4)
        for room in -1...20 {
            let counts = GuessBudget.counts(for: offers, certain: 4, room: room)
            #expect(counts.reduce(0, +) <= max(0, room))
            #expect(counts.allSatisfy { $0 <= 4 })
        }
        #expect(GuessBudget.counts(for: [], certain: 0, room: 9) == [])
    }

    @Test func whoIsDueMakesOneGuess() {
        let hopeless = GuessBudget.Offer(chance: 0.01, count: 3, isDue: true)
        let silent = GuessBudget.Offer(chance: 0.01, count: 3)
        #expect(GuessBudget.counts(for: [hopeless, silent], certain: 2, room: 8) == [1, 0])
        #expect(GuessBudget.counts(for: [hopeless], certain: 2, room: 0) == [0])
        #expect(GuessBudget.counts(for: [.init(chance: 0.9, count: 0, isDue: true)], certain: 2, room: 8) == [0])
    }
}

extension [Double] {
    fileprivate var isDescending: Bool { zip(self, dropFirst()).allSatisfy { $0 >= $1 } }
}
