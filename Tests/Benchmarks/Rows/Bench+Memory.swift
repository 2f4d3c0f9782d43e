/// What a digest takes at its peak, beyond what it cannot do without: the weights and the keys and values.
import Foundation
import PulseCore
import PulseInference

extension Bench {
    func memory() async throws -> [BenchmarkRow] {
        try await withHome { home in
            let program = ProgramRun(program: arguments.program, home: home)
            _ = try program.run(["import", "jsonl", arguments.root + "/Tests/Fixtures/sample-history.jsonl"])
            let tokens = min(arguments.tokens, 32)
            let result = try program.run(
                ["today", "--model", model, "--max-tokens", "\(tokens)", "--threads", "\(threads)", "--verbose"],
                watchesMemory: true)
            let library = LibraryFigures(log: result.errors)
            func mebibytes(_ bytes: Int) -> Double { Double(bytes) / Double(1 << 20) }
            // Mapped pages that are resident are the weights'; everything else is anonymous.
            let beyond = mebibytes(result.peakAnonymous) - library.cache - library.repackedWeights
            return [
                BenchmarkRow(
                    id: "memory", title: "peak memory beyond weights and KV", unit: .mebibytes,
                    value: Samples([beyond]), goal: .atMost(64),
                    detail: String(
                        format: "anonymous %.0f MiB = KV %.0f + weights in the processor's order %.0f + %.0f, of which "
                            + "libllama's compute buffers %.0f and output %.1f; mapped pages of the file at most %.0f; "
                            + "all resident at most %.0f, the file has %.0f",
                        mebibytes(result.peakAnonymous), library.cache, library.repackedWeights, beyond,
                        library.compute, library.output, mebibytes(result.peakFile), mebibytes(result.peakResident),
                        mebibytes(Int(engine.model.fileSize))))
            ]
        }
    }
}
