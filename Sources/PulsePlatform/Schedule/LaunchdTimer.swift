public import Foundation
public import PulseCore

/// A launchd agent of macOS.
public struct LaunchdTimer: DailyTimer {
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

    public var kind: TimerKind { .launchd }

    public func require() {}

    private var path: String { path(of: LaunchAgent.label) }

    private func path(of label: String) -> String { "\(home)/Library/LaunchAgents/\(label).plist" }

    public func installed() async throws -> InstalledTimer? {
        guard let list = try AtomicFile.read(path) else { return nil }
        return InstalledTimer(
            kind: .launchd, entry: path, command: String(decoding: list, as: UTF8.self),
            time: LaunchAgent.time(of: list), zone: MachineTimeZone.read(),
            preparation: try AtomicFile.read(path(of: LaunchAgent.preparation)).map { _ in
                path(of: LaunchAgent.preparation)
            })
    }

    public func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws -> String {
        agents(command, at: time).compactMap { label, agent in
            agent.map { "<!-- \(path(of: label)) -->\n" + $0.propertyList }
        }.joined(separator: "\n")
    }

    public func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws -> [Message] {
        let before = try LaunchAgent.labels.map { label in (label: label, bytes: try AtomicFile.read(path(of: label))) }
        var loaded: [String] = []
        do {
            for ((label, agent), old) in zip(agents(command, at: time), before) where agent != nil || old.bytes != nil {
                // A loaded agent keeps its old property list.
                await bootout(label)
                try AtomicFile.restore(agent.map { Data($0.propertyList.utf8) }, to: path(of: label), mode: 0o600)
                guard agent != nil else { continue }
                try await bootstrap(label)
                loaded.append(label)
            }
        } catch {
            // Restores the former state; otherwise `schedule show` would find an agent that is not loaded.
            for label in loaded { await bootout(label) }
            for (label, bytes) in before {
                try AtomicFile.restore(bytes, to: path(of: label), mode: 0o600)
                if bytes != nil { _ = try? await bootstrap(label) }
            }
            throw error
        }
        return [time.note(of: .launchd, at: timeZone, goingBy: MachineTimeZone.read(), on: now)].compactMap(\.self)
    }

    public func remove() async throws {
        for label in LaunchAgent.labels {
            await bootout(label)
            try AtomicFile.remove(path(of: label))
        }
    }

    private func agents(_ command: ScheduledCommand, at time: TimeOfDay) -> [(label: String, agent: LaunchAgent?)] {
        let time = time.converted(from: timeZone, to: MachineTimeZone.read(), on: now)
        let preparation = command.preparation.map {
            LaunchAgent(command, $0, at: time.preparations, label: LaunchAgent.preparation)
        }
        return [(LaunchAgent.label, LaunchAgent(command, at: time)), (LaunchAgent.preparation, preparation)]
    }

    private func bootstrap(_ label: String) async throws {
        try await run(["bootstrap", "gui/\(getuid())", path(of: label)])
    }

    /// Unloads an agent; one that is not loaded is no error.
    private func bootout(_ label: String) async { _ = try? await run(["bootout", "gui/\(getuid())/\(label)"]) }

    private func run(_ arguments: [String]) async throws {
        let outcome = try await ChildProcess(
            path: launchctl, arguments: arguments, environment: environment, timeout: .seconds(30)
        ).run()
        guard outcome.ending != .exited(0) else { return }
        throw PulseError(.unavailable, "launchctl \(arguments[0]) failed: \(outcome.complaint)")
    }
}

/// The property list of a launchd agent (launchd.plist(5)).
struct LaunchAgent: Sendable {
    static let label = "pulse-digest"
    static let preparation = "pulse-digest-prepare"
    static let labels = [label, preparation]
    let propertyList: String

    init(_ command: ScheduledCommand, at time: TimeOfDay) {
        self.init(command, command.arguments, at: [time], label: Self.label)
    }

    init(_ command: ScheduledCommand, _ arguments: [String], at times: [TimeOfDay], label: String) {
        let intervals = times.map { ["Hour": $0.hour, "Minute": $0.minute] }
        let values: [String: Any] = [
            "Label": label,
            "ProgramArguments": [command.program] + arguments,
            "EnvironmentVariables": command.environment,
            // launchd runs it on waking if the machine slept at that time: launchd.plist(5), StartCalendarInterval.
            "StartCalendarInterval": intervals.count == 1 ? intervals[0] as Any : intervals,
            "ProcessType": "Background",
        ]
        let list = try? PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
        propertyList = String(decoding: list ?? Data(), as: UTF8.self)
    }

    /// When an agent runs; nil if it was edited to run other than once a day.
    static func time(of propertyList: Data) -> TimeOfDay? {
        let values = try? PropertyListSerialization.propertyList(from: propertyList, format: nil) as? [String: Any]
        let interval = values?["StartCalendarInterval"] as? [String: Int]
        guard let hour = interval?["Hour"], let minute = interval?["Minute"], 0..<24 ~= hour, 0..<60 ~= minute else {
            return nil
        }
        return TimeOfDay(hour: hour, minute: minute)
    }
}
