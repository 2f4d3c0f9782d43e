import Foundation
import PulseCore
import PulseDigest
import PulseRendering

extension Bench {
    /// When the words of a digest come while a model writes it, and whether they keep ahead of a fast reader. Nothing is
    /// checked, since nothing that random weights write would be shown; what a check takes is measured with sentences
    /// that a model wrote.
    func stream() async throws -> [MeasuredRow] {
        guard let model = workbench?.model else { return [] }
        var (first, sentence, lateness, whole) = (Samples(), Samples(), Samples(), Samples())
        var (memory, detail) = (Samples(), "")
        for _ in 0..<arguments.rounds {
            try await withHome { program in
                _ = try program.run(["import", "jsonl", arguments.root + "/Tests/Fixtures/sample-history.jsonl"])
                // A random model would write to the limit. This is about what a sentence has.
                let result = try program.run(["today", "--check", "off", "--max-tokens", "40", "--model", model])
                let words = StreamedWords(result.pieces)
                guard let begin = words.times.first else { throw BenchError("No word came.") }
                first.values.append(begin)
                sentence.values.append(words.endOfFirstStory)
                lateness.values.append(words.lateness)
                whole.values.append(result.seconds)
                // With the check's encoder beside the model.
                let checked = ["today", "--fresh", "--max-tokens", "40", "--model", model, "--verbose"]
                let peak = PeakMemory(try program.run(checked, watchesMemory: true))
                memory.values.append(peak.beyond)
                detail = peak.text
                Self.say(
                    String(
                        format: "  first word %.2f s, first sentence %.2f s, at most %.2f s late, %d words in %.1f s",
                        begin, words.endOfFirstStory, words.lateness, words.times.count, result.seconds))
            }
        }
        let (verdicts, longest) = try await verdicts()
        return [
            MeasuredRow("stream", "first word of a digest", .seconds, first, goal: .atMost(1.5)),
            MeasuredRow("stream-sentence", "first sentence of a digest", .seconds, sentence, goal: .atMost(3)),
            MeasuredRow(
                "stream-late", "longest wait of somebody who reads eight words a second", .seconds, lateness,
                goal: .atMost(0.5)),
            MeasuredRow("stream-end", "the whole digest", .seconds, whole),
            MeasuredRow(
                "stream-check", "from a sentence's last word to its verdict, the longest", .milliseconds,
                Samples([longest]), goal: .atMost(100),
                detail: String(
                    format: "%d sentences, the median %.0f ms", verdicts.values.count, verdicts.median ?? 0)),
            MeasuredRow(
                "stream-memory", "peak memory beyond weights and KV, with the check", .mebibytes, memory,
                goal: .atMost(128), detail: detail),
        ]
    }

    /// How long each sentence that a small model wrote about the sample history waits for its verdict, in milliseconds,
    /// and the longest of them.
    private func verdicts() async throws -> (Samples, longest: Double) {
        let candidates = StoryCandidates(try StoryMaterial.readings(arguments.root))
        let stories = StorySelection(from: candidates, limit: 25).sections.flatMap(\.entries).map(\.story)
        let model = try checkModel()
        struct Line: Decodable { let article, sentence: String }
        let path = arguments.root + "/Tests/Fixtures/written/smollm2.jsonl"
        var samples = Samples()
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let line = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
            guard let story = stories.first(where: { $0.articles.contains { $0.id == line.article } }) else { continue }
            let reports = StoryPrompt.reports(of: Digest.Entry(story: story, sentences: []))
            var answer = CheckedAnswer(reports, most: CheckedAnswer.entry, writer: .unknown, model: model)
            // It comes word by word; what the words before the last one cost, nobody waits for.
            let words = line.sentence.split(separator: " ").map { "\($0) " }
            for word in words.dropLast() { _ = answer.add(word) }
            let time = ContinuousClock().measure {
                _ = answer.add(words.last ?? "")
                _ = answer.finish()
            }
            samples.values.append(time.seconds * 1000)
        }
        return (samples, samples.values.max() ?? 0)
    }
}

/// The words of the stories of a digest, and when each was whole.
struct StreamedWords {
    /// Words that a fast reader reads in a second.
    private static let pace = 8.0

    /// In seconds, in their order.
    private(set) var times: [Double] = []
    private(set) var endOfFirstStory = 0.0

    init(_ pieces: [(seconds: Double, text: String)]) {
        var (line, isOpen) = ("", false)
        // When the word that stands at the end got its last character.
        var word: Double?
        func endWord() {
            if let word { times.append(word) }
            word = nil
        }
        for (seconds, text) in pieces {
            for character in text {
                if character == "\n" {
                    endWord()
                    if isOpen, endOfFirstStory == 0 { endOfFirstStory = seconds }
                    (line, isOpen) = ("", false)
                    continue
                }
                line.append(character)
                if line.wholeMatch(of: /\s*\d+\s\s/) != nil {
                    isOpen = true
                } else if isOpen {
                    if character == " " { endWord() } else { word = seconds }
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
