/// Several ways to do one thing, measured in turns: every round runs each way once, so that what slows the machine
/// down for a while slows all of them down alike.
import Foundation
import PulseCore
import PulseRendering

struct Contest {
    /// What one run of one way gave.
    struct Outcome: Sendable {
        var seconds: Double
        /// Other figures, by name.
        var figures: [String: Double] = [:]
        /// Processor time of a process that is not waited for, and that the run caused.
        var elsewhere = 0.0
    }

    struct Arm {
        let name: String
        let run: () async throws -> Outcome
    }

    struct Result {
        /// By arm, in the order of the rounds that count.
        var outcomes: [String: [Outcome]]
        var disturbed: Int
        var isDoubtful: Bool

        func samples(_ arm: String) -> Samples { Samples(outcomes[arm, default: []].map(\.seconds)) }

        func samples(_ arm: String, _ figure: String) -> Samples {
            Samples(outcomes[arm, default: []].compactMap { $0.figures[figure] })
        }
    }

    var rounds: Int
    /// Rounds more where others use the processor.
    var spare = 2
    /// The share of the machine that others may use in a run: a minute's load of a quiet machine is below.
    static let tolerance = 0.06
    var say: (String) -> Void

    func run(_ arms: [Arm]) async throws -> Result {
        var quiet: [[String: Outcome]] = []
        var loud: [[String: Outcome]] = []
        var number = 0
        while quiet.count < rounds && number < rounds + spare {
            var round: [String: Outcome] = [:]
            var others = 0.0
            // Who goes first changes, so that no way always profits from what the one before it left behind.
            for offset in arms.indices {
                let arm = arms[(offset + number) % arms.count]
                let (outcome, share) = try await watch(arm)
                round[arm.name] = outcome
                others = max(others, share)
                say(
                    "  \(arm.name): \(Self.decimal(outcome.seconds)) s"
                        + (share > Self.tolerance ? ", others used \(Int(share * 100)) % of the machine" : ""))
            }
            if others > Self.tolerance { loud.append(round) } else { quiet.append(round) }
            number += 1
        }
        let counted = quiet.isEmpty ? loud : quiet
        var outcomes: [String: [Outcome]] = [:]
        for round in counted { for (name, outcome) in round { outcomes[name, default: []].append(outcome) } }
        return Result(outcomes: outcomes, disturbed: quiet.isEmpty ? 0 : loud.count, isDoubtful: quiet.isEmpty)
    }

    /// Runs one way, and says what share of the machine's processors everybody else used meanwhile.
    private func watch(_ arm: Arm) async throws -> (Outcome, Double) {
        let (machine, own, start) = (ProcessorTime.machine(), Self.mine(), ContinuousClock.now)
        let outcome = try await arm.run()
        let wall = (ContinuousClock.now - start).seconds * Double(ProcessInfo.processInfo.activeProcessorCount)
        guard let before = machine, let after = ProcessorTime.machine(), wall > 0 else { return (outcome, 0) }
        let others = after - before - (Self.mine() - own) - outcome.elsewhere
        return (outcome, Self.share(of: others, in: wall))
    }

    /// Ticks are a hundredth of a second, so a short run's share is not known to the percent.
    static func share(of others: Double, in wall: Double) -> Double { max(0, others - 0.05) / wall }

    private static func mine() -> Double { ProcessorTime.own() + ProcessorTime.children() }

    static func decimal(_ value: Double) -> String { String(format: "%.2f", value) }
}
