import Foundation
import PulseCore

extension DigestOverview {
    /// What this is: `Your digest, Saturday, 21 November 2026`
    func title(in timeZone: TimeZone, _ language: Language) -> String {
        Phrases(language).title(DateText.day(date, in: timeZone, language))
    }

    /// How much was read since when, and in how many days in a row: a line each.
    func opening(in timeZone: TimeZone, _ language: Language) -> [String] {
        let phrases = Phrases(language)
        let read = phrases.read(
            told, told + omitted, DateText.dayAndTime(period.from, in: timeZone, language), phrases.source(sources),
            phrases.topic(topics.count))
        let muted = muted > 0 ? "; " + phrases.muted(muted) : ""
        return [read + muted + "."] + (daysInARow > 1 ? [phrases.daysInARow(daysInARow)] : [])
    }
}
