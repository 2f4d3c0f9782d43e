public import PulseCore
import PulsePlatform

public import struct Foundation.Date

/// A model's answer to one prompt, before the check.
public struct CachedOutput: Sendable, Hashable, Codable {
    public let text: String
    /// Whether the token limit cut it.
    public let isCut: Bool

    public init(text: String, isCut: Bool) {
        self.text = text
        self.isCut = isCut
    }
}

/// The cache key of an answer: everything that decides what a model writes.
public struct AnswerKey: Sendable, Hashable {
    /// The hash over all parts, 64 hexadecimal digits.
    public let hash: String

    /// - Parameters:
    ///   - articles: The articles in the prompt.
    ///   - model: A fingerprint of the model's file.
    ///   - prompt: The text of the prompt file.
    ///   - language: The language of the answer.
    ///   - parameters: Everything else that decides the answer, such as sampling and length.
    public init(
        _ articles: [Article], model: String, prompt: String, language: Language, parameters: [String: String]
    ) {
        let settings = parameters.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        let contents = ContentHash.of(articles.map { ContentHash.of($0) })
        hash = ContentHash.of([contents, model, prompt, language.rawValue] + settings)
    }
}

extension Query {
    static let answer = "SELECT payload FROM answers WHERE key = ?1 AND form = ?2"
}

extension Store {
    /// The size of the cache; the oldest answers go first. At less than a kilobyte each, about ten megabytes.
    public static let mostAnswers = 10_000
    /// The version of the JSON in `answers`, raised whenever older payloads can no longer be read.
    static let answerForm: Int64 = 1

    /// The cached answer; nil where there is none or it cannot be read.
    public func answer(for key: AnswerKey) throws(PulseError) -> CachedOutput? {
        try rows(Query.answer, [.text(key.hash), .integer(Store.answerForm)]) { $0.text(0) ?? "" }.first
            .flatMap { Payload.value(CachedOutput.self, from: $0) }
    }

    /// Caches an answer, replacing an older one of the same key.
    public func keep(_ answer: CachedOutput, for key: AnswerKey, at date: Date) throws(PulseError) {
        guard let payload = Payload.text(answer) else { return }
        try transaction { () throws(SQLError) in
            // The replacement gets the highest id. Ids are never reused, so the range below bounds the number of rows.
            try connection.query(
                "INSERT OR REPLACE INTO answers (key, made_at, form, payload) VALUES (?1, ?2, ?3, ?4)",
                [.text(key.hash), .time(date), .integer(Store.answerForm), .text(payload)])
            try connection.query(
                "DELETE FROM answers WHERE id <= (SELECT max(id) FROM answers) - ?1",
                [.integer(Int64(Store.mostAnswers))])
        }
    }
}
