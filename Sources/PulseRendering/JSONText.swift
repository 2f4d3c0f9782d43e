import Foundation
import PulseCore

/// Common parts of the JSON formats.
enum JSONText {
    static func render(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding only fails for numbers that are not finite, and there are none.
        guard let data = try? encoder.encode(value) else { preconditionFailure("a document that cannot be encoded") }
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    /// RFC 3339, in UTC, to the second.
    static func date(_ date: Date) -> String { date.formatted(.iso8601) }

    static func milliseconds(_ duration: Duration) -> Int { Int((duration / .milliseconds(1)).rounded()) }
}

struct ModelJSON: Encodable {
    let name: String
    let sha256: String?

    init(_ model: ModelIdentity) {
        name = model.name
        sha256 = model.sha256
    }
}

struct SentenceJSON: Encodable {
    let text: String
    let sources: [String]
    /// `copied`, `shortened`, `written` or `replaced`.
    let origin: String
    /// The model's words that the articles do not support; only with `--check mark`.
    let doubtful: [String]?

    init(_ sentence: Sentence) {
        text = sentence.plain
        doubtful = sentence.doubtful?.map { String(sentence.text.dropFirst($0.lowerBound).prefix($0.count)) }
        sources = sentence.sources.map(ArticleKey.make)
        origin = sentence.origin.rawValue
    }
}

struct ArticleJSON: Encodable {
    /// The id in lists and for commands.
    let id: String
    /// The source's id.
    let sourceID: String
    let url: String?
    let title, source, category: String
    /// The language of the text: detected, or from the source.
    let language: String?
    let publishedAt, readAt: String?
    /// False if `read_at` is an estimate.
    let readAtExact: Bool?

    private enum CodingKeys: String, CodingKey {
        case id, url, title, source, category, language
        case sourceID = "source_id"
        case publishedAt = "published_at"
        case readAt = "read_at"
        case readAtExact = "read_at_exact"
    }

    init(_ reading: Reading) {
        let isRead = reading.basis == .read
        self.init(
            reading.article, readAt: isRead ? reading.readAt : nil, isExact: isRead ? reading.isExact : nil)
    }

    init(_ article: Article, readAt: Date? = nil, isExact: Bool? = nil) {
        id = article.key
        sourceID = article.id
        url = article.url
        title = article.title
        source = article.source
        category = article.category.name
        language = article.writtenLanguage
        publishedAt = article.publishedAt.map(JSONText.date)
        self.readAt = readAt.map(JSONText.date)
        readAtExact = isExact
    }
}

struct TimingJSON: Encodable {
    let loadMS, promptTokens, promptMS, outputTokens, outputMS: Int

    private enum CodingKeys: String, CodingKey {
        case loadMS = "load_ms"
        case promptTokens = "prompt_tokens"
        case promptMS = "prompt_ms"
        case outputTokens = "output_tokens"
        case outputMS = "output_ms"
    }

    init(_ timing: Timing) {
        loadMS = JSONText.milliseconds(timing.load)
        promptTokens = timing.promptTokens
        promptMS = JSONText.milliseconds(timing.prompt)
        outputTokens = timing.outputTokens
        outputMS = JSONText.milliseconds(timing.output)
    }
}
