public import Foundation

/// A day of the reader's calendar, `2026-11-21`: what "the same day" means for mail.
public struct Day: Sendable, Hashable, Comparable, Codable {
    public let text: String

    public init(_ date: Date, in zone: TimeZone) {
        text = date.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
    }

    public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    public static func < (left: Day, right: Day) -> Bool { left.text < right.text }
}
