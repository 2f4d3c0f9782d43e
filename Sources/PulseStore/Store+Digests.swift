public import PulseCore
import PulseSQL

public import struct Foundation.Calendar
public import struct Foundation.Date

/// What the archive has for one day.
public enum DayOfDigests: Sendable, Hashable {
    /// The latest that was made on it.
    case digest(Digest)
    /// There is one, and it cannot be read: damaged, or of a form that this version does not know.
    case unreadable
    /// None was made; when the nearest ones before and after that day were.
    case none(before: Date?, after: Date?)
}

extension Query {
    static let latestDigest = "SELECT form, payload FROM digests ORDER BY made_at DESC, id DESC LIMIT 1"
    static let removeSameDigest = "DELETE FROM digests WHERE made_at >= ?1 AND made_at < ?2 AND key = ?3"
    static let digestByTime = """
        SELECT form, payload FROM digests WHERE made_at >= ?1 AND made_at < ?2 ORDER BY made_at DESC, id DESC LIMIT 1
        """
    static let digestDates = "SELECT made_at FROM digests ORDER BY made_at DESC LIMIT ?1"
    static let digestBefore = "SELECT max(made_at) FROM digests WHERE made_at < ?1"
    static let digestAfter = "SELECT min(made_at) FROM digests WHERE made_at >= ?1"
}

/// The archive. Every digest is kept: at two or three kilobytes an article it is small beside the history. Which day a
/// digest belongs to is not stored, since that depends on the time zone of whoever asks.
extension Store {
    /// The form of the JSON in `digests`; raised whenever older payloads can no longer be read.
    static let digestForm: Int64 = 2

    /// The digest that was made last; nil where there is none or it cannot be read.
    public func latestDigest() throws(PulseError) -> Digest? {
        return try latest(Query.latestDigest, [])?.digest
    }

    /// Keeps a digest as the last one, in place of one of the same day that says the same.
    public func keep(_ digest: Digest, calendar: Calendar) throws(PulseError) {
        guard let payload = Payload.text(DigestPayload(digest)), let said = Payload.text(DigestPayload.saying(digest)),
            let day = calendar.dateInterval(of: .day, for: digest.date)
        else { return }
        let key = ContentHash.of([said])
        try attempt { () throws(SQLError) in
            let span: [SQLValue] = [
                .integer(Instant.milliseconds(day.start)), .integer(Instant.milliseconds(day.end)), .text(key),
            ]
            try connection.transaction(.immediate) { () throws(SQLError) in
                try connection.query(Query.removeSameDigest, span)
                try connection.query(
                    "INSERT INTO digests (key, made_at, form, payload) VALUES (?1, ?2, ?3, ?4)",
                    [
                        .text(key), .integer(Instant.milliseconds(digest.date)), .integer(Store.digestForm),
                        .text(payload),
                    ])
            }
        }
    }

    /// The latest digest of the calendar's day that the date lies in.
    public func digest(on date: Date, calendar: Calendar) throws(PulseError) -> DayOfDigests {
        guard let day = calendar.dateInterval(of: .day, for: date) else {
            return .none(before: nil, after: nil)
        }
        let start = SQLValue.integer(Instant.milliseconds(day.start))
        let end = SQLValue.integer(Instant.milliseconds(day.end))
        if let row = try latest(Query.digestByTime, [start, end]) {
            return row.digest.map(DayOfDigests.digest) ?? .unreadable
        }
        return try attempt { () throws(SQLError) in
            .none(
                before: try connection.integer(Query.digestBefore, [start]).map(Instant.date),
                after: try connection.integer(Query.digestAfter, [end]).map(Instant.date))
        }
    }

    /// When the digests that are kept were made, the latest first.
    public func digestDates(limit: Int) throws(PulseError) -> [Date] {
        try attempt { () throws(SQLError) in
            var dates: [Date] = []
            try connection.query(Query.digestDates, [.integer(Int64(limit))]) { row throws(SQLError) in
                if let time = row.integer(0) { dates.append(Instant.date(time)) }
            }
            return dates
        }
    }

    /// A row that exists; its digest is nil where it cannot be read.
    private struct Row {
        let digest: Digest?
    }

    private func latest(_ sql: String, _ values: [SQLValue]) throws(PulseError) -> Row? {
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
