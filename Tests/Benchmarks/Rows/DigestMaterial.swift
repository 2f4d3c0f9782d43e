/// What the digest rows are measured with: the prompts that the program itself makes of the sample history, seven
/// categories and twenty-five articles, with titles and the first 150 characters, as feeds carry them.
import Foundation
import PulseCore
import PulseInference
import PulseSources

struct DigestMaterial: Sendable {
    /// One prompt a category.
    struct Section: Sendable {
        let category: PulseCore.Category
        let messages: [ChatMessage]
        let articles: Int
        /// A written paragraph about these articles (Texts/paragraphs.txt), for the rows that replay one.
        let paragraph: String
        let paragraphTokens: Int
        /// The text of its articles, for the overlap with the paragraph.
        let source: String
    }

    let sections: [Section]
    /// One long article, whole, and a summary of it.
    let article: Section
    var articles: Int { sections.reduce(0) { $0 + $1.articles } }

    /// Characters of an article's text.
    private static let excerpt = 150
    private static let articleLimit = 25
    private static let articleID = "world/2026/nov/20/tamsin-dam-gates-arrel-valley"
    private static let categories = [
        "world", "business", "technology", "science", "health", "sports", "entertainment",
    ]
    /// A moment to count the sample's reading times from; any would do.
    private static let now = Date(timeIntervalSince1970: 1_795_240_000)

    /// - Parameters:
    ///   - root: The repository.
    ///   - count: Counts the tokens of a text, by the model's own tokenizer.
    init(root: String, count: (String) -> Int) throws {
        let paragraphs = try Self.paragraphs(root + "/Tests/Benchmarks/Texts/paragraphs.txt")
        let template = try PromptTemplate(
            job: .digest, parsing: String(contentsOfFile: root + "/prompts/digest.en.md", encoding: .utf8))
        func make(_ section: Selection.Section, tokens: Int, text: String) throws -> Section {
            // Everything fits: the model of the benchmark has room.
            let prompt = DigestPrompt(
                section: section, template: template, budget: TokenBudget(prompt: 4096, article: tokens),
                measure: { count($0.system) + count($0.userText) }, count: count)
            guard let prompt else { throw BenchError("No prompt could be made for \(section.category.name).") }
            guard let paragraph = paragraphs[text] else {
                throw BenchError("Texts/paragraphs.txt has nothing about \(text).")
            }
            return Section(
                category: section.category, messages: prompt.prompt.messages, articles: prompt.stories.count,
                paragraph: paragraph, paragraphTokens: count(paragraph), source: prompt.prompt.userText)
        }
        let readings = try Self.readings(root + "/Tests/Fixtures/sample-history.jsonl")
        let selection = Selection(
            from: readings.map(Self.teaser), categories: Set(Self.categories.map { Category($0) }),
            limit: Self.articleLimit)
        sections = try selection.sections.map { try make($0, tokens: 100, text: $0.category.name) }
        guard let whole = readings.first(where: { $0.article.id == Self.articleID }) else {
            throw BenchError("The sample history has no article \(Self.articleID).")
        }
        article = try make(
            Selection.Section(category: whole.article.category, stories: [Story([whole])], omitted: 0), tokens: 800,
            text: "one-article")
    }

    private static func readings(_ path: String) throws -> [Reading] {
        var lines = try LineReader(path: path)
        let parser = JSONLines(now: now)
        var readings: [Reading] = []
        while let line = try lines.next() {
            guard case .success(let reading)? = parser.reading(from: line),
                reading.readAt > now.addingTimeInterval(-48 * 3600)
            else { continue }
            readings.append(reading)
        }
        return readings
    }

    /// With nothing to read but its front, as feeds have it.
    private static func teaser(_ reading: Reading) -> Reading {
        var reading = reading
        reading.article.summary = ""
        reading.article.content = teaser(reading.article.content)
        return reading
    }

    /// The front of a text in whole words.
    private static func teaser(_ text: String) -> String {
        guard text.count > excerpt else { return text }
        let front = text.prefix(excerpt)
        let end = front.lastIndex(of: " ") ?? front.endIndex
        return front[..<end].replacing("\n\n", with: " ") + "…"
    }

    /// "# category" and the paragraph below it.
    private static func paragraphs(_ path: String) throws -> [String: String] {
        var paragraphs: [String: String] = [:]
        var category = ""
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("# ") {
                category = String(line.dropFirst(2))
            } else if !line.hasPrefix("//") {
                paragraphs[category] = (paragraphs[category].map { $0 + " " } ?? "") + line
            }
        }
        return paragraphs
    }
}

extension Prompt {
    /// The prompt in the engine's terms, as the program gives it.
    var messages: [ChatMessage] {
        [
            ChatMessage(role: .system, parts: [ChatMessage.Part(text: system)]),
            ChatMessage(role: .user, parts: user.map { ChatMessage.Part(text: $0.text, source: $0.article) }),
        ]
    }
}
