public import Foundation

/// One of the ways in which a machine starts a program each day.
public protocol DailySchedule: Sendable {
    var scheduler: Scheduler { get }

    /// What is installed; nil where nothing is.
    func installed() async throws(ScheduleError) -> InstalledSchedule?

    /// What `install` would write, with the names of its files.
    func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws(ScheduleError) -> String

    /// Puts the command in place of what is installed.
    ///
    /// - Returns: Sentences that the person should know.
    func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws(ScheduleError) -> [String]

    func remove() async throws(ScheduleError)
}

public struct InstalledSchedule: Sendable, Hashable {
    public let scheduler: Scheduler
    /// What stands there, or where.
    public let entry: String
    /// When it runs; nil where someone has changed it beyond what is understood here.
    public let time: TimeOfDay?
    /// Whose clocks `time` is shown by.
    public let zone: TimeZone

    public func next(after date: Date) -> Date? { time.flatMap { $0.next(after: date, in: zone) } }
}
