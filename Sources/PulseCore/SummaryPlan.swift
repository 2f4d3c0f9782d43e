/// How one article is to be summarised: in one prompt where it fits, else piece by piece, so that the whole of it is
/// read. The summaries of the pieces are an article of their own, summarised in turn.
public struct SummaryPlan: Sendable, Hashable {
    /// One, or one a piece; never none.
    public let prompts: [Prompt]
    /// What of the article is in them.
    public let article: Article
    /// True where its beginning is read only: for a model that is better so, and for what is longer than any article,
    /// a book piped in.
    public let isShortened: Bool

    /// More pieces than this are not read; at the usual lengths of context it is a text of 50,000 words and more.
    public static let mostPieces = 16

    /// - Parameters:
    ///   - lead: Of an article that does not fit, so many tokens are read and no more; nil: all of it, in pieces.
    ///   - limit: The largest number of tokens of a prompt.
    ///   - measure: The number of tokens of a whole prompt, the chat template's own included.
    ///   - count: The number of tokens of a text.
    /// - Returns: nil where not even the start of the text fits.
    public init?(
        article: Article, template: PromptTemplate, lead: Int? = nil, limit: Int, measure: (Prompt) -> Int,
        count: (String) -> Int
    ) {
        guard
            let first = SummaryPrompt(
                article: article, template: template, limit: limit, measure: measure, count: count)
        else { return nil }
        guard first.isShortened else {
            prompts = [first.prompt]
            self.article = article
            isShortened = false
            return
        }
        if let lead {
            let excerpt = Excerpt(of: article.text, tokens: lead, count: count)
            let prompt = SummaryPrompt.make(article, text: excerpt.text, template: template)
            let isShort = measure(prompt) <= limit
            prompts = [isShort ? prompt : first.prompt]
            self.article = article
            isShortened = true
            return
        }
        var tokens = limit - measure(SummaryPrompt.make(article, text: "", template: template))
        let excerpt = Excerpt(of: article.text, tokens: tokens * SummaryPlan.mostPieces, count: count)
        var read = article
        read.content = excerpt.text
        // A joint between the text and the template may cost a token or two more than counted.
        while tokens >= PromptLimits.shortestExcerpt {
            let prompts = ArticlePieces.split(read.content, tokens: tokens, count: count)
                .map { SummaryPrompt.make(article, text: $0, template: template) }
            if !prompts.isEmpty, prompts.allSatisfy({ measure($0) <= limit }) {
                self.prompts = prompts
                self.article = read
                isShortened = excerpt.isShortened
                return
            }
            tokens -= max(8, tokens / 16)
        }
        // What makes no pieces that fit has a beginning that does.
        self.prompts = [first.prompt]
        self.article = article
        isShortened = true
    }

    /// The article that the summaries of the pieces make: what is to be summarised next. Nil where it is not shorter,
    /// so that no number of rounds would help.
    public func merged(_ summaries: [String]) -> Article? {
        var merged = article
        merged.content = summaries.filter { !$0.isEmpty }.joined(separator: "\n\n")
        guard !merged.content.isEmpty, merged.content.utf8.count < article.text.utf8.count else { return nil }
        return merged
    }
}
