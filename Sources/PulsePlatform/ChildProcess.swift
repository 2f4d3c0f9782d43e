public import Foundation
import PulseCore
import PulseText
import Synchronization

/// Runs another program with a time limit, gives it its input and collects its output.
public struct ChildProcess: Sendable {
    private let path: String
    private let arguments: [String]
    private let environment: [String: String]
    private let input: Data
    private let outputLimit: Int
    private let errorLimit: Int
    private let timeout: Duration
    private let mayAsk: Bool

    /// - Parameters:
    ///   - outputLimit: In bytes; further output is read and dropped.
    ///   - errorLimit: The same for standard error.
    ///   - timeout: After this time the process group is killed.
    ///   - mayAsk: Whether it may prompt on our terminal, if we are in its foreground. It then stays in our process
    ///     group, because the terminal stops a process of another group that reads from it (termios(3), SIGTTIN).
    public init(
        path: String, arguments: [String], environment: [String: String], input: Data = Data(),
        outputLimit: Int = 1 << 20, errorLimit: Int = 4096, timeout: Duration = .seconds(60), mayAsk: Bool = false
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.input = input
        self.outputLimit = outputLimit
        self.errorLimit = errorLimit
        self.timeout = timeout
        self.mayAsk = mayAsk
    }

    public struct Outcome: Sendable {
        public let ending: Ending
        public let output: Data
        public let errors: Data
        /// Whether it read all of its input.
        public let tookInput: Bool

        /// The beginning of its standard error, as one printable line.
        var complaint: String { String(PlainText.line(String(decoding: errors, as: UTF8.self)).prefix(300)) }
    }

    public enum Ending: Sendable, Hashable {
        case exited(Int32)
        case signalled(Int32)
        case timedOut
    }

    /// Runs the program on a thread of its own. Throws `.unavailable` if it cannot be started, `.tryAgain` if the
    /// system lacks resources, and `.interrupted` if the task was cancelled; the child has then been killed.
    ///
    /// - Parameter willClose: Called when the child has read its input, before the pipe is closed: a child that waits
    ///   for the end of its input has not acted yet. If it throws, the child is killed.
    public func run(beforeClosingInput willClose: @escaping @Sendable () throws -> Void = {}) async throws -> Outcome {
        try await BlockingThread.run { cancellation in
            try runBlocking(beforeClosingInput: willClose) { cancellation.isRequested }
        }
    }

    /// Runs the program on our own streams and in our process group, as a shell does: a browser or pager must read its
    /// keys. No time limit, and no output. Input, if any, replaces standard input. Throws as `run` does.
    public func runOnOwnStreams() async throws -> Ending {
        try await BlockingThread.run { cancellation in
            let child = try spawnInOurGroup()
            while !Self.hasEnded(child) {
                if cancellation.isRequested {
                    Self.end(child, signalling: child)
                    throw PulseError.interrupted
                }
                usleep(UInt32(Self.tick) * 1000)
            }
            return Self.reap(child)
        }
    }

    /// Like `run`, for a caller on a `BlockingThread`. `isCancelled` is asked at least fifty times a second.
    public func runBlocking(
        beforeClosingInput willClose: () throws -> Void = {}, isCancelled: () -> Bool
    ) throws -> Outcome {
        var pipes = try ChildPipes()
        let terminal = mayAsk ? Self.openTerminal() : nil
        defer { if let terminal { close(terminal) } }
        let child = try spawn(
            on: [terminal ?? pipes.child[0], pipes.child[1], terminal ?? pipes.child[2]], isInOurGroup: terminal != nil)
        let group = terminal == nil ? -child : child
        pipes.closeChildEnds()
        let deadline = ContinuousClock.now + timeout
        var rest = input[...]
        var output = ChildPipes.Capture(limit: outputLimit)
        var errors = ChildPipes.Capture(limit: errorLimit)
        var tookInput = rest.isEmpty
        if tookInput { pipes.closeInput() }
        while true {
            // Some mail programs leave a process that keeps the pipes open: the child's end counts, not theirs.
            let hasEnded = Self.hasEnded(child)
            pipes.transfer(&rest, &output, &errors, wait: hasEnded ? 0 : Self.tick)
            if !tookInput, rest.isEmpty, pipes.isInputRead {
                do {
                    try willClose()
                } catch {
                    Self.end(child, signalling: group)
                    throw error
                }
                tookInput = true
                pipes.closeInput()
            }
            if hasEnded {
                return Outcome(
                    ending: Self.reap(child), output: output.bytes, errors: errors.bytes, tookInput: tookInput)
            }
            let isLate = ContinuousClock.now >= deadline
            if isLate || isCancelled() {
                Self.end(child, signalling: group)
                pipes.transfer(&rest, &output, &errors, wait: 0)
                if !isLate { throw PulseError.interrupted }
                return Outcome(ending: .timedOut, output: output.bytes, errors: errors.bytes, tookInput: tookInput)
            }
        }
    }

    /// The controlling terminal, if we are in its foreground; else nil.
    private static func openTerminal() -> Int32? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        if tcgetpgrp(terminal) == getpgrp() { return terminal }
        close(terminal)
        return nil
    }

    /// Milliseconds between two checks of the child. No portable call waits for pipes and for a child's end together.
    private static let tick: Int32 = 20

    private func spawnInOurGroup() throws -> pid_t {
        guard !input.isEmpty else { return try spawn(on: [], isInOurGroup: true) }
        let pipe = try ChildPipes.open(1)[0]
        defer { close(pipe.write) }
        let child: pid_t
        do {
            defer { close(pipe.read) }
            child = try spawn(on: [pipe.read], isInOurGroup: true)
        }
        // A pager that the user quits early closes the pipe; that is no error.
        try? FileHandle(fileDescriptor: pipe.write).write(contentsOf: input)
        return child
    }

    /// `streams` are for standard input, output and error, in this order. The child inherits those that are left out.
    private func spawn(on streams: [Int32], isInOurGroup: Bool) throws -> pid_t {
        #if canImport(Darwin)
            // Pointers on Darwin, structures elsewhere.
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
        // A process group of its own lets us end everything the child starts; a child in ours belongs to the terminal's
        // foreground. Signals that this program ignores or blocks are reset: a child would inherit that.
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGCHLD] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let group = isInOurGroup ? 0 : POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(group | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        // If our parent ignores SIGCHLD, the system would reap the child and its status would be lost.
        signal(SIGCHLD, SIG_DFL)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var child = pid_t()
        let number = ChildPipes.creation.withLock { _ in
            posix_spawn(&child, path, &actions, &attributes, &words, &variables)
        }
        guard number == 0 else {
            throw PulseError(
                number == EAGAIN || number == ENOMEM ? .tryAgain : .unavailable,
                "\(path) cannot be started: \(String(cString: strerror(number))).")
        }
        return child
    }

    /// Does not reap the child, so that its process id is not reused.
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
            // The exit status is lost, which must not count as success.
            guard errno == EINTR else { return .exited(EX_SOFTWARE) }
        }
        // WIFEXITED, WEXITSTATUS and WTERMSIG are macros, which Swift does not see.
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    }

    /// Sends SIGTERM, and SIGKILL after a second, to the child or, for a negative number, its process group.
    private static func end(_ child: pid_t, signalling target: pid_t) {
        kill(target, SIGTERM)
        for _ in 0..<50 where !hasEnded(child) { usleep(UInt32(tick) * 1000) }
        kill(target, SIGKILL)
        _ = reap(child)
    }
}

/// Finds programs in PATH, and in folders that a minimal PATH lacks.
public struct ProgramSearch {
    private let environment: [String: String]

    public init(environment: [String: String]) { self.environment = environment }

    /// The absolute paths in `first` are tried before PATH, those in `last` after it.
    public func find(_ name: String, first: [String] = [], last: [String] = []) -> String? {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }
        return (first + folders.map { "\($0)/\(name)" } + last).first(where: Self.isProgram)
    }

    public static func isProgram(_ path: String) -> Bool {
        FileStamp(path: path)?.isRegular == true && access(path, X_OK) == 0
    }
}

/// The pipes to a child's standard streams. Our ends are non-blocking.
struct ChildPipes: ~Copyable {
    /// The child's ends: its standard input, output and error.
    private(set) var child: [Int32]
    private var input: Int32
    private var output: Int32
    private var errors: Int32

    init() throws {
        let ends = try Self.open(3)
        child = [ends[0].read, ends[1].write, ends[2].write]
        (input, output, errors) = (ends[0].write, ends[1].read, ends[2].read)
        for end in [input, output, errors] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    }

    deinit { for end in child + [input, output, errors] where end >= 0 { close(end) } }

    /// Held while a pipe is made and while a child is started. Without pipe2(2), which Darwin lacks, a pipe is not
    /// close-on-exec at first; a child that inherited it would keep it open, and its reader would never see the end.
    static let creation = Mutex(())

    static func open(_ count: Int) throws -> [(read: Int32, write: Int32)] {
        var opened: [(read: Int32, write: Int32)] = []
        for _ in 0..<count {
            var ends: [Int32] = [-1, -1]
            var (raised, number): ([Int32], Int32) = ([-1, -1], 0)
            creation.withLock { _ in
                number = pipe(&ends) == 0 ? 0 : errno
                // Moves each end above the three standard descriptors. If our caller closed one of those, a pipe would
                // get its number, and setting up the child's streams would overwrite it.
                raised = ends.map { $0 < 0 ? -1 : fcntl($0, F_DUPFD_CLOEXEC, 3) }
                if number == 0, raised.contains(-1) { number = errno }
                for end in ends where end >= 0 { close(end) }
            }
            opened.append((raised[0], raised[1]))
            guard number == 0 else {
                for end in opened.flatMap({ [$0.read, $0.write] }) where end >= 0 { close(end) }
                throw PulseError(.tryAgain, "No pipe can be opened: \(String(cString: strerror(number))).")
            }
        }
        return opened
    }

    mutating func closeChildEnds() {
        for end in child { close(end) }
        child = []
    }

    mutating func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// The first `limit` bytes of a stream. The rest is read and dropped, so that the child is never blocked.
    struct Capture {
        let limit: Int
        var bytes = Data()

        mutating func take(_ piece: some Collection<UInt8>) {
            bytes.append(contentsOf: piece.prefix(limit - bytes.count))
        }
    }

    /// Waits up to `wait` milliseconds until a pipe is ready, then moves the available bytes.
    mutating func transfer(_ rest: inout Data.SubSequence, _ out: inout Capture, _ err: inout Capture, wait: Int32) {
        // poll ignores descriptors below 0.
        var ends = [
            pollfd(fd: rest.isEmpty ? -1 : input, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&ends, 3, wait) > 0 else { return }
        if ends[0].revents != 0 { feed(&rest) }
        if ends[1].revents != 0 { Self.drain(&output, into: &out) }
        if ends[2].revents != 0 { Self.drain(&errors, into: &err) }
    }

    /// Whether the child has read all from the pipe. On Darwin FIONREAD is 0: what fits into the pipe counts as read.
    var isInputRead: Bool {
        #if canImport(Darwin)
            let unread: UInt = 0x4004_667f  // FIONREAD of sys/filio.h, a macro that Swift does not see.
        #else
            let unread = UInt(FIONREAD)
        #endif
        var count: Int32 = 0
        return input >= 0 && ioctl(input, unread, &count) == 0 && count == 0
    }

    private mutating func feed(_ rest: inout Data.SubSequence) {
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                // EPIPE: the child has closed its input. The unwritten rest shows that it did not read all.
                return closeInput()
            }
        }
    }

    private static func drain(_ end: inout Int32, into capture: inout Capture) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // A limit, so that a child that never stops writing cannot keep us from checking the deadline.
        for _ in 0..<64 {
            let count = Foundation.read(end, &buffer, buffer.count)
            if count > 0 {
                capture.take(buffer[..<count])
            } else if count == 0 || errno != EINTR {
                if count == 0 || errno != EAGAIN {
                    close(end)
                    end = -1
                }
                return
            }
        }
    }
}
