public import PulseCore

/// An article to share: `title — source` and its URL.
public enum ShareText {
    /// Two lines; one if the article has no URL.
    public static func render(_ article: Article) -> String {
        let source = DigestOutline.Source(article)
        return ([line(source)] + [source.link?.address].compactMap(\.self)).joined(separator: "\n") + "\n"
    }

    /// `[title — source](<address>)`
    public static func markdown(_ article: Article) -> String {
        let source = DigestOutline.Source(article)
        return MarkdownText.link(MarkdownText.line(line(source)), source.link) + "\n"
    }

    private static func line(_ source: DigestOutline.Source) -> String {
        [source.title, source.publication].filter { !$0.isEmpty }.joined(separator: " — ")
    }
}
