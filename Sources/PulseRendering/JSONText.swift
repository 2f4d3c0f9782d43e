import Foundation
import PulseCore

package enum JSONText {
    /// Keys are the properties' names in snake case, in alphabetical order. Dates are as in RFC 3339, in UTC, to the
    /// second.
    package static func render(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding only fails for numbers that are not finite, and there are none.
        guard let data = try? encoder.encode(value) else { preconditionFailure("a document that cannot be encoded") }
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    static func milliseconds(_ duration: Duration) -> Int { Int((duration / .milliseconds(1)).rounded()) }
}

/// A value that is written as null if it is nil. The key of an optional property would be left out.
struct Nullable<Value: Encodable>: Encodable {
    let value: Value?

    init(_ value: Value?) { self.value = value }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
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
    let publishedAt: Date?
    private(set) var readAt: Date?
    /// False if `read_at` is an estimate.
    private(set) var readAtExact: Bool?
    // Further keys of single commands; nil elsewhere.
    var author, summary, content, origin: String?
    var savedAt: Date?
    var likeness, nearness: Double?
    var sameStory: Bool?

    init(_ reading: Reading) {
        self.init(reading.article)
        guard reading.basis == .read else { return }
        readAt = reading.readAt
        readAtExact = reading.isExact
    }

    init(_ article: Article) {
        id = article.key
        sourceID = article.id
        url = article.url
        title = article.title
        source = article.source
        category = article.category.name
        language = article.writtenLanguage
        publishedAt = article.publishedAt
    }
}

struct TimingJSON: Encodable {
    let loadMS, promptTokens, promptMS, outputTokens, outputMS: Int

    init(_ timing: Timing) {
        loadMS = JSONText.milliseconds(timing.load)
        promptTokens = timing.promptTokens
        promptMS = JSONText.milliseconds(timing.prompt)
        outputTokens = timing.outputTokens
        outputMS = JSONText.milliseconds(timing.output)
    }
}
