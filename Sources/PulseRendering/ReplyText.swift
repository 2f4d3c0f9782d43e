public import PulseCore
import PulseText

public import struct Foundation.Date
public import struct Foundation.TimeZone

/// The reply to a question as text, in pieces as it is written: the answer with numbered sources, or the nearest
/// passages. Without passages, the sentences of a summary.
public struct ReplyText: Sendable {
    private let style: TextStyle
    private let language: Language
    private let numbers: [String: String]?
    private var wrapper: LineWrapper
    private var last = ""

    /// - Parameters:
    ///   - language: The reader's.
    ///   - numbers: See `Reply.numbers`.
    public init(style: TextStyle, language: Language, numbers: [String: String]? = nil) {
        self.style = style
        self.language = language
        self.numbers = numbers
        wrapper = LineWrapper(width: style.width)
    }

    // MARK: - The answer

    /// The sentences as one paragraph, followed by the dimmed beginning of the next: lines without line endings, for a
    /// terminal that redraws them while a model writes.
    public func paragraph(_ sentences: [Sentence], of passages: [Passage], unfinished: String = "") -> [String] {
        var runs: [TextStyle.Run] = []
        for (index, sentence) in sentences.enumerated() {
            let gap = index == 0 ? "" : Sentence.gap(after: sentences[index - 1].text)
            runs += [.init(gap)] + style.runs(Wording([sentence], language.phrases.quotation))
            runs.append(.init(Self.numbers(of: sentence, in: sentences, passages, numbers), style: style.dim))
        }
        if !unfinished.isEmpty {
            let gap = Sentence.gap(after: sentences.last?.text ?? "")
            runs.append(.init(gap + PlainText.line(unfinished) + "…", style: style.dim))
        }
        return style.lines(runs.filter { !$0.text.isEmpty })
    }

    /// The last of these sentences, to be printed after the others.
    public mutating func sentence(endOf sentences: [Sentence], of passages: [Passage]) -> String {
        guard let sentence = sentences.last else { return "" }
        defer { last = sentence.text }
        return wrapper.add(
            Sentence.gap(after: last) + Wording([sentence], language.phrases.quotation).marked
                + Self.numbers(of: sentence, in: sentences, passages, numbers))
    }

    /// The beginning of the next sentence, as `sentence` prints it without wrapping.
    public func beginning(_ text: String) -> String { Sentence.gap(after: last) + PlainText.line(text) }

    public mutating func end() -> String { wrapper.finish() }

    /// ` [a1, a3]`
    static func numbers(
        of sentence: Sentence, in sentences: [Sentence], _ passages: [Passage], _ numbers: [String: String]?
    ) -> String {
        let cited = Reply.cited(by: sentences, in: passages).map(\.article.id)
        let own = sentence.sources.compactMap { id in
            numbers.map { $0[id] } ?? cited.firstIndex(of: id).map { Reply.name(ofSource: $0 + 1) }
        }
        // As numbers: a2 before a10.
        let sorted = own.sorted { ($0.count, $0) < ($1.count, $1) }
        return own.isEmpty ? "" : " [" + sorted.joined(separator: ", ") + "]"
    }

    // MARK: - Sources and notes

    /// What follows the answer; the nearest passages if there is no answer.
    public func closing(_ reply: Reply) -> String {
        func asides(_ notes: [String?]) -> String {
            let readOn = Self.numbered(reply).first.map { reply.language.phrases.readOn($0.number) }
            return (notes + [Self.wordsOnly(reply), readOn]).compactMap(\.self).map { style.aside($0) }.joined()
        }
        guard reply.sentences.isEmpty else {
            let sources = Self.sources(of: reply).map { entry($0.number, $0.reading) }
            return "\n" + sources.joined() + "\n"
                + asides([Self.filters(reply, in: style.timeZone), Self.writer(reply)])
        }
        let notes = Self.notes(reply, in: style.timeZone).map { style.paragraph($0) }.joined()
        guard !reply.passages.isEmpty else { return notes + asides([]) }
        let passages = reply.passages.enumerated().map {
            entry(Reply.name(ofSource: $0 + 1), $1.reading, quoting: $1)
        }
        return notes + style.paragraph(language.phrases.nearest(reply.basis)) + "\n" + passages.joined() + "\n"
            + asides([reply.isUnanswered ? nil : Self.writer(reply)])
    }

    static func wordsOnly(_ reply: Reply) -> String? {
        reply.byWordsOnly > 0 ? reply.language.phrases.byWordsOnly(reply.byWordsOnly) : nil
    }

    /// The notes above the nearest passages, if there is no answer.
    static func notes(_ reply: Reply, in zone: TimeZone) -> [String] {
        let phrases = reply.language.phrases
        if reply.passages.isEmpty, let searched = reply.searched, !searched.isBeyond {
            return [phrases.nothingOf(name(searched, zone, reply.language))]
        }
        let missing = reply.missing.prefix(3).map { phrases.quotation($0) }
        let wasAsked = reply.model != nil && !reply.question.isEmpty
        return [
            reply.isUnrelated
                ? phrases.nothingAbout(reply.basis)
                : reply.isUnanswered || reply.passages.isEmpty
                    ? phrases.nothingSaysSo(reply.basis) : wasAsked ? phrases.noAnswer : nil,
            missing.isEmpty ? nil : phrases.noArticleHas(missing), filters(reply, in: zone),
        ].compactMap(\.self)
    }

    /// The filters of the question; nil if it has none.
    static func filters(_ reply: Reply, in zone: TimeZone) -> String? {
        guard let searched = reply.searched else { return nil }
        let (phrases, name) = (reply.language.phrases, name(searched, zone, reply.language))
        guard searched.isBeyond else { return phrases.searched(name) }
        return phrases.searchedBeyond(name, searched.kept.isEmpty ? nil : searched.kept.joined(separator: ", "))
    }

    private static func name(_ searched: AppliedFilter, _ zone: TimeZone, _ language: Language) -> String {
        (searched.sources + [searched.period.map { DateText.days(of: $0, in: zone, language) }].compactMap(\.self))
            .joined(separator: ", ")
    }

    static func sources(of reply: Reply) -> [(number: String, reading: Reading)] {
        Array(numbered(reply).prefix(reply.listedCount))
    }

    static func numbered(_ reply: Reply) -> [(number: String, reading: Reading)] {
        reply.sources.enumerated().map { (reply.numbers?[$1.article.id] ?? Reply.name(ofSource: $0 + 1), $1) }
    }

    /// Who wrote the answer, and how many sentences were refused.
    static func writer(_ reply: Reply) -> String? {
        let phrases = reply.language.phrases
        guard let model = reply.model.map({ PlainText.line($0.name) }) else {
            return reply.unusable.map { phrases.unusable(PlainText.line($0)) }
        }
        guard reply.sentences.contains(where: { !$0.isQuotation }) else {
            let words = reply.quotesOnly ? phrases.quotesOnly(model) : phrases.nothingShown(model)
            return ([words] + phrases.took(reply.timing.total)).joined(separator: " ")
        }
        // Refused sentences are left out and not replaced by quotations.
        let checked = reply.check == .replace ? [] : phrases.checked(reply.check, refused: reply.refused)
        return ([phrases.writtenBy(model)] + checked).joined(separator: " ")
    }

    /// A numbered article: its title, publication and day, and the quoted passage.
    private func entry(_ number: String, _ reading: Reading, quoting passage: Passage? = nil) -> String {
        let source = DigestOutline.Source(reading.article)
        let indent = 4
        var runs: [TextStyle.Run] = [
            .init(source.title) { style.link($0, to: source.link?.address, id: "source\(number)") }
        ]
        runs.append(.init(" — " + Self.citation(of: reading, language, style.timeZone), style: style.dim))
        var lines = style.lines(runs, indent: indent)
        if let passage, passage.text != reading.article.title {
            lines += style.lines([.init(language.phrases.quotation(PlainText.line(passage.text)))], indent: indent)
        }
        if let others = passage.flatMap({ Self.others(of: $0, language.phrases) }) {
            lines += style.lines([.init(others, style: style.dim)], indent: indent)
        }
        let label = number.padding(to: indent - 2, atFront: true).padding(to: indent)
        let margin = String(repeating: " ", count: indent)
        return lines.enumerated().map { ($0 == 0 ? style.dim(label) : margin) + $1 + "\n" }.joined()
    }

    /// The other reports of a passage's story; nil: none.
    static func others(of passage: Passage, _ phrases: Phrases) -> String? {
        let titles = passage.others.map { DigestOutline.Source($0.article) }.map { source in
            source.name == source.title ? source.title : "\(source.title) — \(source.name)"
        }
        return titles.isEmpty ? nil : phrases.also + " " + DigestOutline.list(titles, most: 3, phrases)
    }

    /// The publication, and the days of publication and of reading: `The Herald, 18 November 2026, read 21 November`.
    static func citation(of reading: Reading, _ language: Language, _ zone: TimeZone) -> String {
        let source = DigestOutline.Source(reading.article)
        let name = source.name == source.title ? "" : source.name
        let published = reading.article.publishedAt.map { DateText.date($0, in: zone, language) }
        var read: String? = DateText.date(reading.readAt, in: zone, language)
        if reading.basis == .read {
            if published == read || published != nil && !reading.isExact {
                read = nil
            } else {
                let isSameYear = published.map { $0.suffix(4) == read?.suffix(4) } ?? false
                let day = isSameYear ? DateText.dayAndMonth(reading.readAt, in: zone, language) : read
                read = day.map(language.phrases.readDay)
            }
        } else if published != nil {
            read = nil
        }
        return [name, published, read].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

/// A reply in CommonMark.
public enum ReplyMarkdown {
    /// - Parameter day: The day of the question; nil: not shown.
    public static func render(_ reply: Reply, timeZone: TimeZone, on day: Date? = nil) -> String {
        let phrases = reply.language.phrases
        var blocks = reply.question.isEmpty ? [] : ["# " + MarkdownText.line(reply.question)]
        if let day { blocks.append(MarkdownText.line(DateText.date(day, in: timeZone, reply.language))) }
        func item(_ number: String, _ reading: Reading, _ passage: Passage? = nil) -> String {
            let source = DigestOutline.Source(reading.article)
            let lines = [
                passage.map { phrases.quotation(PlainText.line($0.text)) },
                passage.flatMap { ReplyText.others(of: $0, phrases) },
            ]
            return "- \(number): " + MarkdownText.link(MarkdownText.line(source.title), source.link) + " — "
                + MarkdownText.line(ReplyText.citation(of: reading, reply.language, timeZone))
                + lines.compactMap(\.self).map { "\\\n   " + MarkdownText.line($0) }.joined()
        }
        if reply.sentences.isEmpty {
            blocks += ReplyText.notes(reply, in: timeZone).map { MarkdownText.line($0) }
            if !reply.passages.isEmpty {
                blocks.append(MarkdownText.line(phrases.nearest(reply.basis)))
                blocks.append(
                    reply.passages.enumerated().map { item(Reply.name(ofSource: $0 + 1), $1.reading, $1) }
                        .joined(separator: "\n"))
            }
            if let note = ReplyText.wordsOnly(reply) { blocks.append(MarkdownText.line(note)) }
        } else {
            let text = reply.sentences.map { sentence in
                Wording([sentence], phrases.quotation).marked
                    + ReplyText.numbers(of: sentence, in: reply.sentences, reply.passages, reply.numbers)
            }.joined(separator: " ")
            blocks.append(MarkdownText.line(text))
            blocks.append(
                ReplyText.sources(of: reply).map { item($0.number, $0.reading) }.joined(separator: "\n"))
            let notes = [
                ReplyText.filters(reply, in: timeZone), ReplyText.writer(reply), ReplyText.wordsOnly(reply),
            ].compactMap(\.self)
            if !notes.isEmpty { blocks += ["---"] + notes.map { MarkdownText.line($0) } }
        }
        return blocks.joined(separator: "\n\n") + "\n"
    }
}

/// A reply as JSON, version 1: one object with its keys in alphabetical order. The schema is docs/ask.schema.json.
public enum ReplyJSON {
    public static func render(_ reply: Reply) -> String { JSONText.render(Document(reply)) }

    private struct Document: Encodable {
        let version = 1
        let question, verdict: String?
        let searched: SearchedJSON?
        let missing: [String]
        let byWordsOnly: Int
        let sources: [SourceJSON]
        let answer: [SentenceJSON]
        let passages: [PassageJSON]
        let articles: [ArticleJSON]
        let model: ModelIdentity?
        let timing: TimingJSON

        init(_ reply: Reply) {
            question = reply.question.isEmpty ? nil : reply.question
            verdict = reply.question.isEmpty ? nil : ReplyJSON.outcome(reply)
            searched = reply.searched.map(SearchedJSON.init)
            missing = reply.missing
            byWordsOnly = reply.byWordsOnly
            sources = ReplyText.numbered(reply).map { SourceJSON(number: $0, article: $1.article.key) }
            answer = reply.sentences.map(SentenceJSON.init)
            passages = reply.passages.map(PassageJSON.init)
            articles = reply.passages.flatMap { [$0.reading] + $0.others }.map { ArticleJSON($0) }
            model = reply.model
            timing = TimingJSON(reply.timing)
        }
    }

    private static func outcome(_ reply: Reply) -> String {
        if !reply.sentences.isEmpty { return "answered" }
        if reply.isUnanswered { return "nothing" }
        return reply.model == nil ? "not_asked" : "unproven"
    }

    private struct SearchedJSON: Encodable {
        let from, to: Date?
        let sources: [String]
        let beyond: Bool

        init(_ searched: AppliedFilter) {
            from = searched.period.flatMap { $0.from == .distantPast ? nil : $0.from }
            to = searched.period?.to
            sources = searched.sources
            beyond = searched.isBeyond
        }
    }

    private struct SourceJSON: Encodable { let number, article: String }

    private struct PassageJSON: Encodable {
        let article, sourceID, text: String
        /// Only if the passage was found by similarity.
        let score: Double?

        init(_ passage: Passage) {
            article = passage.reading.article.key
            sourceID = passage.reading.article.id
            text = passage.text
            score = passage.score.map { ($0 * 1000).rounded() / 1000 }
        }
    }
}
