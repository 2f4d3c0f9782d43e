/// How much a prompt may hold, in the model's own tokens.
public struct TokenBudget: Sendable, Hashable {
    /// The largest number of tokens of a whole prompt, the chat template's own included.
    public let prompt: Int
    /// The largest number of tokens of one article's text.
    public let article: Int

    public init(prompt: Int, article: Int) {
        self.prompt = prompt
        self.article = article
    }
}
