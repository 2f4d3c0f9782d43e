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

    /// ISO 8601, or a number since 1970; nil where the text is neither.
    package static func parse(_ text: String?, now: Date) -> Date? {
        guard let text = text?.trimmed.nonEmpty else { return nil }
        if let number = Double(text) { return sinceEpoch(number, now: now) }
        // `-PT3H` is for people, and no program writes it.
        guard !text.hasPrefix("-") else { return nil }
        return plausible(Timestamp.parse(text, now: now), now: now)
    }

    /// Whether a text that `parse` does not understand was meant as a time: `0`, `-` and the like say that there is none.
    package static func isMeant(_ text: String) -> Bool {
        Double(text.trimmed) == nil && text.contains(where: \.isNumber)
    }
}

extension String {
    /// The beginning of it in one line, to be shown in a message.
    package var excerpt: String { PlainText.line(String(prefix(40))) }
}
