import Foundation
public import PulseCore

/// The digest as JSON: one object, its keys in alphabetical order. The keys stay what they are from release to release.
public enum DigestJSON {
    public static func render(_ digest: Digest) -> String { JSONText.render(Document(digest)) }

    private struct Document: Encodable {
        let date: String
        let window: Window
        let language: String
        let model: ModelJSON
        let stats: Stats
        let sections: [Section]
        let articles: [ArticleJSON]
        let timing: TimingJSON
        let topics: [Topic]
        /// Absent where it is not known.
        let daysInARow: Int?

        private enum CodingKeys: String, CodingKey {
            case date, window, language, model, stats, sections, articles, timing, topics
            case daysInARow = "days_in_a_row"
        }

        init(_ digest: Digest) {
            date = JSONText.date(digest.date)
            window = Window(from: JSONText.date(digest.period.from), to: JSONText.date(digest.period.to))
            language = digest.language.rawValue
            model = ModelJSON(digest.model)
            stats = Stats(
                articles: digest.readings.count,
                sources: digest.sourceCount, muted: digest.muted,
                categories: Dictionary(digest.sections.map { ($0.category.name, $0.articles.count) }) { $0 + $1 })
            sections = digest.sections.map { Section($0, language: digest.language) }
            articles = digest.readings.map(ArticleJSON.init)
            timing = TimingJSON(digest.timing)
            topics = digest.topics.map { Topic(category: $0.category.name, articles: $0.articles) }
            daysInARow = digest.daysInARow > 0 ? digest.daysInARow : nil
        }
    }

    private struct Window: Encodable { let from, to: String }

    private struct Stats: Encodable {
        let articles, sources, muted: Int
        let categories: [String: Int]
    }

    /// How many articles of a category were read, told of or not.
    private struct Topic: Encodable {
        let category: String
        let articles: Int
    }

    private struct Section: Encodable {
        /// `language` is what the text is written in: the digest's, or the articles' own.
        let category, language, text: String
        let sentences: [SentenceJSON]
        let articles: [String]
        let omitted, shortened: Int
        let corrections: CorrectionsJSON

        init(_ section: Digest.Section, language: Language) {
            category = section.category.name
            self.language = section.foreignLanguage ?? language.rawValue
            text = section.text
            sentences = section.sentences.map(SentenceJSON.init)
            articles = section.articles.map(\.id)
            omitted = section.omitted
            shortened = section.shortened
            corrections = CorrectionsJSON(section.corrections)
        }
    }
}
