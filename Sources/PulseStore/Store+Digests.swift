public import PulseCore
import PulsePlatform

public import struct Foundation.Calendar
public import struct Foundation.Date

/// How a digest reached its reader: the more of a delivery it was, the greater the number.
public enum Delivery: Int64, Sendable, Hashable {
    /// Not at all: it is the list of an answer's sources, so that their numbers stand for them.
    case answer = -1
    /// Printed; of a week, and so of no day.
    case week = 0
    /// Printed, of a part of what the reader's settings ask for.
    case glance = 1
    /// Printed, of all that they ask for.
    case printed = 2
    case mailed = 3
}

/// What the archive has for one day.
public enum DayOfDigests: Sendable, Hashable {
    /// The one that was most of a delivery, and of several such the latest.
    case digest(Digest)
    /// There is one, and it cannot be read: damaged, or of a form that this version does not know.
    case unreadable
    /// None was made; when the nearest ones before and after that day were.
    case none(before: Date?, after: Date?)
}

extension Query {
    /// No mail to another reader: whoever refers to a story has not seen that.
    static let latestDigest = """
        SELECT form, payload FROM digests WHERE profile = '' OR instr(reader, '@') = 0
        ORDER BY made_at DESC, id DESC LIMIT 1
        """
    static let latestDelivery = """
        SELECT delivery FROM digests WHERE profile = '' OR instr(reader, '@') = 0
        ORDER BY made_at DESC, id DESC LIMIT 1
        """
    static let removeSameDigest =
        "DELETE FROM digests WHERE made_at >= ?1 AND made_at < ?2 AND key = ?3 "
        + "AND delivery = ?4 AND reader = ?5 AND profile = ?6"
    static let digestByTime = """
        SELECT form, payload FROM digests WHERE made_at >= ?1 AND made_at < ?2 AND delivery > 0 AND profile = ?3
        ORDER BY delivery DESC, made_at DESC, id DESC LIMIT 1
        """
    static let digestBefore = "SELECT max(made_at) FROM digests WHERE made_at < ?1 AND delivery > 0 AND profile = ?2"
    static let digestAfter = "SELECT min(made_at) FROM digests WHERE made_at >= ?1 AND delivery > 0 AND profile = ?2"
    static let digestsOfReader = """
        SELECT form, payload FROM digests WHERE made_at >= ?1 AND made_at < ?2 AND delivery > 0 AND reader = ?3
        ORDER BY made_at, id
        """
    static let digestDates =
        "SELECT made_at FROM digests WHERE delivery > 0 AND profile = '' ORDER BY made_at DESC LIMIT ?1"
}

/// The archive. Every digest is kept: at two or three kilobytes an article it is small beside the history. Which day a
/// digest belongs to is not stored, since that depends on the time zone of whoever asks.
extension Store {
    /// The form of the JSON in `digests`; raised whenever older payloads can no longer be read.
    static let digestForm: Int64 = 3

    /// The digest that was made last; nil where there is none or it cannot be read.
    public func latestDigest() throws(PulseError) -> Digest? {
        try rows(Query.latestDigest, []).first?.digest
    }

    /// Whether that is the list of an answer's sources.
    public func isLatestAnswer() throws(PulseError) -> Bool {
        try attempt { () throws(SQLError) in
            try connection.integer(Query.latestDelivery) == Delivery.answer.rawValue
        }
    }

    /// Has numbers stand for these articles, until the next digest or answer. The list before this one is forgotten.
    public func keepSources(
        _ readings: [Reading], profile: String = "", language: Language, at date: Date, calendar: Calendar
    ) throws(PulseError) {
        try attempt { () throws(SQLError) in
            try connection.query("DELETE FROM digests WHERE delivery = ?1", [.integer(Delivery.answer.rawValue)])
        }
        let section = Digest.Section(heading: .more, entries: [], titled: readings.map { Story([$0]) })
        try keep(
            Digest(date: date, period: Period(from: date, to: date), language: language, sections: [section]),
            as: .answer, profile: profile, calendar: calendar)
    }

    /// The name of the reader of what is printed; no mail address is like it.
    public static let output = "-"

    /// Keeps a digest as the last one, in place of one that says the same to the same reader on the same day.
    ///
    /// - Parameters:
    ///   - reader: A mail address, or `output` and the profile's name.
    ///   - profile: Whose settings it was made with; empty: nobody's in particular.
    public func keep(
        _ digest: Digest, as delivery: Delivery = .printed, for reader: String = Store.output, profile: String = "",
        calendar: Calendar
    ) throws(PulseError) {
        guard let payload = Payload.text(DigestPayload(digest)), let said = Payload.text(DigestPayload.saying(digest)),
            let day = calendar.dateInterval(of: .day, for: digest.date)
        else { return }
        let key = ContentHash.of([said])
        try attempt { () throws(SQLError) in
            let same: [SQLValue] = [
                .integer(Instant.milliseconds(day.start)), .integer(Instant.milliseconds(day.end)), .text(key),
                .integer(delivery.rawValue), .text(reader), .text(profile),
            ]
            try connection.transaction(.immediate) { () throws(SQLError) in
                try connection.query(Query.removeSameDigest, same)
                try connection.query(
                    """
                    INSERT INTO digests (key, made_at, delivery, reader, profile, form, payload)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                    """,
                    [
                        .text(key), .integer(Instant.milliseconds(digest.date)), .integer(delivery.rawValue),
                        .text(reader), .text(profile), .integer(Store.digestForm), .text(payload),
                    ])
            }
        }
    }

    /// The digest of the calendar's day that the date lies in, for the readers of a profile.
    public func digest(
        on date: Date, for profile: String = "", calendar: Calendar
    ) throws(PulseError) -> DayOfDigests {
        guard let day = calendar.dateInterval(of: .day, for: date) else {
            return .none(before: nil, after: nil)
        }
        let start = SQLValue.integer(Instant.milliseconds(day.start))
        let end = SQLValue.integer(Instant.milliseconds(day.end))
        let profile = SQLValue.text(profile)
        if let row = try rows(Query.digestByTime, [start, end, profile]).first {
            return row.digest.map(DayOfDigests.digest) ?? .unreadable
        }
        return try attempt { () throws(SQLError) in
            .none(
                before: try connection.integer(Query.digestBefore, [start, profile]).map(Instant.date),
                after: try connection.integer(Query.digestAfter, [end, profile]).map(Instant.date))
        }
    }

    /// What a reader was told from one date up to another, the oldest first. A digest that cannot be read is passed
    /// over.
    ///
    /// - Parameter reader: A mail address, or `output` and the profile's name.
    public func digests(for reader: String, from: Date, before: Date) throws(PulseError) -> [Digest] {
        try rows(
            Query.digestsOfReader,
            [.integer(Instant.milliseconds(from)), .integer(Instant.milliseconds(before)), .text(reader)]
        ).compactMap(\.digest)
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

    private func rows(_ sql: String, _ values: [SQLValue]) throws(PulseError) -> [Row] {
        try attempt { () throws(SQLError) in
            var rows: [Row] = []
            try connection.query(sql, values) { statement throws(SQLError) in
                let isKnown = statement.integer(0) == Store.digestForm
                let payload = isKnown ? Payload.value(DigestPayload.self, from: statement.text(1) ?? "") : nil
                rows.append(Row(digest: payload?.digest))
            }
            return rows
        }
    }
}
