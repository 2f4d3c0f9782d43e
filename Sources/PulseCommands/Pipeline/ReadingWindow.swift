import Foundation
import PulseCore

/// Turns what was asked for, "48 hours" or "since the 18th", into a stretch of time.
struct ReadingWindow {
    private let window: Settings.Window

    init(_ window: Settings.Window) { self.window = window }

    func period(endingAt now: Date, in zone: TimeZone) throws(Failure) -> Period {
        switch window {
        case .hours(let hours): return Period(hours: hours, endingAt: now)
        case .since(let text):
            guard let date = ReadingWindow.date(text, in: zone) else {
                throw Failure(.usage, "--since takes a date such as 2026-11-18 or 2026-11-18T06:00, not “\(text)”.")
            }
            guard date <= now else { throw Failure(.usage, "--since \(text) lies in the future.") }
            return Period(from: date, to: now)
        }
    }

    /// ISO 8601: a date, which begins at midnight of the reader's zone, or a date and a time, in that zone where it
    /// names none.
    static func date(_ text: String, in zone: TimeZone) -> Date? {
        let day = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
        let styles = [
            Date.ISO8601FormatStyle(timeZone: zone), Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: zone),
            day.time(includingFractionalSeconds: false), day,
        ]
        // A time without seconds is what people write.
        let candidates = text.count == 16 ? [text + ":00"] : [text]
        for candidate in candidates {
            for style in styles {
                // The parser is content with a front that fits; a date is only what is one to its end.
                if let date = try? Date(candidate, strategy: style), isWhole(candidate, as: style) { return date }
            }
        }
        return nil
    }

    private static func isWhole(_ text: String, as style: Date.ISO8601FormatStyle) -> Bool {
        (try? style.regex.wholeMatch(in: text)) != nil
    }
}
