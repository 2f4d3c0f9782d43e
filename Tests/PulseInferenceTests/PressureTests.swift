import PulseCore
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseInference

@Suite(.timeLimit(.minutes(20))) struct PressureTests {
    /// Looks half a second apart.
    private func verdicts(_ samples: [PressureSample]) -> [Bool] {
        var judge = PressureJudge()
        return samples.enumerated().map { judge.isShort($1, at: .milliseconds(500 * $0)) }
    }

    private func sample(left: UInt64? = 1 << 30, all: Int? = nil, isCritical: Bool = false) -> PressureSample {
        PressureSample(left: left, stalled: all.map { .milliseconds($0) }, isCritical: isCritical)
    }

    @Test func plentyIsNeverShort() {
        #expect(!verdicts((0..<50).map { sample(all: $0 * 200) }).contains(true))
        #expect(!verdicts(Array(repeating: PressureSample(), count: 50)).contains(true))
        #expect(!verdicts([sample(left: PressureJudge.least)]).contains(true))
    }

    @Test func littleLeftIsShortAtOnce() {
        #expect(verdicts([sample(left: PressureJudge.least - 1)]) == [true])
        #expect(verdicts([sample(), sample(left: 0)]) == [false, true])
    }

    @Test func threeQuartersOfTheTimeWithoutAnyProgressIsShortAfterAWhile() {
        let samples = (0..<40).map { sample(all: $0 * 375) }
        // Fifteen seconds.
        #expect(verdicts(samples).firstIndex(of: true) == 30)
        // A moment in which work goes on begins the time anew.
        var broken = samples
        for index in 20..<40 { broken[index].stalled = broken[19].stalled.map { $0 + .milliseconds(index) } }
        #expect(!verdicts(broken).contains(true))
    }

    @Test func theSystemsOwnWord() { #expect(verdicts([sample(), sample(isCritical: true)]) == [false, true]) }

    @Test func looksAreFewAndTheVerdictStays() {
        let looks = Mutex(0)
        let watch = MemoryWatch {
            let count = looks.withLock { count in
                count += 1
                return count
            }
            return PressureSample(left: 1 << 30, isCritical: count == 3)
        }
        var verdicts: [Bool] = []
        for millisecond in 0..<3000 { verdicts.append(watch.isShort(at: .milliseconds(millisecond))) }
        #expect(verdicts.firstIndex(of: true) == 500)
        #expect(verdicts.last == true)
        #expect(looks.withLock { $0 } == 3)
    }

    /// The machine runs short while an answer is written: it ends, and what was delivered stands.
    @Test func anAnswerIsBrokenOff() async throws {
        let time = Mutex(Duration.zero)
        let isShort = Mutex(false)
        let machine = Machine(
            budget: { MemoryBudget() },
            pressure: { PressureSample(isCritical: isShort.withLock { $0 }) })
        let engine = try await Fixture.engine(contextLength: 512, machine: machine, now: { time.withLock { $0 } })
        let log = EventLog()
        let request = Fixture.request("Tell me.", tokens: 64)
        try await fails(.tryAgain, "ran out of memory while the model was at work") {
            try await engine.generate([request]) { index, event in
                log.add(index, event)
                guard case .text = event else { return }
                isShort.withLock { $0 = true }
                time.withLock { $0 += .seconds(1) }
            }
        }
        #expect(!log.text().isEmpty)
    }

    @Test func loadingIsBrokenOff() async throws {
        let machine = Machine(budget: { MemoryBudget() }, pressure: { PressureSample(isCritical: true) })
        try await fails(.tryAgain, "ran out of memory while the model was loaded") {
            try await Fixture.engine(machine: machine)
        }
    }
}
