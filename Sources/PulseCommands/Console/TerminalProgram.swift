import Foundation
import PulseCore
import PulseSystem
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
    ///   - input: What it reads; nil: the terminal.
    /// - Returns: Its exit status; 127 where the shell has not found it, 128 and more where a signal ended it.
    static func run(
        _ line: String, _ operands: [String] = [], input: String? = nil, environment: [String: String]
    ) async throws(PulseError) -> Int32 {
        try await BlockingThread.run { _ throws(PulseError) in
            isRunning.withLock { $0 = true }
            defer { isRunning.withLock { $0 = false } }
            var ends: [Int32] = [-1, -1]
            guard input == nil || pipe(&ends) == 0 else {
                throw PulseError("Opening a pipe", errno: errno, .tryAgain)
            }
            _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
            let child = try spawn(["/bin/sh", "-c", line + " \"$@\"", "sh"] + operands, ends, environment)
            if let input {
                close(ends[0])
                // A pager that is left early has closed its end: that is no fault.
                try? FileHandle(fileDescriptor: ends[1]).write(contentsOf: Data(input.utf8))
                close(ends[1])
            }
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7f
            return signal == 0 ? (status >> 8) & 0xff : 128 + signal
        }
    }

    private static func spawn(
        _ words: [String], _ ends: [Int32], _ environment: [String: String]
    ) throws(PulseError) -> pid_t {
        #if canImport(Darwin)
            // Pointers here, structures elsewhere.
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if ends[0] >= 0 {
            posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
            posix_spawn_file_actions_addclose(&actions, ends[0])
        }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // In our process group, which has the terminal; with the signals that we ignore or block as they were.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGCHLD] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var child = pid_t()
        let fault = posix_spawn(&child, words[0], &actions, &attributes, &arguments, &variables)
        guard fault == 0 else { throw PulseError("Starting \(words[0])", errno: fault, .unavailable) }
        return child
    }
}

/// Shows a text that is longer than the terminal through a pager, as git does: what a command prints whole. A digest that
/// is being made is not paged, since it comes a story at a time; and JSON is for programs.
struct Pager {
    let console: Console
    let environment: [String: String]

    func show(_ text: String) async throws(PulseError) {
        guard let line, let height = console.height, text.count(where: { $0 == "\n" }) >= height else {
            return try console.write(text)
        }
        // git's own: quit if it fits one screen, pass colours and links through, leave the text on the screen.
        let variables = environment.merging(["LESS": "FRX"]) { own, _ in own }
        let status = try? await TerminalProgram.run(line, input: text, environment: variables)
        if status == nil || status == 126 || status == 127 { try console.write(text) }
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

extension Context {
    /// Prints a text, page by page where it is longer than the terminal.
    func page(_ text: String) async throws(PulseError) {
        guard settings.format != .json else { return try console.write(text) }
        try await Pager(console: console, environment: environment).show(text)
    }
}
