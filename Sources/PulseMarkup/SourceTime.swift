package import Foundation
import PulseCore
import PulseText

/// Points in time as other programs keep them. A time before 1995 or more than a day ahead is no time: it is what a
/// program writes that did not know.
package enum SourceTime {
    private static let earliest = Date(timeIntervalSince1970: 788_918_400)

    package static func plausible(_ date: Date?, now: Date) -> Date? {
        guard let date, date >= earliest, date <= now.addingTimeInterval(86_400) else { return nil }
        return date
    }

    /// Seconds, milliseconds or microseconds since 1970: which of them shows in the size of the number.
    package static func sinceEpoch(_ number: Double?, now: Date) -> Date? {
        guard let number, number.isFinite else { return nil }
        let seconds =
            switch number {
            case 1e14...: number / 1e6
            case 1e11...: number / 1e3
            default: number
            }
        return plausible(Date(timeIntervalSince1970: seconds), now: now)
    }

    /// ISO 8601, RFC 822 as feeds and mail write it, or a number since 1970; nil where the text is none of them.
    /// - Parameter isFeed: whether it may also be a day in numbers, such as `11/20/2026`, as some feeds write it.
    package static func parse(_ text: String?, now: Date, isFeed: Bool = false) -> Date? {
        // `-PT3H` is for people, and no program writes it.
        guard let text = text?.trimmed.nonEmpty, text.utf8.count <= 200, !text.hasPrefix("-") else { return nil }
        if let date = sinceEpoch(Double(text), now: now) { return date }
        if let date = Timestamp.parse(text, now: now) { return plausible(date, now: now) }
        var reader = DateReader(text)
        return plausible(reader.date(namesMonth: !isFeed), now: now)
    }

    /// Whether a text that `parse` does not understand was meant as a time: `0`, `-` and the like say that there is
    /// none.
    package static func isMeant(_ text: String) -> Bool {
        Double(text.trimmed) == nil && text.contains(where: \.isNumber)
    }
}

extension String {
    /// The beginning of it in one line, to be shown in a message.
    package var excerpt: String { PlainText.line(String(prefix(40))) }
}
