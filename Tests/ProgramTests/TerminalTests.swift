import Foundation
import PulseRendering
import PulseTestSupport
import Testing

/// What a terminal gets and a pipe does not: colours, pages, lines that fit.
@Suite(.timeLimit(.minutes(20)), .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct TerminalTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["TERM"] = "xterm"
        sandbox.environment["PULSE_DIGEST_STORE"] = sandbox.store
        sandbox.environment["PULSE_DIGEST_PAGER"] = "sed s/^/PAGED:/"
        try sandbox.importSample()
    }

    private func terminal(_ line: String, lines: Int = 24, columns: Int = 80) throws -> String {
        let arguments = [Sandbox.fixtures + "/terminal.py", "\(lines)", "\(columns)", Sandbox.program]
        return try sandbox.start(
            arguments + line.split(separator: " ").map(String.init), input: Data("[]".utf8), program: "/usr/bin/python3"
        ).finish().output
    }

    @Test func whatIsLongerThanTheScreenIsPaged() throws {
        let list = try terminal("history list -n 30")
        #expect(list.split(separator: "PAGED:").count == 30)
        #expect(try !terminal("history list -n 30", lines: 40).contains("PAGED:"))
        #expect(try terminal("today --help").contains("PAGED:"))
        // What is being made comes as it is made.
        #expect(try !terminal("today", lines: 10).contains("PAGED:"))
        #expect(try terminal("today --date today", lines: 10).contains("PAGED:"))
        #expect(try !terminal("history list -n 30 --format json").contains("PAGED:"))
        #expect(try !sandbox.run("history", "list", "-n", "30").output.contains("PAGED:"))
        sandbox.environment["PULSE_DIGEST_PAGER"] = ""
        #expect(try !terminal("history list -n 30").contains("PAGED:"))
        sandbox.environment["PULSE_DIGEST_PAGER"] = "no-such-program"
        #expect(try terminal("history list -n 30").split(whereSeparator: \.isNewline).count >= 30)
    }

    /// What does not fit would be broken by the terminal in the middle of a word. Commands and addresses stay whole, to be
    /// copied.
    @Test(arguments: [40, 80]) func noWordIsBroken(columns: Int) throws {
        sandbox.environment["PULSE_DIGEST_PAGER"] = ""
        _ = try sandbox.run("feeds", "add", "file:///nothing")
        // A schedule, and no cron that runs; the machine's own is left alone.
        sandbox.environment["PATH"] = sandbox.folder.file("bin") + ":/usr/bin:/bin"
        try sandbox.folder.writeProgram(
            """
            #!/bin/sh
            echo '# >>> pulse-digest: changed by "pulse-digest schedule install", removed by "schedule remove"'
            echo '30 21 * * * /usr/bin/pulse-digest today --send --scheduled cron --to ana@example.org'
            echo '# <<< pulse-digest'

            """, to: "bin/crontab")
        let commands = [
            "help", "help config", "help ask", "models", "models show qwen3-0.6b", "doctor", "history",
            "history search bridge", "history show 1", "history stats", "today --explain", "today", "story 1",
            "related 1", "summarize 2", "feeds list", "feeds waiting", "config", "config set order newest", "interests",
            "prompts", "schedule show", "bookmarks", "nonsense", "today --nonsense", "summarize 99",
            "models pull nothing", "schedule install --to x", "today --source Nobody", "today --date yesterday",
        ]
        for command in commands {
            let shown = try terminal(command, columns: columns)
                .replacing(/\u{1b}\]8;[^\u{1b}]*\u{1b}\\|\u{1b}\[[0-9;?]*[A-Za-z]/, with: "")
            for line in shown.split(whereSeparator: \.isNewline) where DisplayWidth.of(String(line)) > columns {
                let longest = line.split(separator: " ").map(\.count).max() ?? 0
                #expect(line.contains("pulse-digest ") || longest > columns / 2, "\(command): \(line)")
            }
        }
    }

    /// A password manager that asks for its own password.
    @Test func aCommandForASecretMayAsk() throws {
        try sandbox.folder.writeProgram(
            """
            #!/bin/sh
            printf 'Passphrase: ' > /dev/tty
            read x < /dev/tty
            echo "$x" > '\(sandbox.folder.file("got"))'
            echo "$x"

            """, to: "ask")
        let steps = try JSONEncoder().encode([["", "Passphrase: "], ["secret\n", "127.0.0.1"]])
        let start = ContinuousClock.now
        let outcome = try sandbox.start(
            [
                Sandbox.fixtures + "/terminal.py", "24", "200", Sandbox.program, "import", "miniflux",
                "http://127.0.0.1:9/", "--key-command", sandbox.folder.file("ask"),
            ], input: steps, program: "/usr/bin/python3"
        ).finish()
        #expect(ContinuousClock.now - start < .seconds(45), "\(outcome.output)")
        #expect(try sandbox.folder.text("got") == "secret\n")
    }

    @Test func coloursAreAsTheVariablesAndTheOptionSay() throws {
        let escape = "\u{1b}["
        #expect(try terminal("history list -n 1").contains(escape))
        #expect(try !terminal("history list -n 1 --color never").contains(escape))
        #expect(try !sandbox.run("history", "list").output.contains(escape))
        #expect(try sandbox.run("history", "list", "--color", "always").output.contains(escape))
        #expect(try sandbox.run("--color=always", "--help").output.contains(escape))
        sandbox.environment["CLICOLOR_FORCE"] = "1"
        #expect(try sandbox.run("history", "list").output.contains(escape))
        sandbox.environment["NO_COLOR"] = "1"
        #expect(try !terminal("history list -n 1").contains(escape))
        #expect(try sandbox.run("history", "list", "--color", "always").output.contains(escape))
    }

    /// With the catalogue that comes with the program.
    @Test func theListOfModelsIsOneScreen() throws {
        sandbox.environment["NO_COLOR"] = "1"
        let lines = try terminal("models").split(omittingEmptySubsequences: false) { $0.isNewline }
        // Two of them are the progress, which is gone.
        #expect(lines.count <= 25 && lines.allSatisfy { $0.count <= 80 }, "\(lines.joined(separator: "\n"))")
    }
}
