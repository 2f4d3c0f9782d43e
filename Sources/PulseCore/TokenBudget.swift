/// How much a prompt may hold, in the model's own tokens.
public struct TokenBudget: Sendable, Hashable {
    /// The largest number of tokens of a whole prompt, the chat template's own included.
    public let prompt: Int
    /// The largest number of tokens of one article's text.
    public let article: Int
    /// The largest number of tokens of what stands for an article, its summary.
    public let summary: Int

    /// - Parameter summary: nil: as many as of the article's own text.
    public init(prompt: Int, article: Int, summary: Int? = nil) {
        self.prompt = prompt
        self.article = article
        self.summary = summary ?? article
    }
}
