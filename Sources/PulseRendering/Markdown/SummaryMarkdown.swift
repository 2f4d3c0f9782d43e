public import PulseCore
import PulseText

/// The summary of one article in CommonMark.
public enum SummaryMarkdown {
    public static func render(_ summary: Summary) -> String {
        let source = DigestOutline.Source(summary.article)
        var blocks: [String] = []
        // Text from a pipe has no title.
        if !summary.article.title.isEmpty {
            blocks.append("# " + MarkdownText.link(MarkdownText.line(source.title), source.link))
            if !source.publication.isEmpty { blocks.append(MarkdownText.line(source.publication)) }
        }
        let told = summary.sentences.reduce("") { $0 + Sentence.gap(after: $0) + PlainText.line($1.text) }
        let text = told.isEmpty ? PlainText.line(summary.text) : told
        let phrases = Phrases(summary.language)
        var notes = text.isEmpty ? [phrases.nothingWritten] : []
        if summary.corrections.all > 0 { notes.append(phrases.corrected(summary.corrections.all)) }
        if summary.isShortened { notes.append(phrases.summaryShortened) }
        if summary.foreignLanguage != nil { notes.append(phrases.summaryNotTranslated) }
        blocks += [text, notes.joined(separator: " ")].filter { !$0.isEmpty }.map(MarkdownText.line)
        return blocks.joined(separator: "\n\n") + "\n"
    }
}
