public import PulseCore
import PulsePlatform

public import struct Foundation.Date

/// What a model answered to one prompt, before it was checked.
public struct KeptAnswer: Sendable, Hashable, Codable {
    public let text: String
    /// True where the token limit ended it.
    public let isCut: Bool

    public init(text: String, isCut: Bool) {
        self.text = text
        self.isCut = isCut
    }
}

/// What an answer is kept under: everything that decides what a model writes, so that an old answer is used only where
/// the model would be asked exactly the same again.
public struct AnswerKey: Sendable, Hashable {
    /// The hash over all parts, 64 hexadecimal digits.
    public let hash: String

    /// - Parameters:
    ///   - articles: what the prompt is about.
    ///   - model: a fingerprint of the model's file.
    ///   - prompt: the prompt file's text.
    ///   - language: the language of the answer.
    ///   - parameters: whatever else decides what is written, such as sampling and length.
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
    /// The most answers that are kept; the oldest go first. At less than a kilobyte each, some ten megabytes.
    public static let mostAnswers = 10_000
    /// The form of the JSON in `answers`; raised whenever older payloads can no longer be read.
    static let answerForm: Int64 = 1

    /// The answer that was kept for this key; nil where there is none or it cannot be read.
    public func answer(for key: AnswerKey) throws(PulseError) -> KeptAnswer? {
        let payload = try attempt { () throws(SQLError) in
            try connection.text(Query.answer, [.text(key.hash), .integer(Store.answerForm)])
        }
        return payload.flatMap { Payload.value(KeptAnswer.self, from: $0) }
    }

    /// Keeps an answer for its key, in place of an older one.
    public func keep(_ answer: KeptAnswer, for key: AnswerKey, at date: Date) throws(PulseError) {
        guard let payload = Payload.text(answer) else { return }
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                // The replacement gets a new, highest id, so ids are never reused and the range below bounds the rows.
                try connection.query(
                    "INSERT OR REPLACE INTO answers (key, made_at, form, payload) VALUES (?1, ?2, ?3, ?4)",
                    [
                        .text(key.hash), .integer(Instant.milliseconds(date)), .integer(Store.answerForm),
                        .text(payload),
                    ])
                try connection.query(
                    "DELETE FROM answers WHERE id <= (SELECT max(id) FROM answers) - ?1",
                    [.integer(Int64(Store.mostAnswers))])
            }
        }
    }
}
