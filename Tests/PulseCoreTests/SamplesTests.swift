import PulseCore
import Testing

@Suite(.timeLimit(.minutes(10))) struct SamplesTests {
    @Test func theMedianIsTheMiddle() {
        #expect(Samples().median == nil)
        #expect(Samples([4]).median == 4)
        #expect(Samples([9, 1, 4]).median == 4)
        #expect(Samples([9, 1, 4, 2]).median == 3)
    }

    @Test func theSpreadIsAShareOfTheMedian() {
        #expect(Samples().spread == nil)
        #expect(Samples([0, 0]).spread == nil)
        #expect(Samples([8, 10, 12]).spread == 0.4)
    }

    @Test func ratiosAreOfPairsAndNotOfMedians() {
        // The machine slows down threefold from round to round, and the ratio stays what it is in each.
        let slow = Samples([2, 6, 18])
        let fast = Samples([1, 3, 9])
        #expect(slow.ratios(to: fast).values == [2, 2, 2])
        // One odd round does not move it, where the ratio of the sums would be off.
        #expect(Samples([2, 2, 90]).ratios(to: Samples([1, 1, 1])).median == 2)
        #expect(Samples([2, 2]).ratios(to: Samples([0, 1])).values == [2], "nothing is divided by nothing")
    }

    @Test(arguments: [
        (BenchmarkRow.Goal.atLeast(2), 2.0, true), (.atLeast(2), 1.99, false), (.atMost(64), 64, true),
        (.atMost(64), 64.1, false),
    ])
    func aGoalIsMetAtItsBound(_ goal: BenchmarkRow.Goal, _ value: Double, _ isMet: Bool) {
        #expect(goal.isMet(by: value) == isMet)
    }

    @Test func aRowHoldsItsGoalAgainstTheRatioOrTheMedian() {
        let pair = BenchmarkRow(
            id: "a", title: "a / b", unit: .seconds, baseline: Samples([4, 5, 6]), value: Samples([2, 2, 2]),
            goal: .atLeast(2.5))
        #expect(pair.ratio == 2.5)
        #expect(pair.isGoalMet == true)
        let single = BenchmarkRow(
            id: "m", title: "memory", unit: .mebibytes, value: Samples([70, 60, 65]), goal: .atMost(64))
        #expect(single.ratio == nil)
        #expect(single.isGoalMet == false)
        let nothing = BenchmarkRow(id: "n", title: "n", unit: .seconds, value: Samples(), goal: .atMost(1))
        #expect(nothing.isGoalMet == nil, "what was not measured is neither reached nor missed")
        #expect(BenchmarkRow(id: "x", title: "x", unit: .seconds, value: Samples([1])).isGoalMet == nil)
    }
}
