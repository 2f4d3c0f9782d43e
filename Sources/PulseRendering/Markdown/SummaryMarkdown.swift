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
        blocks += [PlainText.line(summary.text), SummaryText.notes(summary).joined(separator: " ")]
            .filter { !$0.isEmpty }.map(MarkdownText.line)
        return blocks.joined(separator: "\n\n") + "\n"
    }
}
