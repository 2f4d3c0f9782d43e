public import PulseCore

/// The prompt for the summary of one article, its text shortened until it fits the model.
public struct SummaryPrompt: Sendable, Hashable {
    public let prompt: Prompt
    /// True where the prompt holds the front of the text only.
    public let isShortened: Bool

    /// A model reads so many tokens of an article at most: news says the rest of what matters in its first two pages,
    /// and reading more takes a small machine minutes.
    private static let mostTokens = 3000

    /// - Parameters:
    ///   - limit: The largest number of tokens of the whole prompt.
    ///   - measure: The number of tokens of a whole prompt, the chat template's own included.
    ///   - count: The number of tokens of a text.
    /// - Returns: nil where not even the start of the text fits.
    public init?(
        article: Article, template: PromptTemplate, language: Language, limit: Int, measure: (Prompt) -> Int,
        count: (String) -> Int
    ) {
        func make(_ text: String) -> Prompt {
            let category = article.category.title(in: language)
            return Prompt(
                system: template.fill("system", with: ["category": category]),
                user: template.fill(
                    "user",
                    with: ["category": category, "title": article.title, "source": article.source, "text": text]))
        }
        // What is left for the text is known at once; the joints between text and template may cost a token or two
        // more than counted, hence the second try.
        var tokens = min(limit - measure(make("")), SummaryPrompt.mostTokens)
        while tokens >= Excerpt.shortest {
            let excerpt = Excerpt(of: article.text, tokens: tokens, count: count)
            let prompt = make(excerpt.text)
            if measure(prompt) <= limit {
                self.prompt = prompt
                self.isShortened = excerpt.isShortened
                return
            }
            tokens -= max(8, tokens / 16)
        }
        return nil
    }
}
