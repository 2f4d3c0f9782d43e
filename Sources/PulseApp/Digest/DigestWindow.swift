import Foundation
package import PulseCore
import PulseDigest
package import PulseRendering
import PulseSources
package import PulseStore

/// What a digest covers. It is stored with the mail, so that the next run can record it if this one is killed.
package struct DeliveredPeriod: Codable, Sendable, Hashable {
    let at: Date
    /// The start of the reading that it covers; nil: reading is not recorded.
    let since: Date?
    let hasEntries: Bool
}

/// Selects a digest's articles: of "48 hours", "since the 18th", or all that no earlier digest had.
package struct DigestWindow {
    private let app: AppEnvironment
    private let request: DigestRequest
    /// Nil: the reader of the output.
    private let recipient: MailAddress?

    package init(of request: DigestRequest, for recipient: MailAddress? = nil, in app: AppEnvironment) {
        (self.app, self.request, self.recipient) = (app, request, recipient)
    }

    package func readings(in store: borrowing Store) throws -> (Period, [Reading]) {
        switch request.basis {
        case .read: return try read(in: store)
        case .unread: return try waiting(in: store)
        case .bookmarks: return try bookmarks(in: store)
        case .readAndUnread:
            let (first, read) = try read(in: store)
            let (second, waiting) = try waiting(in: store)
            return (Period(from: min(first.from, second.from), to: app.now), read + waiting)
        }
    }

    /// Unread entries that no digest had, of any age or of the given window. A week's digest repeats those left unread.
    private func waiting(in store: borrowing Store) throws -> (Period, [Reading]) {
        let isWeek = request.isWeek
        let isAsked = isWeek || request.isWindowNamed
        let period = isAsked ? period : Period(from: .distantPast, to: app.now)
        let readings = try store.waiting(
            in: period, for: entryReader, repeating: isWeek ? .distantPast : recipient == nil ? .distantFuture : before)
        if isAsked { return (period, readings) }
        return (Period(from: readings.map(\.readAt).min() ?? app.now, to: app.now), readings)
    }

    /// The bookmarks of the period; in a mail, of the last 24 hours.
    private func bookmarks(in store: borrowing Store) throws -> (Period, [Reading]) {
        let period = request.window == .sinceLast ? Period(hours: DigestWindow.first, endingAt: app.now) : period
        let saved = try store.bookmarks().compactMap { bookmark in
            bookmark.savedAt.map { Reading(bookmark, at: $0) }
        }
        return (period, saved.filter { period.contains($0.readAt) })
    }

    /// The articles that count as told once the digest is out. Of unread entries, and of all articles if only a part of
    /// them was asked for, these are only the ones that its reader wants.
    func considered(_ readings: [Reading], in digest: Digest) -> Set<String> {
        let interests = request.interests
        let asked = readings.filter {
            $0.basis == .read && !request.isPart || interests.wants($0.article) && !interests.mutes($0)
        }
        return Set((asked + digest.readings).map(\.article.id))
    }

    private func read(in store: borrowing Store) throws -> (Period, [Reading]) {
        guard request.window == .sinceLast else { return (period, try store.readings(in: period)) }
        let now = app.now
        guard let sent = try store.lastSent(to: key, before: before) else {
            // Nights before the first mail, on which there was nothing to send, are covered, too.
            let begun = min(recipient.flatMap { FirstRunDates.first(for: $0, below: app.locations.state) } ?? now, now)
            let period = Period(
                from: max(begun.addingTimeInterval(-DigestWindow.first * 3600), recent.from), to: now)
            return (period, try store.readings(in: period))
        }
        // Back to the last digest, however old that is. One from later than now was sent while the clock was ahead.
        let last =
            sent <= now ? sent : try store.lastSent(to: key, before: min(before, now.addingTimeInterval(1))) ?? now
        let earliest = last.addingTimeInterval(-recent.duration)
        let readings = try store.readings(since: earliest, notSentTo: key, before: before)
        // What was imported late may have been read before the last digest was sent.
        let from = readings.map(\.readAt).reduce(last, min)
        return (Period(from: from, to: now), readings)
    }

    /// The stories of the reader's digests in the days before, the oldest first. A fixed period leaves out today's, so
    /// that its digest is the same each time.
    func told(in store: borrowing Store) throws -> [PreviousStory] {
        if request.isWeek { return try toldByDay(store) }
        let today = app.calendar.startOfDay(for: app.now)
        guard let first = app.calendar.date(byAdding: .day, value: 1 - PreviousStory.days, to: today) else { return [] }
        let end = request.window == .sinceLast ? before : today
        return try store.digests(for: key, from: first, before: end).flatMap {
            $0.previousStories(in: app.timeZone, titled: true)
        }
    }

    /// What to record as told once the digest has reached its reader: its entries, and with `sinceLast` its readings.
    /// Nil if there is nothing to record, as for a week's digest, which repeats.
    package func coverage(of digest: Digest) -> DeliveredPeriod? {
        let isOfReadings = request.window == .sinceLast && [.read, .readAndUnread].contains(digest.basis)
        let hasEntries = [.unread, .readAndUnread].contains(digest.basis)
        guard !digest.isWeek, isOfReadings || hasEntries else { return nil }
        return DeliveredPeriod(
            at: app.now, since: isOfReadings ? digest.period.from : nil, hasEntries: hasEntries)
    }

    /// Records that articles have reached this reader: all or, on failure, none. Recording it again changes nothing.
    package func note(_ articles: Set<String>, _ coverage: DeliveredPeriod) throws {
        try app.history.open(.readWrite).markDelivered(
            articles, entriesTo: coverage.hasEntries ? entryReader : nil,
            articlesTo: coverage.since == nil ? nil : key, at: coverage.at,
            before: coverage.since.map { Period(from: recent.from, to: $0) })
    }

    /// The stories of the period's digests, one digest a day, the oldest first.
    private func toldByDay(_ store: borrowing Store) throws -> [PreviousStory] {
        let period = period
        var stories: [PreviousStory] = []
        var day = period.from
        while day <= period.to, let next = app.calendar.date(byAdding: .day, value: 1, to: day) {
            if case .digest(let digest) = try store.digest(on: day, for: request.profile, calendar: app.calendar) {
                stories += digest.previousStories(in: app.timeZone)
            }
            day = next
        }
        return stories
    }

    /// Stores a digest for `--date` and for its stories' numbers. If that fails, it is still printed or sent.
    package func keep(_ digest: Digest, as delivery: Delivery, reporter: Reporter) {
        do {
            try app.history.open(.readWrite).keep(
                digest, as: delivery, for: key, profile: request.profile, calendar: app.calendar)
        } catch {
            reporter.note(
                "This digest could not be stored, so other commands will not find its stories by their numbers: "
                    + "\(error.asPulseError)")
        }
    }

    /// The period of the request; for `sinceLast`, all that may be new.
    private var period: Period {
        switch request.window {
        case .hours(let hours): return Period(hours: hours, endingAt: app.now)
        case .sinceLast: return recent
        case .week:
            let today = app.calendar.startOfDay(for: app.now)
            let first = app.calendar.date(byAdding: .day, value: 1 - PreviousStory.days, to: today)
            return Period(from: first ?? today, to: app.now)
        case .since(let from): return Period(from: from, to: app.now)
        }
    }

    /// Identifies the reader: by address, or by profile if they read the output.
    private var key: String { recipient?.key ?? Store.output + request.profile }

    private var entryReader: EntryRecipient { EntryRecipient(profile: request.profile, recipient: recipient?.key) }

    /// `--again` repeats the day's digest: what was sent today counts as not sent.
    private var before: Date { request.isAgain ? app.calendar.startOfDay(for: app.now) : .distantFuture }

    /// How far back articles that are imported late may have been read.
    private var recent: Period { Period(hours: 14 * 24, endingAt: app.now) }

    /// Hours that the first digest of a reader covers.
    private static let first = 24.0
}

extension AppEnvironment {
    /// The days that a first digest may cover: it takes the first of these numbers within which something was read.
    package static let stretches = [2, 7, 30, 365]

    /// The first of `stretches` within which something was read; nil if there is none.
    package func daysWithReading() throws -> Int? { try daysWithReading(in: history.open()) }

    private func daysWithReading(in store: borrowing Store) throws -> Int? {
        guard let last = try store.lastRead(until: now) else { return nil }
        return Self.stretches.first { Period(hours: Double(24 * $0), endingAt: now).contains(last) }
    }

    /// Explains an empty digest: what there is, from when, and the command that shows it.
    package func explainNothingNew() throws -> Message {
        let store = try history.open()
        let (statistics, waiting) = (try store.statistics(), try store.unreadCount())
        let days = try daysWithReading(in: store)
        let hasFeeds = try !store.feeds().isEmpty
        let browsers = Set(SourceKind.all.filter(\.isBrowser).map(\.name))
        let hasReaders = try !browsers.isSuperset(of: store.origins())
        if let last = statistics.lastReadAt {
            let since = days.map { "\($0)d" } ?? Day(last, in: timeZone).text
            let time = DateText.compact(last, in: timeZone)
            return
                "There is nothing new to sum up: the last article was read at \(time). To go back to it: pulse-digest "
                + "today --since \(since). What you read from now on counts once it is imported."
        }
        if waiting > 0 {
            let unread = Counted.text(waiting, "unread entry", "unread entries")
            return "Nothing was read yet, but your feeds have \(unread): pulse-digest today --basis unread"
        }
        if hasFeeds {
            return "Nothing was read yet, and nothing has come into your feeds. To refresh them: "
                + "pulse-digest feeds refresh"
        }
        return hasReaders
            ? "Nothing is marked as read there yet. To have what is new summed up, follow its feeds here: export them "
                + "from your reader as OPML (newsboat -e > feeds.opml), then call pulse-digest feeds import-opml "
                + "feeds.opml, and pulse-digest feeds refresh."
            : "Nothing was read yet. To bring your reading in: pulse-digest import. To follow a feed: "
                + "pulse-digest feeds add URL"
    }
}
