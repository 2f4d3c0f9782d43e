public import PulseCore
import PulseSQL

public import struct Foundation.Date

/// What a model answered to one prompt, as it came: before it was checked.
public struct KeptAnswer: Sendable, Hashable, Codable {
    public let text: String
    /// True where the limit of tokens ended it.
    public let isCut: Bool

    /// What stands for the answer of a model that was not asked, or came to nothing.
    public static let nothing = KeptAnswer(text: "", isCut: false)

    public init(text: String, isCut: Bool) {
        self.text = text
        self.isCut = isCut
    }
}

/// What an answer is kept by: all that decides what a model writes, so that what was answered before is never taken for
/// what would be answered now.
public struct AnswerKey: Sendable, Hashable {
    /// The hash over all parts, 64 hexadecimal digits.
    public let hash: String

    /// - Parameters:
    ///   - articles: What the prompt tells of.
    ///   - model: What tells this model from every other, and from the same file with another content.
    ///   - prompt: The prompt file's text.
    ///   - language: The one it is told in.
    ///   - parameters: Whatever else decides what is written: how it is sampled, how long it may be.
    public init(
        _ articles: [Article], model: String, prompt: String, language: Language, parameters: [String: String]
    ) {
        let settings = parameters.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        let contents = ContentHash.of(articles.map { ContentHash.of($0) })
        hash = ContentHash.of([contents, model, prompt, language.rawValue] + settings)
    }
}

extension Store {
    /// So many answers are kept at most; the oldest go first. At less than a kilobyte each, some ten megabytes.
    public static let mostAnswers = 10_000
    /// The form of the JSON in `answers`. It grows whenever older payloads can no longer be read.
    static let answerForm: Int64 = 1

    /// The answer that was kept for this key; nil where there is none, or none that can be read.
    public func answer(for key: AnswerKey) throws(StoreError) -> KeptAnswer? {
        guard isComplete else { return nil }
        let payload = try attempt { () throws(SQLError) in
            try connection.text(Queries.answer, [.text(key.hash), .integer(Store.answerForm)])
        }
        return payload.flatMap { Payload.value(KeptAnswer.self, from: $0) }
    }

    /// Keeps an answer for its key, in place of an older one.
    public func keep(_ answer: KeptAnswer, for key: AnswerKey, at date: Date) throws(StoreError) {
        guard let payload = Payload.text(answer) else { return }
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                // Replaced with a row that is the newest, so that the number of rows is at most that of the numbers.
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
