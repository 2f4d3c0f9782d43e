public import PulseCore
import PulseText

/// The summary of one article as text, in pieces as it is written.
public struct SummaryText: Sendable {
    private let style: TextStyle
    private var wrapper: LineWrapper
    private var last = ""

    public init(style: TextStyle) {
        self.style = style
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
        let notes = SummaryText.notes(summary)
        guard !notes.isEmpty else { return end }
        return end + (last.isEmpty ? "" : "\n") + style.aside(notes.joined(separator: " "))
    }

    public static func render(_ summary: Summary, style: TextStyle) -> String {
        var text = SummaryText(style: style)
        var lines = text.heading(summary.article)
        for sentence in summary.sentences { lines += text.sentence(sentence) }
        return lines + text.closing(summary)
    }

    /// That a model wrote, where it did, and what is missing.
    static func notes(_ summary: Summary) -> [String] {
        let phrases = summary.language.phrases
        return (summary.sentences.isEmpty ? [phrases.nothingToTell] : [])
            + (summary.model.map { model in
                summary.sentences.contains { $0.origin == .written }
                    ? [phrases.writtenBy(PlainText.line(model.name))] : []
            } ?? [])
            + (summary.refused > 0 ? [phrases.refused(summary.refused)] : [])
            + (summary.isShortened ? [phrases.summaryShortened] : [])
    }
}
