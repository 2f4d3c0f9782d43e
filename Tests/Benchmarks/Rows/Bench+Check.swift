/// What the check of a model's own words costs, on one thread: the encoder's time and the head's, and their memory.
import Foundation
import PulseCore
import PulseDigest
import PulseInference
import PulseRendering
import PulseText

extension Bench {
    func check() async throws -> [MeasuredRow] {
        let before = Self.anonymousMemory
        let model = try checkModel()
        let articles = try StoryMaterial.readings(arguments.root).map(\.article)
            .filter { $0.language(or: .english) == .english }
        var (firsts, others) = (Samples(), Samples())
        // Kept, as those of a digest are.
        var checks: [SentenceCheck] = []
        for round in 0...max(arguments.rounds, 3) {
            var (first, other, count) = (0.0, 0.0, 0)
            checks = []
            for article in articles.prefix(25) {
                let claims = Sentences.split(article.body, most: 3).map(Self.reworded)
                guard claims.count == 3 else { continue }
                let start = ProcessorTime.own()
                let check = SentenceCheck([article], writer: .strong, model: model)
                // Not what rules decide before anything is read.
                guard try check.verdict(claims[0]).score != nil else { continue }
                first += ProcessorTime.own() - start
                // Reads the rest of what they are compared with, as is done while a model writes.
                let weighed = try claims.filter { try check.verdict($0).score != nil }
                let middle = ProcessorTime.own()
                for claim in weighed { _ = try check.verdict(claim) }
                other += (ProcessorTime.own() - middle) / Double(weighed.count)
                count += 1
                checks.append(check)
            }
            // The first round opens the encoder.
            guard round > 0, count > 0 else { continue }
            firsts.values.append(first * 1000 / Double(count))
            others.values.append(other * 1000 / Double(count))
        }
        let memory = (Self.anonymousMemory - before) >> 20
        return [
            MeasuredRow(
                "check", "a sentence of a model checked", .milliseconds, others, goal: .atMost(15),
                detail: String(
                    format: "processor time; the first of a story, with what it is compared with, %.1f ms; "
                        + "%d MiB beside mapped files for %d stories",
                    firsts.median ?? 0, memory, checks.count))
        ]
    }

    /// The encoder and the head that come with the program.
    func checkModel() throws -> ParaphraseModel {
        let models = arguments.root + "/models/"
        let head = try ParaphraseHead([UInt8](Data(contentsOf: URL(fileURLWithPath: models + "pulse-check.head"))))
        let encoder = try Encoder.load(models + "pulse-check.gguf")
        return ParaphraseModel(head: head) { pieces in try encoder.vectors(of: pieces) }
    }

    /// The sentence with two words in each other's place, so that it is no copy.
    private static func reworded(_ sentence: String) -> String {
        var words = sentence.split(separator: " ")
        if words.count > 4 { words.swapAt(2, 3) }
        return words.joined(separator: " ")
    }

    /// In bytes; 0 where the system does not say.
    private static var anonymousMemory: Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 } ?? 0
    }
}
