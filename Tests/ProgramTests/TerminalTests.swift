import Foundation
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

    @Test(arguments: [80, 120])
    func helpFitsTheTerminal(columns: Int) throws {
        sandbox.environment["NO_COLOR"] = "1"
        sandbox.environment["PULSE_DIGEST_PAGER"] = "cat"
        for line in try terminal("--help", columns: columns).split(whereSeparator: \.isNewline) {
            #expect(line.count <= columns)
        }
    }
}
