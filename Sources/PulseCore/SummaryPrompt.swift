/// The prompt for the summary of one article, its text shortened until it fits the model.
public struct SummaryPrompt: Sendable, Hashable {
    public let prompt: Prompt
    /// True where the prompt holds the front of the text only.
    public let isShortened: Bool

    /// - Parameters:
    ///   - limit: The largest number of tokens of the whole prompt.
    ///   - measure: The number of tokens of a whole prompt, the chat template's own included.
    ///   - count: The number of tokens of a text.
    /// - Returns: nil where not even the start of the text fits.
    public init?(
        article: Article, template: PromptTemplate, limit: Int, measure: (Prompt) -> Int, count: (String) -> Int
    ) {
        // What is left for the text is known at once; the joints between text and template may cost a token or two
        // more than counted, hence the second try.
        var tokens = limit - measure(SummaryPrompt.make(article, text: "", template: template))
        while tokens >= PromptLimits.shortestExcerpt {
            let excerpt = Excerpt(of: article.text, tokens: tokens, count: count)
            let prompt = SummaryPrompt.make(article, text: excerpt.text, template: template)
            if measure(prompt) <= limit {
                self.prompt = prompt
                self.isShortened = excerpt.isShortened
                return
            }
            tokens -= max(8, tokens / 16)
        }
        return nil
    }

    /// The prompt with this of the article's text in it.
    static func make(_ article: Article, text: String, template: PromptTemplate) -> Prompt {
        let category = [Prompt.Part(article.category.title)]
        return Prompt(
            system: template.fill("system", with: ["category": category]).map(\.text).joined(),
            user: template.fill(
                "user",
                with: [
                    "category": category,
                    "title": [Prompt.Part(PromptLimits.title(of: article))],
                    "source": [Prompt.Part(PromptLimits.source(of: article))],
                    "text": [Prompt.Part(text, article: 0)],
                ]))
    }

    /// A summary in the source's own sentences begins with one of the first three: news says there what happened, and a
    /// line that is none of it, such as a caption, may stand before.
    public static let openingSentences = 3
}
