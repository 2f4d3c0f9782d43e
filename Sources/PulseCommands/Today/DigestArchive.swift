import Foundation
import PulseApp
import PulseCore
import PulseDigest
import PulseStore

/// The digests of the days before.
struct DigestArchive {
    let context: Context

    /// Hands out the digest of a day again, in whatever way is asked for.
    func print(_ day: String) async throws(PulseError) {
        let days = context.calendar
        let noon = try DateWords(now: context.now, calendar: days).noon(day, for: "--date")
        let day = Day(noon, in: context.timeZone).text
        let found = try context.reading { store throws(PulseError) in
            try store.digest(on: noon, for: context.settings.profile, calendar: days)
        }
        switch found {
        case .digest(let digest):
            try await context.hand(out: digest, isPaged: true)
        case .unreadable:
            throw PulseError(
                .badData, "The digest of \(day) is damaged, or was made by another version of pulse-digest.",
                hint: "What you read that day is untouched: pulse-digest history list")
        case .none(let before, let after):
            throw PulseError(
                .noInput, "There is no digest of \(day).", hint: nearest([before, after].compactMap(\.self)))
        }
    }

    private func nearest(_ dates: [Date]) -> Message {
        let days = dates.map { Day($0, in: context.timeZone).text }
        return switch days.count {
        case 0: "None has been made yet: pulse-digest today"
        case 1: "The nearest is of \(days[0])."
        default: "The nearest are of \(days[0]) and \(days[1])."
        }
    }
}
