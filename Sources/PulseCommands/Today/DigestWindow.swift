import Foundation
import PulseCore
import PulseRendering
import PulseStore

/// Which articles a digest is of: those of "48 hours", "since the 18th", or all that no digest before had.
struct DigestWindow {
    let context: Context
    /// Nil: whoever reads the output.
    let reader: MailAddress?

    private var window: Settings.Window {
        context.settings.window ?? (context.settings.isSent ? .sinceLast : .hours(48))
    }

    func readings(in store: borrowing Store) throws(PulseError) -> (Period, [Reading]) {
        guard case .sinceLast = window else {
            let period = try period()
            return (period, try store.readings(in: period))
        }
        let now = context.now
        guard let last = try store.lastSent(to: key, before: before) else {
            let period = Period(hours: DigestWindow.first, endingAt: now)
            return (period, try store.readings(in: period))
        }
        let readings = try store.readings(in: recent, notSentTo: key, before: before)
        // What was imported late may have been read before the last digest was sent.
        let from = readings.map(\.readAt).reduce(min(last, now), min)
        return (Period(from: from, to: now), readings)
    }

    /// Notes that a digest has reached its reader, or is sure to. Of one that is of a fixed time nothing is noted.
    func noteSent(_ digest: Digest) throws(PulseError) {
        guard case .sinceLast = window else { return }
        try context.writing { store throws(PulseError) in
            let isFirst = try store.lastSent(to: key, before: .distantFuture) == nil
            try store.noteSent(
                digest.considered, to: key, at: context.now,
                earlier: isFirst ? Period(from: recent.from, to: digest.period.from) : nil)
        }
    }

    /// The stretch of time that is asked for; from the beginning of what may be new where that is asked for.
    func period() throws(PulseError) -> Period {
        switch window {
        case .hours(let hours): return Period(hours: hours, endingAt: context.now)
        case .sinceLast: return recent
        case .since(let text):
            let from = try DateWords(now: context.now, calendar: context.calendar).moment(text, for: "--since")
            return Period(from: from, to: context.now)
        }
    }

    /// An address is what tells readers apart; the output has a name that no address has.
    private var key: String { reader?.key ?? "-" }

    /// `--again` repeats the day's digest: what was sent today counts as not sent.
    private var before: Date {
        context.settings.isAgain ? context.calendar.startOfDay(for: context.now) : .distantFuture
    }

    /// How far back something that was imported late may have been read.
    private var recent: Period { Period(hours: 14 * 24, endingAt: context.now) }

    /// Hours that the first digest of a reader covers.
    private static let first = 24.0
}
