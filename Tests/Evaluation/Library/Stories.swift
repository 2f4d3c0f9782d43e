public import Foundation
import PulseCore
import PulseDigest
import PulseInference

/// The stories of days, as a digest tells them: what a model is asked about each, the publication's own sentence, and
/// which of some answers a reader would be shown of a small model. `models/training/writer.py` learns and judges by it.
public struct Stories {
    private struct Line: Decodable {
        let day, title, text: String
        let source, category: String?
    }

    private struct Answers: Decodable {
        let answers: [String]
    }

    private struct Told: Encodable {
        let day, section: String
        let titles: [String]
        let system, user, own: String
        /// In front of `own`, where it is unclear without it.
        let title: String?
        let isUpdate: Bool
        /// Of each answer, what is shown; null where nothing is.
        let shown: [String?]
    }

    public let text: String

    /// - Parameters:
    ///   - file: JSON Lines of {"day", "title", "text", "source", "category"}, day after day; a day's stories may
    ///     continue the day's before.
    ///   - answers: JSON Lines of {"answers": [text, …]}, one for each story, in the order that this prints.
    ///   - path: The model whose tokens are counted.
    public init(_ file: URL, answers: URL?, model path: String) async throws {
        let lines = try Line.lines(of: file)
        let answers = try answers.map { try Answers.lines(of: $0) } ?? []
        let template = try PromptTemplate.digest()
        let engine = try await Engine.load(EngineOptions(modelPath: path))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var (told, date, earlier) = (0, Date(timeIntervalSince1970: 1_795_291_200), [PreviousStory]())
        var text = ""
        for day in Self.days(of: lines) {
            date += 86_400
            let readings = day.enumerated().map { number, line in
                Reading(
                    article: Article(
                        id: "\(line.day)/\(number)", title: line.title, content: line.text,
                        source: line.source ?? "Post", category: line.category.map { Category($0) } ?? .general,
                        language: "en", publishedAt: date),
                    readAt: date.addingTimeInterval(-Double(number)), origin: "stories", isExact: true)
            }
            let candidates = StoryCandidates(readings, earlier: earlier)
            let sections = StorySelection(from: candidates, limit: readings.count).digestSections()
            earlier = Digest(
                date: date, period: Period(hours: 48, endingAt: date), language: .english, sections: sections
            ).previousStories(in: .gmt)
            let entries = sections.flatMap { section in
                section.entries.filter { !$0.sentences.isEmpty }.map { (section.heading, $0) }
            }
            let tokens = TokenCounter(count: engine.tokens(of:))
            let prompts = entries.map { _, entry in
                StoryPrompt(entry, template: template, language: .english).prompt(limit: 2000, tokens: tokens)
            }
            for ((heading, entry), prompt) in zip(entries, prompts) {
                guard let prompt, let own = entry.sentences.first else { continue }
                let reports = StoryPrompt.reports(of: entry)
                let blank = CheckedAnswer(
                    reports, most: CheckedAnswer.entry, story: StoryCriteria(entry, reports: reports))
                let shown = (told < answers.count ? answers[told].answers : []).map { answer in
                    var checked = blank
                    _ = checked.add(answer)
                    _ = checked.finish()
                    return checked.sentences.first?.text
                }
                told += 1
                let line = Told(
                    day: day[0].day, section: "\(heading)", titles: reports.map { $0.title },
                    system: prompt.system, user: prompt.user, own: own.text, title: own.title,
                    isUpdate: entry.update != nil, shown: shown)
                text += String(decoding: try encoder.encode(line), as: UTF8.self) + "\n"
            }
        }
        self.text = text
    }

    private static func days(of lines: [Line]) -> [[Line]] {
        lines.reduce(into: []) { days, line in
            if days.last?.last?.day == line.day { days[days.count - 1].append(line) } else { days.append([line]) }
        }
    }
}
