public import Foundation
public import PulseCore
import PulseText

/// Dates in a language and a time zone.
public enum DateText {
    /// `Saturday, 21 November 2026`
    static func day(_ date: Date, in zone: TimeZone, _ language: Language) -> String {
        format(date, zone, language) { $0.weekday(.wide).day().month(.wide).year() }
    }

    /// `21 November 2026`
    public static func date(_ date: Date, in zone: TimeZone, _ language: Language) -> String {
        format(date, zone, language) { $0.day().month(.wide).year() }
    }

    /// The days of a period: `16 – 22 November 2026`; of one that has no beginning, `… – 22 November 2026`.
    static func days(of period: Period, in zone: TimeZone, _ language: Language) -> String {
        let (first, last) = (date(period.from, in: zone, language), date(period.to, in: zone, language))
        if first == last { return first }
        if period.from == .distantPast { return "… – " + last }
        var (from, to) = (first.split(separator: " "), last.split(separator: " "))
        // A common end, such as the month, is printed once.
        while from.count > 1, from.last == to.last {
            from.removeLast()
            to.removeLast()
        }
        return from.joined(separator: " ") + " – " + last
    }

    /// - Parameter beginsLine: capitalises the name, which some languages write in lower case.
    static func weekday(_ day: PulseCore.Day, _ language: Language, beginsLine: Bool = false) -> String {
        guard let start = day.start(in: .gregorian(in: .gmt)) else { return day.text }
        let name = format(start, .gmt, language) { $0.weekday(.wide) }
        return beginsLine ? name.prefix(1).uppercased() + name.dropFirst() : name
    }

    /// `02:46 on Thursday 19 November`
    static func dayAndTime(_ date: Date, in zone: TimeZone, _ language: Language) -> String {
        language.phrases.at(weekdayAndDay(date, in: zone, language), time(date, in: zone, language))
    }

    /// `02:46`
    static func time(_ date: Date, in zone: TimeZone, _ language: Language) -> String {
        format(date, zone, language) { $0.hour(.twoDigits(amPM: .omitted)).minute(.twoDigits) }
    }

    /// The beginning of a period. For more than half a year: with the year and without the time.
    static func beginning(of period: Period, in zone: TimeZone, _ language: Language) -> String {
        let isLong = period.to.timeIntervalSince(period.from) > 180 * 86_400
        return isLong ? day(period.from, in: zone, language) : dayAndTime(period.from, in: zone, language)
    }

    /// `21 November`
    static func dayAndMonth(_ date: Date, in zone: TimeZone, _ language: Language) -> String {
        format(date, zone, language) { $0.day().month(.wide) }
    }

    /// `Saturday 21 November`
    static func weekdayAndDay(_ date: Date, in zone: TimeZone, _ language: Language) -> String {
        format(date, zone, language) { $0.weekday(.wide).day().month(.wide) }
    }

    /// `Sat`
    static func shortWeekday(_ date: Date, in zone: TimeZone, _ language: Language) -> String {
        format(date, zone, language) { $0.weekday(.abbreviated) }
    }

    /// `21 Nov`
    static func shortDay(_ date: Date, in zone: TimeZone, _ language: Language) -> String {
        format(date, zone, language) { $0.day().month(.abbreviated) }
    }

    /// `09:00`
    static func hour(_ hour: Int) -> String { hour.padded(2) + ":00" }

    /// `2026-11-21 02:46`, which sorts and has a fixed width.
    public static func compact(_ date: Date, in zone: TimeZone) -> String {
        date.formatted(
            Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
                .dateTimeSeparator(.space).time(includingFractionalSeconds: false)
        ).prefix(16).description
    }

    private static func format(
        _ date: Date, _ zone: TimeZone, _ language: Language, _ fields: (Date.FormatStyle) -> Date.FormatStyle
    ) -> String {
        var style = Date.FormatStyle(locale: Locale(identifier: language.locale), timeZone: zone)
        style.calendar = Calendar(identifier: .gregorian)
        let text = date.formatted(fields(style))
        guard let first = language.firstOfMonth else { return text }
        return text.split(separator: " ").map { $0 == "1" ? first : String($0) }.joined(separator: " ")
    }
}
