public import Foundation
import PulseCore
public import PulseDigest
import PulseRendering

/// What models really answered, played through the program as if one had answered now: the digest that a reader would
/// have seen.
public struct Replay {
    /// An article, and what a model said of it.
    private struct Line: Decodable {
        let title: String?
        let text: String
        let answer: String
        /// The class of the writer.
        let writer: String?
    }

    /// The digest, and below it what became of the answers.
    public let text: String

    /// - Parameters:
    ///   - file: JSON Lines of {"title", "text", "answer", "writer"}.
    ///   - model: Nil: only copies pass.
    public init(_ file: URL, model: ParaphraseModel?) throws {
        let lines = try Line.lines(of: file)
        let now = Date(timeIntervalSince1970: 1_795_291_200)
        let readings = lines.enumerated().map { number, line in
            Reading(
                article: Article(
                    id: "\(number)", title: line.title ?? "", content: line.text, source: "Source \(number + 1)",
                    // A section tells six stories.
                    category: Category("part \(number / StorySelection.mostSummarized + 1)"), language: "en"),
                readAt: now.addingTimeInterval(-Double(number)), origin: "replay", isExact: true)
        }
        var digest = Digest(
            date: now, period: Period(hours: 48, endingAt: now), language: .english,
            sections: StorySelection(from: StoryCandidates(readings), limit: lines.count).digestSections())
        var (asked, dull) = (0, 0)
        for section in digest.sections.indices {
            for index in digest.sections[section].entries.indices {
                let entry = digest.sections[section].entries[index]
                guard let line = Int(entry.story.lead.id).map({ lines[$0] }), !entry.sentences.isEmpty else { continue }
                let reports = StoryPrompt.reports(of: entry)
                var answer = CheckedAnswer(
                    reports, most: CheckedAnswer.entry, writer: line.writer.flatMap(ModelReliability.init) ?? .unknown,
                    model: model, story: StoryCriteria(entry, reports: reports))
                _ = answer.add(line.answer)
                _ = answer.finish()
                asked += 1
                digest.refused += answer.refused
                if answer.sentences.isEmpty, answer.refused == 0 { dull += 1 }
                digest.sections[section].entries[index] = Digest.Entry(
                    story: entry.story, sentences: answer.sentences.orReplacements(entry.sentences))
            }
        }
        digest.model = ModelIdentity(name: "the replayed writer", sha256: nil)
        let written = digest.sentences.count { $0.origin == .written }
        text =
            DigestText.render(digest, style: TextStyle(timeZone: .gmt))
            + "\n\(asked) answers: \(written) shown in the writer's words, \(digest.refused) not borne out, "
            + "\(dull) borne out or copied but no news, the rest copies.\n"
    }
}
