import Foundation
import PulseCore
import PulsePlatform
import Synchronization

/// Another program that has the terminal until it ends: a pager, an editor.
enum TerminalProgram {
    /// While one runs, Ctrl-C is a matter between it and the user; system(3) leaves it to them in the same way.
    static let isRunning = Mutex(false)

    /// Runs a command line of the shell to its end.
    ///
    /// - Parameters:
    ///   - line: As the variables of the environment hold them: a program with its options.
    ///   - operands: Words that are handed on as they are.
    ///   - input: What it reads; empty: the terminal.
    /// - Returns: Its exit status; 127 where the shell has not found it, 128 and more where a signal ended it.
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

/// Shows a text that is longer than the terminal through a pager, as git does: what a command prints whole. A digest
/// that is being made is not paged, since it comes a story at a time; and JSON is for programs.
struct Pager {
    let console: Console
    let environment: [String: String]

    func show(_ text: String) async throws {
        guard let line, let height = console.height, text.count(where: { $0 == "\n" }) >= height else {
            return try console.write(text)
        }
        // git's own: quit if it fits one screen, pass colours and links through, leave the text on the screen.
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
    /// Prints a text, page by page where it is longer than the terminal; JSON is for programs.
    func page(_ text: String, isJSON: Bool) async throws {
        guard !isJSON else { return try console.write(text) }
        try await Pager(console: console, environment: environment).show(text)
    }
}

extension CommandContext {
    /// Opens a file in the user's editor, and waits for its end.
    ///
    /// - Parameters:
    ///   - command: Its name, for hints.
    ///   - other: What there is to do where no editor can be opened.
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
