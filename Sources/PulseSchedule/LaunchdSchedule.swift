public import Foundation
import PulseCore
import PulseSystem
import PulseText

/// An agent of macOS's launchd.
public struct LaunchdSchedule: DailySchedule {
    private let home: String
    private let environment: [String: String]
    private let timeZone: TimeZone
    private let now: Date
    private let launchctl: String

    public init(
        home: String, environment: [String: String], timeZone: TimeZone, now: Date, launchctl: String = "/bin/launchctl"
    ) {
        self.home = home
        self.environment = environment
        self.timeZone = timeZone
        self.now = now
        self.launchctl = launchctl
    }

    public var scheduler: Scheduler { .launchd }

    private var path: String { "\(home)/Library/LaunchAgents/\(LaunchAgent.label).plist" }
    private var file: ScheduleFile { ScheduleFile(path: path) }

    public func installed() async throws(ScheduleError) -> InstalledSchedule? {
        guard let bytes = try file.read() else { return nil }
        return InstalledSchedule(
            scheduler: .launchd, entry: path, time: LaunchAgent.time(of: String(decoding: bytes, as: UTF8.self)),
            zone: MachineTimeZone.read())
    }

    public func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws(ScheduleError) -> String {
        "<!-- \(path) -->\n" + agent(command, at: time).propertyList
    }

    public func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws(ScheduleError) -> [String] {
        let before = try file.read()
        // An agent that is loaded keeps what it was loaded with.
        _ = try? await bootout()
        do throws(ScheduleError) {
            try file.write(agent(command, at: time).propertyList)
            try await bootstrap()
        } catch {
            // As it was: an agent that nobody loads would be found by `show`, and never run.
            try file.restore(before)
            if before != nil { _ = try? await bootstrap() }
            throw error
        }
        return [time.note(of: .launchd, at: timeZone, goingBy: MachineTimeZone.read(), on: now)].compactMap(\.self)
    }

    public func remove() async throws(ScheduleError) {
        _ = try? await bootout()
        try file.remove()
    }

    private func agent(_ command: ScheduledCommand, at time: TimeOfDay) -> LaunchAgent {
        LaunchAgent(command, at: time.converted(from: timeZone, to: MachineTimeZone.read(), on: now))
    }

    private func bootstrap() async throws(ScheduleError) {
        try await launchctl(["bootstrap", "gui/\(getuid())", path])
    }

    private func bootout() async throws(ScheduleError) {
        try await launchctl(["bootout", "gui/\(getuid())/\(LaunchAgent.label)"])
    }

    private func launchctl(_ arguments: [String]) async throws(ScheduleError) {
        let outcome = try await ChildProcess(
            path: launchctl, arguments: arguments, environment: environment, timeout: .seconds(30)
        ).outcome()
        guard outcome.ending != .exited(0) else { return }
        let said = PlainText.line(String(decoding: outcome.errors, as: UTF8.self)).prefix(300)
        throw ScheduleError(.system(.unavailable), "launchctl \(arguments[0]) failed: \(said)")
    }
}
