public import PulseCore
import PulsePlatform

public import struct Foundation.Calendar
public import struct Foundation.Date

/// How a digest was delivered. Of a day's digests, the one with the greatest value is the day's.
public enum Delivery: Int64, Sendable, Hashable {
    /// Not a digest but an answer's list of sources, whose numbers commands accept.
    case answer = -1
    /// Printed; a week's digest, which belongs to no day.
    case week = 0
    /// Printed, with fewer articles than the settings ask for.
    case glance = 1
    /// Printed, complete.
    case printed = 2
    case mailed = 3
}

/// The archive's entry for one day.
public enum DayOfDigests: Sendable, Hashable {
    /// The one with the greatest `Delivery`; among equals the latest.
    case digest(Digest)
    /// There is a digest that cannot be read: damaged, or of an unknown format.
    case unreadable
    /// There is none; the times of the nearest earlier and later ones.
    case none(before: Date?, after: Date?)
}

extension Query {
    static let latestPrinted =
        "SELECT form, payload FROM digests WHERE delivery BETWEEN 0 AND 2 ORDER BY id DESC LIMIT 1"
    /// Without those sent to other readers: numbers refer to stories of digests that the user has seen.
    static let latestMailed = """
        SELECT form, payload FROM digests WHERE delivery = 3 AND (profile = '' OR instr(reader, '@') = 0)
        ORDER BY made_at DESC, id DESC LIMIT 1
        """
    static let makePrintedLatest = """
        UPDATE digests SET id = (SELECT max(id) + 1 FROM digests) WHERE id = (SELECT max(id) FROM digests
        WHERE made_at = ?1 AND key = ?2 AND profile = ?3 AND delivery BETWEEN 0 AND 2)
        RETURNING id
        """
    static let latestSources =
        "SELECT form, payload FROM digests WHERE delivery = -1 ORDER BY made_at DESC, id DESC LIMIT 1"
    static let removeEarlierSources =
        "DELETE FROM digests WHERE delivery = -1 AND id < (SELECT max(id) FROM digests WHERE delivery = -1)"
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
    static let digestsNaming = "SELECT form, payload, id FROM digests WHERE instr(payload, ?1) > 0"
    static let digestDates =
        "SELECT made_at FROM digests WHERE delivery > 0 AND profile = '' ORDER BY made_at DESC LIMIT ?1"
}

/// The archive. Every digest stays, being small. Its day is not stored: it depends on the time zone.
extension Store {
    /// The version of the JSON in `digests`, raised whenever older payloads can no longer be read.
    static let digestForm: Int64 = 3

    /// The digest that was last printed; nil if there is none or it cannot be read.
    public func latestPrinted() throws -> Digest? { try archived(Query.latestPrinted).first ?? nil }

    /// The digest that was last mailed; nil if there is none or it cannot be read.
    public func latestMailed() throws -> Digest? { try archived(Query.latestMailed).first ?? nil }

    /// Notes that an archived digest was printed again, so that numbers refer to its stories.
    public func keepPrinted(_ digest: Digest, profile: String, calendar: Calendar) throws {
        guard let contents = Payload.text(DigestPayload.contents(of: digest)) else { return }
        let same: [SQLValue] = [.time(digest.date), .text(ContentHash.of([contents])), .text(profile)]
        guard try integer(Query.makePrintedLatest, same) == nil else { return }
        try keep(digest, as: .glance, profile: profile, calendar: calendar)
    }

    /// The sources of the last answer, and when it was given; nil if there is none or they cannot be read.
    public func latestSources() throws -> (readings: [Reading], date: Date)? {
        let list = try archived(Query.latestSources).first ?? nil
        return list.map { ($0.readings, $0.date) }
    }

    /// Stores an answer's sources, so that their numbers can be used until the next answer. Replaces the previous list.
    public func keepSources(
        _ readings: [Reading], profile: String = "", language: Language, at date: Date, calendar: Calendar
    ) throws {
        let section = Digest.Section(heading: .more, entries: [], titled: readings.map { Story([$0]) })
        try keep(
            Digest(date: date, period: Period(from: date, to: date), language: language, sections: [section]),
            as: .answer, profile: profile, calendar: calendar)
        // Afterwards, so that a failure leaves one of the two lists.
        try attempt { try connection.query(Query.removeEarlierSources) }
    }

    /// The reader's name for printed digests; no mail address looks like it.
    public static let output = "-"

    /// Archives a digest, replacing one with the same contents, reader and day. The reader is a mail address, or
    /// `output` and the profile's name; `profile` is the one that it was made with, empty for none.
    public func keep(
        _ digest: Digest, as delivery: Delivery = .printed, for reader: String = Store.output, profile: String = "",
        calendar: Calendar
    ) throws {
        guard let payload = Payload.text(DigestPayload(digest)),
            let contents = Payload.text(DigestPayload.contents(of: digest)),
            let day = calendar.dateInterval(of: .day, for: digest.date)
        else { return }
        let key = ContentHash.of([contents])
        let owner: [SQLValue] = [.integer(delivery.rawValue), .text(reader), .text(profile)]
        try transaction {
            try connection.query(Query.removeSameDigest, [.time(day.start), .time(day.end), .text(key)] + owner)
            try connection.query(
                """
                INSERT INTO digests (key, made_at, delivery, reader, profile, form, payload)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
                """,
                [.text(key), .time(digest.date)] + owner + [.integer(Store.digestForm), .text(payload)])
        }
    }

    /// The digest of the calendar day of `date`, for the readers of a profile.
    public func digest(on date: Date, for profile: String = "", calendar: Calendar) throws -> DayOfDigests {
        guard let day = calendar.dateInterval(of: .day, for: date) else { return .none(before: nil, after: nil) }
        let (start, end, profile) = (SQLValue.time(day.start), SQLValue.time(day.end), SQLValue.text(profile))
        if let digest = try archived(Query.digestByTime, [start, end, profile]).first {
            return digest.map(DayOfDigests.digest) ?? .unreadable
        }
        return .none(
            before: try integer(Query.digestBefore, [start, profile]).map(Instant.date),
            after: try integer(Query.digestAfter, [end, profile]).map(Instant.date))
    }

    /// The digests delivered to a reader (see `keep`) in some time, the oldest first. Unreadable ones are skipped.
    public func digests(for reader: String, from: Date, before: Date) throws -> [Digest] {
        try archived(Query.digestsOfReader, [.time(from), .time(before), .text(reader)]).compactMap(\.self)
    }

    /// The times of the archived digests, the latest first.
    public func digestDates(limit: Int) throws -> [Date] {
        try rows(Query.digestDates, [.integer(Int64(limit))]) { Instant.date($0.integer(0) ?? 0) }
    }

    /// Removes an article's text and reading time from the archive. Titles and quoted sentences stay, as printed.
    func emptyInArchive(_ ids: [String]) throws {
        for id in ids {
            let found = try connection.rows(Query.digestsNaming, [SQLValue(Payload.text(id))]) { row in
                (row: row.integer(2) ?? 0, payload: Payload.value(DigestPayload.self, from: row.text(1) ?? ""))
            }
            for (row, payload) in found {
                guard var payload else {
                    // Of an older form, which nothing can show.
                    try connection.query("DELETE FROM digests WHERE id = ?1", [.integer(row)])
                    continue
                }
                let read = payload.pool.filter { $0.article.id == id }.map(\.readAt)
                payload.times?.removeAll(where: read.contains)
                payload.pool = payload.pool.map { reading in
                    guard reading.article.id == id else { return reading }
                    var emptied = Reading(
                        article: reading.article, readAt: payload.date, origin: reading.origin, isExact: false,
                        basis: reading.basis)
                    (emptied.article.summary, emptied.article.content) = ("", "")
                    return emptied
                }
                try connection.query(
                    "UPDATE digests SET payload = ?1 WHERE id = ?2", [SQLValue(Payload.text(payload)), .integer(row)])
            }
        }
    }

    /// The digests of a query; nil for one that cannot be read.
    private func archived(_ sql: String, _ values: [SQLValue] = []) throws -> [Digest?] {
        try rows(sql, values, Self.digest)
    }

    private static func digest(of row: Statement) -> Digest? {
        guard row.integer(0) == digestForm else { return nil }
        return Payload.value(DigestPayload.self, from: row.text(1) ?? "")?.digest
    }
}

/// A model's answer to one prompt, before the check.
public struct CachedAnswer: Sendable, Hashable, Codable {
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

    /// The articles, model (a fingerprint of its file), prompt file and language of an answer, and in `parameters` all
    /// else that decides it, such as sampling and length.
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

    /// The cached answer; nil if there is none or it cannot be read.
    public func answer(for key: AnswerKey) throws -> CachedAnswer? {
        try rows(Query.answer, [.text(key.hash), .integer(Store.answerForm)]) { $0.text(0) ?? "" }.first
            .flatMap { Payload.value(CachedAnswer.self, from: $0) }
    }

    /// Caches an answer, replacing an older one of the same key.
    public func keep(_ answer: CachedAnswer, for key: AnswerKey, at date: Date) throws {
        guard let payload = Payload.text(answer) else { return }
        try transaction {
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
