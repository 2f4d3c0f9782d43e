package import Foundation
import PulseCore
import PulseText

/// Points in time as other programs store them. A time before 1995 or more than a day in the future counts as unknown,
/// because programs write such values where they know no time.
package enum SourceTime {
    private static let earliest = Date(timeIntervalSince1970: 788_918_400)

    package static func plausible(_ date: Date?, now: Date) -> Date? {
        guard let date, date >= earliest, date <= now.addingTimeInterval(86_400) else { return nil }
        return date
    }

    /// Seconds, milliseconds or microseconds since 1970, distinguished by the size of the number.
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

    /// ISO 8601, RFC 822 in its variations, or a number since 1970; nil where the text is none of them.
    ///
    /// - Parameter isFeed: Whether a date may be all digits, such as `11/20/2026`, as in some feeds.
    package static func parse(_ text: String?, now: Date, isFeed: Bool = false) -> Date? {
        // Durations such as `-PT3H` are for users; no program writes them.
        guard let text = text?.trimmed.nonEmpty, text.utf8.count <= 200, !text.hasPrefix("-") else { return nil }
        if let date = sinceEpoch(Double(text), now: now) { return date }
        if let date = Timestamp.parse(text, now: now) { return plausible(date, now: now) }
        var reader = DateReader(text)
        return plausible(reader.date(namesMonth: !isFeed), now: now)
    }

    /// Whether a text that `parse` does not understand was meant as a time: `0`, `-` and the like mean none.
    package static func isMeant(_ text: String) -> Bool {
        Double(text.trimmed) == nil && text.contains(where: \.isNumber)
    }
}

extension String {
    /// The beginning as one line, for messages.
    package var excerpt: String { PlainText.line(String(prefix(40))) }
}
