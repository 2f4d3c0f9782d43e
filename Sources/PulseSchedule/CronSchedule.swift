public import Foundation
import PulseSystem

/// An entry of the user's crontab.
public struct CronSchedule: DailySchedule {
    private let environment: [String: String]
    private let timeZone: TimeZone
    private let now: Date

    /// - Parameter timeZone: The reader's, in which the time is given.
    public init(environment: [String: String], timeZone: TimeZone, now: Date) {
        self.environment = environment
        self.timeZone = timeZone
        self.now = now
    }

    public var scheduler: Scheduler { .cron }

    public func installed() async throws(ScheduleError) -> InstalledSchedule? {
        guard Crontab.isHere(environment) else { return nil }
        let crontab = try Crontab(environment: environment)
        let table = try await crontab.read()
        guard let entry = table.entry else { return nil }
        return InstalledSchedule(
            scheduler: .cron, entry: entry, time: CronEntry.time(of: entry), zone: try await zone(table, crontab))
    }

    public func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws(ScheduleError) -> String {
        let crontab = try Crontab(environment: environment)
        let table = try await crontab.read()
        let new = table.installing(try entry(command, at: time, in: try await zone(table, crontab)).line)
        return "# the crontab\n" + String(decoding: new, as: UTF8.self)
    }

    public func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws(ScheduleError) -> [String] {
        let crontab = try Crontab(environment: environment)
        let table = try await crontab.read()
        let zone = try await zone(table, crontab)
        let new = table.installing(try entry(command, at: time, in: zone).line)
        if new != table.bytes { try await crontab.write(new) }
        var notes: [String] = []
        if let note = time.note(of: .cron, at: timeZone, goingBy: zone, on: now) { notes.append(note) }
        if CronDaemon.isRunning() == false {
            notes.append("No cron daemon is running on this machine: until one is, nothing is started.")
        }
        notes.append(
            "cron passes over a time at which the machine is off or asleep. A timer of systemd does not: --systemd")
        return notes
    }

    public func remove() async throws(ScheduleError) {
        let crontab = try Crontab(environment: environment)
        let table = try await crontab.read()
        if table.entry != nil { try await crontab.write(table.removing()) }
    }

    private func entry(
        _ command: ScheduledCommand, at time: TimeOfDay, in zone: TimeZone
    ) throws(ScheduleError) -> CronEntry {
        try CronEntry(command, at: time.converted(from: timeZone, to: zone, on: now))
    }

    /// The zone that cron goes by: the machine's, or what cronie is told by CRON_TZ. Debian's cron has no such thing.
    private func zone(_ table: CronTable, _ crontab: Crontab) async throws(ScheduleError) -> TimeZone {
        if let name = table.zoneName, let zone = TimeZone(identifier: name), try await crontab.isCronie() {
            return zone
        }
        return MachineTimeZone.read()
    }
}
