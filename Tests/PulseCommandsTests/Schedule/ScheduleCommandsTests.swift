import Foundation
import PulseCore
import PulseRendering
import PulseTestSupport
import Testing

@testable import PulseApp
@testable import PulseCommands
@testable import PulsePlatform

@Suite(.timeLimit(.minutes(20))) struct ScheduleCommandsTests {
    private func context(_ change: (inout Settings) throws -> Void) throws -> RawContext {
        let folder = try TemporaryFolder()
        var settings = Settings()
        settings.output.to = [try MailAddress("ana@example.org")]
        try change(&settings)
        let environment = ["HOME": folder.path, "PATH": ""]
        return RawContext(
            settings: settings, operands: [], locations: Locations(environment: environment, executable: "/p"),
            console: Console(environment: environment), environment: environment, now: .now, timeZone: .gmt)
    }

    @Test(arguments: [
        ["--at", "25:00", "--to", "a@b"], ["--at", "13 pm", "--to", "a@b"], ["--at", "07:00"], ["--to", "a b"],
        ["--to", "a@b", "--send"], ["--to", "a@b", "--since", "2026-11-18"], ["--to", "a@b", "--week"],
        ["--to", "a@b", "--speak"], ["--to", "a@b", "--output", "x.html"],
    ])
    func aBadCommandLineIsAUsageError(words: [String]) throws {
        try fails(.usage) {
            let invocation = try Parser(commands: Program.commands).parse(["schedule", "install"] + words)
            let settings = try SettingsReader(environment: [:], configurationFile: "/nowhere")
                .settings(flags: invocation.flags)
            let environment = ["HOME": "/nowhere", "PATH": ""]
            return try ScheduleInstallation(
                RawContext(
                    settings: settings, operands: [], locations: Locations(environment: environment, executable: "/p"),
                    console: Console(environment: environment), environment: environment, now: .now, timeZone: .gmt,
                    flags: invocation.flags))
        }
    }

    /// A Mac has no systemd: nothing else is done in its place.
    @Test func aSchedulerOfAnotherSystemIsRefused() async throws {
        let context = try context { $0.isSystemd = true }
        let installation = try ScheduleInstallation(context, usual: .launchd)
        try await fails(.usage, "Leave out --systemd") {
            try await Command.install(context.with(arguments: installation))
        }
    }
}
