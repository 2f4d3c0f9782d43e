public import Foundation
public import PulseCore

/// A timer of the user's systemd, which catches up on runs missed while the machine was off.
public struct SystemdTimer: DailyTimer {
    private let folder: String
    private let environment: [String: String]
    private let timeZone: TimeZone

    /// - Parameter folder: The folder of the user's units.
    public init(folder: String, environment: [String: String], timeZone: TimeZone) {
        self.folder = folder
        self.environment = environment
        self.timeZone = timeZone
    }

    public var kind: TimerKind { .systemd }

    public func require() async throws { try await run(systemctl(), ["show-environment"]) }

    private var timer: String { path(SystemdUnits.timerName) }
    private var preparation: String { path(SystemdUnits.preparationName) }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    public func installed() async throws -> InstalledTimer? {
        guard let bytes = try AtomicFile.read(timer) else { return nil }
        let service = try AtomicFile.read(path(SystemdUnits.serviceName)) ?? Data()
        let found = SystemdUnits.time(of: String(decoding: bytes, as: UTF8.self))
        return InstalledTimer(
            kind: .systemd, entry: timer, command: String(decoding: service, as: UTF8.self), time: found?.time,
            zone: found?.zone.flatMap { TimeZone(identifier: $0) } ?? MachineTimeZone.read(),
            preparation: try AtomicFile.read(preparation).map { _ in preparation })
    }

    public func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws -> String {
        units(command, at: time).files.compactMap { name, text in text.map { "# \(path(name))\n\($0)" } }
            .joined(separator: "\n")
    }

    /// A unit file that `install` may write.
    private struct Unit {
        let name: String
        let path: String
        /// Nil if there should be no such file.
        let text: String?
        let before: Data?

        var isTimer: Bool { name.hasSuffix(".timer") }
    }

    public func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws -> [Message] {
        let systemctl = try systemctl()
        let units = try self.units(command, at: time).files.map { name, text in
            Unit(name: name, path: path(name), text: text, before: try AtomicFile.read(path(name)))
        }
        do {
            for unit in units {
                if let text = unit.text { try AtomicFile.restore(Data(text.utf8), to: unit.path, mode: 0o600) }
            }
            try await run(systemctl, ["daemon-reload"])
            for unit in units where unit.isTimer && unit.text != nil {
                try await run(systemctl, ["enable", unit.name])
                // Restarted, not started: an active timer would keep its old time.
                try await run(systemctl, ["restart", unit.name])
            }
        } catch {
            // Restores the former state; otherwise `schedule show` would find units that are not loaded. A new timer is
            // disabled before its file goes, because enabling it made a link to that file.
            for unit in units where unit.isTimer && unit.text != nil && unit.before == nil {
                _ = try? await run(systemctl, ["disable", "--now", unit.name])
            }
            for unit in units { try AtomicFile.restore(unit.before, to: unit.path, mode: 0o600) }
            _ = try? await run(systemctl, ["daemon-reload"])
            for unit in units where unit.isTimer && unit.before != nil {
                _ = try? await run(systemctl, ["restart", unit.name])
            }
            throw error
        }
        let gone = units.filter { $0.text == nil && $0.before != nil }.map(\.name)
        if !gone.isEmpty { try await remove(gone) }
        return await lingerNote()
    }

    public func remove() async throws { try await remove(SystemdUnits.names) }

    private func remove(_ names: [String]) async throws {
        // The files are removed even without systemctl; systemd will not find them the next time.
        let systemctl = try? systemctl()
        for name in names where name.hasSuffix(".timer") {
            if let systemctl { _ = try? await run(systemctl, ["disable", "--now", name]) }
        }
        for name in names { try AtomicFile.remove(path(name)) }
        if let systemctl { _ = try? await run(systemctl, ["daemon-reload"]) }
    }

    private func units(_ command: ScheduledCommand, at time: TimeOfDay) -> SystemdUnits {
        guard timeZone.identifier != MachineTimeZone.read().identifier else {
            return SystemdUnits(command, at: time, zone: nil)
        }
        // systemd.time(7) has zones by name only. One without a name has a fixed offset, so UTC serves.
        let isNameless = timeZone.identifier.hasPrefix("GMT") && timeZone != .gmt
        return isNameless
            ? SystemdUnits(command, at: time.converted(from: timeZone, to: .gmt, on: .distantPast), zone: "UTC")
            : SystemdUnits(command, at: time, zone: timeZone.identifier)
    }

    private func systemctl() throws -> String {
        guard let found = ProgramSearch(environment: environment).find("systemctl", last: ["/usr/bin/systemctl"]) else {
            throw PulseError(
                .unavailable, "There is no systemd on this machine.", hint: "Without --systemd, cron is used.")
        }
        return found
    }

    private func run(_ systemctl: String, _ arguments: [String]) async throws {
        let outcome = try await ChildProcess(
            path: systemctl, arguments: ["--user"] + arguments, environment: managerEnvironment
        ).run()
        guard outcome.ending != .exited(0) else { return }
        let reason: Message = outcome.complaint.isEmpty ? "it did not say why." : "\(outcome.complaint)"
        throw PulseError(
            .unavailable, "systemctl --user \(arguments.joined(separator: " ")) failed: \(reason)",
            hint: "If you have no systemd user session, log in as yourself and not through su, or run loginctl "
                + "enable-linger \(NSUserName()) as root once. Without --systemd, cron is used.")
    }

    /// systemctl finds the user's manager in this folder. A shell started by su or cron does not set the variable.
    private var managerEnvironment: [String: String] {
        var variables = environment.merging(["LC_ALL": "C"]) { $1 }
        let folder = "/run/user/\(getuid())"
        if variables["XDG_RUNTIME_DIR"] == nil, FileManager.default.fileExists(atPath: folder) {
            variables["XDG_RUNTIME_DIR"] = folder
        }
        return variables
    }

    /// Without lingering, the user's systemd runs only while the user is logged in.
    private func lingerNote() async -> [Message] {
        guard let loginctl = ProgramSearch(environment: environment).find("loginctl"),
            let outcome = try? await ChildProcess(
                path: loginctl, arguments: ["show-user", NSUserName(), "--property=Linger", "--value"],
                environment: managerEnvironment, timeout: .seconds(10)
            ).run(), String(decoding: outcome.output, as: UTF8.self).hasPrefix("no")
        else { return [] }
        return ["The timer runs while you are logged in. For it to run always: loginctl enable-linger"]
    }
}

/// The unit files (systemd.service(5), systemd.timer(5)) of the digest and of `prepare`.
struct SystemdUnits: Sendable {
    let service: String
    let timer: String
    let preparation: (service: String, timer: String)?

    static let serviceName = "pulse-digest.service"
    static let timerName = "pulse-digest.timer"
    static let preparationName = "pulse-digest-prepare.timer"
    static let names = [serviceName, timerName, "pulse-digest-prepare.service", preparationName]

    var files: [(name: String, text: String?)] {
        Array(zip(Self.names, [service, timer, preparation?.service, preparation?.timer]))
    }

    /// - Parameter zone: The time zone of the timers; nil for the machine's.
    init(_ command: ScheduledCommand, at time: TimeOfDay, zone: String?) {
        let zone = zone.map { " " + $0 } ?? ""
        service = Self.service("The digest of what was read, by email", command.arguments, of: command)
        timer = Self.timer(
            "The digest of what was read, by email, each day",
            "\(Self.calendar)*-*-* \(time.text):00\(zone)\nPersistent=true")
        preparation = command.preparation.map { arguments in
            (
                Self.service("What the digest will need, written ahead", arguments, of: command),
                Self.timer(
                    "What the digest will need, written ahead",
                    time.preparations.map { "\(Self.calendar)*-*-* \($0.text):00\(zone)" }.joined(separator: "\n"))
            )
        }
    }

    private static let origin =
        "# Made by \"pulse-digest schedule install --systemd\"; removed by \"pulse-digest schedule remove\"."

    private static func service(_ what: String, _ arguments: [String], of command: ScheduledCommand) -> String {
        let variables = command.variables.map { "Environment=\(Self.quoted("\($0.name)=\($0.value)"))\n" }.joined()
        // Variables are expanded in arguments, but neither in the program's path nor in Environment=.
        let words = arguments.map { " " + Self.quoted($0.replacing("$", with: "$$")) }.joined()
        return """
            \(origin)
            [Unit]
            Description=\(what)

            [Service]
            Type=oneshot
            Nice=10
            \(variables)ExecStart=\(Self.quoted(command.program))\(words)

            """
    }

    private static func timer(_ what: String, _ times: String) -> String {
        """
        \(origin)
        [Unit]
        Description=\(what)

        [Timer]
        \(times)

        [Install]
        WantedBy=timers.target

        """
    }

    /// systemd.syntax(7): double quotes with C-style escapes, and `%%` for %.
    private static func quoted(_ word: String) -> String {
        "\"" + word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%") + "\""
    }

    private static let calendar = "OnCalendar="

    /// When a timer runs, and in which time zone; nil if it was edited to run other than once a day.
    static func time(of timer: String) -> (time: TimeOfDay, zone: String?)? {
        let lines = timer.split(separator: "\n").filter { $0.hasPrefix(calendar) }
        guard lines.count == 1 else { return nil }
        let words = lines[0].dropFirst(calendar.count).split(separator: " ")
        guard (2...3).contains(words.count), words[0] == "*-*-*", words[1].hasSuffix(":00"),
            let time = TimeOfDay(String(words[1].dropLast(3)))
        else { return nil }
        return (time, words.count == 3 ? String(words[2]) : nil)
    }
}
