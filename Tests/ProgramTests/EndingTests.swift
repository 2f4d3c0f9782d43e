import Foundation
import PulseTestSupport
import Testing

/// How runs end that do not run to their end.
@Suite(.timeLimit(.minutes(20))) struct EndingTests: StoreSuite {
    let sandbox: Sandbox

    init() throws { sandbox = try .withSample() }

    private var slow: [String] {
        ["today", "--store", sandbox.store, "--model", sandbox.model]
    }

    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func signalsEndCleanly(signal: Int32, status: Int32) throws {
        let running = try sandbox.start(slow + ["--max-tokens", "1000"])
        _ = running.read(until: "World")
        kill(running.process.processIdentifier, signal)
        let outcome = running.finish()
        #expect(outcome.signal == nil)
        #expect(outcome.status == status)
        #expect(outcome.errors == "")
    }

    @Test func aClosedPipeIsAnOrdinaryEnd() throws {
        let outcome = try sandbox.shell(
            "{ $P today --store '\(sandbox.store)' --model '\(sandbox.model)'; echo $? >'\(sandbox.store).status'; } | head -1"
        )
        #expect(outcome.output.hasPrefix("Your digest"))
        #expect(outcome.errors == "")
        #expect(try String(contentsOfFile: sandbox.store + ".status", encoding: .utf8) == "0\n")
    }

    @Test func aFullDiskIsToldOf() throws {
        try sandbox.shell("$P history list --store '\(sandbox.store)' >/dev/full").ends(73, "cannot be written")
    }

    @Test func theStallTimeoutIsApplied() throws {
        try sandbox.run(slow + ["--stall-timeout", "0.001"])
            .ends(0, "--stall-timeout", printing: "Kestria and Vellmark signed")
    }

    /// On a terminal there is a status line, which is gone in the end; and colours, unless they are unwanted.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/script")))
    func aTerminalSeesWhatIsDone() throws {
        let command =
            "\(Sandbox.program) today --category gardening --store \(sandbox.store) --model \(sandbox.model) --max-tokens 3"
        sandbox.environment["TERM"] = "xterm"
        let shown = try sandbox.shell("script -qec '\(command)' /dev/null")
        #expect(shown.output.contains("Reading,"))
        #expect(shown.output.contains("\u{1b}[1mGardening\u{1b}[0m"))
        sandbox.environment["NO_COLOR"] = "1"
        let plain = try sandbox.shell("script -qec '\(command)' /dev/null")
        #expect(plain.output.contains("Gardening") && !plain.output.contains("\u{1b}[1m"))
        sandbox.environment["TERM"] = "dumb"
        let dumb = try sandbox.shell("script -qec '\(command)' /dev/null")
        #expect(!dumb.output.contains("\u{1b}"))
    }
}
