import Foundation
import PulseCore
import PulsePlatform
import Synchronization

/// Another program that has the terminal until it ends: a pager, an editor.
enum TerminalProgram {
    /// While one runs, it alone handles Ctrl-C; system(3) ignores SIGINT in the same way.
    static let isRunning = Mutex(false)

    /// Runs a shell command line, and waits for it.
    ///
    /// - Parameters:
    ///   - line: A program with its options, as in PAGER or EDITOR.
    ///   - operands: Arguments that the shell passes on unchanged.
    ///   - input: Its standard input; empty: the terminal.
    /// - Returns: Its exit status; 127 if the shell did not find it, 128 plus the signal if a signal ended it.
    static func run(
        _ line: String, _ operands: [String] = [], input: String = "", environment: [String: String]
    ) async throws -> Int32 {
        isRunning.withLock { $0 = true }
        defer { isRunning.withLock { $0 = false } }
        let ending = try await ChildProcess(
            path: "/bin/sh", arguments: ["-c", line + " \"$@\"", "sh"] + operands, environment: environment,
            input: Data(input.utf8)
        ).runOnOwnStreams()
        return switch ending {
        case .exited(let status): status
        case .signalled(let signal): 128 + signal
        case .timedOut: 128 + SIGKILL
        }
    }
}

/// Shows a text that is longer than the terminal in a pager, as git does. A digest is not paged while it is made, since
/// it is printed story by story; nor is JSON, which is for programs.
struct Pager {
    let console: Console
    let environment: [String: String]

    func show(_ text: String) async throws {
        guard let line, let height = console.height, text.count(where: { $0 == "\n" }) >= height else {
            return try console.write(text)
        }
        // As git sets it: quit if it fits one screen, pass colours and links through, leave the text on the screen.
        let variables = environment.merging(["LESS": "FRX"]) { own, _ in own }
        let status: Int32
        do {
            status = try await TerminalProgram.run(line, input: text, environment: variables)
        } catch {
            if error.asPulseError.code == .interrupted { throw error }
            status = 126
        }
        if [126, 127].contains(status) { try console.write(text) }
    }

    /// The pager's command line; nil: none is wanted, or there is none.
    private var line: String? {
        guard environment["TERM"] != "dumb" else { return nil }
        if let named = environment[Pager.variable] ?? environment["PAGER"] {
            return named.isEmpty || named == "cat" ? nil : named
        }
        return ProgramSearch(environment: environment).find("less") == nil ? nil : "less -FRX"
    }

    static let variable = "PULSE_DIGEST_PAGER"
}

extension CommandContext {
    /// Prints a text, in the pager if it is longer than the terminal.
    func page(_ text: String) async throws { try await Pager(console: console, environment: environment).show(text) }

    /// Prints a result as JSON, which is never paged, or as text.
    func page(isJSON: Bool, _ json: @autoclosure () -> String, _ text: @autoclosure () -> String) async throws {
        if isJSON { try console.write(json()) } else { try await page(text()) }
    }

    /// Opens a file in the user's editor, and waits for it.
    ///
    /// - Parameter other: The hint if there is no terminal for an editor.
    func edit(_ file: String, by command: String, otherwise other: Message) async throws {
        let command = ([command] + operands).joined(separator: " ")
        let named = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty }
        guard named != nil || console.isInputTerminal else {
            throw PulseError(.usage, "An editor needs a terminal.", hint: other)
        }
        let places = ["editor", "nano", "vi"]
        guard let editor = named ?? places.first(where: { ProgramSearch(environment: environment).find($0) != nil })
        else {
            throw PulseError(
                .unavailable, "There is no editor.", hint: "Name one: EDITOR=nano pulse-digest \(command)")
        }
        let status = try await TerminalProgram.run(editor, [file], environment: environment)
        guard status == 0 else {
            throw PulseError(
                .unavailable, "\(editor) ended with the exit status \(status).",
                hint: "Another editor: EDITOR=nano pulse-digest \(command)")
        }
    }
}
