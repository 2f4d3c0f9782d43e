import Foundation
import PulseTestSupport
import Testing

/// `today --send`, with programs of the tests' own in sendmail's place.
@Suite(.serialized, .timeLimit(.minutes(20))) struct MailTests: StoreSuite {
    let sandbox: Sandbox

    init() throws {
        sandbox = try .withSample()
        sandbox.environment["F"] = sandbox.folder.path
    }

    var state: String { sandbox.folder.file("home/.local/state/pulse-digest") }

    var send: [String] {
        ["today", "--send", "--to", "ana@example.org", "--store", sandbox.store, "--max-stories", "2"]
    }

    /// The same as a line of the shell.
    private var line: String { (["$P"] + send.map { "'\($0)'" }).joined(separator: " ") }

    /// A sendmail that keeps each message in a file of its own, named by its number, unless the script ends before.
    func sendmail(_ script: String = "") throws {
        let bin = sandbox.folder.file("bin")
        try? FileManager.default.removeItem(atPath: bin + "/sendmail")
        try sandbox.folder.writeProgram(
            """
            #!/bin/sh
            echo "$@" >> "$F/arguments"
            \(script)
            cat > "$F/mail.new" && mv "$F/mail.new" "$F/mail.$(ls "$F" | grep -c '^mail\\.')"

            """, to: "bin/sendmail")
        sandbox.environment["PULSE_DIGEST_SENDMAIL"] = bin + "/sendmail"
    }

    func mails() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).filter { $0.hasPrefix("mail.") }
            .sorted()
            .map { try String(contentsOfFile: sandbox.folder.file($0), encoding: .utf8) }
    }

    func kept() -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: state + "/outbox")) ?? []
        return names.filter { !$0.hasPrefix(".") }.count
    }

    func log() throws -> [String] {
        try sandbox.run("schedule", "log").output.split(separator: "\n").map(String.init)
    }

    /// Waits until a sendmail that writes its number into a file runs.
    func awaitSendmail() throws -> pid_t {
        try sandbox.awaitFile(sandbox.folder.file("pid"))
        return try #require(pid_t(sandbox.folder.text("pid").dropLast()))
    }

    @Test func theDayIsSentOnce() throws {
        try sendmail()
        try sandbox.run(send).ends(0, output: "", errors: "")
        let mail = try #require(try mails().first)
        #expect(mail.contains("\nTo: ana@example.org\n") && mail.contains("\nMessage-ID: <"))
        #expect(!mail.contains("\r"))
        #expect(try sandbox.folder.text("arguments") == "-t -oi\n")

        // However the address is spelled; and another person has not had it.
        try sandbox.run(send).ends(
            0, output: "", errors: "Today's digest was already sent to ana@example.org. To send it again: --again\n")
        #expect(try sandbox.run(send + ["--to", "Ana <ANA@example.org>"]).status == 0)
        #expect(try mails().count == 1)
        #expect(try sandbox.run(send + ["--to", "ben@example.org"]).status == 0)
        #expect(try mails().count == 2)
        #expect(try mails()[1].contains("\nTo: ben@example.org\n"))

        #expect(try sandbox.run(send + ["--again"]).status == 0)
        #expect(try mails().count == 3)
        // Servers drop what has the identity of another message.
        #expect(try run("today --week --send --to ana@example.org").status == 0)
        #expect(try sandbox.run(send + ["--again"]).status == 0)
        let identities = try mails().map { $0.split(separator: "\n").first { $0.hasPrefix("Message-ID:") } }
        #expect(identities.count == 5 && Set(identities).count == 5, "\(identities)")
        #expect(kept() == 0)
        #expect(
            try log().map { $0.dropFirst(18).prefix(6) } == [
                "handed", "skippe", "skippe", "handed", "handed", "handed", "handed",
            ])
    }

    /// Nor is it taken for sent; and a scheduled run is silent when well, whatever sendmail says.
    @Test func anEmptyDayIsNotMailed() throws {
        try sendmail("echo some MTAs talk; echo always >&2")
        try run("today --send").ends(64, "There is no recipient")
        #expect(try log().isEmpty, "a mistyped command is no run")
        let scheduled = send + ["--scheduled", "cron", "--retry-time", "0"]
        for words in [send + ["--since", "-PT1S"], scheduled, scheduled, scheduled + ["--since", "-PT1S"]] {
            try sandbox.run(words).ends(0, output: "", errors: "")
        }
        #expect(try mails().count == 1)
        #expect(try log().prefix(3).map { $0.dropFirst(18).prefix(5) } == ["empty", "hande", "skipp"])
    }

    @Test func aDryRunShowsTheMessageAndChangesNothing() throws {
        try sendmail()
        let today = "2026-11-21"
        let outcome = try sandbox.run(send + ["--dry-run", "--to", "ben@example.org"]).ends(0, errors: "")
        // One for each, and each whole.
        let recipients = outcome.output.split(separator: "\n").filter { $0.hasPrefix("To: ") }
        #expect(recipients == ["To: ana@example.org", "To: ben@example.org"])
        #expect(outcome.output.components(separatedBy: "\nMIME-Version: 1.0\n").count == 3)
        #expect(try mails().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: state))
        // Nothing was kept of it.
        #expect(try run("today --date", today).status == 66)
        #expect(try sandbox.run(send + ["--date", today]).status == 64)
    }

    @Test func whatCouldNotBeSentGoesOutWithTheNextRun() throws {
        try sendmail("echo \"no route\u{1b}[31m to host\" >&2; exit 69")
        try sandbox.run(send).ends(
            69, "status 69", "no route to host", "the next run sends it. To send it now: ",
            "pulse-digest schedule drop ana@example.org\n")
        #expect(kept() == 1)
        try sendmail()
        // The next run has nothing of its own to tell.
        #expect(try sandbox.run(send + ["--since", "-PT1S"]).status == 0)
        #expect(try mails().count == 1 && kept() == 0)
        #expect(try log().map { $0.dropFirst(18).prefix(6) } == ["failed", "handed"])
    }

    /// What is for a mistyped address would be tried for two weeks.
    @Test func whatWaitsForAnAddressCanBeDropped() throws {
        try sendmail("cat > /dev/null; exit 67")
        try sandbox.run(send + ["--to", "ben@exmaple.org"]).ends(
            69, "The digests for ", ".org were not sent; they are kept")
        #expect(kept() == 2)
        let shown = try sandbox.run("schedule").output
        #expect(shown.contains("ana@example.org, ben@exmaple.org") && shown.contains("schedule drop"), "\(shown)")
        let doctor = try sandbox.run("doctor", "--store", sandbox.store, "--model", "none").output
        let findings = doctor.matches(of: /(?m)^(\w+) +schedule +(\S+ \S+)/).map { "\($0.output.1) \($0.output.2)" }
        #expect(findings.suffix(2) == ["warning not sent", "warning The last"], "\(doctor)")
        #expect(doctor.contains("not sent yet, to ana@example.org, ben@exmaple.org"), "\(doctor)")
        try run("schedule drop cleo@example.org").ends(66, "Waiting: emails to ana@example.org, ben@exmaple.org.")
        try run("schedule drop", "Ben <ben@EXMAPLE.org>").ends(0, errors: "1 unsent digest deleted.\n")
        #expect(kept() == 1)
        // It is not told to that address, and would be if it was right.
        try sendmail()
        #expect(try sandbox.run(send + ["--to", "ben@exmaple.org"]).status == 0)
        #expect(try mails().count == 2 && kept() == 0)
    }

    @Test func withoutASendmailItSaysWhatToInstall() throws {
        sandbox.environment["PULSE_DIGEST_SENDMAIL"] = "/nowhere/sendmail"
        try sandbox.run(send).ends(69, "/nowhere/sendmail")
        #expect(kept() == 1)
        if !FileManager.default.fileExists(atPath: "/usr/sbin/sendmail") {
            sandbox.environment["PULSE_DIGEST_SENDMAIL"] = nil
            try sandbox.run(send).ends(69, "msmtp")
        }
        try sendmail()
        #expect(try sandbox.run(send).status == 0)
        #expect(try mails().count == 1)
    }

    @Test func aSignalEndsSendmailToo() throws {
        try sendmail("echo $$ > \"$F/pid.new\"; mv \"$F/pid.new\" \"$F/pid\"; exec sleep 600")
        let running = try sandbox.start(send + ["--send-timeout", "3600"])
        let child = try awaitSendmail()
        kill(running.process.processIdentifier, SIGTERM)
        running.finish().ends(143, errors: "")
        let state = FileManager.default.contents(atPath: "/proc/\(child)/stat").map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(state == nil || state?.contains(") Z ") == true)
        #expect(kept() == 1)
        #expect(try log().last?.contains("interrupted (143)") == true)
    }

    @Test func withoutAUmaskItIsTheOwnersAlone() throws {
        try sendmail("exit 75")
        sandbox.environment["XDG_STATE_HOME"] = sandbox.folder.file("other/state")
        #expect(try sandbox.shell("umask 000; \(line)").status == 75)
        let found = try sandbox.shell(
            "cd '\(sandbox.folder.file("other"))'; find . -type d ! -perm 700; find . -type f ! -perm 600; find . -type f | wc -l"
        )
        #expect(found.output.trimmingCharacters(in: .whitespacesAndNewlines) == "5")
    }

    /// A scheduler that gives no standard streams, or a shell that closes them: nothing is written into the history.
    @Test func closedStreamsDoNoHarm() throws {
        for (script, status) in [("exit 67", 69), ("", 0)] as [(String, Int32)] {
            try sendmail(script)
            #expect(try sandbox.shell("\(line) <&- >&- 2>&-").status == status)
            #expect(try kept() == (status == 0 ? 0 : 1) && run("history stats").status == 0)
        }
        #expect(try mails().count == 1)
    }

    /// A disk that is full: nothing goes out unrecorded, and nothing that was kept is lost.
    @Test(.enabled(if: TinyDisk.canBeMade, "only root can mount a small disk"))
    func aFullDiskIsToldOf() throws {
        try sendmail()
        let disk = try TinyDisk(at: sandbox.folder.file("disk"))
        sandbox.environment["XDG_STATE_HOME"] = disk.path
        try disk.fill()
        try sandbox.run(send).ends(73, "No space left", "Free some space")
        #expect(try mails().isEmpty)
        // A schedule that cannot even remember what it told tells it.
        #expect(try sandbox.run(send + ["--scheduled", "cron", "--retry-time", "0"]).status == 73)
        #expect(try mails().count == 1 && mails().last?.replacing("=\n", with: "").contains("No space left") == true)
        try disk.clear()
        #expect(try sandbox.run(send).status == 0)
        #expect(try mails().count == 2)
    }

    /// Clearing the history forgets what was made of it, also where nobody has taken it yet.
    @Test func clearingForgetsWhatWaits() throws {
        try sendmail("exit 75")
        #expect(try sandbox.run(send).status == 75)
        try sandbox.folder.write("{ half", to: "home/.local/state/pulse-digest/outbox/.x.json.damaged")
        try run("history clear --yes").ends(0, "1 digest that was not sent yet")
        #expect(try FileManager.default.contentsOfDirectory(atPath: state + "/outbox").isEmpty)
    }

    // MARK: - What is said

    /// Nor does a mail tell the model's hash, whatever format is set for what is printed.
    @Test func theLogAsJSONNamesNoArticle() throws {
        try sendmail()
        sandbox.environment["PULSE_DIGEST_FORMAT"] = "json"
        try sandbox.run(send + sandbox.written).ends(0)
        #expect(try mails().count == 1)
        #expect(try sandbox.shell("find '\(sandbox.folder.path)' -name '*sha256*'").output == "")
        let json = try sandbox.run("schedule", "log", "--format", "json", "-n", "1").output
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        #expect(rows.count == 1)
        #expect(
            Set(try #require(rows.first).keys) == [
                "time", "outcome", "exit", "articles", "messages", "seconds", "message",
            ])
        #expect((rows.first?["articles"] as? Int ?? 0) > 2 && rows.first?["outcome"] as? String == "sent")
        let words = try sandbox.shell("cat '\(state)'/*.json*").output
        #expect(!words.contains("Calder") && !words.contains("http"))
    }
}
