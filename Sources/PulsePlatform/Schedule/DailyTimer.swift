public import Foundation
public import PulseCore
import PulseText

/// A scheduler that runs a program every day.
public protocol DailyTimer: Sendable {
    var kind: TimerKind { get }

    /// Throws `.unavailable` if this machine does not have it.
    func require() async throws

    /// The installed schedule; nil if there is none.
    func installed() async throws -> InstalledTimer?

    /// What `install` would write, with the paths of its files.
    func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws -> String

    /// Installs the command in place of an earlier one. Returns sentences that the user should read.
    func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws -> [Message]

    func remove() async throws
}

public enum TimerKind: String, Sendable, CaseIterable {
    case cron, systemd, launchd

    /// The default. macOS still has cron, but does not let it read users' files.
    public static var usual: TimerKind {
        #if canImport(Darwin)
            .launchd
        #else
            .cron
        #endif
    }
}

public struct InstalledTimer: Sendable {
    public let kind: TimerKind
    /// The line of the crontab, or the path of the timer or agent.
    public let entry: String
    /// The text with the program and its options: the line, or the contents of its file.
    public let command: String
    /// When it runs; nil if it was edited to run other than once a day.
    public let time: TimeOfDay?
    /// The time zone of `time`.
    public let zone: TimeZone
    /// `entry` of the schedule for `prepare`; nil if there is none.
    public var preparation: String?
    /// Why the schedule does not run; nil if it does, as far as is known.
    public var idle: Message?

    /// The next run; nil also if the schedule does not run.
    public func next(after date: Date) -> Date? {
        idle == nil ? time.flatMap { $0.next(after: date, in: zone) } : nil
    }
}

/// The command that a schedule runs.
public struct ScheduledCommand: Sendable {
    /// An absolute path.
    public let program: String
    public let arguments: [String]
    /// Arguments for `prepare`, which runs in the background some hours before; nil for none.
    public let preparation: [String]?
    /// Environment variables; schedulers set hardly any.
    public let environment: [String: String]

    public init(program: String, arguments: [String], preparation: [String]? = nil, environment: [String: String]) {
        self.program = program
        self.arguments = arguments
        self.preparation = preparation
        self.environment = environment
    }

    /// The environment in a fixed order, so that a command is always written in the same way.
    var variables: [(name: String, value: String)] {
        environment.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

public struct TimeOfDay: Sendable, Hashable {
    public let hour: Int
    public let minute: Int

    public init(hour: Int, minute: Int) {
        self.hour = hour
        self.minute = minute
    }

    /// Reads `7:05`, `07:05`, `22`, `22h`, `22h30` and `10:30 pm`; nil if the text is something else.
    public init?(_ text: String) {
        let form = #/([0-9]{1,2})(?:[:h.]([0-9]{2})|h)?(?: ?(am|pm))?/#.ignoresCase()
        guard let found = text.wholeMatch(of: form)?.output, let written = Int(found.1),
            let minute = Int(found.2 ?? "0"), minute < 60
        else { return nil }
        guard let half = found.3 else {
            guard written < 24 else { return nil }
            self.init(hour: written, minute: minute)
            return
        }
        guard (1...12).contains(written) else { return nil }
        self.init(hour: written % 12 + (half.lowercased() == "pm" ? 12 : 0), minute: minute)
    }

    /// `07:05`
    public var text: String { "\(hour.padded(2)):\(minute.padded(2))" }

    /// `prepare` runs 90 and 30 minutes before the digest, because newer articles make earlier work useless
    /// (docs/performance.md).
    var preparations: [TimeOfDay] { [-90, -30].map(adding(minutes:)) }

    /// The same time in another zone, on the day of `date`.
    func converted(from zone: TimeZone, to other: TimeZone, on date: Date) -> TimeOfDay {
        adding(minutes: (other.secondsFromGMT(for: date) - zone.secondsFromGMT(for: date)) / 60)
    }

    private func adding(minutes: Int) -> TimeOfDay {
        let (day, all) = (24 * 60, hour * 60 + minute + minutes)
        let shown = ((all % day) + day) % day
        return TimeOfDay(hour: shown / 60, minute: shown % 60)
    }

    /// A note for a scheduler in another time zone; nil if both show the same time for a year from `date` on.
    func note(of kind: TimerKind, at zone: TimeZone, goingBy other: TimeZone, on date: Date) -> Message? {
        // Zones may change to summer time on different days.
        let year = Set(
            (0...366).map { converted(from: zone, to: other, on: date.addingTimeInterval(Double($0) * 86_400)) })
        guard year != [self] else { return nil }
        let shown = converted(from: zone, to: other, on: date)
        let (name, zoneName) = (kind.rawValue, other.identifier)
        return year.count == 1
            ? "\(name) uses the time zone \(zoneName), where \(text) in \(zone.identifier) is \(shown.text)."
            : "\(name) uses the time zone \(zoneName), where \(text) in \(zone.identifier) is \(shown.text) now. "
                + "When the clocks change in one of the two, install the schedule again."
    }

    /// The next occurrence after `date` of this time in the zone. If DST skips it, the moment of the change.
    func next(after date: Date, in zone: TimeZone) -> Date? {
        Calendar.gregorian(in: zone).nextDate(
            after: date, matching: DateComponents(hour: hour, minute: minute, second: 0), matchingPolicy: .nextTime)
    }
}

/// The machine's time zone regardless of TZ, as schedulers use it.
enum MachineTimeZone {
    /// By a link into the zone database, as systemd, Debian and macOS have it, or a file with the zone's name.
    static func read(link: String = "/etc/localtime", file: String = "/etc/timezone") -> TimeZone {
        if let zone = named(link) { return zone }
        let name = String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
        return TimeZone(identifier: name.trimmingCharacters(in: .whitespacesAndNewlines)) ?? .gmt
    }

    /// The zone that a link names; nil if it is no link.
    static func named(_ link: String = "/etc/localtime") -> TimeZone? {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link)
        guard let target, let prefix = target.firstRange(of: "zoneinfo/") else { return nil }
        return TimeZone(identifier: String(target[prefix.upperBound...]))
    }
}
