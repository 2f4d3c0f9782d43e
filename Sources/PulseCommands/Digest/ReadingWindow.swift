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
            guard let date = Timestamp.parse(text, now: now, zone: zone) else {
                throw Failure(
                    .usage,
                    "--since takes a date such as 2026-11-18 or 2026-11-18T06:00, or a duration such as -P3D, not “\(text)”."
                )
            }
            guard date <= now else { throw Failure(.usage, "--since \(text) lies in the future.") }
            return Period(from: date, to: now)
        }
    }
}
