public import Foundation
public import PulseCore
import PulseText

/// Another program, run to its end with a time limit: it is given its input, and its output is collected.
public struct ChildProcess: Sendable {
    private let path: String
    private let arguments: [String]
    private let environment: [String: String]
    private let input: Data
    private let outputLimit: Int
    private let errorLimit: Int
    private let timeout: Duration

    /// - Parameters:
    ///   - outputLimit: How many bytes of its output are kept; the rest is read and dropped.
    ///   - errorLimit: How many bytes of its error stream are kept.
    ///   - timeout: After this time it is killed, with everything it has started.
    public init(
        path: String, arguments: [String], environment: [String: String], input: Data = Data(),
        outputLimit: Int = 1 << 20, errorLimit: Int = 4096, timeout: Duration = .seconds(60)
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.input = input
        self.outputLimit = outputLimit
        self.errorLimit = errorLimit
        self.timeout = timeout
    }

    public struct Outcome: Sendable {
        public let ending: Ending
        public let output: Data
        public let errors: Data
        /// Whether it read all of its input, as far as a pipe can tell.
        public let tookInput: Bool

        /// The beginning of what it wrote to its error stream, as one line that is safe to print.
        var complaint: String { String(PlainText.line(String(decoding: errors, as: UTF8.self)).prefix(300)) }
    }

    public enum Ending: Sendable, Hashable {
        case exited(Int32)
        case signalled(Int32)
        case timedOut
    }

    /// Runs it on a thread of its own. Throws `.unavailable` if it cannot be started, `.tryAgain` if the system has no
    /// room for it now, and `.interrupted` if the calling task was cancelled: the child has then been killed.
    public func run() async throws(PulseError) -> Outcome {
        try await BlockingThread.run { cancellation throws(PulseError) in
            try runBlocking { cancellation.isRequested }
        }
    }

    /// Runs it on this program's own streams and among its processes, as a shell does in the foreground: a browser or a
    /// pager of the terminal reads its keys. It has no time limit, and none of its output is collected. Where there is
    /// input for it, that takes the place of our own. Throws as `run` does.
    public func runOnOwnStreams() async throws(PulseError) -> Ending {
        try await BlockingThread.run { cancellation throws(PulseError) in
            let child = try spawnAmongUs()
            while !Self.hasEnded(child) {
                if cancellation.isRequested {
                    Self.end(child, signalling: child)
                    throw .interrupted
                }
                usleep(UInt32(Self.tick) * 1000)
            }
            return Self.reap(child)
        }
    }

    /// Like `run`, for a caller on a `BlockingThread`. `isCancelled` is asked some fifty times a second.
    public func runBlocking(isCancelled: () -> Bool) throws(PulseError) -> Outcome {
        var pipes = try ChildPipes()
        let child = try spawn(on: [pipes.childInput, pipes.childOutput, pipes.childErrors])
        pipes.closeChildEnds()
        let clock = ContinuousClock()
        let deadline = clock.now + timeout
        var rest = input[...]
        var output = ChildPipes.Capture(limit: outputLimit)
        var errors = ChildPipes.Capture(limit: errorLimit)
        if rest.isEmpty { pipes.closeInput() }
        while true {
            // Some mail programs leave a process behind that delivers in the background and keeps the pipes open: we
            // wait for the end of the child, not for the end of its streams.
            let hasEnded = Self.hasEnded(child)
            pipes.transfer(&rest, &output, &errors, wait: hasEnded ? 0 : Self.tick)
            if hasEnded {
                return Outcome(
                    ending: Self.reap(child), output: output.bytes, errors: errors.bytes, tookInput: rest.isEmpty)
            }
            let isLate = clock.now >= deadline
            if isLate || isCancelled() {
                Self.end(child, signalling: -child)
                pipes.transfer(&rest, &output, &errors, wait: 0)
                if !isLate { throw .interrupted }
                return Outcome(
                    ending: .timedOut, output: output.bytes, errors: errors.bytes, tookInput: rest.isEmpty)
            }
        }
    }

    /// Milliseconds between two looks at the child. Its pipes wake us at once; no portable call waits for them and for
    /// the child's end at the same time.
    private static let tick: Int32 = 20

    private func spawnAmongUs() throws(PulseError) -> pid_t {
        guard !input.isEmpty else { return try spawn(on: [], isAmongUs: true) }
        let pipe = try ChildPipes.open(1)[0]
        defer { close(pipe.write) }
        let child: pid_t
        do {
            defer { close(pipe.read) }
            child = try spawn(on: [pipe.read], isAmongUs: true)
        }
        // A pager that is left early has closed its end: that is no fault.
        try? FileHandle(fileDescriptor: pipe.write).write(contentsOf: input)
        return child
    }

    /// - Parameters:
    ///   - streams: Its first standard streams; the others are our own.
    ///   - isAmongUs: Whether it stays in our process group.
    private func spawn(on streams: [Int32], isAmongUs: Bool = false) throws(PulseError) -> pid_t {
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
        for (number, stream) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
        }

        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A process group of its own, so that everything it starts can be ended with it; or it stays in ours, which the
        // terminal listens to. And the signals that this program ignores or blocks are reset, because a
        // child would inherit that.
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGCHLD] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let group = isAmongUs ? 0 : POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(group | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        // If whoever started us ignores SIGCHLD, the system would reap the child and its status would be lost.
        signal(SIGCHLD, SIG_DFL)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var child = pid_t()
        let fault = posix_spawn(&child, path, &actions, &attributes, &words, &variables)
        guard fault == 0 else {
            throw PulseError(
                fault == EAGAIN || fault == ENOMEM ? .tryAgain : .unavailable,
                "\(path) cannot be started: \(String(cString: strerror(fault))).")
        }
        return child
    }

    /// Looks without reaping, so that the process number stays the child's.
    private static func hasEnded(_ child: pid_t) -> Bool {
        var info = siginfo_t()
        let result = waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT)
        // ECHILD: there is nothing left to wait for.
        if result != 0 { return errno != EINTR }
        return info.si_signo == SIGCHLD
    }

    private static func reap(_ child: pid_t) -> Ending {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            // How it ended is not known, and that must not count as a success.
            guard errno == EINTR else { return .exited(EX_SOFTWARE) }
        }
        // WIFEXITED, WEXITSTATUS and WTERMSIG are macros, which Swift does not see.
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    }

    /// Asks it to end, and after a second kills it.
    ///
    /// - Parameter target: The child, or its whole group (as a negative number).
    private static func end(_ child: pid_t, signalling target: pid_t) {
        kill(target, SIGTERM)
        for _ in 0..<50 where !hasEnded(child) { usleep(UInt32(tick) * 1000) }
        kill(target, SIGKILL)
        _ = reap(child)
    }
}

/// Finds programs as a shell does, and in places that a minimal PATH leaves out.
public struct ProgramSearch {
    private let environment: [String: String]

    public init(environment: [String: String]) { self.environment = environment }

    /// - Parameters:
    ///   - places: Absolute paths that are tried before PATH.
    ///   - more: Absolute paths that are tried after PATH.
    public func find(_ name: String, first places: [String] = [], last more: [String] = []) -> String? {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
        return (places + folders.map { "\($0)/\(name)" } + more).first(where: Self.isProgram)
    }

    public static func isProgram(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
