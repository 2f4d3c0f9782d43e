/// The digest as a reader gets it: the built program over the sample history, with the settings it comes with.
import Foundation
import PulseCore
import PulseRendering
import PulseTestSupport

extension Bench {
    /// No model is asked: the publications' own words.
    func today() async throws -> [MeasuredRow] {
        try await digest(
            "today", "25 stories", ["today"], rounds: max(arguments.rounds, 7), cold: .atMost(1), again: .atMost(50))
    }

    /// The same, written by a small model that really writes.
    func written() async throws -> [MeasuredRow] {
        guard let model = RealModel.path else {
            Self.say("written: skipped: \(RealModel.absence)")
            return []
        }
        return try await digest(
            "written", "25 stories by SmolLM2", ["today", "--model", model, "--verbose"], rounds: arguments.rounds)
    }

    /// A home of its own each time, so that nothing is kept from the time before; then once more.
    private func digest(
        _ id: String, _ title: String, _ command: [String], rounds: Int, cold coldGoal: MeasuredRow.Goal? = nil,
        again againGoal: MeasuredRow.Goal? = nil
    ) async throws -> [MeasuredRow] {
        var (cold, again, memory, detail) = (Samples(), Samples(), Samples(), "")
        func fresh(_ body: (ProgramRun) throws -> Void) async throws {
            try await withHome { program in
                _ = try program.run(["import", "jsonl", arguments.root + "/Tests/Fixtures/sample-history.jsonl"])
                try body(program)
            }
        }
        for _ in 0..<rounds {
            try await fresh { program in
                cold.values.append(try program.run(command).seconds)
                again.values.append(try program.run(command).seconds * 1000)
            }
            // By itself: to be watched takes time.
            try await fresh { program in
                let peak = PeakMemory(try program.run(command, watchesMemory: true))
                memory.values.append(peak.beyond)
                detail = peak.text
            }
            Self.say(String(format: "  %.2f s, again %.0f ms", cold.values.last ?? 0, again.values.last ?? 0))
        }
        return [
            MeasuredRow(id, "\(title), cold", .seconds, cold, goal: coldGoal),
            MeasuredRow("\(id)-again", "\(title), again", .milliseconds, again, goal: againGoal),
            MeasuredRow(
                "\(id)-memory", "\(title): peak memory beyond weights and KV", .mebibytes, memory, goal: .atMost(64),
                detail: detail),
        ]
    }
}

/// What a run took at its peak, in mebibytes, beyond what it cannot do without: the weights and the keys and values.
struct PeakMemory {
    let beyond: Double
    let text: String

    init(_ result: ProgramRun.Result) {
        let library = LibraryFigures(log: result.errors)
        func mebibytes(_ bytes: Int) -> Double { Double(bytes) / Double(1 << 20) }
        // Mapped pages that are resident are the weights' and the program's; everything else is anonymous.
        beyond = mebibytes(result.peakAnonymous) - library.cache - library.repackedWeights
        text = String(
            format: "anonymous %.0f MiB = KV %.0f + weights in the processor's order %.0f + %.0f, of which libllama's "
                + "compute buffers %.0f and output %.1f; mapped pages of files at most %.0f",
            mebibytes(result.peakAnonymous), library.cache, library.repackedWeights, beyond, library.compute,
            library.output, mebibytes(result.peakFile))
    }
}
