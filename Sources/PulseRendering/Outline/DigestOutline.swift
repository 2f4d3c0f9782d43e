import Foundation
import PulseCore
import PulseText

/// What a digest says, in the order in which it says it, in clean lines: the formats differ in how it is set, and in
/// nothing else.
struct DigestOutline: Sendable, Hashable {
    /// An article, as it is cited.
    struct Source: Sendable, Hashable {
        let title: String
        /// The publication; empty where it is unknown.
        let publication: String
        let link: WebLink?

        init(_ article: Article) {
            let title = PlainText.line(article.title)
            // A link needs words: the first of the text where there is no title. What goes on for ever is none.
            self.title =
                title.isEmpty
                ? DisplayWidth.clip(PlainText.line(article.text), to: 80) : DisplayWidth.clip(title, to: Source.longest)
            publication = DisplayWidth.clip(PlainText.line(article.source), to: Source.longestName)
            link = WebLink(article.url)
        }

        /// What stands for further sources: `+3`.
        init(more count: Int) {
            title = ""
            publication = "+\(count)"
            link = nil
        }

        /// What stands behind a sentence: its publication, or the host where that is not known.
        var name: String {
            if !publication.isEmpty { return publication }
            return link.flatMap { URL(string: $0.address)?.host } ?? title
        }

        /// Columns of a title, and of a publication's name; headlines have about a hundred.
        private static let longest = 300
        private static let longestName = 60
    }

    /// A numbered story: what is told of it, and who tells it.
    struct Entry: Sendable, Hashable {
        let number: Int
        /// The story's sentences, or its title.
        let text: String
        /// The article that the text is of.
        let lead: Article
        /// A publication that has the story twice stands here once; none where the title is all that is known.
        let sources: [Source]
    }

    struct Section: Sendable, Hashable {
        let heading: String
        let entries: [Entry]
        /// Stories of which the title is told.
        let titled: [Entry]
        /// Nil where nothing more was read.
        let omitted: Omitted?
    }

    /// That more was read.
    struct Omitted: Sendable, Hashable {
        /// How much; the command follows.
        let said: String
        /// What lists it, as a shell takes it.
        let command: String

        var text: String { said + " " + command }
    }

    struct Topic: Sendable, Hashable {
        let name: String
        let articles: Int
    }

    let language: Language
    let title: String
    /// How much was read since when, and in how many days in a row: a line each.
    let opening: [String]
    let sections: [Section]
    /// How many articles were read under each heading, told or not.
    let topics: [Topic]
    let readingTimes: ReadingTimes?
    /// Whose words these are, and how to read on: a sentence each.
    let closing: [String]

    init(_ digest: Digest, timeZone: TimeZone) {
        let phrases = Phrases(digest.language)
        language = digest.language
        title = phrases.title(DateText.day(digest.date, in: timeZone, digest.language))
        let told = digest.readings.count
        let read = phrases.read(
            digest.stories.count, told, told + digest.omitted,
            DateText.dayAndTime(digest.period.from, in: timeZone, digest.language), phrases.source(digest.sources))
        let muted = digest.muted > 0 ? "; " + phrases.muted(digest.muted) : ""
        opening = [read + muted + "."] + (digest.daysInARow > 1 ? [phrases.daysInARow(digest.daysInARow)] : [])
        let isOnly = digest.sections.count == 1
        var number = 1
        sections = digest.sections.map { section in
            defer { number += section.stories.count }
            return Section(
                section, numberedFrom: number, isOnly: isOnly, since: Day(digest.period.from, in: timeZone), phrases,
                language: digest.language)
        }
        topics = zip(sections, digest.sections).map {
            Topic(name: $0.heading, articles: $1.readings.count + $1.omitted)
        }
        readingTimes = ReadingTimes(digest, timeZone: timeZone)
        closing = DigestOutline.closing(digest)
    }
}

extension DigestOutline {
    static func closing(_ digest: Digest) -> [String] {
        let phrases = Phrases(digest.language)
        return words(of: digest, phrases) + (digest.refused > 0 ? [phrases.refused(digest.refused)] : [])
            + [phrases.readAgain]
    }

    /// Whose words are told: where not one sentence is the model's, they are the publications'.
    private static func words(of digest: Digest, _ phrases: Phrases) -> [String] {
        guard !digest.sentences.isEmpty else { return [] }
        guard let model = digest.model, digest.sentences.contains(where: { $0.origin == .written }) else {
            return [phrases.ownWords]
        }
        return [phrases.writtenBy(PlainText.line(model.name))]
    }
}

extension DigestOutline.Section {
    init(
        _ section: Digest.Section, numberedFrom first: Int, isOnly: Bool, since: Day, _ phrases: Phrases,
        language: Language
    ) {
        heading =
            switch section.heading {
            case .category(.general): isOnly ? phrases.everything : Category.general.title(in: language)
            case .category(let category): DisplayWidth.clip(category.title(in: language), to: 60)
            case .source(let name): DisplayWidth.clip(PlainText.line(name), to: 60)
            case .more: isOnly ? phrases.everything : phrases.more
            }
        entries = section.entries.enumerated().map { DigestOutline.Entry($1, number: first + $0) }
        let next = first + section.entries.count
        titled = section.titled.enumerated().map {
            DigestOutline.Entry(Digest.Entry(story: $1, sentences: []), number: next + $0)
        }
        guard section.omitted > 0 else {
            omitted = nil
            return
        }
        let of: String =
            switch section.heading {
            case .category(let category): " --category " + ShellWord.quoted(category.name)
            case .source(let name): " --source " + ShellWord.quoted(PlainText.line(name))
            case .more: ""
            }
        omitted = DigestOutline.Omitted(
            said: phrases.omitted(section.omitted), command: "pulse-digest history list --since \(since.text)" + of)
    }
}

extension DigestOutline.Entry {
    /// More names behind one sentence are a crowd: the rest is a number.
    private static let mostSources = 12

    init(_ entry: Digest.Entry, number: Int) {
        self.number = number
        lead = entry.story.lead
        let all = entry.story.articles.map(DigestOutline.Source.init)
        let told = PlainText.line(entry.sentences.joinedText)
        text = told.isEmpty ? all[0].title : told
        // An article that nobody signs is named by its title, which is not said twice.
        var names: Set<String> = [text]
        let tellers = all.filter { names.insert($0.name).inserted }
        let more = tellers.count - DigestOutline.Entry.mostSources
        sources =
            more > 0
            ? tellers.prefix(DigestOutline.Entry.mostSources) + [DigestOutline.Source(more: more)] : tellers
    }

    /// What the text is written in, as a BCP 47 tag, where that is known and not the digest's language: for those who
    /// read it aloud, and for those who hyphenate. Found out when it is asked for, which takes a look at the text.
    func language(in digest: Language) -> String? {
        lead.writtenLanguage.flatMap { $0 == digest.code ? nil : $0 }
    }
}
