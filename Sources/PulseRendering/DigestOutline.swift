import Foundation
import PulseCore
import PulseText

/// A digest's contents in order, as clean lines. The formats differ only in layout.
struct DigestOutline: Sendable, Hashable {
    struct Source: Sendable, Hashable {
        let title: String
        /// The publication; empty if it is unknown.
        let publication: String
        let link: WebLink?

        init(_ article: Article) {
            let title = PlainText.line(article.title)
            // A link needs a text: the beginning of the article if there is no title.
            self.title =
                title.isEmpty
                ? DisplayWidth.clip(PlainText.line(article.text), to: 80) : DisplayWidth.clip(title, to: Source.longest)
            publication = DisplayWidth.clip(PlainText.line(article.source), to: Source.longestName)
            link = WebLink(article.url)
        }

        /// Precedes the name, such as `also` if another publication is quoted; nil: nothing.
        private(set) var preface: String?

        func prefaced(_ preface: String) -> Source {
            var source = self
            source.preface = preface
            return source
        }

        /// What follows the sources: the number of further ones, `+3`, or `not read yet`.
        init(note: String) {
            title = ""
            publication = note
            link = nil
        }

        /// The publication, else the host of the link, else the title.
        var name: String {
            if !publication.isEmpty { return publication }
            return link.flatMap { URL(string: $0.address)?.host } ?? title
        }

        /// The columns of a title and of a publication's name. Headlines have about a hundred.
        private static let longest = 300
        private static let longestName = 60
    }

    /// A numbered story: its text and its sources.
    struct Entry: Sendable, Hashable {
        /// What was reported on one day.
        struct Telling: Sendable, Hashable {
            let label: String
            let wording: Wording
        }

        let number: Int
        /// Before the text: the day since which the story is updated, or its day. Nil: nothing.
        let label: String?
        /// The story's sentences, or its title.
        let wording: Wording
        let isQuotation: Bool
        let isHeadline: Bool
        /// The lines below the text: each day's reports if the story has several days (the text is then its title); and
        /// the differences between reports.
        let lines: [Telling]
        let lead: Article
        /// One for each publication; empty if only the title is known.
        let sources: [Source]
    }

    struct Section: Sendable, Hashable {
        let heading: String
        let entries: [Entry]
        /// Stories of which only the title is shown.
        let titled: [Entry]
        /// Nil if everything is shown.
        let omitted: Omitted?
    }

    /// Articles that are not shown.
    struct Omitted: Sendable, Hashable {
        /// How many there are, as a sentence.
        let count: String
        /// Introduces the command, which lists these and the shown articles.
        let label: String
        /// Quoted for a shell.
        let command: String

        var words: String { count + " " + label }

        var text: String { words + " " + command }
    }

    struct Topic: Sendable, Hashable {
        let name: String
        let articles: Int
        /// The number and its noun.
        let count: String
    }

    let language: Language
    let title: String
    private let date: Date
    private let timeZone: TimeZone
    /// The amount read and since when, and the days in a row, a line each.
    let opening: [String]
    let sections: [Section]
    /// The number of articles under each heading, shown or not.
    let topics: [Topic]
    let readingTimes: ReadingTimes?
    /// Who wrote the sentences, and how to read on, a sentence each.
    let closing: [String]
    /// The headings of the table of topics and of its second column.
    let numbersHeading: String
    let articlesHeading: String

    /// When an article was published: the time if on the digest's day, else the day. Nil: unknown.
    func published(_ article: Article) -> String? {
        article.publishedAt.map { published in
            Day(published, in: timeZone) == Day(date, in: timeZone)
                ? DateText.time(published, in: timeZone, language)
                : DateText.shortDay(published, in: timeZone, language)
        }
    }

    /// - Parameter isMailed: Whether its numbers are those of the last mail.
    init(_ digest: Digest, timeZone: TimeZone, isMailed: Bool = false) {
        let phrases = digest.language.phrases
        language = digest.language
        date = digest.date
        self.timeZone = timeZone
        title = DigestOutline.title(digest, in: timeZone)
        let count = digest.readings.count
        let read = phrases.opening(
            digest.basis, digest.stories.count, count,
            count + digest.omitted + digest.toldArticles + digest.muted,
            since: DateText.beginning(of: digest.period, in: timeZone, digest.language),
            sources: phrases.source(digest.sources))
        let left =
            (digest.toldArticles > 0 ? [phrases.toldArticles(digest.toldArticles)] : [])
            + (digest.muted > 0 ? [phrases.muted(digest.muted)] : [])
        opening =
            [([read] + left).joined(separator: phrases.semicolon + " ") + "."]
            + (digest.daysInARow > 1 ? [phrases.daysInARow(digest.daysInARow)] : [])
        let leading = digest.sections.first { $0.heading != .top }?.heading
        var number = 1
        sections = digest.sections.map { section in
            defer { number += section.stories.count }
            return Section(
                section, numberedFrom: number, leads: section.heading == leading,
                since: Day(digest.period.from, in: timeZone), basis: digest.basis, language: digest.language)
        }
        topics = zip(sections, digest.sections).map {
            Topic(name: $0.heading, articles: $1.total, count: phrases.article($1.total))
        }
        readingTimes = ReadingTimes(digest, timeZone: timeZone)
        closing = DigestOutline.closing(digest, isMailed: isMailed)
        let isRead = digest.basis == .read
        numbersHeading = isRead ? phrases.reading : phrases.topics
        articlesHeading = isRead ? phrases.articlesRead : phrases.articles
    }
}

extension DigestOutline {
    private static func title(_ digest: Digest, in zone: TimeZone) -> String {
        let (phrases, language) = (digest.language.phrases, digest.language)
        guard digest.isWeek else { return phrases.title(DateText.day(digest.date, in: zone, language)) }
        return phrases.week(
            DateText.dayAndMonth(digest.period.from, in: zone, language), DateText.date(digest.date, in: zone, language)
        )
    }

    static func closing(_ digest: Digest, isMailed: Bool = false) -> [String] {
        let phrases = digest.language.phrases
        return told(before: digest.toldBefore, phrases) + words(of: digest, phrases)
            + [isMailed ? phrases.readOnMailed : phrases.readOn]
    }

    private static let mostTold = 6

    private static func told(before stories: [Digest.Repeat], _ phrases: Phrases) -> [String] {
        stories.isEmpty ? [] : [phrases.toldBefore(list(stories.map(\.title), most: mostTold, phrases))]
    }

    /// Titles in a line, and how many more there are.
    static func list(_ titles: [String], most: Int, _ phrases: Phrases) -> String {
        let gap = phrases.semicolon + " "
        let more = titles.count > most ? gap + phrases.omitted(titles.count - most) : "."
        return titles.prefix(most).map { DisplayWidth.clip(PlainText.line($0), to: 80) }.joined(separator: gap) + more
    }

    /// Who wrote the sentences: the model or the publications.
    private static func words(of digest: Digest, _ phrases: Phrases) -> [String] {
        let told = digest.sections.flatMap(\.entries).filter { !$0.sentences.isEmpty }
        guard !told.isEmpty else { return [] }
        guard let model = digest.model.map({ PlainText.line($0.name) }) else {
            return [digest.unusable.map { phrases.unusable(PlainText.line($0)) } ?? phrases.ownWords]
        }
        let written = told.count { $0.sentences.contains { !$0.isQuotation } }
        guard written > 0 else {
            let words =
                switch digest.chosen {
                case nil, 0: phrases.nothingShown(model)
                case let stories?: phrases.chosen(model, stories, told.count)
                }
            return [words] + phrases.took(digest.timing.total)
        }
        return [phrases.writtenBy(model), phrases.inItsWords(written, told.count)]
            + phrases.checked(digest.check, refused: digest.refused)
    }
}

extension Phrases {
    /// The results of checking the model's sentences.
    func checked(_ mode: CheckMode, refused count: Int) -> [String] {
        switch mode {
        case .off: [unchecked]
        case .mark: count > 0 ? [marked(count)] : []
        case .replace: count > 0 ? [refused(count)] : []
        }
    }
}

extension DigestOutline.Section {
    init(
        _ section: Digest.Section, numberedFrom first: Int, leads: Bool, since: Day, basis: DigestBasis,
        language: Language
    ) {
        let phrases = language.phrases
        let everything = phrases.everything(basis)
        heading =
            switch section.heading {
            case .category(.general): leads ? everything : Category.general.title(in: language)
            case .category(let category): DisplayWidth.clip(category.title(in: language), to: 60)
            case .source(let name): DisplayWidth.clip(PlainText.line(name), to: 60)
            case .more: leads ? everything : phrases.more
            case .top: phrases.top
            }
        entries = section.entries.enumerated().map {
            DigestOutline.Entry($1, number: first + $0, basis: basis, in: language)
        }
        let next = first + section.entries.count
        titled = section.titled.enumerated().map {
            DigestOutline.Entry(Digest.Entry(story: $1, sentences: []), number: next + $0, basis: basis, in: language)
        }
        guard section.omitted > 0 else {
            omitted = nil
            return
        }
        let filter: String =
            switch section.heading {
            case .category(let category): " --category " + ShellWord.quoted(category.name)
            case .source(let name): " --source " + ShellWord.quoted(PlainText.line(name))
            case .more, .top: ""
            }
        omitted = DigestOutline.Omitted(
            count: phrases.omitted(section.omitted), label: phrases.listAll + phrases.colon,
            command: "pulse-digest "
                + (basis == .bookmarks
                    ? "bookmarks"
                    : (basis == .unread ? "feeds waiting" : "history list") + " --since \(since.text)" + filter)
                + " -n 9999")
    }
}

extension DigestOutline.Entry {
    /// Further sources become a number.
    private static let mostSources = 12

    /// - Parameters:
    ///   - basis: the digest's. With `.readAndUnread`, unread stories are marked.
    ///   - language: the digest's.
    init(_ entry: Digest.Entry, number: Int, basis: DigestBasis, in language: Language) {
        self.number = number
        lead = entry.story.lead
        let all = entry.story.articles.map(DigestOutline.Source.init)
        let byID = Dictionary(zip(entry.story.articles.map(\.id), all)) { first, _ in first }
        // A quotation names its source only if the story has several.
        let quoted: (Sentence) -> DigestOutline.Source? =
            Set(all.map(\.name)).count > 1 ? { $0.sources.first.flatMap { byID[$0] } } : { _ in nil }
        let days = entry.days.map { telling in
            Telling(
                label: DateText.weekday(telling.day, language, beginsLine: true) + language.phrases.colon,
                wording: Wording(telling.sentences, language.phrases.quotation, from: quoted))
        }
        let isCourse = days.count > 1
        lines = (isCourse ? days : []) + Self.differences(of: entry, language, from: quoted)
        let since = entry.update.map { DateText.weekday($0.day, language) }
        label =
            since.map { language.phrases.update($0, isComment: entry.isComment) + language.phrases.colon }
            ?? (days.count == 1 ? days[0].label : nil)
        let text = Wording(isCourse ? [] : entry.sentences, language.phrases.quotation)
        wording = text.text.isEmpty ? Wording(all[0].title) : text
        isHeadline = text.text.isEmpty
        isQuotation = !isHeadline && entry.sentences.allSatisfy(\.isQuotation)
        // An article with neither publication nor link is named by its title, which may be the text already.
        var names: Set<String> = [wording.text]
        var publications = all.filter { names.insert($0.name).inserted }
        // A quotation is followed by its publication. Others report the same in their own words.
        let cited = Set(entry.sentences.flatMap(\.sources))
        let quotedNames = Set(zip(entry.story.articles, all).filter { cited.contains($0.0.id) }.map(\.1.name))
        if isQuotation, !isCourse {
            let others = publications.filter { !quotedNames.contains($0.name) }
            publications.removeAll { !quotedNames.contains($0.name) }
            publications += others.prefix(1).map { $0.prefaced(language.phrases.alsoBy) } + others.dropFirst()
        }
        let more = publications.count - DigestOutline.Entry.mostSources
        let mark =
            basis == .readAndUnread && entry.story.isWaiting
            ? [DigestOutline.Source(note: language.phrases.notRead)] : []
        sources =
            (more > 0
                ? publications.prefix(DigestOutline.Entry.mostSources) + [DigestOutline.Source(note: "+\(more)")]
                : publications) + mark
    }

    /// The line on contradicting reports: “Killing at least nine” (Meridian Wire); “killing 12” (Copper Star).
    private static func differences(
        of entry: Digest.Entry, _ language: Language, from source: (Sentence) -> DigestOutline.Source?
    ) -> [Telling] {
        let phrases = language.phrases
        let sides = entry.differences.map { Wording([$0], phrases.quotation, from: source) }
        guard !sides.isEmpty else { return [] }
        return [
            Telling(label: phrases.differ + phrases.colon, wording: Wording(sides, separator: phrases.semicolon + " "))
        ]
    }

    /// The BCP 47 tag of the text's language if it is known and is not the digest's, for screen readers and
    /// hyphenation.
    func language(in digest: Language) -> String? {
        lead.writtenLanguage.flatMap { $0 == digest.code ? nil : $0 }
    }
}
