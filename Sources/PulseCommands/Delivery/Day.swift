import Foundation

/// A day of the reader's calendar, `2026-11-21`: what "the same day" means for mail.
struct Day: Sendable, Hashable, Comparable, Codable {
    let text: String

    init(_ date: Date, in zone: TimeZone) {
        text = date.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
    }

    init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    static func < (left: Day, right: Day) -> Bool { left.text < right.text }
}
