public import Foundation
public import PulseCore

/// An entry of the user's crontab.
public struct CronSchedule: DailySchedule {
    private let environment: [String: String]
    private let timeZone: TimeZone
    private let now: Date

    /// - Parameter timeZone: The user's, in which times are given.
    public init(environment: [String: String], timeZone: TimeZone, now: Date) {
        self.environment = environment
        self.timeZone = timeZone
        self.now = now
    }

    public var kind: ScheduleKind { .cron }

    public func installed() async throws(PulseError) -> InstalledSchedule? {
        guard Crontab.isHere(environment) else { return nil }
        let crontab = try Crontab(environment: environment)
        let table = try await crontab.read()
        guard let entry = table.entry else { return nil }
        return InstalledSchedule(
            kind: .cron, entry: entry, command: entry, time: CronEntry.time(of: entry),
            zone: try await zone(table, crontab),
            preparation: table.preparation, idle: Self.idle())
    }

    private static func idle() -> Message? {
        CronDaemon.isRunning() == false
            ? "No cron daemon is running on this machine: until one is, nothing is started." : nil
    }

    public func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws(PulseError) -> String {
        let crontab = try Crontab(environment: environment)
        let table = try await crontab.read()
        let new = table.installing(try entry(command, at: time, in: try await zone(table, crontab)).text)
        return "# the crontab\n" + String(decoding: new, as: UTF8.self)
    }

    public func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws(PulseError) -> [Message] {
        let crontab = try Crontab(environment: environment)
        let table = try await crontab.read()
        let zone = try await zone(table, crontab)
        let new = table.installing(try entry(command, at: time, in: zone).text)
        if new != table.bytes { try await crontab.write(new) }
        var notes: [Message] = []
        if let note = time.note(of: .cron, at: timeZone, goingBy: zone, on: now) { notes.append(note) }
        if let note = Self.idle() { notes.append(note) }
        notes.append(
            "cron skips runs while the machine is off or asleep. A systemd timer catches up: "
                + "pulse-digest schedule install with the same options and --systemd")
        return notes
    }

    public func remove() async throws(PulseError) {
        let crontab = try Crontab(environment: environment)
        let table = try await crontab.read()
        if table.entry != nil { try await crontab.write(table.removing()) }
    }

    private func entry(
        _ command: ScheduledCommand, at time: TimeOfDay, in zone: TimeZone
    ) throws(PulseError) -> CronEntry {
        try CronEntry(command, at: time.converted(from: timeZone, to: zone, on: now))
    }

    /// cron's time zone: the machine's, or that of CRON_TZ for cronie. Debian's cron ignores CRON_TZ.
    private func zone(_ table: CronTable, _ crontab: Crontab) async throws(PulseError) -> TimeZone {
        if let name = table.zoneName, let zone = TimeZone(identifier: name), try await crontab.isCronie() {
            return zone
        }
        return MachineTimeZone.read()
    }
}

/// The cron daemon.
enum CronDaemon {
    #if canImport(Darwin)
        /// launchd starts cron as soon as there is a crontab.
        static func isRunning() -> Bool? { true }
    #else
        /// Whether a cron daemon runs; nil if that cannot be known, as where other users' processes are hidden.
        static func isRunning(processes: String = "/proc") -> Bool? {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: processes) else { return nil }
            let numbers = names.filter { $0.allSatisfy(\.isNumber) }
            // Process 1 is visible to everyone, unless /proc is mounted with hidepid.
            guard numbers.contains("1") else { return nil }
            return numbers.contains { number in
                func text(_ file: String) -> String {
                    let bytes = FileManager.default.contents(atPath: "\(processes)/\(number)/\(file)") ?? Data()
                    return String(decoding: bytes, as: UTF8.self)
                }
                let name = text("comm").trimmingCharacters(in: .newlines)
                // busybox is many programs; the second word of its command line is the one that runs.
                if name == "busybox" { return text("cmdline").split(separator: "\0").dropFirst().first == "crond" }
                // anacron does not read crontabs.
                return ["cron", "crond", "fcron", "systemd-cron"].contains(name)
            }
        }
    #endif
}
