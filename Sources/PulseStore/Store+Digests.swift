public import PulseCore
import PulseSQL

public import struct Foundation.Calendar
public import struct Foundation.Date

/// What the archive holds of one day.
public enum DayOfDigests: Sendable, Hashable {
    /// The latest that was made on it.
    case digest(Digest)
    /// There is one, and it cannot be read: damaged, or of a form that this version does not know.
    case unreadable
    /// None was made; when the nearest before and after it were.
    case none(before: Date?, after: Date?)
}

/// The archive. Every digest is kept: at two or three kilobytes an article told it is small beside the history, and it
/// goes when the history is cleared.
extension Store {
    /// The form of the JSON in `digests`. It grows whenever older payloads can no longer be read.
    static let digestForm: Int64 = 1

    /// The latest digest that was made from these inputs; nil where there is none, or none that can be read.
    public func digest(for inputs: DigestInputs) throws(StoreError) -> Digest? {
        guard isComplete else { return nil }
        return try latest(Queries.digestByKey, [.text(inputs.key)])?.digest
    }

    /// Keeps a digest with what it was made from.
    public func keep(_ digest: Digest, madeFrom inputs: DigestInputs) throws(StoreError) {
        guard let payload = Payload.text(DigestPayload(digest)) else { return }
        try attempt { () throws(SQLError) in
            try connection.query(
                """
                INSERT INTO digests (key, made_at, language, model, form, inputs, payload)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                """,
                [
                    .text(inputs.key), .integer(Instant.milliseconds(digest.date)), .text(digest.language.rawValue),
                    .text(digest.model.name), .integer(Store.digestForm), .text(inputs.text), .text(payload),
                ])
        }
    }

    /// The latest digest of the calendar's day that the date lies in.
    public func digest(on date: Date, calendar: Calendar) throws(StoreError) -> DayOfDigests {
        guard isComplete, let day = calendar.dateInterval(of: .day, for: date) else {
            return .none(before: nil, after: nil)
        }
        let start = SQLValue.integer(Instant.milliseconds(day.start))
        let end = SQLValue.integer(Instant.milliseconds(day.end))
        if let row = try latest(Queries.digestByTime, [start, end]) {
            return row.digest.map(DayOfDigests.digest) ?? .unreadable
        }
        return try attempt { () throws(SQLError) in
            .none(
                before: try connection.integer(Queries.digestBefore, [start]).map(Instant.date),
                after: try connection.integer(Queries.digestAfter, [end]).map(Instant.date))
        }
    }

    /// A row that is there; it may still hold no digest.
    private struct Row {
        let digest: Digest?
    }

    private func latest(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Row? {
        let row = try attempt { () throws(SQLError) -> (form: Int64, payload: String)? in
            var row: (Int64, String)?
            try connection.query(sql, values) { statement throws(SQLError) in
                row = (statement.integer(0) ?? 0, statement.text(1) ?? "")
            }
            return row
        }
        guard let row else { return nil }
        guard row.form == Store.digestForm else { return Row(digest: nil) }
        return Row(digest: Payload.value(DigestPayload.self, from: row.payload)?.digest)
    }
}
