/// How one article is to be summarised: in one prompt where it fits, else piece by piece, so that the whole of it is
/// read. The summaries of the pieces are an article of their own, summarised in turn.
public struct SummaryPlan: Sendable, Hashable {
    /// The beginning of an article that does not fit, where it is not to be summarised before the rest is.
    public let opening: String?
    /// One for the article, or one a piece of what comes after its opening; never none.
    public let prompts: [Prompt]
    /// The front of the article, as much as fits into one prompt.
    public let front: Prompt
    /// What of the article is in the opening and the prompts.
    public let article: Article
    /// True where its beginning is read only, because it is longer than any article: a book piped in.
    public let isShortened: Bool

    /// More than so many times what one prompt holds is not read; at the usual lengths of context it is a text of 50,000
    /// words and more.
    public static let mostPieces = 16

    /// - Parameters:
    ///   - opening: Of an article that does not fit, so many tokens stand beside the summaries of the rest as they are.
    ///   - limit: The largest number of tokens of a prompt.
    ///   - measure: The number of tokens of a whole prompt, the chat template's own included.
    ///   - count: The number of tokens of a text.
    /// - Returns: nil where not even the start of the text fits.
    public init?(
        article: Article, template: PromptTemplate, opening openingTokens: Int? = nil, limit: Int,
        measure: (Prompt) -> Int, count: (String) -> Int
    ) {
        guard
            let first = SummaryPrompt(
                article: article, template: template, limit: limit, measure: measure, count: count)
        else { return nil }
        front = first.prompt
        guard first.isShortened else {
            opening = nil
            prompts = [first.prompt]
            self.article = article
            isShortened = false
            return
        }
        var tokens = limit - measure(SummaryPrompt.make(article, text: "", template: template))
        let excerpt = Excerpt(of: article.text, tokens: tokens * SummaryPlan.mostPieces, count: count)
        var read = article
        read.content = excerpt.text
        // A joint between the text and the template may cost a token or two more than counted.
        while tokens >= PromptLimits.shortestExcerpt {
            let texts = ArticlePieces.split(
                read.content, tokens: tokens, opening: openingTokens.map { min(tokens / 2, $0) }, count: count)
            let pieces = openingTokens != nil && texts.count > 1 ? texts.dropFirst() : texts[...]
            let prompts = pieces.map { SummaryPrompt.make(article, text: $0, template: template) }
            if !prompts.isEmpty, prompts.allSatisfy({ measure($0) <= limit }) {
                opening = pieces.startIndex > 0 ? texts[0] : nil
                self.prompts = prompts
                self.article = read
                isShortened = excerpt.isShortened
                return
            }
            tokens -= max(8, tokens / 16)
        }
        // What makes no pieces that fit has a beginning that does.
        opening = nil
        prompts = [first.prompt]
        self.article = article
        isShortened = true
    }

    /// The article that the opening and the summaries of the pieces make: what is to be summarised next. Nil where it is
    /// not shorter, so that no number of rounds would help.
    public func merged(_ summaries: [String]) -> Article? {
        let summaries = summaries.filter { !$0.isEmpty }
        var merged = article
        merged.content = ([opening].compactMap(\.self) + summaries).joined(separator: "\n\n")
        guard !merged.content.isEmpty, merged.content.utf8.count < article.text.utf8.count else { return nil }
        return merged
    }

    /// Whether there is more than one round to it.
    public var isDivided: Bool { opening != nil || prompts.count > 1 }
}
