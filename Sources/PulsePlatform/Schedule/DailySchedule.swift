public import Foundation
public import PulseCore

/// A scheduler that runs a program every day.
public protocol DailySchedule: Sendable {
    var kind: ScheduleKind { get }

    /// The installed schedule; nil if there is none.
    func installed() async throws(PulseError) -> InstalledSchedule?

    /// What `install` would write, with the paths of its files.
    func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws(PulseError) -> String

    /// Installs the command, replacing an installed one.
    ///
    /// - Returns: Sentences that the user should read.
    func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws(PulseError) -> [Message]

    func remove() async throws(PulseError)
}

/// The kind of scheduler.
public enum ScheduleKind: String, Sendable, CaseIterable {
    case cron, systemd, launchd

    /// The default. macOS still has cron, but does not let it read users' files.
    public static var usual: ScheduleKind {
        #if canImport(Darwin)
            .launchd
        #else
            .cron
        #endif
    }
}

public struct InstalledSchedule: Sendable {
    public let kind: ScheduleKind
    /// The line of the crontab, or the path of the timer or agent.
    public let entry: String
    /// The text with the program and its options: the line, or the contents of its file.
    public let command: String
    /// When it runs; nil if somebody changed it to other than once a day.
    public let time: TimeOfDay?
    /// The time zone of `time`.
    public let zone: TimeZone
    /// `entry` of the schedule for `prepare`; nil where there is none.
    public var preparation: String?
    /// Why the schedule does not run; nil where it does, as far as is known.
    public var idle: Message?

    /// The next run; nil also where the schedule does not run.
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

    public init(
        program: String, arguments: [String], preparation: [String]? = nil, environment: [String: String]
    ) {
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
