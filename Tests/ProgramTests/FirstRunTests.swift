import Foundation
import PulsePlatform
import PulseTestSupport
import Testing

/// The program called by its bare name.
@Suite(.timeLimit(.minutes(20))) struct FirstRunTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        let bin = sandbox.folder.file("bin")
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        sandbox.environment["PATH"] = bin + ":/usr/bin:/bin"
        sandbox.environment["TERM"] = "dumb"
        // Which model would be offered depends on the machine.
        sandbox.environment["PULSE_DIGEST_MODEL"] = "none"
        sandbox.environment["F"] = sandbox.folder.path
        // The machine's: cron goes by it.
        sandbox.environment["TZ"] = nil
        let crontab = """
            #!/bin/sh
            case $1 in
            -l) [ -e "$F/crontab" ] && cat "$F/crontab" || { echo "no crontab for ana" >&2; exit 1; } ;;
            -e) touch "$F/crontab"; eval "$EDITOR '$F/crontab'" ;;
            -) cat > "$F/crontab" ;;
            esac

            """
        try sandbox.folder.writeProgram(crontab, to: "bin/crontab")
        try sandbox.folder.writeProgram("#!/bin/sh\ncat > /dev/null\n", to: "bin/sendmail")
    }

    private func installReader() throws {
        let folder = sandbox.folder.file("home/.local/share/liferea")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: Sandbox.fixtures + "/stores/liferea-1.14.4.db", toPath: folder + "/liferea.db")
    }

    @Test func theFirstTimeItImportsTellsAndOffersTheNight() async throws {
        try installReader()
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        try await terminal.wait(for: "3 read, 1 starred\nImport it, now and whenever you import? [Y/n] ")
        terminal.type("y")
        try await terminal.wait(for: "3 articles: 3 new")
        try await terminal.wait(for: "Your digest, ")
        try await terminal.wait(for: "The ferry between the islands runs again")
        try await terminal.wait(for: "To which address? (Enter: no) ")
        terminal.type("nobody")
        try await terminal.wait(for: "To which address? (Enter: no) ")
        terminal.type("ana@example.org")
        try await terminal.wait(for: "At what time? [22:00] ")
        terminal.type("25:00")
        try await terminal.wait(for: "[22:00] ")
        terminal.type("21:30")
        try await terminal.wait(for: "A digest will be emailed to ana@example.org every day at 21:30.")
        _ = try await terminal.rest { !process.isRunning }
        #expect(process.terminationStatus == 0)
        let crontab = try String(contentsOfFile: sandbox.folder.file("crontab"), encoding: .utf8)
        #expect(crontab.contains("30 21 * * * ") && crontab.contains(" --to ana@example.org"))
    }

    /// What was answered is told with the command that uses it.
    @Test func answersAreKeptWhereTheScheduleFails() async throws {
        try installReader()
        try sandbox.folder.writeProgram("#!/bin/sh\necho 'no crontab for ana' >&2\nexit 1\n", to: "bin/crontab")
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        try await terminal.wait(for: "[Y/n] ")
        terminal.type("y")
        try await terminal.wait(for: "To which address? (Enter: no) ")
        terminal.type("ana@example.org")
        try await terminal.wait(for: "At what time? [22:00] ")
        terminal.type("21:30")
        try await terminal.wait(for: "To try again: pulse-digest schedule install --to ana@example.org --at 21:30")
        _ = try await terminal.rest { !process.isRunning }
        #expect(process.terminationStatus == 0)
    }

    /// Whoever is interrupted at the offer is asked again; whoever has answered is not.
    @Test func anUnansweredOfferComesAgain() async throws {
        try installReader()
        for isFirst in [true, false] {
            let terminal = try PseudoTerminal()
            let process = try sandbox.start([], at: terminal)
            if isFirst {
                try await terminal.wait(for: "[Y/n] ")
                terminal.type("y")
            }
            try await terminal.wait(for: "To which address? (Enter: no) ")
            if isFirst { process.interrupt() } else { terminal.type("") }
            _ = try await terminal.rest { !process.isRunning }
        }
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        let shown = try await terminal.rest { !process.isRunning }
        #expect(process.terminationStatus == 0 && !shown.contains("To which address?"), "\(shown)")
    }

    /// What was imported once is imported by the bare name, too, before it tells.
    @Test func theBareNameImportsFirst() async throws {
        try installReader()
        #expect(try sandbox.run("import", "--yes").status == 0)
        let database = sandbox.folder.file("home/.local/share/liferea/liferea.db")
        let connection = try Connection(path: database, access: .readWrite)
        try connection.execute("UPDATE items SET read = 1 WHERE read = 0")
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        try await terminal.wait(for: "Lighthouse gets a new lamp")
        try await terminal.wait(for: "To which address? (Enter: no) ")
        terminal.type("")
        _ = try await terminal.rest { !process.isRunning }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.physicalMemory > 8 << 30, "no model would be offered here"))
    func aModelIsOffered() async throws {
        try installReader()
        sandbox.environment["PULSE_DIGEST_MODEL"] = nil
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        try await terminal.wait(for: "Import it, now and whenever you import? [Y/n] ")
        terminal.type("y")
        try await terminal.wait(for: " now? [y/N] ")
        terminal.type("n")
        try await terminal.wait(for: "To which address? (Enter: no) ")
        terminal.type("")
        _ = try await terminal.rest { !process.isRunning }
        #expect(process.terminationStatus == 0)
    }

    @Test func whoWantsNothingGetsNothing() async throws {
        try installReader()
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        try await terminal.wait(for: "[Y/n] ")
        terminal.type("n")
        let shown = try await terminal.rest { !process.isRunning }
        #expect(process.terminationStatus == 0)
        #expect(shown.contains("Nothing was imported.") && shown.contains("pulse-digest import PATH"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder.file("crontab")))
    }

    @Test func withoutAReaderTheWaysAreTold() async throws {
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        let shown = try await terminal.rest { !process.isRunning }
        #expect(process.terminationStatus == 0)
        #expect(shown.contains("  pulse-digest import miniflux URL    a server"), "\(shown)")
    }

    /// What a reader holds may be of long ago; that is said, with the command that sums it up.
    @Test func whatIsOldIsToldWithItsDaysAndItsCommand() async throws {
        try installReader()
        sandbox.environment["PULSE_DIGEST_NOW"] = "2031-01-01T12:00:00Z"
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        try await terminal.wait(for: "[Y/n] ")
        terminal.type("y")
        let shown = try await terminal.rest { !process.isRunning }.split(whereSeparator: \.isNewline)
            .joined(separator: " ")
        #expect(process.terminationStatus == 0)
        #expect(shown.contains("Nothing was read lately: there are 3 articles, read "), "\(shown)")
        let day = try #require(shown.firstMatch(of: /pulse-digest today --since (\S+)\. What/)?.output.1)
        let digest = try sandbox.run("today", "--since", String(day))
        #expect(digest.status == 0 && digest.output.contains("ferry"), "\(digest.errors)")
    }

    private func installBrowser() throws {
        let folder = sandbox.folder.file("home/.config/chromium/Default")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let connection = try Connection(path: folder + "/History", access: .readWriteCreate)
        try connection.execute(
            String(contentsOfFile: Sandbox.fixtures + "/browsers/chromium-156.sql", encoding: .utf8))
    }

    /// Where there is a browser only, the first run asks for its sites, and a run without anybody names the command.
    @Test func aBrowserAloneIsEnough() async throws {
        try installBrowser()
        let alone = try sandbox.run("import", "--yes")
        #expect(alone.status == 66 && alone.errors.contains("import chromium --host"), "\(alone.errors)")
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        try await terminal.wait(for: "Visited, news first: gazette.example (7), other.example (1).")
        try await terminal.wait(for: "(Enter: none) ")
        terminal.type("gazette and the others")
        try await terminal.wait(for: "(Enter: none) ")
        terminal.type("http://gazette.example www.nowhere.example")
        try await terminal.wait(for: "2 articles: 2 new")
        try await terminal.wait(for: "Fetch the texts of 2 pages")
        try await terminal.wait(for: "[Y/n] ")
        terminal.type("n")
        try await terminal.wait(for: "Council votes on the bridge")
        try await terminal.wait(for: "(Enter: no) ")
        terminal.type("")
        _ = try await terminal.rest { !process.isRunning }
        #expect(process.terminationStatus == 0)
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
        let alone = try sandbox.run("import")
        #expect(alone.status == 0 && alone.output.contains("3 articles: 1 new"), "\(alone.errors)")
        try visit(91, "otters", title: "Otters return to the bay")
        let named = try sandbox.run("import", "chromium")
        #expect(named.status == 0 && named.output.contains("4 articles: 1 new"), "\(named.errors)")
        try visit(92, "tides", title: "Tides rise by a hand")
        let night = try sandbox.run("today", "--send", "--scheduled", "cron", "--to", "ana@example.org")
        #expect(night.status == 0, "\(night.errors)")
        let list = try sandbox.run("history", "list").output
        #expect(list.contains("Tides rise by a hand") && list.contains("Otters") && list.contains("Lanterns"))
        let other = try sandbox.run("import", "chromium", "--store", sandbox.folder.file("other.sqlite"))
        #expect(other.status == 64 && other.errors.contains("--host"), "\(other.errors)")
    }

    /// A reader with nothing marked as read: what to do is more than to import it again.
    @Test func aReaderWithoutAnythingReadIsNoCircle() async throws {
        try installReader()
        let database = sandbox.folder.file("home/.local/share/liferea/liferea.db")
        try Connection(path: database, access: .readWrite).execute("UPDATE items SET read = 0, marked = 0")
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        try await terminal.wait(for: "[Y/n] ")
        terminal.type("y")
        let shown = try await terminal.rest { !process.isRunning }.split(whereSeparator: \.isNewline)
            .joined(separator: " ")
        #expect(shown.contains("pulse-digest feeds import-opml feeds.opml"), "\(shown)")
    }

    /// Feeds that were followed, and nothing read: the bare name tells what waits in them, and offers it by mail.
    @Test func feedsAloneAreTold() async throws {
        let server = try FeedServer()
        server.set("news", title: "News", [.init(id: "a", title: "Ferries run", text: "The ferries ran on Friday.")])
        #expect(try sandbox.run("feeds", "add", server.url("news")).status == 0)
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        try await terminal.wait(for: "The ferries ran on Friday.")
        try await terminal.wait(for: "To which address? (Enter: no) ")
        terminal.type("ana@example.org, bo@example.org")
        try await terminal.wait(for: "At what time? [22:00] ")
        terminal.type("")
        let said = try await terminal.rest { !process.isRunning }
        let crontab = try String(contentsOfFile: sandbox.folder.file("crontab"), encoding: .utf8)
        #expect(crontab.contains(" --basis unread --to ana@example.org --to bo@example.org"), "\(crontab)")
        // The command as it is told shows the same email.
        let line = try #require(said.firstMatch(of: /To see the email first: (pulse-digest [^\r\n]*)/)?.output.1)
        let preview = try sandbox.shell("$P" + line.dropFirst("pulse-digest".count))
        #expect(preview.output.contains("The ferries ran on Friday."), "\(line) \(preview.errors)")
        sandbox.environment["TERM"] = "vt100"
        let later = try PseudoTerminal()
        let again = try sandbox.start([], at: later)
        let shown = try await later.rest { !again.isRunning }.split(whereSeparator: \.isNewline)
            .joined(separator: " ")
        #expect(shown.contains("pulse-digest today --date today") && !shown.contains("To which address"), "\(shown)")
    }

    /// A schedule of what was read would stay empty where only feeds are followed.
    @Test func aScheduleIsOfFeedsWhereNothingElseIs() throws {
        let none = try sandbox.run("schedule", "install", "--to", "ana@example.org", "--dry-run")
        #expect(none.status == 0 && !none.output.contains("--basis"), "\(none.errors)")
        let empty = try sandbox.run("schedule", "install", "--to", "ana@example.org")
        #expect(empty.errors.contains("So far there is nothing to send."), "\(empty.errors)")
        let server = try FeedServer()
        server.set("news", title: "News", [.init(id: "a", title: "Ferries run", text: "The ferries ran on Friday.")])
        #expect(try sandbox.run("feeds", "add", server.url("news")).status == 0)
        let installed = try sandbox.run("schedule", "install", "--to", "ana@example.org")
        #expect(installed.status == 0 && installed.errors.contains("as with --basis unread"), "\(installed.errors)")
        let crontab = try String(contentsOfFile: sandbox.folder.file("crontab"), encoding: .utf8)
        #expect(crontab.contains(" --basis unread"), "\(crontab)")
        let chosen = try sandbox.run("schedule", "install", "--to", "ana@example.org", "--basis", "read")
        #expect(chosen.status == 0 && !chosen.errors.contains("as with"), "\(chosen.errors)")
    }

    @Test func laterItIsToday() async throws {
        #expect(try sandbox.run("import", "jsonl", Sandbox.sampleHistory).status == 0)
        let bare = try sandbox.run()
        #expect(bare.status == 0 && bare.output.contains("\nWorld\n"))
        #expect(try bare.output == sandbox.run("today").output)
        // It is offered by mail once.
        for isOffered in [true, false] {
            let terminal = try PseudoTerminal()
            let process = try sandbox.start([], at: terminal)
            if isOffered {
                try await terminal.wait(for: "Your digest, ")
                try await terminal.wait(for: "To which address? (Enter: no) ")
                terminal.type("")
            }
            let shown = try await terminal.rest { !process.isRunning }
            #expect(isOffered || !shown.contains("To which address?") && !shown.contains("Welcome"), "\(shown)")
        }
    }

    @Test func whoHasAScheduleIsOfferedNone() async throws {
        #expect(try sandbox.run("import", "jsonl", Sandbox.sampleHistory).status == 0)
        #expect(try sandbox.run("schedule", "install", "--to", "ana@example.org").status == 0)
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        let shown = try await terminal.rest { !process.isRunning }
        #expect(shown.contains("Your digest, ") && !shown.contains("To which address?"), "\(shown)")
    }

    @Test func withNobodyThereItSaysWhatToDo() throws {
        let outcome = try sandbox.run()
        #expect(outcome.status == 66 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("To begin: pulse-digest import"), "\(outcome.errors)")
    }
}
