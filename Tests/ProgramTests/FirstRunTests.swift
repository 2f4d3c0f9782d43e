import Foundation
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
