import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulsePlatform

extension RealProcesses {
    @Suite(.timeLimit(.minutes(20))) struct CronEntryTests {
        private func command(_ arguments: [String], environment: [String: String] = [:]) -> ScheduledCommand {
            ScheduledCommand(program: "/usr/bin/printf", arguments: ["%s\\0"] + arguments, environment: environment)
        }

        /// What cron makes of a command (do_command.c of Vixie cron): `\%` becomes %, and everything from a bare % on
        /// is input.
        private func read(byCron line: String) -> String {
            var command = String.UnicodeScalarView()
            var isEscaped = false
            for character in line.split(separator: " ", maxSplits: 5)[5].unicodeScalars {
                if isEscaped {
                    if character == "%" { command.removeLast() }
                    command.append(character)
                    isEscaped = false
                    continue
                }
                if character == "%" { break }
                command.append(character)
                isEscaped = character == "\\"
            }
            return String(command)
        }

        /// Through what cron does, and a real shell, every word comes out as it went in.
        @Test(arguments: [
            "plain", "", "two words", "100%", "%", "\\", "\\%", "\\\\%", "it's", "'%'", "$HOME `id` $(id) \"x\"", "*",
            "a;b|c&d", "Zoë <zoe@example.org>", "%%\\'%\\", "'\u{301}%\u{301}", "~", "#", "!",
        ])
        func wordsComeOutAsTheyWentIn(word: String) async throws {
            let entry = try CronEntry(command([word, "end"]), at: TimeOfDay(hour: 22, minute: 5))
            #expect(entry.text.hasPrefix("5 22 * * * "))
            let outcome = try await ChildProcess(
                path: "/bin/sh", arguments: ["-c", read(byCron: entry.text)], environment: [:]
            ).run()
            #expect(String(decoding: outcome.output, as: UTF8.self) == word + "\0end\0")
        }

        @Test func theEnvironmentGoesThroughEnv() throws {
            let entry = try CronEntry(command(["x"], environment: ["TZ": "a b%"]), at: TimeOfDay(hour: 0, minute: 0))
            #expect(entry.text == "0 0 * * * /usr/bin/env 'TZ=a b\\%' /usr/bin/printf '\\%s\\0' x")
        }

        @Test func aLineThatCronWouldRefuseIsRefusedHere() throws {
            try fails(.usage, "cron takes 1,000") {
                try CronEntry(command([String(repeating: "x", count: 1000)]), at: TimeOfDay(hour: 0, minute: 0))
            }
        }

        @Test(arguments: [
            ("5 22 * * * x", "22:05"), ("0 0 * * * /usr/bin/env A=b x", "00:00"), ("*/5 22 * * * x", nil),
            ("5 22 * * 1-5 x", nil), ("@reboot x", nil), ("61 1 * * * x", nil), ("5 22 * * *", nil), ("", nil),
        ])
        func theTimeIsReadBack(line: String, time: String?) { #expect(CronEntry.time(of: line)?.text == time) }

        @Test(arguments: [
            ("ID=debian\n", "apt install cron"), ("NAME=x\nID=mint\nID_LIKE=\"ubuntu debian\"\n", "apt install cron"),
            ("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"", "zypper install cronie"), ("ID=other", nil), ("", nil),
        ])
        func cronIsInstalledAsTheDistributionDoesIt(release: String, command: String?) {
            #expect(Crontab.installation(of: release) == command)
        }
    }
}
