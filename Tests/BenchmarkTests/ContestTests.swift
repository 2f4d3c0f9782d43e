import Foundation
import PulseCore
import PulseRendering
import Testing

@testable import pulse_bench

@Suite(.timeLimit(.minutes(20))) struct ContestTests {
    /// What ran, in order.
    private final class Log {
        var names: [String] = []
    }

    private func arm(_ name: String, _ log: Log, seconds: @escaping (Int) -> Double) -> Contest.Arm {
        Contest.Arm(name: name) {
            log.names.append(name)
            let round = log.names.filter { $0 == name }.count
            return Contest.Outcome(seconds: seconds(round), figures: ["round": Double(round)])
        }
    }

    @Test func theWaysTakeTurnsAndNoneIsAlwaysFirst() async throws {
        let log = Log()
        let result = try await Contest(rounds: 3, spare: 0, say: { _ in }).run([
            arm("a", log) { Double($0) }, arm("b", log) { Double(2 * $0) },
        ])
        #expect(log.names == ["a", "b", "b", "a", "a", "b"])
        // However loud the machine was, every round of one way has its pair of the other.
        let (a, b) = (result.samples("a"), result.samples("b"))
        #expect(!a.values.isEmpty)
        #expect(a.values.count == b.values.count)
        #expect(b.ratios(to: a).values.allSatisfy { $0 == 2 })
        #expect(result.samples("a", "round") == a)
        #expect(result.samples("nobody").values.isEmpty)
    }

    @Test func aRoundThatFailsEndsTheContest() async throws {
        let contest = Contest(rounds: 2, say: { _ in })
        await #expect(throws: BenchError.self) {
            _ = try await contest.run([Contest.Arm(name: "a") { throw BenchError("it broke") }])
        }
    }

    @Test func theShareOfOthersIsNeverNegative() {
        #expect(Contest.share(of: -1, in: 2) == 0)
        #expect(Contest.share(of: 0.04, in: 0.1) == 0, "a tick or two is the clock's own")
        #expect(abs(Contest.share(of: 1.05, in: 10) - 0.1) < 1e-9)
    }

    @Test func whatIsComputedIsSeen() throws {
        let (own, machine) = (ProcessorTime.own(), ProcessorTime.machine())
        var sum = 0.0
        for number in 0..<20_000_000 { sum += Double(number).squareRoot() }
        #expect(sum > 0)
        #expect(ProcessorTime.own() > own)
        if let machine { #expect(try #require(ProcessorTime.machine()) >= machine) }
    }
}
