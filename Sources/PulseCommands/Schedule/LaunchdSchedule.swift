import Foundation
import PulseCore

/// An agent of macOS's launchd.
struct LaunchdSchedule: DailySchedule {
    let home: String
    let environment: [String: String]
    let timeZone: TimeZone
    let now: Date

    var scheduler: Scheduler { .launchd }

    private var folder: String { home + "/Library/LaunchAgents" }
    private var path: String { "\(folder)/\(LaunchAgent.label).plist" }

    func installed() async throws(Failure) -> InstalledSchedule? {
        guard let bytes = try WholeFile.read(path) else { return nil }
        return InstalledSchedule(
            scheduler: .launchd, entry: path, time: LaunchAgent.time(of: String(decoding: bytes, as: UTF8.self)),
            zone: MachineTimeZone.read())
    }

    func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws(Failure) -> String {
        "<!-- \(path) -->\n" + agent(command, at: time).propertyList
    }

    func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws(Failure) -> [String] {
        try WholeFile.makeFolder(folder)
        // An agent that is loaded keeps what it was loaded with.
        _ = try? await launchctl(["bootout", "gui/\(getuid())/\(LaunchAgent.label)"])
        try WholeFile.write(Data(agent(command, at: time).propertyList.utf8), to: path, mode: 0o644)
        do throws(Failure) {
            try await launchctl(["bootstrap", "gui/\(getuid())", path])
        } catch {
            unlink(path)
            throw error
        }
        return [time.note(of: .launchd, at: timeZone, goingBy: MachineTimeZone.read(), on: now)].compactMap(\.self)
    }

    func remove() async throws(Failure) {
        _ = try? await launchctl(["bootout", "gui/\(getuid())/\(LaunchAgent.label)"])
        try WholeFile.remove(path)
    }

    private func agent(_ command: ScheduledCommand, at time: TimeOfDay) -> LaunchAgent {
        LaunchAgent(command, at: time.converted(from: timeZone, to: MachineTimeZone.read(), on: now))
    }

    private func launchctl(_ arguments: [String]) async throws(Failure) {
        let outcome = try await ChildProcess(
            path: "/bin/launchctl", arguments: arguments, environment: environment, timeout: .seconds(30)
        ).run()
        guard outcome.ending != .exited(0) else { return }
        let said = PlainText.line(String(decoding: outcome.errors, as: UTF8.self)).prefix(300)
        throw Failure(.unavailable, "launchctl \(arguments[0]) failed: \(said)")
    }
}
