/// A reader of very many feeds: two thousand articles in two days.
import Foundation
import PulseCore
import PulseDigest
import PulseRendering
import PulseSources
import PulseTestSupport

extension Bench {
    func ranking() throws -> [MeasuredRow] {
        let readings = try CrowdedHistory(root: arguments.root).readings
        var (times, detail) = (Samples(), "")
        for _ in 0..<max(arguments.rounds, 7) {
            let start = ContinuousClock.now
            let selection = StorySelection(from: StoryCandidates(readings), limit: 25)
            let merged = ContinuousClock.now
            let sections = selection.digestSections()
            let end = ContinuousClock.now
            times.values.append((end - start).seconds * 1000)
            detail = String(
                format: "%d stories told; merged and ranked in %.0f ms, told in %.0f ms",
                sections.reduce(0) { $0 + $1.entries.count }, (merged - start).seconds * 1000,
                (end - merged).seconds * 1000)
        }
        return [
            MeasuredRow(
                "ranking", "\(readings.count.formatted()) articles merged and ranked", .milliseconds, times,
                goal: .atMost(300), detail: detail)
        ]
    }
}

/// Articles of a synthetic history, each with sentences of the sample history in front: their words are as frequent as
/// in news, and some are about the same.
struct CrowdedHistory {
    let readings: [Reading]

    init(root: String, articles count: Int = 2000) throws {
        let sample = try StoryMaterial.readings(root)
        let sentences = sample.flatMap { $0.article.content.replacing("\n\n", with: " ").split(separator: ". ") }
        let titles = sample.map { $0.article.title.split(separator: " ") }
        let history = SyntheticHistory(articles: count - sample.count)
        let parser = JSONLines(now: StoryMaterial.now)
        var random = SplitMix(seed: 7)
        func pick<Element>(_ all: [Element]) -> Element { all[Int(random.next() % UInt64(all.count))] }
        readings =
            try sample
            + (0..<history.articles).map { number in
                let line = LineReader.Line(number: number, bytes: Array(history.line(number).dropLast()))
                guard var reading = parser.batch([line]).readings.first else {
                    throw BenchError("The synthetic history has a line that is none.")
                }
                reading.article.title = (pick(titles).prefix(5) + pick(titles).suffix(4)).joined(separator: " ")
                let front = (0..<3).map { _ in pick(sentences) + "." }.joined(separator: " ")
                reading.article.content = front + " " + reading.article.content
                return reading
            }
    }
}
