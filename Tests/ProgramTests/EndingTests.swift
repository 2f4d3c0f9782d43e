import Foundation
import PulseTestSupport
import Testing

/// How runs end that do not run to their end.
@Suite(.timeLimit(.minutes(20))) struct EndingTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try .withSample() }

    /// And what is told is told while the rest is still written.
    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func signalsEndCleanly(signal: Int32, status: Int32) throws {
        let options = ["--store", sandbox.store, "--model", sandbox.model, "--max-tokens", "1000"]
        let running = try sandbox.start(["today"] + options)
        #expect(running.read(until: "World").contains("Your digest") && running.process.isRunning)
        kill(running.process.processIdentifier, signal)
        running.finish().ends(status, errors: "")
    }

    @Test func aFullDiskIsToldOf() throws {
        try sandbox.shell("$P history list --store '\(sandbox.store)' >/dev/full").ends(73, "cannot be written")
    }

    /// On a terminal there is a status line, which is gone in the end; bars, and where they are wanted colours and links.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func aTerminalSeesWhatIsDone() throws {
        func onTerminal(_ setting: String, _ options: [String]) throws -> String {
            let words = (["today", "--max-stories", "5"] + options).map { "'\($0)'" }.joined(separator: " ")
            return try sandbox.shell("\(setting) script -qec \"'$P' \(words)\" /dev/null").output
        }
        let written = sandbox.written + ["--category", "gardening"]
        let shown = try onTerminal("TERM=xterm", written)
        #expect(shown.contains("Reading,") && shown.contains("\u{1b}[1mGardening\u{1b}[0m"))
        let plain = try onTerminal("TERM=xterm NO_COLOR=1", written)
        #expect(plain.contains("Gardening") && !plain.contains("\u{1b}[1m"))
        #expect(try !onTerminal("TERM=dumb", written).contains("\u{1b}"))

        let quiet = sandbox.plain + ["--quiet"]
        let styled = try onTerminal("TERM=xterm", quiet)
        #expect(styled.contains("████") && styled.contains("\u{1b}]8;id=") && styled.contains("\u{1b}[1m"))
        for setting in ["TERM=dumb", "TERM=xterm NO_COLOR=1"] {
            let plain = try onTerminal(setting, quiet)
            #expect(plain.contains("████") && !plain.contains("\u{1b}"), "\(setting)")
        }
        #expect(try !onTerminal("TERM=linux", quiet).contains("\u{1b}]8"))
    }
}
