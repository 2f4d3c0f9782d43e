public import Foundation
public import PulseCore

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

    public var kind: ScheduleKind { .launchd }

    private var path: String { "\(home)/Library/LaunchAgents/\(LaunchAgent.label).plist" }

    public func installed() async throws(PulseError) -> InstalledSchedule? {
        guard let bytes = try WholeFile.read(path) else { return nil }
        return InstalledSchedule(
            kind: .launchd, entry: path, time: LaunchAgent.time(of: String(decoding: bytes, as: UTF8.self)),
            zone: MachineTimeZone.read())
    }

    public func preview(_ command: ScheduledCommand, at time: TimeOfDay) async throws(PulseError) -> String {
        "<!-- \(path) -->\n" + agent(command, at: time).propertyList
    }

    public func install(_ command: ScheduledCommand, at time: TimeOfDay) async throws(PulseError) -> [Message] {
        let before = try WholeFile.read(path)
        // An agent that is loaded keeps what it was loaded with.
        _ = try? await bootout()
        do throws(PulseError) {
            try WholeFile.restore(Data(agent(command, at: time).propertyList.utf8), to: path, mode: 0o644)
            try await bootstrap()
        } catch {
            // Everything as it was: `schedule show` would find an agent that nobody loads.
            try WholeFile.restore(before, to: path, mode: 0o644)
            if before != nil { _ = try? await bootstrap() }
            throw error
        }
        return [time.note(of: .launchd, at: timeZone, goingBy: MachineTimeZone.read(), on: now)].compactMap(\.self)
    }

    public func remove() async throws(PulseError) {
        _ = try? await bootout()
        try WholeFile.remove(path)
    }

    private func agent(_ command: ScheduledCommand, at time: TimeOfDay) -> LaunchAgent {
        LaunchAgent(command, at: time.converted(from: timeZone, to: MachineTimeZone.read(), on: now))
    }

    private func bootstrap() async throws(PulseError) { try await run(["bootstrap", "gui/\(getuid())", path]) }

    private func bootout() async throws(PulseError) {
        try await run(["bootout", "gui/\(getuid())/\(LaunchAgent.label)"])
    }

    private func run(_ arguments: [String]) async throws(PulseError) {
        let outcome = try await ChildProcess(
            path: launchctl, arguments: arguments, environment: environment, timeout: .seconds(30)
        ).run()
        guard outcome.ending != .exited(0) else { return }
        throw PulseError(.unavailable, "launchctl \(arguments[0]) failed: \(outcome.complaint)")
    }
}

/// An agent of launchd as its property list (launchd.plist(5)).
struct LaunchAgent: Sendable {
    static let label = "pulse-digest"
    let propertyList: String

    init(_ command: ScheduledCommand, at time: TimeOfDay) {
        let words = ([command.program] + command.arguments).map { "        <string>\(Self.escaped($0))</string>\n" }
        let variables = command.variables.map {
            "        <key>\(Self.escaped($0.name))</key><string>\(Self.escaped($0.value))</string>\n"
        }
        // launchd runs it on waking if the machine slept at that time: launchd.plist(5), StartCalendarInterval.
        propertyList = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
                <key>Label</key><string>\(Self.label)</string>
                <key>ProgramArguments</key>
                <array>
            \(words.joined())    </array>
                <key>EnvironmentVariables</key>
                <dict>
            \(variables.joined())    </dict>
                <key>StartCalendarInterval</key>
                <dict>
                    <key>Hour</key><integer>\(time.hour)</integer>
                    <key>Minute</key><integer>\(time.minute)</integer>
                </dict>
                <key>ProcessType</key><string>Background</string>
            </dict>
            </plist>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// When an agent runs; nil if somebody has changed it to something else.
    static func time(of propertyList: String) -> TimeOfDay? {
        func number(_ key: String) -> Int? {
            guard let start = propertyList.firstRange(of: "<key>\(key)</key><integer>")?.upperBound else { return nil }
            return Int(propertyList[start...].prefix { $0.isNumber })
        }
        guard let hour = number("Hour"), let minute = number("Minute"), hour < 24, minute < 60 else { return nil }
        return TimeOfDay(hour: hour, minute: minute)
    }
}
