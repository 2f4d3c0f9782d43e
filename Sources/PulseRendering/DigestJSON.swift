import Foundation
public import PulseCore

/// The digest as JSON, version 1: one object with its keys in alphabetical order. The schema is
/// docs/digest.schema.json; keys do not change between releases.
public enum DigestJSON {
    public static func render(_ digest: Digest) -> String { JSONText.render(Document(digest)) }

    private struct Document: Encodable {
        let version = 1
        /// Whether the stories are of read or unread articles, or of bookmarks.
        let basis: DigestBasis
        let date: Date
        let window: Period
        let language: Language
        /// Null if no model was used.
        let model: Nullable<ModelIdentity>
        let stats: Stats
        let sections: [Section]
        let toldBefore: [Repeat]
        let articles: [ArticleJSON]
        let leftOut: LeftOut
        let timing: TimingJSON

        init(_ digest: Digest) {
            basis = digest.basis
            date = digest.date
            window = digest.period
            language = digest.language
            model = Nullable(digest.model)
            stats = Stats(digest)
            sections = digest.sections.map { Section($0, basis: digest.basis) }
            toldBefore = digest.toldBefore.map { Repeat(title: $0.title, toldIn: Update($0.update)) }
            articles = digest.readings.map { ArticleJSON($0) }
            leftOut = LeftOut(n: digest.omitted, muted: digest.muted)
            timing = TimingJSON(digest.timing)
        }
    }

    private struct Repeat: Encodable {
        let title: String
        let toldIn: Update
    }

    private struct LeftOut: Encodable { let n, muted: Int }

    private struct Stats: Encodable {
        let articles, stories, sources: Int
        /// The number of articles under each heading, shown or not.
        let categories: [String: Int]
        /// 0 if unknown.
        let daysInARow: Int

        init(_ digest: Digest) {
            articles = digest.readings.count
            stories = digest.stories.count
            sources = digest.sources
            categories = Dictionary(digest.sections.map { ($0.heading.jsonName, $0.total) }, uniquingKeysWith: +)
            daysInARow = digest.daysInARow
        }
    }

    private struct Section: Encodable {
        let category: String
        let stories: [Story]
        /// The number of further articles.
        let omitted: Int

        init(_ section: Digest.Section, basis: DigestBasis) {
            category = section.heading.jsonName
            stories =
                section.entries.map { Story($0, basis: basis) }
                + section.titled.map { Story(Digest.Entry(story: $0, sentences: []), basis: basis) }
            omitted = section.omitted
        }
    }

    private struct Story: Encodable {
        let title: String
        /// The number of publications that report it.
        let weight: Int
        let articles: [String]
        /// Empty if there is only a title.
        let sentences: [SentenceJSON]
        /// Only in a digest of read and unread articles.
        let basis: DigestBasis?
        let updateOf: Update?
        /// Only for a column on the story that `updateOf` names.
        let isComment: Bool?
        /// Only in a digest of a week.
        let course: [Telling]?
        /// Only where reports contradict each other.
        let differences: [SentenceJSON]?

        init(_ entry: Digest.Entry, basis: DigestBasis) {
            title = entry.story.lead.title
            self.basis = basis != .readAndUnread ? nil : entry.story.isWaiting ? .unread : .read
            weight = entry.story.weight
            articles = entry.story.articles.map(\.key)
            sentences = entry.sentences.map(SentenceJSON.init)
            differences = entry.differences.isEmpty ? nil : entry.differences.map(SentenceJSON.init)
            updateOf = entry.update.map(Update.init)
            isComment = entry.isComment ? true : nil
            course =
                entry.days.isEmpty
                ? nil : entry.days.map { Telling(date: $0.day, sentences: $0.sentences.map(SentenceJSON.init)) }
        }
    }

    private struct Update: Encodable {
        let date: Day
        let story: Int

        init(_ update: Digest.Update) { (date, story) = (update.day, update.number) }
    }

    private struct Telling: Encodable {
        let date: Day
        let sentences: [SentenceJSON]
    }
}

extension Digest.Heading {
    /// `more`: stories without their own heading; `top`: those that most publications report.
    fileprivate var jsonName: String { name ?? (self == .top ? "top" : "more") }
}

/// The summary of one article as JSON: one object with its keys in alphabetical order.
public enum SummaryJSON {
    public static func render(_ summary: Summary) -> String { JSONText.render(Document(summary)) }

    private struct Document: Encodable {
        let version = 1
        let article: ArticleJSON
        let text: String
        let sentences: [SentenceJSON]
        let shortened: Bool
        let language: String
        let model: ModelIdentity?
        let timing: TimingJSON

        init(_ summary: Summary) {
            article = ArticleJSON(summary.article)
            text = summary.text
            sentences = summary.sentences.map(SentenceJSON.init)
            shortened = summary.isShortened
            language = summary.article.writtenLanguage ?? summary.language.rawValue
            model = summary.model
            timing = TimingJSON(summary.timing)
        }
    }
}
