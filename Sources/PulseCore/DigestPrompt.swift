import PulseText

/// The prompt for one category of a digest, its articles shortened until it fits the model.
public struct DigestPrompt: Sendable, Hashable {
    public let category: Category
    public let prompt: Prompt
    /// The stories that are in the prompt, each by its lead, in its order; their numbers in the prompt are their places
    /// here.
    public let stories: [Story]
    /// How many of the leads are in the prompt with the front of their text only.
    public let shortened: Int
    /// How many of the category's articles the digest leaves out, by the selection or because nothing more fitted.
    public let omitted: Int
    /// The language the stories are told in where it is not the reader's: `pt`, `und-Cyrl`.
    public let foreignLanguage: String?

    /// Every article of the stories, in their order.
    public var readings: [Reading] { stories.flatMap(\.readings) }

    /// - Parameters:
    ///   - language: The template's, for the category's name.
    ///   - texts: What is read in an article's place, by its id: the summary of a long one.
    ///   - measure: The number of tokens of a whole prompt, the chat template's own included.
    ///   - count: The number of tokens of a text.
    /// - Returns: nil where not even the first article's title fits.
    public init?(
        section: Selection.Section, template: PromptTemplate, language: Language = .english,
        texts: [String: String] = [:], budget: TokenBudget, measure: (Prompt) -> Int, count: (String) -> Int
    ) {
        func make(_ stories: some Collection<Story>, tokens: Int) -> (Prompt, shortened: Int) {
            var parts: [Prompt.Part] = []
            var shortened = 0
            for (index, article) in stories.map(\.lead).enumerated() {
                let whole = texts[article.id]
                let excerpt = Excerpt(
                    of: whole ?? article.text, tokens: whole == nil ? tokens : budget.summary * tokens / budget.article,
                    count: count)
                if excerpt.isShortened { shortened += 1 }
                if index > 0 { parts.append(Prompt.Part("\n\n")) }
                parts += template.fill(
                    "article",
                    with: [
                        "number": [Prompt.Part("\(index + 1)")],
                        "title": [Prompt.Part(PromptLimits.title(of: article))],
                        "source": [Prompt.Part(PromptLimits.source(of: article))],
                        "text": DigestPrompt.parts(of: excerpt.text, article: article, index: index, of: stories.count),
                    ])
            }
            let category = [Prompt.Part(section.category.title(in: language))]
            let system = template.fill("system", with: ["category": category]).map(\.text).joined()
            let user = template.fill(
                "user",
                with: ["category": category, "articles": parts, "count": [Prompt.Part("\(stories.count)")]])
            return (Prompt(system: system, user: user), shortened)
        }

        // Fewer articles only when the texts cannot be made shorter, and never a text without a sentence in it
        // while another way is left.
        var included = section.stories[...]
        while !included.isEmpty {
            var tokens = budget.article
            while tokens >= PromptLimits.shortestExcerpt {
                let (prompt, shortened) = make(included, tokens: tokens)
                if measure(prompt) <= budget.prompt {
                    self.category = section.category
                    self.prompt = prompt
                    self.stories = Array(included)
                    self.shortened = shortened
                    self.foreignLanguage = section.foreignLanguage
                    self.omitted =
                        section.omitted + section.stories.dropFirst(included.count).reduce(0) { $0 + $1.readings.count }
                    return
                }
                tokens = tokens * 3 / 4
            }
            included = included.dropLast()
        }
        return nil
    }

    /// The sentences that a grounded paragraph may be made of, and the rest, which the model reads only. With three
    /// stories or more it is their first sentences, which in news say what happened; otherwise one sentence would leave
    /// the paragraph short. Of an article with nothing but a title, the list below the paragraph tells.
    private static func parts(of text: String, article: Article, index: Int, of stories: Int) -> [Prompt.Part] {
        guard article.hasBody else { return [Prompt.Part(text)] }
        let sentences = Sentences.ranges(in: text)
        // What comes before the first whole sentence is a greeting, a caption or a heading.
        let first = sentences.firstIndex { Attribution.isWhole(String(text[$0])) } ?? 0
        let count = (DigestPrompt.sentences + stories - 1) / stories
        guard !sentences.isEmpty, first > 0 || sentences.count > count else {
            return [Prompt.Part(text, article: index)]
        }
        let start = sentences[first].lowerBound
        let end = sentences[min(first + count, sentences.count) - 1].upperBound
        return [
            Prompt.Part(String(text[..<start])), Prompt.Part(String(text[start..<end]), article: index),
            Prompt.Part(String(text[end...])),
        ].filter { !$0.text.isEmpty }
    }

    /// How many sentences a paragraph has at most, as the prompts ask.
    public static let sentences = 3
    /// How many it has at least, where there are so many to tell.
    public static let fewestSentences = 2
}
