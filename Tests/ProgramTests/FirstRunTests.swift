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
        let day = try #require(shown.firstMatch(of: /pulse-digest today --since (\d{4}-\d\d-\d\d)/)?.output.1)
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
        try await terminal.wait(for: "Visited most: ")
        try await terminal.wait(for: "(Enter: none) ")
        terminal.type("gazette.example")
        try await terminal.wait(for: "2 articles: 2 new")
        try await terminal.wait(for: "Council votes on the bridge")
        try await terminal.wait(for: "(Enter: no) ")
        terminal.type("")
        _ = try await terminal.rest { !process.isRunning }
        #expect(process.terminationStatus == 0)
    }

    /// Feeds that were followed, and nothing read: what waits is counted, and the command that shows it stands there.
    @Test func feedsAloneAreNamed() async throws {
        let server = try FeedServer()
        server.set("news", title: "News", [.init(id: "a", title: "Ferries run", text: "The ferries ran on Friday.")])
        #expect(try sandbox.run("feeds", "add", server.url("news")).status == 0)
        sandbox.environment["TERM"] = "vt100"
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        let shown = try await terminal.rest { !process.isRunning }.split(whereSeparator: \.isNewline)
            .joined(separator: " ")
        #expect(shown.contains("1 entry waits in your feeds: pulse-digest today --basis unread"), "\(shown)")
    }

    @Test func laterItIsToday() async throws {
        #expect(try sandbox.run("import", "jsonl", Sandbox.sampleHistory).status == 0)
        let bare = try sandbox.run()
        #expect(bare.status == 0 && bare.output.contains("\nWorld\n"))
        #expect(try bare.output == sandbox.run("today").output)
        let terminal = try PseudoTerminal()
        let process = try sandbox.start([], at: terminal)
        let shown = try await terminal.rest { !process.isRunning }
        #expect(shown.contains("Your digest, ") && !shown.contains("Welcome"))
    }

    @Test func withNobodyThereItSaysWhatToDo() throws {
        let outcome = try sandbox.run()
        #expect(outcome.status == 66 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("To begin: pulse-digest import"), "\(outcome.errors)")
    }
}
