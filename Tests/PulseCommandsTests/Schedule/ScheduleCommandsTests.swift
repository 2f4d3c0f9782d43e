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

    /// A Mac has no systemd: nothing else is done in its place.
    @Test func aSchedulerOfAnotherSystemIsRefused() async throws {
        let context = try context { $0.isSystemd = true }
        let installation = try ScheduleInstallation(context, usual: .launchd)
        try await fails(.usage, "Leave out --systemd") {
            try await Command.install(context.with(arguments: installation))
        }
    }
}
