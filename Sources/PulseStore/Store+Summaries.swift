import PulseSQL

public import struct Foundation.Date

extension Store {
    /// So many kept texts at most; the oldest go first. At one or two kilobytes each, some twenty megabytes.
    public static let mostSummaries = 10_000
    /// The form of the JSON in `summaries`. It grows whenever older payloads can no longer be read.
    static let summaryForm: Int64 = 1

    /// The text that was kept for this key; nil where there is none, or none that can be read.
    public func summary(for key: SummaryKey) throws(StoreError) -> KeptSummary? {
        try kept(KeptSummary.self, for: key)
    }

    /// The same, of an answer.
    public func answer(for key: SummaryKey) throws(StoreError) -> KeptAnswer? {
        try kept(KeptAnswer.self, for: key)
    }

    /// Keeps a text for its key, in place of an older one.
    public func keep(_ summary: KeptSummary, for key: SummaryKey, at date: Date = Date()) throws(StoreError) {
        try keep(value: summary, for: key, at: date)
    }

    /// The same, of an answer.
    public func keep(_ answer: KeptAnswer, for key: SummaryKey, at date: Date = Date()) throws(StoreError) {
        try keep(value: answer, for: key, at: date)
    }

    private func kept<Value: Decodable>(_ type: Value.Type, for key: SummaryKey) throws(StoreError) -> Value? {
        guard isComplete else { return nil }
        let payload = try attempt { () throws(SQLError) in
            try connection.text(Queries.summary, [.text(key.hash), .integer(Store.summaryForm)])
        }
        return payload.flatMap { Payload.value(type, from: $0) }
    }

    private func keep(value: some Encodable, for key: SummaryKey, at date: Date) throws(StoreError) {
        guard let payload = Payload.text(value) else { return }
        try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                // Replaced with a row that is the newest, so that the number of rows is at most that of the numbers.
                try connection.query(
                    """
                    INSERT OR REPLACE INTO summaries (key, made_at, language, model, form, payload)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                    """,
                    [
                        .text(key.hash), .integer(Instant.milliseconds(date)), .text(key.language), .text(key.model),
                        .integer(Store.summaryForm), .text(payload),
                    ])
                try connection.query(
                    "DELETE FROM summaries WHERE id <= (SELECT max(id) FROM summaries) - ?1",
                    [.integer(Int64(Store.mostSummaries))])
            }
        }
    }
}
