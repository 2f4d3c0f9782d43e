import Foundation
import PulseCore

/// The number of articles read in each three-hour slot of the user's time zone, or on each day if the digest covers
/// many. Estimated reading times do not count.
struct ReadingTimes: Sendable, Hashable {
    struct Day: Sendable, Hashable {
        /// `Fri`, or `20 Nov` if there are many days.
        let label: String
        /// Eight counts from midnight on, or one for the whole day.
        let counts: [Int]
    }

    let days: [Day]
    /// The number on each day: `Thu 3, Fri 14`; nil if there are too many days.
    let sums: String?
    /// A sentence about when most was read.
    let peak: String

    /// Hours per count, if a day has several.
    static let hours = 3
    private static let mostDaysInHours = 4
    /// The most days that are named by weekday; the last may have the same name as the first.
    static let mostNamedDays = 8
    private static let mostDays = 35

    /// Nil if fewer than two readings have an exact time, or if there are too many days to draw.
    init?(_ digest: Digest, timeZone: TimeZone) {
        let calendar = Calendar.gregorian(in: timeZone)
        let dates = (digest.times ?? digest.readings.filter(\.isExact).map(\.readAt)).filter(digest.period.contains)
        guard dates.count > 1 else { return nil }
        var starts = [calendar.startOfDay(for: digest.period.from)]
        while let last = starts.last, let next = calendar.date(byAdding: .day, value: 1, to: last),
            next <= digest.period.to
        {
            guard starts.count < ReadingTimes.mostDays else { return nil }
            starts.append(next)
        }
        let isInHours = starts.count <= ReadingTimes.mostDaysInHours
        var counts = Array(
            repeating: Array(repeating: 0, count: isInHours ? 24 / ReadingTimes.hours : 1), count: starts.count)
        for date in dates {
            guard let day = starts.lastIndex(where: { $0 <= date }) else { continue }
            counts[day][isInHours ? calendar.component(.hour, from: date) / ReadingTimes.hours : 0] += 1
        }
        var most = (day: 0, slot: 0)
        for day in counts.indices {
            for slot in counts[day].indices where counts[day][slot] > counts[most.day][most.slot] { most = (day, slot) }
        }
        let language = digest.language
        let areMany = starts.count > ReadingTimes.mostNamedDays
        days = zip(starts, counts).map { start, counts in
            let label =
                areMany
                ? DateText.shortDay(start, in: timeZone, language)
                : DateText.shortWeekday(start, in: timeZone, language)
            return Day(label: label, counts: counts)
        }
        sums = areMany ? nil : days.map { "\($0.label) \($0.counts.reduce(0, +))" }.joined(separator: ", ")
        let hour = most.slot * ReadingTimes.hours
        let hours = isInHours ? DateText.hour(hour) + "–" + DateText.hour(hour + ReadingTimes.hours) : nil
        peak = language.phrases.most(
            DateText.weekdayAndDay(starts[most.day], in: timeZone, language), hours,
            language.phrases.article(counts[most.day][most.slot]))
    }

    /// The contents of the chart in words.
    func sentence(_ phrases: Phrases) -> String {
        (sums.map { "\(phrases.times)\(phrases.colon) \($0). " } ?? "") + peak
    }
}
