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
    static let digestForm: Int64 = 2

    /// The digest that was made last; nil where there is none, or it cannot be read.
    public func latestDigest() throws(StoreError) -> Digest? {
        guard isComplete else { return nil }
        return try latest(Queries.latestDigest, [])?.digest
    }

    /// Keeps a digest, unless that day's archive has one that tells the same.
    public func keep(_ digest: Digest, calendar: Calendar) throws(StoreError) {
        guard let payload = Payload.text(DigestPayload(digest)), let told = Payload.text(DigestPayload.told(digest)),
            let day = calendar.dateInterval(of: .day, for: digest.date)
        else { return }
        let key = ContentHash.of([told])
        try attempt { () throws(SQLError) in
            let span: [SQLValue] = [
                .integer(Instant.milliseconds(day.start)), .integer(Instant.milliseconds(day.end)), .text(key),
            ]
            guard try connection.integer(Queries.digestIsKept, span) == nil else { return }
            try connection.query(
                "INSERT INTO digests (key, made_at, form, payload) VALUES (?1, ?2, ?3, ?4)",
                [
                    .text(key), .integer(Instant.milliseconds(digest.date)), .integer(Store.digestForm),
                    .text(payload),
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
