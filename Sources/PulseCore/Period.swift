public import Foundation

/// A stretch of time, from its first instant up to and including its last.
public struct Period: Sendable, Hashable, Codable {
    public let from: Date
    public let to: Date

    public init(from: Date, to: Date) {
        self.from = min(from, to)
        self.to = max(from, to)
    }

    /// The given number of hours up to an instant.
    public init(hours: Double, endingAt end: Date) {
        self.init(from: end.addingTimeInterval(-hours * 3600), to: end)
    }

    public func contains(_ date: Date) -> Bool { from <= date && date <= to }

    /// Seconds.
    public var duration: TimeInterval { to.timeIntervalSince(from) }
}

/// A day of the reader's calendar: `2026-11-21`.
public struct Day: Sendable, Hashable, Comparable, Codable {
    public let text: String

    public init(_ date: Date, in zone: TimeZone) {
        text = date.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
    }

    /// - Returns: nil if the text has another form. Only the form is checked: a day 99 passes.
    public init?(text: String) {
        guard text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil else { return nil }
        self.text = text
    }

    /// The start of the day; nil if its month does not have it.
    public func start(in calendar: Calendar) -> Date? {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        // `Calendar` turns February 30 into a day of March.
        let date = calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2]))
        return date.flatMap { Day($0, in: calendar.timeZone) == self ? $0 : nil }
    }

    public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    public static func < (left: Day, right: Day) -> Bool { left.text < right.text }
}

extension Calendar {
    /// The calendar for all dates of the program, whatever the system's is.
    public static func gregorian(in zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}
