import Foundation
import PulseCore
import PulseDigest
import PulseRendering
import PulseStore

/// What a digest that is on its way covers, so that it can be noted also by the run after one that was ended.
struct Coverage: Codable, Sendable, Hashable {
    let at: Date
    /// Since when it covers what was read; nil where that is not noted.
    let since: Date?
    /// Whether it covers what waits in feeds.
    let hasEntries: Bool
}

/// Which articles a digest is of: those of "48 hours", "since the 18th", or all that no digest before had.
struct DigestWindow {
    let context: Context
    /// Nil: whoever reads the output.
    let reader: MailAddress?

    private var window: Settings.Window {
        if context.settings.isWeek { return .week }
        // Hours are set for what is printed: in a mail they would repeat articles, or lose some.
        if context.settings.isSent, case .hours = context.settings.window, !context.isGiven(.hours) {
            return .sinceLast
        }
        return context.settings.window ?? (context.settings.isSent ? .sinceLast : .hours(48))
    }

    func readings(in store: borrowing Store) throws(PulseError) -> (Period, [Reading]) {
        switch context.settings.basis {
        case .read: return try read(in: store)
        case .unread: return try waiting(in: store)
        case .bookmarks: return try bookmarks(in: store)
        case .readAndUnread:
            let (first, read) = try read(in: store)
            let (second, waiting) = try waiting(in: store)
            return (Period(from: min(first.from, second.from), to: context.now), read + waiting)
        }
    }

    /// All that no digest had, however long it has waited, unless the command line says how far back to go. Of a week,
    /// all that still waits: it sums up what was told.
    private func waiting(in store: borrowing Store) throws(PulseError) -> (Period, [Reading]) {
        let isWeek = window == .week
        let isAsked = isWeek || context.isGiven(.hours) || context.isGiven(.since)
        let period = try isAsked ? period() : Period(from: .distantPast, to: context.now)
        let readings = try store.waiting(
            in: period, for: entryReader, repeating: isWeek ? .distantPast : reader == nil ? .distantFuture : before)
        if isAsked { return (period, readings) }
        return (Period(from: readings.map(\.readAt).min() ?? context.now, to: context.now), readings)
    }

    /// What was saved during the time; a mail is of a day.
    private func bookmarks(in store: borrowing Store) throws(PulseError) -> (Period, [Reading]) {
        let period = try window == .sinceLast ? Period(hours: DigestWindow.first, endingAt: context.now) : period()
        let saved = try store.bookmarks().compactMap { bookmark in
            bookmark.savedAt.map {
                Reading(article: bookmark.article, readAt: $0, origin: "bookmarks", isExact: false, basis: .bookmarks)
            }
        }
        return (period, saved.filter { period.contains($0.readAt) })
    }

    /// What counts as told once the digest is out: of what waits, nothing that its reader did not ask for.
    func considered(_ readings: [Reading], in digest: Digest, _ interests: Interests) -> Set<String> {
        // Who limits one digest on the command line takes nothing else of that day from the next.
        let isPart = [Option.category, .source, .mute, .muteSource].contains(where: context.isGiven)
        let asked = readings.filter {
            $0.basis == .read && !isPart || interests.wants($0.article) && !interests.mutes($0)
        }
        return Set((asked + digest.readings).map(\.article.id))
    }

    private func read(in store: borrowing Store) throws(PulseError) -> (Period, [Reading]) {
        guard case .sinceLast = window else {
            let period = try period()
            return (period, try store.readings(in: period))
        }
        let now = context.now
        guard try store.lastSent(to: key, before: before) != nil else {
            // Nights on which there was nothing to send yet are made up for like any other.
            let begun = min(reader.flatMap { FirstRuns.first(for: $0, below: context.locations.state) } ?? now, now)
            let period = Period(
                from: max(begun.addingTimeInterval(-DigestWindow.first * 3600), recent.from), to: now)
            return (period, try store.readings(in: period))
        }
        // Counted from the last digest: however long the machine was off, what came after it is still to be told. One
        // that is of later than now is of a clock that was ahead.
        let last = try store.lastSent(to: key, before: min(before, now.addingTimeInterval(1))) ?? now
        let earliest = last.addingTimeInterval(-recent.duration)
        let readings = try store.readings(since: earliest, notSentTo: key, before: before)
        // What was imported late may have been read before the last digest was sent.
        let from = readings.map(\.readAt).reduce(last, min)
        return (Period(from: from, to: now), readings)
    }

    /// The stories that the reader was told in the days before, the oldest first. A digest of a fixed time is the same
    /// however often it is made on one day.
    func told(in store: borrowing Store) throws(PulseError) -> [ToldStory] {
        let today = context.calendar.startOfDay(for: context.now)
        guard let first = context.calendar.date(byAdding: .day, value: 1 - ToldStory.days, to: today) else { return [] }
        let end = window == .sinceLast ? before : today
        return try store.digests(for: key, from: first, before: end).flatMap { $0.toldStories(in: context.timeZone) }
    }

    /// What is to be noted when a digest has reached its reader, or is sure to. What waited is told then; of what was
    /// read, nothing is noted where the digest is of a fixed time. A week repeats, and delivers nothing.
    func coverage(of digest: Digest) -> Coverage? {
        guard !digest.isWeek else { return nil }
        let isOfReadings = window == .sinceLast && [.read, .readAndUnread].contains(digest.basis)
        return Coverage(
            at: context.now, since: isOfReadings ? digest.period.from : nil,
            hasEntries: [.unread, .readAndUnread].contains(digest.basis))
    }

    /// Notes that articles have reached their reader, and nobody else. Noting it again changes nothing.
    func note(_ articles: Set<String>, _ coverage: Coverage) throws(PulseError) {
        try context.writing { store throws(PulseError) in
            if coverage.hasEntries { try store.noteTold(entries: articles, to: entryReader, at: coverage.at) }
            guard let since = coverage.since else { return }
            let isFirst = try store.lastSent(to: key, before: .distantFuture) == nil
            try store.noteTold(
                articles: articles, to: key, at: coverage.at,
                earlier: isFirst ? Period(from: recent.from, to: since) : nil)
        }
    }

    /// The stretch of time that is asked for; from the beginning of what may be new where that is asked for.
    func period() throws(PulseError) -> Period {
        switch window {
        case .hours(let hours): return Period(hours: hours, endingAt: context.now)
        case .sinceLast: return recent
        case .week:
            let today = context.calendar.startOfDay(for: context.now)
            let first = context.calendar.date(byAdding: .day, value: 1 - ToldStory.days, to: today)
            return Period(from: first ?? today, to: context.now)
        case .since(let text):
            let from = try DateWords(now: context.now, calendar: context.calendar).moment(text, for: "--since")
            return Period(from: from, to: context.now)
        }
    }

    /// An address is what tells readers apart, and of those who read the output their profile.
    var key: String { reader?.key ?? Store.output + profile }

    private var profile: String { context.settings.profile }
    private var entryReader: EntryReader { EntryReader(profile: profile, recipient: reader?.key) }

    /// `--again` repeats the day's digest: what was sent today counts as not sent.
    private var before: Date {
        context.settings.isAgain ? context.calendar.startOfDay(for: context.now) : .distantFuture
    }

    /// How far back something that was imported late may have been read.
    private var recent: Period { Period(hours: 14 * 24, endingAt: context.now) }

    /// Hours that the first digest of a reader covers.
    private static let first = 24.0
}
