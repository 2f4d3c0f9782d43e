public import PulseCore
import PulseText

/// The summary of one article as text: heading and notes. `ReplyText` lays out the sentences.
public enum SummaryText {
    /// The article's title and source; empty if it has no title, as for piped text.
    public static func heading(_ article: Article, style: TextStyle) -> String {
        guard !article.title.isEmpty else { return "" }
        let source = [article.source, article.url ?? ""].map(PlainText.line).filter { !$0.isEmpty }
        let title = style.clip(PlainText.line(article.title))
        var lines = style.link(style.bold(title), to: article.url, id: article.key) + "\n"
        if !source.isEmpty { lines += style.dim(source.joined(separator: " — ")) + "\n" }
        return lines + "\n"
    }

    /// The notes below the text.
    public static func closing(_ summary: Summary, style: TextStyle) -> String {
        let notes = notes(summary)
        guard !notes.isEmpty else { return "" }
        return (summary.sentences.isEmpty ? "" : "\n") + style.aside(notes.joined(separator: " "))
    }

    public static func render(_ summary: Summary, style: TextStyle) -> String {
        let lines = ReplyText(style: style, language: summary.language).paragraph(summary.sentences, of: [])
        return heading(summary.article, style: style) + lines.map { $0 + "\n" }.joined()
            + closing(summary, style: style)
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
