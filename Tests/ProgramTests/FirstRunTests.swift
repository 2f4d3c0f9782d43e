import Foundation
import PulsePlatform
import PulseTestSupport
import Testing

/// The program called by its bare name.
@Suite(.timeLimit(.minutes(20))) struct FirstRunTests {
    private let sandbox: Sandbox
    private let server: FeedServer

    init() throws {
        sandbox = try Sandbox()
        server = try FeedServer()
        try sandbox.installCrontab()
        sandbox.environment["TERM"] = "dumb"
        // Which model would be offered depends on the machine.
        sandbox.environment["PULSE_DIGEST_MODEL"] = "none"
    }

    private func installReader() throws {
        try sandbox.folder.copy(
            Sandbox.fixtures + "/stores/liferea-1.14.4.db", to: "home/.local/share/liferea/liferea.db")
    }

    /// Follows a feed in which these wait.
    private func follow(_ items: FeedServer.Item...) throws {
        server.set("news", title: "News", items)
        try sandbox.run("feeds", "add", server.url("news")).succeeded()
    }

    private static let ferries = FeedServer.Item(
        id: "a", title: "Ferries run", text: "The ferries ran on Friday.", link: "https://a.example/a")

    @Test func theFirstTimeItImportsTellsAndOffersTheNight() async throws {
        try installReader()
        try await sandbox.talk([
            ("3 read, 1 starred\nImport it, now and at every import from now on? [Y/n] ", "y"),
            ("3 articles: 3 new", nil),
            ("Your digest, ", nil),
            ("The ferry between the islands\n    runs again after three weeks", nil),
            ("type your address (Enter: no): ", "nobody"),
            ("An address looks like ana@example.org: “nobody” has no @.", nil),
            ("type your address (Enter: no): ", "yes"),
            ("Type the address, such as ana@example.org.", nil),
            ("type your address (Enter: no): ", "ana@example.org"),
            ("At what time? [22:00] ", "25:00"),
            ("[22:00] ", "21:30"),
            ("A digest will be emailed to ana@example.org every day at 21:30.", nil),
        ])
        let crontab = try sandbox.folder.text("crontab")
        #expect(crontab.contains("30 21 * * * ") && crontab.contains(" --to ana@example.org"))
    }

    /// What was answered is told with the command that uses it.
    @Test func answersAreKeptWhereTheScheduleFails() async throws {
        try installReader()
        try sandbox.folder.writeProgram("#!/bin/sh\necho 'no crontab for ana' >&2\nexit 1\n", to: "bin/crontab")
        try await sandbox.talk([
            ("[Y/n] ", "y"),
            ("type your address (Enter: no): ", "ana@example.org"),
            ("At what time? [22:00] ", "21:30"),
            ("To try again: pulse-digest schedule install --to ana@example.org --at 21:30", nil),
        ])
    }

    /// Whoever is interrupted at the offer is asked again; whoever has answered is not.
    @Test func anUnansweredOfferComesAgain() async throws {
        try installReader()
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        try await terminal.wait(for: "[Y/n] ")
        terminal.type("y")
        try await terminal.wait(for: "type your address (Enter: no): ")
        process.interrupt()
        _ = try await terminal.rest { !process.isRunning }
        try await sandbox.talk([("type your address (Enter: no): ", "")])
        let shown = try await sandbox.talk([])
        #expect(!shown.contains("type your address"), "\(shown)")
    }

    /// What was imported once is imported by the bare name, too, before it tells.
    @Test func theBareNameImportsFirst() async throws {
        try installReader()
        #expect(try sandbox.run("import", "--yes").status == 0)
        let database = sandbox.folder.file("home/.local/share/liferea/liferea.db")
        let connection = try Connection(path: database, access: .readWrite)
        try connection.execute("UPDATE items SET read = 1 WHERE read = 0")
        try await sandbox.talk([("Lighthouse gets a new lamp", nil), ("type your address (Enter: no): ", "")])
    }

    @Test(.enabled(if: ProcessInfo.processInfo.physicalMemory > 8 << 30, "no model would be offered here"))
    func aModelIsOffered() async throws {
        try installReader()
        sandbox.environment["PULSE_DIGEST_MODEL"] = nil
        try await sandbox.talk([
            ("Import it, now and at every import from now on? [Y/n] ", "y"),
            (" now? [y/N] ", "n"),
            ("type your address (Enter: no): ", ""),
        ])
    }

    @Test func whoWantsNothingGetsNothing() async throws {
        try sandbox.run().ends(66, "To begin: pulse-digest import", output: "")
        let ways = try await sandbox.talk([])
        #expect(ways.contains("  pulse-digest import miniflux URL    a server"), "\(ways)")
        try installReader()
        let shown = try await sandbox.talk([("[Y/n] ", "n")])
        #expect(shown.contains("Nothing was imported.") && shown.contains("pulse-digest import PATH"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder.file("crontab")))
    }

    /// What a reader holds may be of long ago; that is said, with the command that sums it up.
    @Test func whatIsOldIsToldWithItsDaysAndItsCommand() async throws {
        try installReader()
        sandbox.environment["PULSE_DIGEST_NOW"] = "2031-01-01T12:00:00Z"
        let shown = try await sandbox.talk([("[Y/n] ", "y")]).split(whereSeparator: \.isNewline).joined(separator: " ")
        #expect(shown.contains("There is nothing new to sum up: the last article was read at "), "\(shown)")
        let day = try #require(shown.firstMatch(of: /pulse-digest today --since (\S+)\. What/)?.output.1)
        try sandbox.run("today", "--since", String(day)).ends(0, printing: "ferry")
    }

    private func installBrowser() throws {
        let folder = try sandbox.folder.makeFolder("home/.config/chromium/Default")
        let connection = try Connection(path: folder + "/History", access: .readWriteCreate)
        try connection.execute(String(contentsOfFile: Sandbox.fixtures + "/browsers/chromium-156.sql", encoding: .utf8))
    }

    /// Where there is a browser only, the first run asks for its sites, and a run without anybody names the command.
    @Test func aBrowserAloneIsEnough() async throws {
        try installBrowser()
        try sandbox.run("import", "--yes").ends(66, "import chromium --host")
        try await sandbox.talk([
            ("Visited, news first: gazette.example (7), other.example (1).", nil),
            ("(Enter: none) ", "gazette and the others"),
            ("(Enter: none) ", "http://gazette.example www.nowhere.example"),
            ("2 articles: 2 new", nil),
            ("Fetch the texts of 2 pages", nil),
            ("[Y/n] ", "n"),
            ("Council votes on the bridge", nil),
            ("(Enter: no): ", ""),
        ])
    }

    /// Sites that were named once need not be named again: not for `import`, and not for the run at night.
    @Test func namedSitesAreImportedAgain() throws {
        try installBrowser()
        #expect(try sandbox.run("import", "chromium", "--host", "gazette.example").status == 0)
        func visit(_ id: Int, _ path: String, title: String) throws {
            let history = sandbox.folder.file("home/.config/chromium/Default/History")
            try Connection(path: history, access: .readWrite).execute(
                """
                INSERT INTO urls SELECT \(id), 'http://gazette.example/2026/\(path)', '\(title)', 1, 1, last_visit_time, 0
                FROM urls WHERE id = 4;
                INSERT INTO visits(id, url, visit_time, transition, visit_duration)
                SELECT \(id), \(id), max(visit_time) + 60000000, 805306368, 30000000 FROM visits;
                """)
        }
        try visit(90, "lanterns", title: "Lanterns on the pier")
        try sandbox.run("import").ends(0, printing: "3 articles: 1 new")
        try visit(91, "otters", title: "Otters return to the bay")
        try sandbox.run("import", "chromium").ends(0, printing: "4 articles: 1 new")
        try visit(92, "tides", title: "Tides rise by a hand")
        try sandbox.run("today", "--send", "--scheduled", "cron", "--to", "ana@example.org").ends(0)
        let list = try sandbox.run("history", "list").output
        #expect(list.contains("Tides rise by a hand") && list.contains("Otters") && list.contains("Lanterns"))
        try sandbox.run("import", "chromium", "--store", sandbox.folder.file("other.sqlite")).ends(64, "--host")
    }

    /// A reader with nothing marked as read: what to do is more than to import it again.
    @Test func aReaderWithoutAnythingReadIsNoCircle() async throws {
        try installReader()
        let database = sandbox.folder.file("home/.local/share/liferea/liferea.db")
        try Connection(path: database, access: .readWrite).execute("UPDATE items SET read = 0, marked = 0")
        let shown = try await sandbox.talk([("[Y/n] ", "y")]).split(whereSeparator: \.isNewline).joined(separator: " ")
        #expect(shown.contains("pulse-digest feeds import-opml feeds.opml"), "\(shown)")
    }

    /// Feeds that were followed, and nothing read: the bare name tells what waits in them, and offers it by mail.
    @Test func feedsAloneAreTold() async throws {
        try follow(Self.ferries)
        let said = try await sandbox.talk([
            ("The ferries ran on Friday.", nil),
            ("type your address (Enter: no): ", "ana@example.org, bo@example.org"),
            ("At what time? [22:00] ", ""),
        ])
        let crontab = try sandbox.folder.text("crontab")
        #expect(crontab.contains(" --basis unread --to ana@example.org --to bo@example.org"), "\(crontab)")
        // The command as it is told shows the same email.
        let line = try #require(said.firstMatch(of: /To see the email first: (pulse-digest [^\r\n]*)/)?.output.1)
        let preview = try sandbox.shell("$P" + line.dropFirst("pulse-digest".count))
        #expect(preview.output.contains("The ferries ran on Friday."), "\(line) \(preview.errors)")
        sandbox.environment["TERM"] = "vt100"
        let shown = try await sandbox.talk([]).split(whereSeparator: \.isNewline).joined(separator: " ")
        #expect(shown.contains("pulse-digest today --date today") && !shown.contains("type your address"), "\(shown)")
    }

    /// Who opened one article still gets what waits, and the one with it.
    @Test func whatWaitsIsToldAfterOneWasOpened() async throws {
        let bridge = "The bridge of Orlen was shut for repairs."
        try follow(
            Self.ferries, .init(id: "b", title: "Bridge shut", text: bridge, link: "https://a.example/b"))
        let list = try sandbox.run("feeds", "waiting").output
        let id = try #require(list.firstMatch(of: /(?m)^\S+/)?.output, "\(list)")
        sandbox.environment["BROWSER"] = "true"
        try sandbox.run("open", String(id)).succeeded()
        let told = try await sandbox.talk([("type your address (Enter: no): ", "")])
        #expect(told.contains("ferries ran") && told.contains("Orlen"), "\(told)")
        try sandbox.run("schedule", "install", "--to", "ana@example.org", "--dry-run")
            .ends(0, "as with --basis read,unread", printing: "--basis read,unread")
    }

    /// A schedule of what was read would stay empty where only feeds are followed.
    @Test func aScheduleIsOfFeedsWhereNothingElseIs() throws {
        let install = ["schedule", "install", "--to", "ana@example.org"]
        #expect(try !sandbox.run(install + ["--dry-run"]).ends(0).output.contains("--basis"))
        try sandbox.run(install).ends(0, "So far there is nothing to send.")
        try follow(Self.ferries)
        try sandbox.run(install).ends(0, "as with --basis unread")
        #expect(try sandbox.folder.text("crontab").contains(" --basis unread"))
        #expect(try !sandbox.run(install + ["--basis", "read"]).ends(0).errors.contains("as with"))
    }

    @Test func laterItIsToday() async throws {
        try sandbox.importSample(to: sandbox.usualStore)
        try sandbox.run().ends(0, printing: "\nWorld\n", output: sandbox.run("today").output)
        // It is offered by mail once.
        try await sandbox.talk([("Your digest, ", nil), ("type your address (Enter: no): ", "")])
        let shown = try await sandbox.talk([])
        #expect(!shown.contains("type your address") && !shown.contains("Welcome"), "\(shown)")
    }

    @Test func whoHasAScheduleIsOfferedNone() async throws {
        try sandbox.importSample(to: sandbox.usualStore)
        #expect(try sandbox.run("schedule", "install", "--to", "ana@example.org").status == 0)
        let shown = try await sandbox.talk([])
        #expect(shown.contains("Your digest, ") && !shown.contains("type your address"), "\(shown)")
    }
}
