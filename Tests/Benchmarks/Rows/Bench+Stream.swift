import Foundation
import PulseRendering

extension Bench {
    /// When the words of a digest come while a model writes it, and whether they keep ahead of a fast reader. Nothing is
    /// checked, since nothing that random weights write would be shown.
    func stream() async throws -> [MeasuredRow] {
        guard let model = workbench?.model else { return [] }
        var (first, sentence, lateness) = (Samples(), Samples(), Samples())
        for _ in 0..<arguments.rounds {
            try await withHome { home in
                let program = ProgramRun(program: arguments.program, home: home)
                _ = try program.run(["import", "jsonl", arguments.root + "/Tests/Fixtures/sample-history.jsonl"])
                // A random model would write to the limit. This is about what a sentence has.
                let result = try program.run(["today", "--check", "off", "--max-tokens", "40", "--model", model])
                let words = StreamedWords(result.pieces)
                guard let begin = words.times.first else { throw BenchError("No word came.") }
                first.values.append(begin)
                sentence.values.append(words.endOfFirstStory)
                lateness.values.append(words.lateness)
            }
            Self.say(
                String(
                    format: "  first word %.2f s, first sentence %.2f s, at most %.2f s late", first.values.last ?? 0,
                    sentence.values.last ?? 0, lateness.values.last ?? 0))
        }
        return [
            MeasuredRow(
                id: "stream", title: "first word of a digest", unit: .seconds, value: first, goal: .atMost(1.5)),
            MeasuredRow(
                id: "stream-sentence", title: "first sentence of a digest", unit: .seconds, value: sentence,
                goal: .atMost(3)),
            MeasuredRow(
                id: "stream-late", title: "longest wait of somebody who reads eight words a second", unit: .seconds,
                value: lateness, goal: .atMost(0.5)),
        ]
    }
}

/// The words of the stories of a digest, and when each came.
struct StreamedWords {
    /// Words that a fast reader reads in a second.
    private static let pace = 8.0

    /// In seconds, in their order.
    private(set) var times: [Double] = []
    private(set) var endOfFirstStory = 0.0

    init(_ pieces: [(seconds: Double, text: String)]) {
        var (line, isOpen) = ("", false)
        for (seconds, text) in pieces {
            for character in text {
                if character == "\n" {
                    if isOpen, endOfFirstStory == 0 { endOfFirstStory = seconds }
                    (line, isOpen) = ("", false)
                    continue
                }
                line.append(character)
                if line.wholeMatch(of: /\s*\d+\s\s/) != nil { isOpen = true }
                if isOpen, character == " ", line.last(where: { !$0.isWhitespace })?.isNumber != true || line.count > 6
                {
                    times.append(seconds)
                }
            }
        }
    }

    /// How many seconds a reader who starts with the first word waits at most for another.
    var lateness: Double {
        guard let begin = times.first else { return 0 }
        var (clock, longest) = (begin, 0.0)
        for time in times {
            longest = max(longest, time - clock)
            clock = max(clock, time) + 1 / Self.pace
        }
        return longest
    }
}
