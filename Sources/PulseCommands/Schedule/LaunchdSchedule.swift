import Foundation
import PulseCore

/// An agent of macOS's launchd.
struct LaunchdSchedule: DailySchedule {
    let home: String
    let environment: [String: String]
    let timeZone: TimeZone
    let now: Date
    var launchctl = "/bin/launchctl"

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
        let before = try WholeFile.read(path)
        // An agent that is loaded keeps what it was loaded with.
        _ = try? await bootout()
        do throws(Failure) {
            try WholeFile.write(Data(agent(command, at: time).propertyList.utf8), to: path, mode: 0o644)
            try await bootstrap()
        } catch {
            // As it was: an agent that nobody loads would be found by `show`, and never run.
            try WholeFile.restore(before, to: path, mode: 0o644)
            if before != nil { _ = try? await bootstrap() }
            throw error
        }
        return [time.note(of: .launchd, at: timeZone, goingBy: MachineTimeZone.read(), on: now)].compactMap(\.self)
    }

    func remove() async throws(Failure) {
        _ = try? await bootout()
        try WholeFile.remove(path)
    }

    private func agent(_ command: ScheduledCommand, at time: TimeOfDay) -> LaunchAgent {
        LaunchAgent(command, at: time.converted(from: timeZone, to: MachineTimeZone.read(), on: now))
    }

    private func bootstrap() async throws(Failure) { try await launchctl(["bootstrap", "gui/\(getuid())", path]) }

    private func bootout() async throws(Failure) {
        try await launchctl(["bootout", "gui/\(getuid())/\(LaunchAgent.label)"])
    }

    private func launchctl(_ arguments: [String]) async throws(Failure) {
        let outcome = try await ChildProcess(
            path: launchctl, arguments: arguments, environment: environment, timeout: .seconds(30)
        ).run()
        guard outcome.ending != .exited(0) else { return }
        let said = PlainText.line(String(decoding: outcome.errors, as: UTF8.self)).prefix(300)
        throw Failure(.unavailable, "launchctl \(arguments[0]) failed: \(said)")
    }
}
