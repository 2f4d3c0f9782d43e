import Foundation
import PulseCore
import PulseRendering
import Testing

@testable import PulseApp
@testable import PulseCommands
@testable import PulsePlatform

@Suite(.timeLimit(.minutes(20))) struct ScheduleTextTests {
    private static let paris = TimeZone(identifier: "Europe/Paris") ?? .gmt
    private let style = TextStyle(timeZone: Self.paris)
    private let now = Date(timeIntervalSince1970: 1_795_298_400)  // 2026-11-21T22:00:00Z

    private func run(
        _ outcome: String, exit: Int = 0, articles: Int = 0, messages: Int = 0, message: String = ""
    ) -> RunLog.Entry {
        RunLog.Entry(
            time: now, outcome: outcome, exit: exit, articles: articles, messages: messages, seconds: 12.34,
            message: message)
    }

    private func timer(
        _ entry: String, time: TimeOfDay? = TimeOfDay(hour: 22, minute: 0), idle: Message? = nil
    ) -> InstalledTimer {
        InstalledTimer(kind: .cron, entry: entry, command: entry, time: time, zone: Self.paris, idle: idle)
    }

    @Test func whatIsInstalled() {
        let text = ScheduleText.show(
            [timer("0 22 * * * x\u{1b}[31m")], now: now, last: run("sent", articles: 18, messages: 1), imported: nil,
            kept: 2, style: style)
        #expect(
            text == """
                cron      every day at 22:00 (Europe/Paris)
                entry     0 22 * * * x
                next run  2026-11-22 22:00
                last run  2026-11-21 23:00  handed to sendmail, 18 articles, 1 email, 12 s
                not sent  2 messages wait. To send what waits now: pulse-digest schedule retry. To delete what waits for an address: pulse-digest schedule drop ADDRESS

                """)
    }

    /// What nothing starts has no next run.
    @Test func whatIsAmiss() {
        let text = ScheduleText.show(
            [timer("0 22 * * * x", idle: "No daemon.")], now: now, last: nil, imported: nil, kept: 0,
            amiss: [("email", "No account.")], style: style)
        #expect(
            text == """
                cron     every day at 22:00 (Europe/Paris)
                entry    0 22 * * * x
                warning  No daemon.
                email    No account.

                """)
    }

    @Test func nothingInstalled() {
        let text = ScheduleText.show([], now: now, last: nil, imported: nil, kept: 0, style: style)
        #expect(text.hasPrefix("nothing is scheduled\n") && text.contains("schedule install --at"))
    }

    @Test func changedByHand() {
        let text = ScheduleText.show(
            [timer("@reboot x", time: nil)], now: now, last: nil, imported: nil, kept: 1, style: style)
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
}
