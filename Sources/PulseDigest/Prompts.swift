public import PulseCore
import PulseText

/// A model's input: the system prompt and the user's turn.
public struct Prompt: Sendable, Hashable {
    public let system: String
    public let user: String
    /// Whether articles were shortened to fit.
    public let isShortened: Bool

    public init(system: String, user: String, isShortened: Bool = false) {
        self.system = system
        self.user = user
        self.isShortened = isShortened
    }
}

/// Counts tokens with the tokenizer of the model in use.
public struct TokenCounter {
    /// The tokens of a text.
    public let count: (String) -> Int
    private let frame: Int

    /// - Parameter frame: The tokens that the chat template puts around the messages of a prompt.
    public init(frame: Int = 0, count: @escaping (String) -> Int) {
        self.frame = frame
        self.count = count
    }

    /// How many tokens of a prompt are left for the user's turn. Each message is tokenised by itself, so the parts add
    /// up.
    func room(in limit: Int, beside system: String) -> Int { limit - frame - count(system) }

    /// A prompt of several texts that fits: their tokens are cut by a quarter until they are too few, and then the last
    /// text is left out. Nil if not even the first fits.
    ///
    /// - Parameter user: The user's turn with this many texts and tokens, and whether any text is shortened in it; nil
    ///   if the tokens are too few.
    func prompt(
        system: String, limit: Int, texts: Int, tokens most: Int,
        user: (_ texts: Int, _ tokens: Int) -> (text: String, isShortened: Bool)?
    ) -> Prompt? {
        let room = room(in: limit, beside: system)
        for kept in stride(from: texts, through: 1, by: -1) {
            var tokens = most
            while let turn = user(kept, tokens) {
                if count(turn.text) <= room {
                    return Prompt(
                        system: system, user: turn.text, isShortened: turn.isShortened || kept < texts || tokens < most)
                }
                tokens = tokens * 3 / 4
            }
        }
        return nil
    }
}

/// A prompt before it is shortened to fit.
public protocol PromptMaker: Sendable {
    var template: PromptTemplate { get }
    /// The language of the answer.
    var language: Language { get }

    /// The prompt, shortened until it fits; nil if not even the beginning of the first text does.
    ///
    /// - Parameter limit: The most tokens of the whole prompt.
    func prompt(limit: Int, tokens: TokenCounter) -> Prompt?
}

/// The prompt for one story of a digest. It has no other story, so that the model cannot mix them.
public struct StoryPrompt: PromptMaker {
    public let entry: Digest.Entry
    public let template: PromptTemplate
    public let language: Language
    public let length: StoryLength

    public init(
        _ entry: Digest.Entry, template: PromptTemplate, language: Language, length: StoryLength = .normal
    ) {
        (self.entry, self.template, self.language, self.length) = (entry, template, language, length)
    }

    /// The most reports in a prompt; an entry of one or two sentences hardly has room for more.
    public static let mostReports = 3
    /// Tokens of all reports' texts together. News has the essentials first, and prefill takes time.
    private static let textTokens = 120

    /// Splits the tokens among the reports: the first gets most, the others share the rest.
    private static func shares(of tokens: Int, for reports: Int) -> [Int] {
        guard reports > 1 else { return [tokens] }
        let rest = tokens * 2 / 5
        return [tokens - rest] + Array(repeating: rest / (reports - 1), count: reports - 1)
    }

    /// The articles in the prompt, against which the answer is checked. Different publications come first. For a story
    /// of an earlier digest, only the article with the news.
    public static func reports(of entry: Digest.Entry) -> [Article] {
        guard entry.update == nil else { return [entry.story.lead] }
        var seen: Set<String> = []
        let (first, again) = entry.story.articles.reduce(into: ([Article](), [Article]())) { parts, article in
            if seen.insert(article.source).inserted { parts.0.append(article) } else { parts.1.append(article) }
        }
        return Array((first + again).prefix(mostReports))
    }

    public func prompt(limit: Int, tokens counter: TokenCounter) -> Prompt? {
        let all = Self.reports(of: entry)
        let category = entry.story.category.title(in: language)
        let known = entry.update?.text ?? ""
        let section = known.isEmpty || !template.has("update") ? "user" : "update"
        let words = length.words(in: language)
        let system = template.fill("system", with: ["category": category, "words": words])
        return counter.prompt(system: system, limit: limit, texts: all.count, tokens: Self.textTokens) {
            count, tokens in
            let shares = Self.shares(of: tokens, for: count)
            guard shares.allSatisfy({ $0 >= Excerpt.shortest }) else { return nil }
            let articles = zip(all, shares).enumerated().map { index, part -> String in
                let (article, share) = part
                let text = Excerpt(of: article.text, tokens: share, count: counter.count).text
                var filled = template.fill(
                    "article",
                    with: [
                        "number": "\(index + 1)", "title": article.title, "source": article.source,
                        // A fragment adds nothing to reports with whole sentences.
                        "text": index > 0 && text.hasSuffix("…") ? "" : text,
                    ])
                while filled.last?.isNewline == true { filled.removeLast() }
                return filled
            }
            let user = template.fill(
                section,
                with: [
                    "category": category, "articles": articles.joined(separator: "\n\n"), "count": "\(count)",
                    "known": known, "words": words,
                ])
            return (user, false)
        }
    }
}

/// The prompt for the summary of one article.
public struct SummaryPrompt: PromptMaker {
    public let article: Article
    public let template: PromptTemplate
    public let language: Language

    public init(_ article: Article, template: PromptTemplate, language: Language) {
        (self.article, self.template, self.language) = (article, template, language)
    }

    /// The most tokens of an article: news has the essentials on its first two pages, and prefill of more takes minutes
    /// on a small machine.
    private static let mostTokens = 3000

    public func prompt(limit: Int, tokens counter: TokenCounter) -> Prompt? {
        let category = article.category.title(in: language)
        let system = template.fill("system", with: ["category": category])
        let room = counter.room(in: limit, beside: system)
        func user(_ text: String) -> String {
            template.fill(
                "user", with: ["category": category, "title": article.title, "source": article.source, "text": text])
        }
        // The rest of the limit is for the text. Where text and template join, there may be a token or two more than
        // counted, hence the loop.
        var tokens = min(room - counter.count(user("")), Self.mostTokens)
        while tokens >= Excerpt.shortest {
            let excerpt = Excerpt(of: article.text, tokens: tokens, count: counter.count)
            let user = user(excerpt.text)
            if counter.count(user) <= room {
                return Prompt(system: system, user: user, isShortened: excerpt.isShortened)
            }
            tokens -= max(8, tokens / 16)
        }
        return nil
    }
}

/// The prompt for answering a question from passages, or for summing up several articles in one text.
public struct QuestionPrompt: PromptMaker {
    private let question: String?
    private let passages: [Passage]
    private let days: [String: String]
    public let template: PromptTemplate
    public let language: Language

    /// - Parameters:
    ///   - question: Nil: the passages are summed up.
    ///   - passages: The nearest first; those that do not fit are left out from the end.
    ///   - days: When each article appeared, by its id.
    public init(
        _ question: String?, passages: [Passage], days: [String: String], template: PromptTemplate, language: Language
    ) {
        (self.question, self.passages, self.days) = (question, passages, days)
        (self.template, self.language) = (template, language)
    }

    /// The most tokens of all passages, of one, and of the question. The best passage may have the most: more answers
    /// are in few long passages than in many short ones (docs/ask.md), and prefill takes time.
    private static let (passageTokens, longestPassage, questionTokens) = (220, 160, 200)
    /// Tokens of articles that are summed up together, and of each at most.
    private static let (severalTokens, articleTokens) = (1200, 240)

    public func prompt(limit: Int, tokens counter: TokenCounter) -> Prompt? {
        let asked = question.map { Excerpt(of: $0, tokens: Self.questionTokens, count: counter.count) }
        let system = template.fill("system", with: [:])
        let most =
            question == nil
            ? max(Excerpt.shortest, min(Self.articleTokens, Self.severalTokens / max(1, passages.count)))
            : Self.longestPassage
        return counter.prompt(system: system, limit: limit, texts: passages.count, tokens: most) { count, tokens in
            guard tokens >= Excerpt.shortest else { return nil }
            let parts = Self.parts(
                passages.prefix(count), for: asked?.text, tokens: tokens,
                all: question == nil ? .max : Self.passageTokens * tokens / Self.longestPassage, count: counter.count)
            let texts = parts.articles.enumerated().map { index, part in
                template.fill(
                    "passage",
                    with: [
                        "number": "\(index + 1)", "title": part.reading.article.title,
                        "source": part.reading.article.source, "date": days[part.reading.article.id, default: ""],
                        "text": part.text,
                    ])
            }
            let user = template.fill(
                "user",
                with: [
                    "passages": texts.joined(separator: "\n\n"), "question": asked?.text ?? "",
                    "count": "\(texts.count)",
                ])
            return (user, asked?.isShortened == true || question != nil && parts.isShortened)
        }
    }

    /// The texts of the prompt, one for each article: its passages are joined.
    private static func parts(
        _ passages: ArraySlice<Passage>, for question: String?, tokens: Int, all: Int, count: (String) -> Int
    ) -> (articles: [(reading: Reading, text: String)], isShortened: Bool) {
        var articles: [(reading: Reading, text: String)] = []
        var (left, isShortened) = (all, false)
        for passage in passages {
            guard left >= Excerpt.shortest else { return (articles, true) }
            let part = Passages.excerpt(of: passage.text, for: question ?? "", tokens: min(tokens, left), count: count)
            isShortened = isShortened || part.utf8.count < passage.text.utf8.count
            left -= count(part)
            if let place = articles.firstIndex(where: { $0.reading.article.id == passage.reading.article.id }) {
                articles[place].text += "\n" + part
            } else {
                articles.append((passage.reading, part))
            }
        }
        return (articles, isShortened)
    }
}

/// The beginning of a text that fits into a number of tokens, cut at the end of a sentence where possible.
public struct Excerpt: Sendable, Hashable {
    public let text: String
    /// Whether something was left out.
    public let isShortened: Bool

    /// In tokens; a shorter excerpt is useless.
    static let shortest = 24

    /// - Parameters:
    ///   - tokens: The most tokens, as counted by `count`.
    ///   - count: Counts the tokens of a text with the model's tokenizer.
    public init(of text: String, tokens: Int, count: (String) -> Int) {
        let front = Excerpt.front(of: text, tokens: tokens)
        var excerpt = ""
        var left = tokens
        for paragraph in front.split(separator: "\n\n") {
            for (index, sentence) in Sentences.split(String(paragraph)).enumerated() {
                let piece = (excerpt.isEmpty ? "" : index == 0 ? "\n\n" : " ") + sentence
                let cost = count(piece)
                if cost > left {
                    self.text = excerpt.isEmpty ? Excerpt.words(of: sentence, tokens: tokens, count: count) : excerpt
                    self.isShortened = true
                    return
                }
                excerpt += piece
                left -= cost
            }
        }
        self.text = excerpt
        self.isShortened = front.utf8.count < text.utf8.count
    }

    /// Limits the work on megabytes of text: a token hardly ever has more than 64 bytes. By scalars, because a
    /// character may have any number of them.
    private static func front(of text: String, tokens: Int) -> String {
        String(text.unicodeScalars.prefix(max(0, tokens) * 64))
    }

    /// The beginning of a sentence that is too long by itself, with an ellipsis: whole words, else part of the first
    /// word, else part of its first character. Empty if nothing fits.
    private static func words(of sentence: String, tokens: Int, count: (String) -> Int) -> String {
        let front = front(of: sentence, tokens: tokens)
        let cuts: [(String) -> [String.Index]] = [
            { text in text.indices.filter { text[$0] == " " } }, { Array($0.indices.dropFirst()) },
            { Array($0.unicodeScalars.indices.dropFirst()) },
        ]
        for ends in cuts {
            let fitting = longest(of: front, endingAt: ends(front) + [front.endIndex], tokens: tokens, count: count)
            if !fitting.isEmpty { return fitting }
        }
        return ""
    }

    /// The longest prefix that fits with an ellipsis, by binary search, since a longer one never has fewer tokens.
    private static func longest(
        of text: String, endingAt ends: [String.Index], tokens: Int, count: (String) -> Int
    ) -> String {
        var low = 0
        var high = ends.count
        while low < high {
            let middle = (low + high + 1) / 2
            if count(text[..<ends[middle - 1]] + "…") <= tokens { low = middle } else { high = middle - 1 }
        }
        return low == 0 ? "" : text[..<ends[low - 1]] + "…"
    }
}
