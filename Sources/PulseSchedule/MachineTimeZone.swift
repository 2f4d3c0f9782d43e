import Foundation
import PulseCore

/// The time zone of the machine, whatever TZ says: the one that cron goes by.
enum MachineTimeZone {
    /// - Parameter link: A link into the zone database, as systemd, Debian and macOS have it.
    static func read(link: String = "/etc/localtime", file: String = "/etc/timezone") -> TimeZone {
        if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
            let name = target.firstRange(of: "zoneinfo/").map({ String(target[$0.upperBound...]) }),
            let zone = TimeZone(identifier: name)
        {
            return zone
        }
        if let bytes = FileManager.default.contents(atPath: file),
            let zone = TimeZone(
                identifier: String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        {
            return zone
        }
        return .gmt
    }
}

extension TimeOfDay {
    /// The time that the clocks of another zone show then, on the day of `date`.
    func converted(from zone: TimeZone, to other: TimeZone, on date: Date) -> TimeOfDay {
        let minutes =
            hour * 60 + minute + (other.secondsFromGMT(for: date) - zone.secondsFromGMT(for: date)) / 60
        let day = 24 * 60
        let shown = ((minutes % day) + day) % day
        return TimeOfDay(hour: shown / 60, minute: shown % 60)
    }

    /// What a person should know of a schedule that goes by another zone's clocks; nil where these show the same all
    /// through the year that begins with `date`.
    func note(of scheduler: Scheduler, at zone: TimeZone, goingBy other: TimeZone, on date: Date) -> String? {
        // Clocks are put forward and back on days of their own in each zone.
        let year = Set(
            (0...366).map { converted(from: zone, to: other, on: date.addingTimeInterval(Double($0) * 86_400)) })
        guard year != [self] else { return nil }
        let shown = converted(from: zone, to: other, on: date)
        let sentence =
            "\(scheduler.rawValue) goes by the clocks of \(other.identifier), where \(text) in \(zone.identifier) is "
            + shown.text
        return year.count == 1
            ? sentence + "."
            : sentence + " now. When clocks are put forward or back in one of the two, install it again."
    }

    /// The next instant after `date` at which clocks of the zone show it. Where they are put forward over it, the
    /// instant after.
    func next(after date: Date, in zone: TimeZone) -> Date? {
        Calendar.gregorian(in: zone).nextDate(
            after: date, matching: DateComponents(hour: hour, minute: minute, second: 0), matchingPolicy: .nextTime)
    }
}
