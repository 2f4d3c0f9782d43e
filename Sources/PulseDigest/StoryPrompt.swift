public import PulseCore

/// The prompt for one story of a digest: its reports and nothing of any other, so that nothing can be mixed and every
/// sentence of the answer is the story's.
public enum StoryPrompt {
    /// A third report adds little that a sentence or two could hold.
    public static let mostReports = 3
    /// Tokens of each report's text: its lead, in which news says what matters, since reading costs time.
    private static let reportTokens = 120

    /// The articles that stand in the prompt, and that its answer is checked against: of different publications first.
    public static func reports(of story: Story) -> [Article] {
        var seen: Set<String> = []
        let (first, again) = story.articles.reduce(into: ([Article](), [Article]())) { parts, article in
            if seen.insert(article.source).inserted { parts.0.append(article) } else { parts.1.append(article) }
        }
        return Array((first + again).prefix(mostReports))
    }

    /// - Parameters:
    ///   - limit: The largest number of tokens of the whole prompt.
    ///   - measure: The number of tokens of a whole prompt, the chat template's own included.
    ///   - count: The number of tokens of a text.
    /// - Returns: nil where not even the front of its first report fits.
    public static func make(
        _ story: Story, template: PromptTemplate, language: Language, limit: Int, measure: (Prompt) -> Int,
        count: (String) -> Int
    ) -> Prompt? {
        let all = reports(of: story)
        let category = story.category.title(in: language)
        for reports in stride(from: all.count, through: 1, by: -1).map({ all.prefix($0) }) {
            var tokens = reportTokens
            while tokens >= Excerpt.shortest {
                let articles = reports.enumerated().map { index, article in
                    template.fill(
                        "article",
                        with: [
                            "number": "\(index + 1)", "title": article.title, "source": article.source,
                            "text": Excerpt(of: article.text, tokens: tokens, count: count).text,
                        ])
                }.joined(separator: "\n\n")
                let prompt = Prompt(
                    system: template.fill("system", with: ["category": category]),
                    user: template.fill(
                        "user", with: ["category": category, "articles": articles, "count": "\(reports.count)"]))
                if measure(prompt) <= limit { return prompt }
                tokens = tokens * 3 / 4
            }
        }
        return nil
    }
}
