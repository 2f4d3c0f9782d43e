import Foundation
public import PulseCore
import PulseText

/// A story over time: its title, and the reports of each of its days.
public enum StoryText {
    /// - Parameters:
    ///   - entry: The story with its days.
    ///   - told: The sentences that digests told, as `Sentence.plain`.
    public static func render(_ entry: Digest.Entry, told: Set<String>, in language: Language, style: TextStyle)
        -> String
    {
        let phrases = language.phrases
        let articles = Dictionary(entry.story.articles.map { ($0.id, $0) }) { first, _ in first }
        let sources = Set(entry.story.articles.map(\.source)).subtracting([""]).count
        let facts = [phrases.article(articles.count)] + (sources > 1 ? [phrases.source(sources)] : [])
        let days = entry.days.map { day -> String in
            let sentences = day.sentences.map { sentence -> String in
                let names = sentence.sources.prefix(1).compactMap { articles[$0] }.map { DigestOutline.Source($0).name }
                return Wording([sentence], phrases.quotation).marked + names.map { " — \($0)" }.joined()
            }
            let isTold = day.sentences.contains { told.contains($0.plain) }
            let start = day.day.start(in: .gregorian(in: style.timeZone)) ?? .distantPast
            let date = DateText.day(start, in: style.timeZone, language) + (isTold ? " (\(phrases.inDigest))" : "")
            return "\n" + style.heading(date) + sentences.map { style.paragraph($0, indent: 2) }.joined()
        }
        return style.heading(PlainText.line(entry.story.lead.title))
            + style.aside(facts.joined(separator: ", ")) + days.joined()
    }
}

/// The same as JSON: an object with its keys in alphabetical order.
public enum StoryJSON {
    public static func render(_ entry: Digest.Entry, told: Set<String>) -> String {
        JSONText.render(
            Document(
                title: entry.story.lead.title, articles: entry.story.readings.map { ArticleJSON($0) },
                course: entry.days.map { day in
                    Telling(
                        date: day.day, isTold: day.sentences.contains { told.contains($0.plain) },
                        sentences: day.sentences.map(SentenceJSON.init))
                }))
    }

    private struct Document: Encodable {
        let version = 1
        let title: String
        let articles: [ArticleJSON]
        let course: [Telling]
    }

    private struct Telling: Encodable {
        let date: Day
        /// Whether a digest told it.
        let isTold: Bool
        let sentences: [SentenceJSON]

        private enum CodingKeys: String, CodingKey { case date, isTold = "told", sentences }
    }
}
