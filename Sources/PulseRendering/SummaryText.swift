public import PulseCore
import PulseText

/// The summary of one article as text, piece by piece as it is made.
public struct SummaryText: Sendable {
    private let style: TextStyle
    private let phrases: Phrases
    private var wrapper: LineWrapper
    private var last = ""

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

    /// The next sentence.
    public mutating func sentence(_ sentence: Sentence) -> String {
        let text = PlainText.line(sentence.text)
        defer { last = text }
        return wrapper.add(Sentence.gap(after: last) + text)
    }

    /// The end of the text, and what to know about it.
    public mutating func closing(_ summary: Summary) -> String {
        let end = wrapper.finish()
        var notes: [String] = []
        if last.isEmpty { notes.append(phrases.nothingWritten) }
        if summary.corrections.all > 0 { notes.append(phrases.corrected(summary.corrections.all)) }
        if summary.isShortened { notes.append(phrases.summaryShortened) }
        if summary.foreignLanguage != nil { notes.append(phrases.summaryNotTranslated) }
        guard !notes.isEmpty else { return end }
        return end + (last.isEmpty ? "" : "\n") + style.aside(notes.joined(separator: " "))
    }

    public static func render(_ summary: Summary, style: TextStyle) -> String {
        var text = SummaryText(style: style, language: summary.language)
        var lines = text.heading(summary.article)
        for sentence in summary.sentences { lines += text.sentence(sentence) }
        return lines + text.closing(summary)
    }
}
