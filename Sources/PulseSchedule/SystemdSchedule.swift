public import Foundation
import PulseCore
import PulseSystem
import PulseText

/// A timer of the user's systemd, which makes up for a time at which the machine was off.
public struct SystemdSchedule: DailySchedule {
    private let folder: String
    private let environment: [String: String]
    private let timeZone: TimeZone

    /// - Parameter folder: Where the user's units are.
    public init(folder: String, environment: [String: String], timeZone: TimeZone) {
        self.folder = folder
        self.environment = environment
        self.timeZone = timeZone
    }

    public var scheduler: Scheduler { .systemd }

    private var service: ScheduleFile { ScheduleFile(path: folder + "/pulse-digest.service") }
    private var timer: ScheduleFile { ScheduleFile(path: folder + "/pulse-digest.timer") }

    public func installed() async throws(ScheduleError) -> InstalledSchedule? {
        guard let bytes = try timer.read() else { return nil }
        let found = SystemdUnits.time(of: String(decoding: bytes, as: UTF8.self))
        return InstalledSchedule(
            scheduler: .systemd, entry: timer.path, time: found?.time,
            zone: found?.zone.flatMap { TimeZone(identifier: $0) } ?? MachineTimeZone.read())
    }

    public func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws(ScheduleError) -> String {
        let units = units(command, at: time)
        return "# \(service.path)\n\(units.service)\n# \(timer.path)\n\(units.timer)"
    }

    public func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws(ScheduleError) -> [String] {
        let systemctl = try systemctl()
        let units = units(command, at: time)
        let before = (try service.read(), try timer.read())
        do throws(ScheduleError) {
            try service.write(units.service)
            try timer.write(units.timer)
            try await run(systemctl, ["daemon-reload"])
            try await run(systemctl, ["enable", "pulse-digest.timer"])
            // Restarted, not started: a timer that is active keeps the time it had.
            try await run(systemctl, ["restart", "pulse-digest.timer"])
        } catch {
            // As it was: a unit that nobody loads would be found by `show`, and never run. One that is enabled is a link
            // to what goes.
            if before.1 == nil { _ = try? await run(systemctl, ["disable", "--now", "pulse-digest.timer"]) }
            try service.restore(before.0)
            try timer.restore(before.1)
            _ = try? await run(systemctl, ["daemon-reload"])
            throw error
        }
        return await lingerNote()
    }

    public func remove() async throws(ScheduleError) {
        // The files go also where no manager answers; it will not find them then.
        let systemctl = try? systemctl()
        if let systemctl { _ = try? await run(systemctl, ["disable", "--now", "pulse-digest.timer"]) }
        for file in [timer, service] { try file.remove() }
        if let systemctl { _ = try? await run(systemctl, ["daemon-reload"]) }
    }

    // MARK: - Its parts

    private func units(_ command: ScheduledCommand, at time: TimeOfDay) -> SystemdUnits {
        let isElsewhere = timeZone.identifier != MachineTimeZone.read().identifier
        return SystemdUnits(command, at: time, zone: isElsewhere ? timeZone.identifier : nil)
    }

    private func systemctl() throws(ScheduleError) -> String {
        guard let found = ProgramSearch(environment: environment).find("systemctl", last: ["/usr/bin/systemctl"]) else {
            throw ScheduleError(
                .system(.unavailable), "There is no systemd on this machine. Without --systemd, cron is used.")
        }
        return found
    }

    private func run(_ systemctl: String, _ arguments: [String]) async throws(ScheduleError) {
        let outcome = try await ChildProcess(
            path: systemctl, arguments: ["--user"] + arguments, environment: managerEnvironment, timeout: .seconds(60)
        ).outcome()
        guard outcome.ending != .exited(0) else { return }
        let said = PlainText.line(String(decoding: outcome.errors, as: UTF8.self)).prefix(300)
        throw ScheduleError(
            .system(.unavailable),
            "systemctl --user \(arguments.joined(separator: " ")) failed: \(said.isEmpty ? "it did not say why." : said) "
                + "Where systemd has no manager for you: log in as yourself and not through su, or have loginctl "
                + "enable-linger \(userName) run once. Without --systemd, cron is used.")
    }

    /// systemctl finds the user's manager through this folder, which a shell from su or cron does not name.
    private var managerEnvironment: [String: String] {
        let folder = "/run/user/\(getuid())"
        guard environment["XDG_RUNTIME_DIR"] == nil, FileManager.default.fileExists(atPath: folder) else {
            return environment.merging(["LC_ALL": "C"]) { $1 }
        }
        return environment.merging(["LC_ALL": "C", "XDG_RUNTIME_DIR": folder]) { $1 }
    }

    private var userName: String { NSUserName() }

    /// Without lingering, the user's systemd runs only while they are logged in.
    private func lingerNote() async -> [String] {
        guard let loginctl = ProgramSearch(environment: environment).find("loginctl"),
            let outcome = try? await ChildProcess(
                path: loginctl, arguments: ["show-user", userName, "--property=Linger", "--value"],
                environment: managerEnvironment, timeout: .seconds(10)
            ).run(), String(decoding: outcome.output, as: UTF8.self).hasPrefix("no")
        else { return [] }
        return ["The timer runs while you are logged in. For it to run always: loginctl enable-linger"]
    }
}
