import Foundation
import PulseCore

/// A timer of the user's systemd, which makes up for a time at which the machine was off.
struct SystemdSchedule: DailySchedule {
    /// Where the user's units are.
    let folder: String
    let environment: [String: String]
    let timeZone: TimeZone

    var scheduler: Scheduler { .systemd }

    private var service: String { folder + "/pulse-digest.service" }
    private var timer: String { folder + "/pulse-digest.timer" }

    func installed() async throws(Failure) -> InstalledSchedule? {
        guard let bytes = try WholeFile.read(timer) else { return nil }
        let found = SystemdUnits.time(of: String(decoding: bytes, as: UTF8.self))
        return InstalledSchedule(
            scheduler: .systemd, entry: timer, time: found?.time,
            zone: found?.zone.flatMap { TimeZone(identifier: $0) } ?? MachineTimeZone.read())
    }

    func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws(Failure) -> String {
        let units = units(command, at: time)
        return "# \(service)\n\(units.service)\n# \(timer)\n\(units.timer)"
    }

    func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws(Failure) -> [String] {
        let systemctl = try systemctl()
        let units = units(command, at: time)
        let before = (try WholeFile.read(service), try WholeFile.read(timer))
        try WholeFile.makeFolder(folder)
        do throws(Failure) {
            try WholeFile.write(Data(units.service.utf8), to: service, mode: 0o644)
            try WholeFile.write(Data(units.timer.utf8), to: timer, mode: 0o644)
            try await run(systemctl, ["daemon-reload"])
            try await run(systemctl, ["enable", "pulse-digest.timer"])
            // Restarted, not started: a timer that is active keeps the time it had.
            try await run(systemctl, ["restart", "pulse-digest.timer"])
        } catch {
            // As it was: a unit that nobody loads would be found by `show`, and never run. One that is enabled is a link
            // to what goes.
            if before.1 == nil { _ = try? await run(systemctl, ["disable", "--now", "pulse-digest.timer"]) }
            try WholeFile.restore(before.0, to: service, mode: 0o644)
            try WholeFile.restore(before.1, to: timer, mode: 0o644)
            _ = try? await run(systemctl, ["daemon-reload"])
            throw error
        }
        return await lingerNote()
    }

    func remove() async throws(Failure) {
        // The files go also where no manager answers; it will not find them then.
        let systemctl = try? systemctl()
        if let systemctl { _ = try? await run(systemctl, ["disable", "--now", "pulse-digest.timer"]) }
        for path in [timer, service] { try WholeFile.remove(path) }
        if let systemctl { _ = try? await run(systemctl, ["daemon-reload"]) }
    }

    // MARK: - Its parts

    private func units(_ command: ScheduledCommand, at time: TimeOfDay) -> SystemdUnits {
        let isElsewhere = timeZone.identifier != MachineTimeZone.read().identifier
        return SystemdUnits(command, at: time, zone: isElsewhere ? timeZone.identifier : nil)
    }

    private func systemctl() throws(Failure) -> String {
        guard let found = ProgramSearch(environment: environment).find("systemctl", last: ["/usr/bin/systemctl"]) else {
            throw Failure(.unavailable, "There is no systemd on this machine. Without --systemd, cron is used.")
        }
        return found
    }

    private func run(_ systemctl: String, _ arguments: [String]) async throws(Failure) {
        let outcome = try await ChildProcess(
            path: systemctl, arguments: ["--user"] + arguments, environment: managerEnvironment, timeout: .seconds(60)
        ).run()
        guard outcome.ending != .exited(0) else { return }
        let said = PlainText.line(String(decoding: outcome.errors, as: UTF8.self)).prefix(300)
        throw Failure(
            .unavailable,
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
