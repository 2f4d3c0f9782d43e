import Foundation
import PulseTestSupport
import Testing

/// `schedule`, with programs of the tests' own in the places of crontab and systemctl.
@Suite(.timeLimit(.minutes(20))) struct ScheduleTests {
    private let sandbox: Sandbox
    private var bin: String { sandbox.folder.file("bin") }

    init() throws {
        sandbox = try Sandbox()
        try sandbox.installCrontab()
    }

    private func script(_ name: String, _ lines: String) throws {
        try sandbox.folder.writeProgram("#!/bin/sh\n\(lines)\n", to: "bin/" + name)
    }

    private var crontab: Data? { FileManager.default.contents(atPath: sandbox.folder.file("crontab")) }

    private var entries: [Substring] {
        crontab.map { String(decoding: $0, as: UTF8.self).split(separator: "\n").filter { $0.contains("--send") } }
            ?? []
    }

    private let install = ["schedule", "install", "--at", "07:05", "--to", "Ana <ana@example.org>"]

    /// One that sendmail accepts, and that comes back only at night.
    @Test func aDomainWithoutADotIsToldOf() throws {
        for (address, isTold) in [("ana@exmaple", true), ("ana@localhost", false), ("ana@example.org", false)] {
            for options in [["--dry-run"], []] {
                let outcome = try sandbox.run(["schedule", "install", "--to", address] + options).ends(0)
                #expect(outcome.errors.contains("“exmaple” is neither this machine nor a domain") == isTold)
            }
        }
    }

    /// One sees what comes every night, and the night then has what is new.
    @Test func aFirstMailGoesOutAtOnce() throws {
        let sent = sandbox.folder.file("sent")
        sandbox.environment["PULSE_DIGEST_STORE"] = sandbox.store
        try sandbox.read([
            ["id": "f", "title": "Ferry runs again", "content": "The ferry runs.", "read_at": "2026-11-21T09:00:00Z"]
        ])
        try script("sendmail", "exit 67")
        // The email says what the schedule would note.
        let now = install + ["--now", "--sendmail", bin + "/sendmail"]
        let mistyped = try sandbox.run(now + ["--category", "nope"]).ends(66)
        #expect(mistyped.errors.components(separatedBy: "“nope”").count == 2, "\(mistyped.errors)")
        try sandbox.run(now).ends(69, "The schedule is installed.")
        try script("sendmail", "cat >> '\(sent)'")
        try sandbox.run(now).ends(0)
        #expect(entries.count == 1)
        let mail = try String(contentsOfFile: sent, encoding: .utf8)
        #expect(mail.contains("Ferry runs again") && mail.contains("ana@example.org"))
    }

    @Test(arguments: ["", "MAILTO=x\r\n1 2 * * * y\r\n\u{ff}\n\n1 2 * * * no line end"])
    func installedShownAndRemovedTheRestIsTheSame(before: String) throws {
        if !before.isEmpty { try sandbox.folder.write(before, to: "crontab") }
        try sandbox.run(install + ["--hours", "24"])
            .ends(0, "A digest will be emailed to ana@example.org every day at 07:05", output: "")
        let line = try #require(entries.first)
        #expect(entries.count == 1)
        #expect(line.hasPrefix("5 7 * * * /usr/bin/env HOME=\(sandbox.folder.file("home")) "))
        #expect(
            line.contains(" \(Sandbox.program) today --send --scheduled cron --hours 24 --to 'Ana <ana@example.org>'"))
        // One that only this PATH leads to, where the system has none of its own.
        let hasSystems = ["/usr/sbin/sendmail", "/usr/lib/sendmail"].contains(
            where: FileManager.default.isExecutableFile)
        #expect(line.hasSuffix(" --sendmail \(bin)/sendmail") == !hasSystems)

        let first = try #require(crontab)
        #expect(first.starts(with: Data(before.utf8)))
        #expect(try sandbox.run(install + ["--hours", "24"]).status == 0)
        #expect(crontab == first)

        let shown = try sandbox.run("schedule").output
        #expect(shown.contains("every day at 07:05 ("))
        // What nothing starts has no next run.
        #expect(shown.contains("next run") != shown.contains("No cron daemon is running"))

        #expect(try sandbox.run("schedule", "remove").status == 0)
        #expect(crontab == (before.isEmpty ? nil : Data(before.utf8)))
        try sandbox.run("schedule", "remove").ends(0, "Nothing was scheduled")
        #expect(try sandbox.run("schedule", "show").output.contains("nothing is scheduled"))
    }

    @Test func whatPreparesIsInstalledBesideIt() throws {
        try sandbox.run(install + ["--prepare"]).ends(64, "--prepare needs a model")
        #expect(crontab == nil)
        let options = ["--hours", "24", "--model", sandbox.model, "--format", "email"]
        try sandbox.run(install + options + ["--prepare"]).ends(0, "In the two hours before")
        let lines = String(decoding: try #require(crontab), as: UTF8.self).split(separator: "\n")
        let line = try #require(lines.first { $0.contains(" prepare ") })
        #expect(line.hasPrefix("35 5,6 * * * /usr/bin/env HOME="))
        // Neither --format, which `prepare` does not have, nor --sendmail.
        #expect(
            line.contains(
                " prepare --scheduled cron --hours 24 --to 'Ana <ana@example.org>' --model \(sandbox.model)"))
        #expect(!line.contains("--prepare") && !line.contains("sendmail"))
        #expect(entries.count == 1 && !entries[0].contains(" prepare "))
        #expect(try sandbox.run("schedule").output.contains("prepare  "))
        let removed = try sandbox.run("schedule", "remove", "--dry-run").output
        #expect(removed.components(separatedBy: "cron: ").count == 3, "\(removed)")
        #expect(try sandbox.run(install).status == 0)
        #expect(!String(decoding: try #require(crontab), as: UTF8.self).contains(" prepare "))
        #expect(try sandbox.run(install + options + ["--prepare"]).status == 0)
        #expect(try sandbox.run("schedule", "remove").status == 0)
        #expect(crontab == nil)
        let units = try sandbox.run(install + options + ["--prepare", "--systemd", "--dry-run"]).output
        #expect(units.contains("pulse-digest-prepare.timer\n") && units.contains("OnCalendar=*-*-* 05:35:00"))
    }

    @Test func whatIsInstalledRuns() throws {
        // What cron starts has the machine's clock, so the history must be of today.
        sandbox.environment["PULSE_DIGEST_NOW"] = nil
        try sandbox.importSample()
        sandbox.environment["PULSE_DIGEST_MAX_TOKENS"] = "4"
        try script("sendmail", "cat > \"$HOME/mail 100%\"")
        let options = ["--store", sandbox.store, "--max-stories", "2", "--sendmail", bin + "/sendmail"]
        #expect(try sandbox.run(install + options).status == 0)
        let command = try #require(entries.first).split(separator: " ", maxSplits: 5)[5].replacing("\\%", with: "%")
        // As cron would: with nothing but these.
        sandbox.environment = ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin", "LOGNAME": "ana", "SHELL": "/bin/sh"]
        try sandbox.shell(String(command)).ends(0, output: "", errors: "")
        let mail = try sandbox.folder.text("home/mail 100%")
        #expect(mail.contains("To: Ana <ana@example.org>\n"))
    }

    @Test func dryRunsChangeNothing() throws {
        try sandbox.folder.write("1 2 * * * y\n", to: "crontab")
        try sandbox.run(install + ["--dry-run"]).ends(0, printing: "1 2 * * * y\n# >>> pulse-digest")
        let systemd = try sandbox.run(install + ["--dry-run", "--systemd"])
        #expect(systemd.output.contains("OnCalendar=*-*-* 07:05:00") && systemd.output.contains("Persistent=true"))
        #expect(crontab == Data("1 2 * * * y\n".utf8))
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder.file("home/.config")))
        _ = try sandbox.run(install)
        let before = crontab
        #expect(try sandbox.run("schedule", "remove", "--dry-run").output.contains("--send"))
        #expect(crontab == before)
    }

    /// A crontab that cannot be read is not an empty one.
    @Test func aRefusalLosesNothing() throws {
        try sandbox.folder.write("1 2 * * * y\n", to: "crontab")
        let list = "[ $1 = -l ] && exec cat \"$F/crontab\"; "
        for (script, status, words) in [
            ("echo 'You (ana) are not allowed to use this program (crontab)' >&2; exit 1", 77, "cron.allow"),
            ("echo 'crontabs/ana: Input/output error' >&2; exit 1", 69, "Input/output error"),
            (list + "echo 'errors in crontab file' >&2; exit 1", 69, "was not changed"),
            (list + "cat > /dev/null", 73, "crontab -l"),
        ] as [(String, Int32, String)] {
            try self.script("crontab", script)
            try sandbox.run(install).ends(status, words)
            #expect(crontab == Data("1 2 * * * y\n".utf8))
        }
    }

    /// A crontab that may not be read, or whose comment lines do not pair, is no matter of systemd's timer.
    @Test(arguments: [("echo 'You (ana) are not allowed to use crontab' >&2; exit 1", 77), ("cat \"$F/half\"", 78)])
    func aCrontabThatCannotBeReadStandsInNoTimersWay(crontab: String, status: Int32) throws {
        try sandbox.folder.write("# >>> pulse-digest\n1 2 * * * y\n", to: "half")
        try script("crontab", crontab)
        try script("systemctl", "exit 0")
        try sandbox.run(install + ["--systemd"]).ends(0, "crontab", "every day at 07:05")
        try sandbox.run("schedule", "show").ends(0, "crontab", printing: "systemd   every day at 07:05")
        try sandbox.run("schedule", "remove").ends(status, "The systemd schedule was removed")
        #expect(try FileManager.default.contentsOfDirectory(atPath: units).isEmpty)
        // Without a timer it is not known whether anything is scheduled.
        try sandbox.run("schedule", "show").ends(status, output: "")
    }

    // MARK: - systemd

    /// Whoever is left out at night is told of whenever somebody looks, whatever starts the program.
    @Test(arguments: ["systemd", "cron"]) func whoIsLeftOutIsToldOf(kind: String) throws {
        try script("systemctl", "exit 0")
        try sandbox.configure("{ profiles: { ben: { to: 'ben@example.org' } } }")
        #expect(try sandbox.run(install + (kind == "systemd" ? ["--systemd"] : [])).errors.contains("leaves out"))
        #expect(try sandbox.run("schedule").output.contains("leaves out the profiles ben"))
        #expect(try sandbox.run("doctor").output.contains("leaves out the profiles ben"))
        guard kind == "systemd" else { return }
        let service = sandbox.folder.file("home/.config/systemd/user/pulse-digest.service")
        #expect(try FileManager.default.attributesOfItem(atPath: service)[.posixPermissions] as? Int == 0o600)
    }

    private var units: String { sandbox.folder.file("home/.config/systemd/user") }

    @Test func aTimerOfSystemd() throws {
        try script("systemctl", "echo \"$*\" >> \"$F/systemctl.calls\"")
        try script("loginctl", "echo no")
        _ = try sandbox.run(install)
        let outcome = try sandbox.run(install + ["--systemd"]).ends(0)
        #expect(outcome.errors.contains("The cron schedule was removed") && crontab == nil)
        #expect(outcome.errors.contains("loginctl enable-linger"))
        let calls = try sandbox.folder.text("systemctl.calls")
        #expect(calls == "--user daemon-reload\n--user enable pulse-digest.timer\n--user restart pulse-digest.timer\n")
        let service = try String(contentsOfFile: units + "/pulse-digest.service", encoding: .utf8)
        #expect(service.contains("\"--scheduled\" \"systemd\"") && service.contains("\"Ana <ana@example.org>\""))
        #expect(try sandbox.run("schedule").output.contains("systemd   every day at 07:05"))
        #expect(try sandbox.run("schedule", "remove").status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: units).isEmpty)
    }

    @Test func withoutAManagerNothingIsLeft() throws {
        try script("systemctl", "echo 'Failed to connect to bus: No medium found' >&2; exit 1")
        try sandbox.run(install + ["--systemd"]).ends(69, "Failed to connect to bus", "enable-linger")
        #expect(try FileManager.default.contentsOfDirectory(atPath: units).isEmpty)
        // A timer that was there before is as it was.
        try script("systemctl", "exit 0")
        _ = try sandbox.run(install + ["--systemd"])
        let before = FileManager.default.contents(atPath: units + "/pulse-digest.timer")
        try script("systemctl", "echo \"$*\" >> \"$F/systemctl.calls\"; [ \"$2\" != enable ]")
        #expect(try sandbox.run(["schedule", "install", "--systemd", "--at", "9:00", "--to", "a@b"]).status == 69)
        // The manager is to have it so, too.
        let calls = try sandbox.folder.text("systemctl.calls")
        #expect(
            calls == "--user daemon-reload\n--user enable pulse-digest.timer\n--user daemon-reload\n"
                + "--user restart pulse-digest.timer\n")
        #expect(FileManager.default.contents(atPath: units + "/pulse-digest.timer") == before)
    }
}
