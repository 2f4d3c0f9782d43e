public import Foundation
public import PulseCore

/// One of the ways in which a machine starts a program every day.
public protocol DailySchedule: Sendable {
    var kind: ScheduleKind { get }

    /// What is installed; nil if nothing is.
    func installed() async throws(PulseError) -> InstalledSchedule?

    /// What `install` would write, with the names of its files.
    func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws(PulseError) -> String

    /// Installs the command, in place of one that is installed already.
    ///
    /// - Returns: Sentences that the user should read.
    func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws(PulseError) -> [Message]

    func remove() async throws(PulseError)
}

/// Who starts the program.
public enum ScheduleKind: String, Sendable, CaseIterable {
    case cron, systemd, launchd

    /// The one that is used if the user names no other. macOS still has cron, but does not let it read people's files.
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
    /// The line of the crontab, or the path of the file.
    public let entry: String
    /// What says which program runs with which options: the line, or all of the file that has it.
    public let command: String
    /// When it runs; nil if somebody has changed it to something other than once a day.
    public let time: TimeOfDay?
    /// The zone of the clocks that show `time`.
    public let zone: TimeZone
    /// The same of what prepares the digest; nil where nothing does.
    public var preparation: String?
    /// Why nothing starts it; nil where something does, as far as is known.
    public var idle: Message?

    /// Nil also where nothing starts it.
    public func next(after date: Date) -> Date? {
        idle == nil ? time.flatMap { $0.next(after: date, in: zone) } : nil
    }
}

/// What a schedule runs.
public struct ScheduledCommand: Sendable {
    /// An absolute path.
    public let program: String
    public let arguments: [String]
    /// What the program is to do in the hours before, in nobody's way; nil: nothing.
    public let preparation: [String]?
    /// The variables it needs; schedulers start programs with hardly any.
    public let environment: [String: String]

    public init(
        program: String, arguments: [String], preparation: [String]? = nil, environment: [String: String]
    ) {
        self.program = program
        self.arguments = arguments
        self.preparation = preparation
        self.environment = environment
    }

    /// The environment in a fixed order, so that the same command is always written in the same way.
    var variables: [(name: String, value: String)] {
        environment.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
