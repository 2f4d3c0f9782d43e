import Foundation
import PulseTestSupport
import Testing

/// What a run by cron or systemd says, and when: silent when well, and no failure told night after night.
extension MailTests {
    private var scheduled: [String] { send + ["--scheduled", "cron", "--retry-time", "0"] }

    /// systemd mails nothing, so the failure is mailed from here; it is no double of the digest.
    @Test func aFailureIsMailedWhereTheSchedulerDoesNot() throws {
        try sendmail()
        let arguments = ["today", "--send", "--scheduled", "systemd", "--to", "ana@example.org"]
        try sandbox.run(arguments + ["--store", sandbox.folder.file("none.sqlite")]).ends(66)
        let mail = try #require(try mails().first)
        #expect(mail.contains("\nTo: ana@example.org\n") && mail.contains("none.sqlite"))
        #expect(mail.contains("\nMessage-ID: <pulse-digest.notice."))
        _ = try sandbox.run(arguments + ["--store", sandbox.folder.file("none.sqlite")])
        #expect(try mails().count == 1)
        // What the program says beside the fault is in the reader's language.
        #expect(mail.contains("\nSubject: pulse-digest: there is no digest today\n"))
        _ = try sandbox.run(arguments + ["--language", "es", "--store", sandbox.folder.file("nor.sqlite")])
        #expect(try mails().count == 2)
        #expect(try mails().last?.contains("\nSubject: pulse-digest: hoy no hay resumen\n") == true)
        #expect(try mails().last?.contains("Mientras la causa sea la misma") == true)
        // A digest is in French, and nothing of a mail that tells of a failure is.
        _ = try sandbox.run(arguments + ["--language", "fr", "--store", sandbox.folder.file("non.sqlite")])
        #expect(try mails().count == 3)
        #expect(try mails().last?.contains("\nSubject: pulse-digest: there is no digest today\n") == true)
        #expect(try mails().last?.contains("While the cause stays the same") == true)
    }

    /// A night before which somebody broke the settings: it is told as any other failure is.
    @Test(arguments: ["{ maxArtcles: 3, to: 'ana@example.org' }", "{ broken"])
    func brokenSettingsAreTold(settings: String) throws {
        try sendmail()
        let folder = sandbox.folder.file("home/.config/pulse-digest")
        try sandbox.configure(settings)
        let to = settings.contains("to:") ? [] : ["--to", "ana@example.org"]
        let arguments = ["today", "--send", "--scheduled", "systemd", "--store", sandbox.store] + to
        for _ in 0..<2 { #expect(try sandbox.run(arguments).status == 78) }
        let mails = try mails()
        #expect(mails.count == 1 && mails.first?.contains("config.json") == true)
        try FileManager.default.removeItem(atPath: folder)
        let log = try log()
        #expect(log.count == 2 && log.allSatisfy { $0.contains("failed (78)") && $0.contains("config.json") })
        // By hand it is refused, and nothing is noted.
        try sandbox.configure(settings)
        #expect(try sandbox.run(send).status == 78)
        try FileManager.default.removeItem(atPath: folder)
        #expect(try self.log().count == 2)
    }

    /// Each cause is told once. The relay's words differ each night, and so does what has gathered.
    @Test func aScheduledRunTellsACauseOnce() throws {
        try sendmail("echo \"queued as $(date +%N | tr 0-9 a-j): no\" >&2; exit 69")
        try sandbox.run(scheduled).ends(69, "queued as", "reported once a week")
        try sandbox.run(scheduled).ends(69, output: "", errors: "")
        // Somebody else who is refused, too, is another matter.
        let both = scheduled + ["--to", "ben@example.org"]
        #expect(try sandbox.run(both).errors.contains("queued as"))
        #expect(try sandbox.run(both).errors == "")
        sandbox.environment["PULSE_DIGEST_SENDMAIL"] = "/nowhere/sendmail"
        #expect(try sandbox.run(scheduled).errors.contains("2 digests are kept"))
        #expect(try sandbox.run(both + ["--to", "cleo@example.org"]).errors == "")
        #expect(kept() == 3)
        // Another cause.
        try sendmail("exit 67")
        #expect(try sandbox.run(scheduled).errors.contains("no such recipient"))
        try sendmail("exit 75")
        try sandbox.run(scheduled).ends(75, errors: "")
        #expect(try log().count == 8)
    }
}
