import Foundation
import PulseCore
import PulseText

/// What a document says of a digest, in the order in which it says it, in clean lines: the formats differ in how it is
/// set, and in nothing else.
struct DigestOutline: Sendable, Hashable {
    struct Sentence: Sendable, Hashable {
        let text: String
        /// What stands between it and the sentence before: a space, or nothing, as its script has it.
        let gap: String
        /// The numbers of the sources behind it, ascending.
        let numbers: [Int]
        /// Whether the sources do not support it.
        let isDoubtful: Bool

        /// `[1]`, `[?]`: what stands behind the sentence.
        var marks: [String] { isDoubtful ? ["[?]"] : numbers.map { "[\($0)]" } }
    }

    /// An article, as a source is shown.
    struct Source: Sendable, Hashable {
        let title: String
        /// The publication; empty where it is unknown.
        let publication: String
        /// The title's, as a BCP 47 tag.
        let language: String?
        let link: WebLink?
        /// The short name that `history show` takes.
        let key: String

        init(_ article: Article) {
            let title = PlainText.line(article.title)
            // A link needs words: the first of the text where there is no title. What goes on for ever is none.
            self.title =
                title.isEmpty
                ? DisplayWidth.clip(PlainText.line(article.text), to: 80) : DisplayWidth.clip(title, to: Source.longest)
            publication = PlainText.line(article.source)
            language = article.language.flatMap(Source.tag)
            link = WebLink(article.url)
            key = String(article.key.prefix(ArticleKey.shortLength))
        }

        /// Columns of a title; headlines have about a hundred.
        private static let longest = 300

        private static func tag(_ text: String) -> String? {
            let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
            let isTag = subtags.allSatisfy { subtag in
                (1...8).contains(subtag.utf8.count) && subtag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
            return isTag ? text : nil
        }
    }

    /// A numbered entry: the article that speaks for a story, and others that tell the same.
    struct Entry: Sendable, Hashable {
        let number: Int
        let source: Source
        let others: [Source]
    }

    struct Section: Sendable, Hashable {
        let heading: String
        /// What it is told in, as a BCP 47 tag, where that is not the digest's language.
        let language: String?
        let sentences: [Sentence]
        let entries: [Entry]
        /// That more was read; nil where nothing more was.
        let more: String?
    }

    struct Topic: Sendable, Hashable {
        let name: String
        let articles: Int
    }

    let language: Language
    let title: String
    /// How much was read since when, and in how many days in a row.
    let opening: [String]
    let sections: [Section]
    let topics: [Topic]
    let readingTimes: ReadingTimes?
    let closing: DigestClosing

    init(_ digest: Digest, timeZone: TimeZone) {
        let phrases = Phrases(digest.language)
        language = digest.language
        let overview = DigestOverview(digest)
        title = overview.title(in: timeZone, language)
        opening = overview.opening(in: timeZone, language)
        var number = 1
        sections = digest.sections.map { section in
            defer { number += section.stories.count }
            return Section(section, numberedFrom: number, phrases: phrases)
        }
        topics = overview.topics.map { Topic(name: $0.category.title(in: digest.language), articles: $0.articles) }
        readingTimes = ReadingTimes(digest, timeZone: timeZone)
        // Only what has no address is shown by its short name.
        closing = DigestClosing(
            digest, showsNames: sections.contains { $0.entries.contains { $0.isUnlinked } })
    }
}

extension DigestOutline.Entry {
    var all: [DigestOutline.Source] { [source] + others }
    var isUnlinked: Bool { all.contains { $0.link == nil } }
}

extension DigestOutline.Section {
    init(_ section: Digest.Section, numberedFrom first: Int, phrases: Phrases) {
        heading = phrases.sectionTitle(section.category, foreignLanguage: section.foreignLanguage)
        let citations = Citations(stories: section.stories, numberedFrom: first)
        entries = section.stories.enumerated().map { offset, story in
            DigestOutline.Entry(
                number: first + offset, source: DigestOutline.Source(story.lead),
                others: story.others.map { DigestOutline.Source($0.article) })
        }
        var last = ""
        let told = section.sentences.map { sentence in
            let text = PlainText.line(sentence.text)
            let told = DigestOutline.Sentence(
                text: text, gap: last.isEmpty ? "" : Sentence.gap(after: last),
                numbers: citations.numbers(of: sentence), isDoubtful: !sentence.isGrounded)
            last = text + told.marks.joined()
            return told
        }
        let nothing = DigestOutline.Sentence(text: phrases.nothingWritten, gap: "", numbers: [], isDoubtful: false)
        sentences = told.isEmpty ? [nothing] : told
        self.language = told.isEmpty ? nil : section.foreignLanguage
        more = section.omitted > 0 ? phrases.more(section.omitted) : nil
    }
}

extension DigestOutline.Source {
    /// What another source of a story is called: its publication, or its own title where that is not known.
    var name: String { publication.isEmpty ? title : publication }
}
