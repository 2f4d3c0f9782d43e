public import PulseCore
import PulseText

/// The summary of one article as text, in pieces as it is written.
public struct SummaryText: Sendable {
    private let style: TextStyle
    private var wrapper: LineWrapper
    private let quotation: QuotationMarks
    private var last = ""

    /// - Parameter language: the user's.
    public init(style: TextStyle, language: Language) {
        self.style = style
        quotation = language.phrases.quotation
        self.wrapper = LineWrapper(width: style.width)
    }

    /// The article's title and source; empty if it has no title, as for piped text.
    public func heading(_ article: Article) -> String {
        guard !article.title.isEmpty else { return "" }
        let source = [article.source, article.url ?? ""].map(PlainText.line).filter { !$0.isEmpty }
        let title = style.clip(PlainText.line(article.title))
        var lines = style.link(style.bold(title), to: article.url, id: article.key) + "\n"
        if !source.isEmpty { lines += style.dim(source.joined(separator: " — ")) + "\n" }
        return lines + "\n"
    }

    /// The next sentence.
    public mutating func sentence(_ sentence: Sentence) -> String {
        defer { last = sentence.text }
        return wrapper.add(Sentence.gap(after: last) + Wording([sentence], quotation).marked)
    }

    /// The sentences as one paragraph, followed by the dimmed beginning of the next: lines without line endings, for a
    /// terminal that redraws them while a model writes.
    public func paragraph(_ sentences: [Sentence], unfinished: String) -> [String] {
        var runs = style.runs(Wording(sentences, quotation))
        if !unfinished.isEmpty { runs.append(style.unfinished(unfinished, after: sentences.last)) }
        return style.lines(runs)
    }

    /// The end of the text, and the notes.
    public mutating func closing(_ summary: Summary) -> String { end() + notes(summary) }

    /// The end of the text.
    public mutating func end() -> String { wrapper.finish() }

    /// The notes below the text.
    public func notes(_ summary: Summary) -> String {
        let notes = SummaryText.notes(summary)
        guard !notes.isEmpty else { return "" }
        return (summary.sentences.isEmpty ? "" : "\n") + style.aside(notes.joined(separator: " "))
    }

    public static func render(_ summary: Summary, style: TextStyle) -> String {
        let text = SummaryText(style: style, language: summary.language)
        let lines = text.paragraph(summary.sentences, unfinished: "").map { $0 + "\n" }
        return text.heading(summary.article) + lines.joined() + text.notes(summary)
    }

    /// Whether a model wrote the text, and what is missing.
    static func notes(_ summary: Summary) -> [String] {
        let phrases = summary.language.phrases
        return (summary.sentences.isEmpty ? [phrases.noSummary] : [])
            + words(of: summary, phrases)
            + (summary.isShortened ? [phrases.summaryShortened] : [])
    }

    private static func words(of summary: Summary, _ phrases: Phrases) -> [String] {
        guard let model = summary.model.map({ PlainText.line($0.name) }) else {
            return summary.unusable.map { [phrases.unusable(PlainText.line($0))] } ?? []
        }
        guard summary.sentences.contains(where: { !$0.isQuotation }) else {
            return [phrases.nothingShown(model)] + phrases.took(summary.timing.total)
        }
        return [phrases.writtenBy(model)] + phrases.checked(summary.check, refused: summary.refused)
    }

    static func wording(_ summary: Summary) -> Wording {
        Wording(summary.sentences, summary.language.phrases.quotation)
    }
}
