public import PulseCore

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
        blocks += summary.text.split(separator: "\n\n").map { MarkdownText.line(String($0)) }
        if summary.isShortened { blocks.append(MarkdownText.line(Phrases(summary.language).summaryShortened)) }
        if summary.foreignLanguage != nil {
            blocks.append(MarkdownText.line(Phrases(summary.language).summaryNotTranslated))
        }
        return blocks.joined(separator: "\n\n") + "\n"
    }
}
