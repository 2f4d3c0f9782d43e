import Foundation
import PulseCore
import PulseRendering
import Testing

@Suite(.timeLimit(.minutes(20))) struct ScheduleTextTests {
    private let style = TextStyle(timeZone: TimeZone(identifier: "Europe/Paris") ?? .gmt)
    private let now = Date(timeIntervalSince1970: 1_795_298_400)  // 2026-11-21T22:00:00Z

    private func run(
        _ outcome: String, exit: Int = 0, articles: Int = 0, messages: Int = 0, message: String = ""
    ) -> RunRow {
        RunRow(
            time: now, outcome: outcome, exit: exit, articles: articles, messages: messages, seconds: 12.34,
            message: message)
    }

    @Test func whatIsInstalled() {
        let row = ScheduleRow(
            scheduler: "cron", entry: "0 22 * * * x\u{1b}[31m", time: "22:00 (Europe/Paris)",
            next: now.addingTimeInterval(86_400))
        let text = ScheduleText.show(
            [row], last: run("sent", articles: 18, messages: 1), imported: nil, kept: 2, style: style)
        #expect(
            text == """
                cron      every day at 22:00 (Europe/Paris)
                entry     0 22 * * * x
                next run  2026-11-22 23:00
                last run  2026-11-21 23:00  handed to sendmail, 18 articles, 1 message, 12 s
                not sent  2 messages wait for the next run

                """)
    }

    /// What nothing starts has no next run.
    @Test func whatIsAmiss() {
        let row = ScheduleRow(
            scheduler: "cron", entry: "0 22 * * * x", time: "22:00 (Europe/Paris)", next: nil, idle: "No daemon.")
        let text = ScheduleText.show(
            [row], last: nil, imported: nil, kept: 0, amiss: [("mail", "No account.")], style: style)
        #expect(
            text == """
                cron         every day at 22:00 (Europe/Paris)
                entry        0 22 * * * x
                not started  No daemon.
                mail         No account.

                """)
    }

    @Test func nothingInstalled() {
        let text = ScheduleText.show([], last: nil, imported: nil, kept: 0, style: style)
        #expect(text.hasPrefix("nothing is scheduled\n") && text.contains("schedule install --at"))
    }

    @Test func changedByHand() {
        let row = ScheduleRow(scheduler: "cron", entry: "@reboot x", time: nil, next: nil)
        let text = ScheduleText.show([row], last: nil, imported: nil, kept: 1, style: style)
        #expect(text.contains("changed by hand") && !text.contains("\nnext run") && text.contains("1 message waits"))
    }

    @Test func theRuns() {
        let rows = [run("empty"), run("failed", exit: 75, message: "Memory is short.\nReally.")]
        #expect(
            ScheduleText.log(rows, style: style) == """
                2026-11-21 23:00  empty, 12 s
                2026-11-21 23:00  failed (75), 12 s: Memory is short. Really.

                """)
    }

    @Test func theRunsAsJSON() throws {
        let json = ScheduleText.json([run("failed", exit: 69, message: "x")])
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        #expect(rows.first?["time"] as? String == "2026-11-21T22:00:00Z" && rows.first?["exit"] as? Int == 69)
        #expect(ScheduleText.json([]).contains("["))
    }

    @Test func aNotice() throws {
        let notice = EmailNotice(
            from: try MailAddress("me@host.example"), to: [try MailAddress("Zoë <z@example.org>")],
            subject: "No digest\nBcc: x@y", date: now, timeZone: .gmt, body: "A “cause”\u{1b}[31m\nnext step\n")
        let text = notice.text
        #expect(text.hasPrefix("Date: Sat, 21 Nov 2026 22:00:00 +0000\nFrom: me@host.example\n"))
        #expect(text.contains("\nSubject: No digest Bcc: x@y\n"))
        #expect(text.contains("\n\nA =E2=80=9Ccause=E2=80=9D"))
        #expect(!text.contains("\u{1b}") && text.utf8.allSatisfy { $0 < 0x80 })
        let later = EmailNotice(
            from: notice.from, to: notice.to, subject: "x", date: now, timeZone: .gmt, body: "Another cause")
        func identity(_ text: String) -> Substring? { text.split(separator: "\n").first { $0.hasPrefix("Message-ID") } }
        #expect(identity(text) != nil && identity(text) != identity(later.text))
    }
}
