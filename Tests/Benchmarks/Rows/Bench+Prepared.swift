import Foundation
import PulseRendering

extension Bench {
    /// The night after `prepare`: what is left when one story is new, and when the first sentence comes without it.
    func prepared() async throws -> [MeasuredRow] {
        guard let model = workbench?.model else { return [] }
        // A random model would write to the limit. This is about what a story gets.
        let options = ["--model", model, "--max-tokens", "48"]
        let new = """
            {"id":"new","title":"Kite seen over Orlen","content":"A kite was seen over Orlen on Monday, the first in \
            thirty years.","category":"health","read_at":"-PT1H"}
            """
        var (night, first) = (Samples(), Samples())
        for _ in 0..<arguments.rounds {
            try await withHome { program in
                let sample = ["import", "jsonl", arguments.root + "/Tests/Fixtures/sample-history.jsonl"]
                let more = program.home + "/new.jsonl"
                _ = try program.run(sample)
                let cold = try program.run(["today", "--max-stories", "25"] + options)
                if let seconds = cold.firstByte { first.values.append(seconds) }
                _ = try program.run(["history", "clear", "--yes"])
                _ = try program.run(sample)
                _ = try program.run(["prepare"] + options)
                try new.write(toFile: more, atomically: true, encoding: .utf8)
                _ = try program.run(["import", "jsonl", more])
                night.values.append(try program.run(["today"] + options).seconds)
            }
            Self.say(
                String(format: "  %.2f s, cold first story %.2f s", night.values.last ?? 0, first.values.last ?? 0))
        }
        return [
            MeasuredRow("prepared", "night after prepare, one story new", .seconds, night, goal: .atMost(2)),
            MeasuredRow("prepared-not", "nothing prepared: the first output", .seconds, first, goal: .atMost(2)),
        ]
    }
}
