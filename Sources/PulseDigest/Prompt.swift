public import PulseCore

/// What is sent to a model: the rules, and the material.
public struct Prompt: Sendable, Hashable {
    public let system: String
    public let user: String
    /// Whether it holds less of its articles than it would with more room.
    public let isShortened: Bool

    public init(system: String, user: String, isShortened: Bool = false) {
        self.system = system
        self.user = user
        self.isShortened = isShortened
    }
}

/// The prompt for one story of a digest. It holds no other story, so that the model cannot mix them.
public enum StoryPrompt {
    /// More would hardly fit into an entry of one or two sentences.
    public static let mostReports = 3
    /// Tokens of the reports' texts together: news says first what matters, and somebody waits while it is read.
    private static let textTokens = 120

    /// What each report has of the tokens: the first most, the others what adds to it.
    private static func shares(of tokens: Int, for reports: Int) -> [Int] {
        guard reports > 1 else { return [tokens] }
        let rest = tokens * 2 / 5
        return [tokens - rest] + Array(repeating: rest / (reports - 1), count: reports - 1)
    }

    /// The articles that are put into the prompt, and that its answer is checked against. Different publications come
    /// first. Of a story that was told before, it is the one that tells what is new.
    public static func reports(of entry: Digest.Entry) -> [Article] {
        guard entry.update == nil else { return [entry.story.lead] }
        var seen: Set<String> = []
        let (first, again) = entry.story.articles.reduce(into: ([Article](), [Article]())) { parts, article in
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
        _ entry: Digest.Entry, template: PromptTemplate, language: Language, limit: Int, measure: (Prompt) -> Int,
        count: (String) -> Int
    ) -> Prompt? {
        let all = reports(of: entry)
        let category = entry.story.category.title(in: language)
        let known = entry.update?.told ?? ""
        let section = known.isEmpty || !template.has("update") ? "user" : "update"
        for reports in stride(from: all.count, through: 1, by: -1).map({ all.prefix($0) }) {
            var tokens = textTokens
            while case let shares = shares(of: tokens, for: reports.count),
                shares.allSatisfy({ $0 >= Excerpt.shortest })
            {
                let articles = reports.indices.map { index in
                    let article = reports[index]
                    let text = Excerpt(of: article.text, tokens: shares[index], count: count).text
                    var filled = template.fill(
                        "article",
                        with: [
                            "number": "\(index + 1)", "title": article.title, "source": article.source,
                            // A piece of a sentence adds nothing to a report that has whole ones.
                            "text": index > 0 && text.hasSuffix("…") ? "" : text,
                        ])
                    while filled.last?.isNewline == true { filled.removeLast() }
                    return filled
                }.joined(separator: "\n\n")
                let prompt = Prompt(
                    system: template.fill("system", with: ["category": category]),
                    user: template.fill(
                        section,
                        with: [
                            "category": category, "articles": articles, "count": "\(reports.count)", "known": known,
                        ]),
                    isShortened: tokens < textTokens || reports.count < all.count)
                if measure(prompt) <= limit { return prompt }
                tokens = tokens * 3 / 4
            }
        }
        return nil
    }
}

/// The prompt for the summary of one article.
public enum SummaryPrompt {
    /// A model reads at most so many tokens of an article: news says what matters in its first two pages, and reading
    /// more takes a small machine minutes.
    private static let mostTokens = 3000

    /// The prompt, the article's text shortened until it fits.
    ///
    /// - Parameters:
    ///   - limit: The largest number of tokens of the whole prompt.
    ///   - measure: The number of tokens of a whole prompt, the chat template's own included.
    ///   - count: The number of tokens of a text.
    /// - Returns: nil where not even the start of the text fits.
    public static func make(
        _ article: Article, template: PromptTemplate, language: Language, limit: Int, measure: (Prompt) -> Int,
        count: (String) -> Int
    ) -> Prompt? {
        let category = article.category.title(in: language)
        func prompt(_ text: String, isShortened: Bool) -> Prompt {
            Prompt(
                system: template.fill("system", with: ["category": category]),
                user: template.fill(
                    "user",
                    with: ["category": category, "title": article.title, "source": article.source, "text": text]),
                isShortened: isShortened)
        }
        // What is left for the text is known at once; the joints between text and template may cost a token or two
        // more than counted, hence the second try.
        var tokens = min(limit - measure(prompt("", isShortened: false)), mostTokens)
        while tokens >= Excerpt.shortest {
            let excerpt = Excerpt(of: article.text, tokens: tokens, count: count)
            let prompt = prompt(excerpt.text, isShortened: excerpt.isShortened)
            if measure(prompt) <= limit { return prompt }
            tokens -= max(8, tokens / 16)
        }
        return nil
    }
}

/// The prompt for an answer to a question, from passages; and for one text of several articles.
public enum QuestionPrompt {
    /// Tokens of each passage, and of the question.
    private static let passageTokens = 90
    private static let questionTokens = 200
    /// Tokens of articles that are summed up together, and of each at most.
    private static let severalTokens = 1200
    private static let articleTokens = 240

    /// - Parameters:
    ///   - question: Nil: the passages are summed up.
    ///   - passages: The nearest first; what does not fit is left out from the end.
    ///   - date: How a day is written.
    ///   - limit: The largest number of tokens of the whole prompt.
    ///   - measure: The number of tokens of a whole prompt, the chat template's own included.
    ///   - count: The number of tokens of a text.
    /// - Returns: nil where not even the first passage fits.
    public static func make(
        _ question: String?, passages: [Passage], date: (Reading) -> String, template: PromptTemplate, limit: Int,
        measure: (Prompt) -> Int, count: (String) -> Int
    ) -> Prompt? {
        let asked = question.map { Excerpt(of: $0, tokens: questionTokens, count: count) }
        let most =
            question == nil
            ? max(Excerpt.shortest, min(articleTokens, severalTokens / max(1, passages.count))) : passageTokens
        for length in stride(from: passages.count, through: 1, by: -1) {
            var tokens = most
            while tokens >= Excerpt.shortest {
                var isShortened = asked?.isShortened == true || length < passages.count
                let texts = passages.prefix(length).enumerated().map { index, passage in
                    let text = Excerpt(of: passage.text, tokens: tokens, count: count)
                    isShortened = isShortened || tokens < most || question != nil && text.isShortened
                    let article = passage.reading.article
                    return template.fill(
                        "passage",
                        with: [
                            "number": "\(index + 1)", "title": article.title, "source": article.source,
                            "date": date(passage.reading), "text": text.text,
                        ])
                }
                let prompt = Prompt(
                    system: template.fill("system", with: [:]),
                    user: template.fill(
                        "user",
                        with: [
                            "passages": texts.joined(separator: "\n\n"), "question": asked?.text ?? "",
                            "count": "\(length)",
                        ]), isShortened: isShortened)
                if measure(prompt) <= limit { return prompt }
                tokens = tokens * 3 / 4
            }
        }
        return nil
    }
}
