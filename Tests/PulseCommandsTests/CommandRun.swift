import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseApp
@testable import PulseCommands

/// Runs commands in this process, with a history and a home of their own.
struct CommandRun {
    let home: TemporaryFolder
    /// 2026-11-21T02:46:40Z
    let now = Date(timeIntervalSince1970: 1_795_229_200)

    init() throws { home = try TemporaryFolder() }

    var store: String { home.file("history.sqlite") }

    /// What a command writes to its output and what it says beside.
    func callAsFunction(
        _ words: [String], environment: [String: String] = [:]
    ) async throws -> (lines: [String], said: String) {
        let streams = try ["out", "err"].map { name in
            let path = try home.write("", to: name)
            return try #require(FileHandle(forWritingAtPath: path))
        }
        let invocation = try Parser(commands: Program.commands).parse(words)
        let command = try #require(invocation.command)
        var settings = try SettingsReader(
            environment: environment, configurationFile: home.file("none.json")
        ).settings(flags: invocation.flags)
        settings.fit(command)
        settings.storePath = store
        let console = Console(
            output: streams[0].fileDescriptor, error: streams[1].fileDescriptor, environment: environment)
        let context = RawContext(
            settings: settings, operands: invocation.operands,
            locations: Locations(environment: ["HOME": home.path], executable: home.file("program")),
            console: console, environment: environment, now: now, timeZone: .gmt, flags: invocation.flags)
        try await command.run?(context)
        return (try home.text("out").split(separator: "\n").map(String.init), try home.text("err"))
    }

    func callAsFunction(_ line: String) async throws -> (lines: [String], said: String) {
        try await self(line.split(separator: " ").map(String.init))
    }
}
