import Foundation

/// One of the ways in which a machine starts a program each day.
protocol DailySchedule: Sendable {
    var scheduler: Scheduler { get }

    /// What is installed; nil where nothing is.
    func installed() async throws(Failure) -> InstalledSchedule?

    /// What `install` would write, with the names of its files.
    func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws(Failure) -> String

    /// Puts the command in place of what is installed.
    ///
    /// - Returns: Sentences that the person should know.
    func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws(Failure) -> [String]

    func remove() async throws(Failure)
}

struct InstalledSchedule: Sendable, Hashable {
    let scheduler: Scheduler
    /// What stands there, or where.
    let entry: String
    /// When it runs; nil where someone has changed it beyond what is understood here.
    let time: TimeOfDay?
    /// Whose clocks `time` is shown by.
    let zone: TimeZone

    func next(after date: Date) -> Date? { time.flatMap { $0.next(after: date, in: zone) } }
}
