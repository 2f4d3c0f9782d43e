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
    package static func parse(_ text: String?, now: Date) -> Date? {
        guard let text = text?.trimmed.nonEmpty else { return nil }
        if let number = Double(text) { return sinceEpoch(number, now: now) }
        // `-PT3H` is for people, and no program writes it.
        guard !text.hasPrefix("-") else { return nil }
        return plausible(Timestamp.parse(text, now: now) ?? mailDate(text, now: now), now: now)
    }

    /// `Sun, 22 Nov 2026 10:00:00 +0000` (RFC 822, section 5, and RFC 5322, section 3.3): the day of the week and the
    /// seconds may be missing, the year may have two digits, and zones have names.
    private static func mailDate(_ text: String, now: Date) -> Date? {
        var words = text.split { $0.isWhitespace || $0 == "," }.map(String.init)
        if let first = words.first, Int(first) == nil { words.removeFirst() }
        guard (4...5).contains(words.count), let day = Int(words[0]), let year = Int(words[2]),
            let month = months.firstIndex(of: words[1].prefix(3).lowercased())
        else { return nil }
        let zone = words.count == 5 ? zones[words[4].uppercased()] ?? words[4] : "Z"
        let fullYear = words[2].count > 2 ? year : year < 50 ? 2000 + year : 1900 + year
        let date = String(format: "%04ld-%02ld-%02ld", fullYear, month + 1, day)
        return Timestamp.parse("\(date)T\(words[3])\(zone)", now: now)
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let zones = [
        "UT": "Z", "GMT": "Z", "UTC": "Z", "EST": "-0500", "EDT": "-0400", "CST": "-0600", "CDT": "-0500",
        "MST": "-0700",
        "MDT": "-0600", "PST": "-0800", "PDT": "-0700",
    ]

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
