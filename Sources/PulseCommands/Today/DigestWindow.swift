import Foundation
import PulseCore
import PulseDigest
import PulseRendering
import PulseStore

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
        let asked = readings.filter { $0.basis == .read || interests.wants($0.article) }
        return Set((asked + digest.readings).map(\.article.id))
    }

    private func read(in store: borrowing Store) throws(PulseError) -> (Period, [Reading]) {
        guard case .sinceLast = window else {
            let period = try period()
            return (period, try store.readings(in: period))
        }
        let now = context.now
        guard try store.lastSent(to: key, before: before) != nil else {
            let period = Period(hours: DigestWindow.first, endingAt: now)
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

    /// Notes that a digest has reached its reader, or is sure to, and nobody else. What waited is told then; of what was
    /// read, nothing is noted where the digest is of a fixed time. A week repeats, and delivers nothing.
    func noteSent(_ digest: Digest) throws(PulseError) {
        guard !digest.isWeek else { return }
        if [.unread, .readAndUnread].contains(digest.basis) {
            try context.writing { store throws(PulseError) in
                try store.noteTold(entries: digest.considered, to: entryReader, at: context.now)
            }
        }
        guard case .sinceLast = window, [.read, .readAndUnread].contains(digest.basis) else { return }
        try context.writing { store throws(PulseError) in
            let isFirst = try store.lastSent(to: key, before: .distantFuture) == nil
            try store.noteTold(
                articles: digest.considered, to: key, at: context.now,
                earlier: isFirst ? Period(from: recent.from, to: digest.period.from) : nil)
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
