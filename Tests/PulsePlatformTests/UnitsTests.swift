import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulsePlatform

extension RealProcesses {
    /// What is written for systemd and launchd.
    @Suite(.timeLimit(.minutes(20))) struct UnitsTests {
        private let command = ScheduledCommand(
            program: "/opt/my tools/pulse-digest",
            arguments: ["today", "--to", "Zoë <z@example.org>", "a\"b\\c%d$HOME&"],
            environment: ["TZ": "x\"y%z$"])
        private let time = TimeOfDay(hour: 7, minute: 5)

        @Test func systemdsFiles() throws {
            let units = SystemdUnits(command, at: time, zone: "Europe/Paris")
            #expect(units.service.contains("\nEnvironment=\"TZ=x\\\"y%%z$\"\n"))
            #expect(
                units.service.hasSuffix(
                    "\nExecStart=\"/opt/my tools/pulse-digest\" \"today\" \"--to\" \"Zoë <z@example.org>\" "
                        + "\"a\\\"b\\\\c%%d$$HOME&\"\n"))
            #expect(units.timer.contains("\nOnCalendar=*-*-* 07:05:00 Europe/Paris\nPersistent=true\n"))
        }

        private var prepared: ScheduledCommand {
            ScheduledCommand(
                program: command.program, arguments: command.arguments, preparation: ["prepare", "100%"],
                environment: command.environment)
        }

        @Test func whatPreparesHasFilesOfItsOwn() throws {
            #expect(SystemdUnits(command, at: time, zone: nil).preparation == nil)
            let units = try #require(SystemdUnits(prepared, at: time, zone: "Europe/Paris").preparation)
            #expect(units.service.hasSuffix("\nExecStart=\"/opt/my tools/pulse-digest\" \"prepare\" \"100%%\"\n"))
            #expect(
                units.timer.contains(
                    "\nOnCalendar=*-*-* 05:35:00 Europe/Paris\nOnCalendar=*-*-* 06:35:00 Europe/Paris\n"))
            let agent = LaunchAgent(prepared, ["prepare"], at: time.preparations, label: LaunchAgent.preparation)
            let values = try values(of: agent)
            #expect(values["Label"] as? String == "pulse-digest-prepare")
            #expect(
                values["StartCalendarInterval"] as? [[String: Int]]
                    == [["Hour": 5, "Minute": 35], ["Hour": 6, "Minute": 35]])
        }

        /// systemd and the files are as they were, whatever step goes wrong.
        @Test(arguments: ["daemon-reload", "enable", "restart"])
        func whatCannotBeInstalledLeavesTheTimersAsTheyWere(step: String) async throws {
            let folder = try TemporaryFolder()
            try folder.writeProgram(
                "#!/bin/sh\necho \"$2 $3 $4\" >> $F/log; [ \"$2\" != \"$(cat $F/fails)\" ]\n", to: "systemctl")
            let schedule = SystemdTimer(
                folder: folder.file("units"), environment: ["PATH": "\(folder.path):/usr/bin:/bin", "F": folder.path],
                timeZone: .gmt)
            func files() throws -> [String] {
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("units")).sorted()
                return try names.map { try folder.text("units/\($0)") }
            }
            try folder.write("", to: "fails")
            _ = try await schedule.install(prepared, at: time)
            let before = try files()
            #expect(before.count == 4)
            try folder.write(step, to: "fails")
            await #expect(throws: PulseError.self) {
                try await schedule.install(command, at: TimeOfDay(hour: 9, minute: 0))
            }
            #expect(try files() == before)
            #expect(try !folder.text("log").contains("disable"))
            try folder.write("", to: "fails")
            _ = try await schedule.install(command, at: time)
            #expect(try files().count == 2)
            let log = try folder.text("log")
            #expect(log.contains("disable --now pulse-digest-prepare.timer\n"))
        }

        /// Both agents come, and both go; without a preparation the second one goes alone.
        @Test func theSecondAgentComesAndGoes() async throws {
            let folder = try TemporaryFolder()
            let launchctl = try folder.writeProgram("#!/bin/sh\n", to: "launchctl")
            let schedule = LaunchdTimer(
                home: folder.path, environment: ["PATH": "/usr/bin:/bin"], timeZone: .gmt, now: .now,
                launchctl: launchctl)
            _ = try await schedule.install(prepared, at: time)
            let path = try #require(try await schedule.installed()?.preparation)
            #expect(FileManager.default.fileExists(atPath: path))
            _ = try await schedule.install(command, at: time)
            #expect(try await schedule.installed()?.preparation == nil)
            #expect(!FileManager.default.fileExists(atPath: path))
            _ = try await schedule.install(prepared, at: time)
            try await schedule.remove()
            #expect(try await schedule.installed() == nil)
            #expect(!FileManager.default.fileExists(atPath: path))
        }

        @Test func theTimeIsReadBack() throws {
            let there = try #require(SystemdUnits.time(of: SystemdUnits(command, at: time, zone: "Asia/Tokyo").timer))
            #expect(there.time == time && there.zone == "Asia/Tokyo")
            let here = try #require(SystemdUnits.time(of: SystemdUnits(command, at: time, zone: nil).timer))
            #expect(here.time == time && here.zone == nil)
            #expect(SystemdUnits.time(of: "[Timer]\nOnCalendar=Mon *-*-* 07:05:00\n") == nil)
            #expect(SystemdUnits.time(of: "[Timer]\nOnCalendar=hourly\n") == nil)
            #expect(SystemdUnits.time(of: "") == nil)
            #expect(LaunchAgent.time(of: Data(LaunchAgent(command, at: time).propertyList.utf8)) == time)
            #expect(LaunchAgent.time(of: Data("<plist/>".utf8)) == nil)
        }

        /// systemd's own reading of them.
        @Test(
            .enabled(
                if: FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze"),
                "systemd-analyze is not here")
        )
        func systemdUnderstandsThem() async throws {
            let folder = try TemporaryFolder()
            let command = ScheduledCommand(
                program: "/bin/true", arguments: command.arguments, environment: command.environment)
            let units = SystemdUnits(command, at: time, zone: "Europe/Paris")
            let service = try folder.write(units.service, to: "pulse-digest.service")
            let timer = try folder.write(units.timer, to: "pulse-digest.timer")
            let outcome = try await ChildProcess(
                path: "/usr/bin/systemd-analyze", arguments: ["verify", "--man=no", "--user", service, timer],
                environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
            ).run()
            let said = String(decoding: outcome.errors + outcome.output, as: UTF8.self)
            #expect(outcome.ending == .exited(0), "\(said)")
            #expect(!said.contains("pulse-digest."), "\(said)")
        }

        /// What launchd does not take is not installed, and what was there before is there again, and loaded.
        @Test func anAgentThatIsRefusedIsNotThere() async throws {
            let folder = try TemporaryFolder()
            let launchctl = try folder.writeProgram(
                "#!/bin/sh\necho $1 >> $F/calls\n[ $1 != bootstrap ] || ! grep -q refuse $3\n", to: "launchctl")
            let schedule = LaunchdTimer(
                home: folder.path, environment: ["F": folder.path, "PATH": "/usr/bin:/bin"], timeZone: .gmt, now: .now,
                launchctl: launchctl)
            let refused = ScheduledCommand(program: "/bin/refuse", arguments: [], environment: [:])
            try await fails(.unavailable, "launchctl bootstrap failed") {
                try await schedule.install(refused, at: time)
            }
            #expect(try await schedule.installed() == nil)
            _ = try await schedule.install(command, at: time)
            let entry = try #require(try await schedule.installed()).entry
            let before = FileManager.default.contents(atPath: entry)
            await #expect(throws: PulseError.self) { try await schedule.install(refused, at: time) }
            #expect(before != nil && FileManager.default.contents(atPath: entry) == before)
            let calls = try folder.text("calls")
            #expect(calls.split(separator: "\n").suffix(3) == ["bootout", "bootstrap", "bootstrap"])
        }

        private func values(of agent: LaunchAgent) throws -> [String: Any] {
            let list = try PropertyListSerialization.propertyList(from: Data(agent.propertyList.utf8), format: nil)
            return try #require(list as? [String: Any])
        }

        @Test func launchdsFileIsAPropertyList() throws {
            let values = try values(of: LaunchAgent(command, at: time))
            #expect(values["Label"] as? String == "pulse-digest")
            #expect(values["ProgramArguments"] as? [String] == [command.program] + command.arguments)
            #expect(values["EnvironmentVariables"] as? [String: String] == ["TZ": "x\"y%z$"])
            #expect(values["StartCalendarInterval"] as? [String: Int] == ["Hour": 7, "Minute": 5])
        }
    }
}
