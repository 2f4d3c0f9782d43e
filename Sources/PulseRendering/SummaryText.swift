public import PulseCore

/// The summary of one article as text, piece by piece as it is made.
public struct SummaryText: Sendable {
    private let style: TextStyle
    private let phrases: Phrases
    private var wrapper: LineWrapper

    public init(style: TextStyle, language: Language) {
        self.style = style
        self.phrases = Phrases(language)
        self.wrapper = LineWrapper(width: style.width)
    }

    /// The article's title and where it is from; nothing where it has no title, as text from a pipe.
    public func heading(_ article: Article) -> String {
        guard !article.title.isEmpty else { return "" }
        let source = [article.source, article.url ?? ""].map(PlainText.line).filter { !$0.isEmpty }
        let title = style.clip(PlainText.line(article.title))
        var lines = style.link(style.bold(title), to: article.url, id: article.key) + "\n"
        if !source.isEmpty { lines += style.dim(source.joined(separator: " — ")) + "\n" }
        return lines + "\n"
    }

    public mutating func text(_ piece: String) -> String { wrapper.add(PlainText.printable(piece)) }

    /// The end of the text, and what to know about it.
    public mutating func closing(isShortened: Bool, isForeign: Bool = false) -> String {
        let notes = (isShortened ? [phrases.summaryShortened] : []) + (isForeign ? [phrases.summaryNotTranslated] : [])
        let end = wrapper.finish()
        return notes.isEmpty ? end : end + "\n" + style.aside(notes.joined(separator: " "))
    }

    public static func render(_ summary: Summary, style: TextStyle) -> String {
        var text = SummaryText(style: style, language: summary.language)
        return text.heading(summary.article) + text.text(summary.text)
            + text.closing(isShortened: summary.isShortened, isForeign: summary.foreignLanguage != nil)
    }
}
