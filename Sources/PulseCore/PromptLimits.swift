/// Bounds on what an article may put into a prompt beside its text: a title of 100 KB is not a title.
enum PromptLimits {
    /// Tokens. Below this an excerpt says nothing any more, and leaving an article out says more than keeping it.
    static let shortestExcerpt = 24

    static func title(of article: Article) -> String { clip(article.title, to: 200) }
    static func source(of article: Article) -> String { clip(article.source, to: 80) }

    private static func clip(_ text: String, to characters: Int) -> String {
        guard text.count > characters else { return text }
        return text.prefix(characters - 1) + "…"
    }
}
