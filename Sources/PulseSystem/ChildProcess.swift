public import Foundation
import Synchronization

/// Runs another program to its end: feeds it, reads what it says, and does not wait for ever.
public struct ChildProcess: Sendable {
    private let path: String
    private let arguments: [String]
    private let environment: [String: String]
    private let input: Data
    private let outputLimit: Int
    private let errorLimit: Int
    private let timeout: Duration

    /// - Parameters:
    ///   - path: The program's own.
    ///   - outputLimit: Bytes of its output that are kept; the rest is read and dropped, so that the child never waits for
    ///     us.
    ///   - errorLimit: The same of what it says on its error stream.
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
        /// Whether it read all of its input, as far as a pipe tells.
        public let tookInput: Bool
    }

    public enum Ending: Sendable, Hashable {
        case exited(Int32)
        case signalled(Int32)
        /// It was killed, and all it had started, after `timeout`.
        case timedOut
    }

    /// Throws `.unavailable` where it cannot be started and `.cancelled` where the calling task was cancelled: then
    /// it has been killed.
    public func run() async throws(SystemError) -> Outcome {
        let isCancelled = CancellationFlag()
        let result: Result<Outcome, SystemError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A thread of its own, because those of Swift's pool are as many as the cores and must not wait.
                Thread.detachNewThread {
                    Self.ignoreBrokenPipes()
                    continuation.resume(
                        returning: Result { () throws(SystemError) in try runBlocking { isCancelled.isSet } })
                }
            }
        } onCancel: {
            isCancelled.set()
        }
        return try result.get()
    }

    private final class CancellationFlag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func set() { value.store(true, ordering: .relaxed) }
    }

    /// "A SIGPIPE signal shall also be sent to the thread" (POSIX write, EPIPE): blocking it here is enough.
    private static func ignoreBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    // MARK: - On its thread

    /// The same for a caller that has a thread to block, on which SIGPIPE is blocked.
    public func runBlocking(isCancelled: () -> Bool) throws(SystemError) -> Outcome {
        var pipes = try Pipes()
        let child = try spawn(pipes)
        pipes.closeTheirs()
        let clock = ContinuousClock()
        let deadline = clock.now + timeout
        var rest = input[...]
        var output = Capture(limit: outputLimit)
        var errors = Capture(limit: errorLimit)
        if rest.isEmpty { pipes.closeInput() }
        while true {
            // Some MTAs leave a process behind that delivers and keeps the pipes: the end is the child's, not theirs.
            let hasEnded = Self.hasEnded(child)
            pipes.transfer(&rest, &output, &errors, wait: hasEnded ? 0 : Self.tick)
            if hasEnded {
                let status = Self.reap(child)
                return Outcome(
                    ending: status, output: output.bytes, errors: errors.bytes, tookInput: rest.isEmpty)
            }
            let isLate = clock.now >= deadline
            if isLate || isCancelled() {
                Self.killGroup(of: child)
                pipes.transfer(&rest, &output, &errors, wait: 0)
                if !isLate { throw SystemError(.cancelled, "") }
                return Outcome(
                    ending: .timedOut, output: output.bytes, errors: errors.bytes, tookInput: rest.isEmpty)
            }
        }
    }

    /// Milliseconds between two looks at the child. Its pipes wake us at once; its end cannot be waited for beside them
    /// in a way that every system has.
    private static let tick: Int32 = 20

    private func spawn(_ pipes: borrowing Pipes) throws(SystemError) -> pid_t {
        var actions = emptySpawnActions()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipes.theirInput, 0)
        posix_spawn_file_actions_adddup2(&actions, pipes.theirOutput, 1)
        posix_spawn_file_actions_adddup2(&actions, pipes.theirErrors, 2)

        var attributes = emptySpawnAttributes()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A group of its own, so that all it starts can be ended with it; and the signals that this program ignores or
        // blocks as they are for anyone else, because both would be inherited.
        posix_spawnattr_setpgroup(&attributes, 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGCHLD] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        // Where whoever started us ignores SIGCHLD, the system would reap the child and its status would be lost.
        signal(SIGCHLD, SIG_DFL)
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var child = pid_t()
        let fault = posix_spawn(&child, path, &actions, &attributes, &words, &variables)
        guard fault == 0 else {
            throw SystemError(
                fault == EAGAIN || fault == ENOMEM ? .busy : .unavailable,
                "\(path) cannot be started: \(String(cString: strerror(fault))).")
        }
        return child
    }

    /// Looks without reaping, so that the number stays the child's.
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
            // What became of it is not known, and that is no success.
            guard errno == EINTR else { return .exited(EX_SOFTWARE) }
        }
        // WIFEXITED, WEXITSTATUS and WTERMSIG are macros, which Swift does not see.
        let signal = status & 0x7f
        return signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
    }

    /// Asks the whole group to end, and after a second does not ask.
    private static func killGroup(of child: pid_t) {
        kill(-child, SIGTERM)
        for _ in 0..<50 where !hasEnded(child) { usleep(UInt32(tick) * 1000) }
        kill(-child, SIGKILL)
        _ = reap(child)
    }

    /// The front of what was said.
    private struct Capture {
        let limit: Int
        var bytes = Data()

        mutating func take(_ piece: some Collection<UInt8>) {
            bytes.append(contentsOf: piece.prefix(limit - bytes.count))
        }
    }

    // MARK: - Pipes

    /// Three pipes to a child; ours never block.
    private struct Pipes: ~Copyable {
        private(set) var theirInput: Int32
        private(set) var theirOutput: Int32
        private(set) var theirErrors: Int32
        private var input: Int32
        private var output: Int32
        private var errors: Int32

        init() throws(SystemError) {
            let ends = try Self.open(3)
            (theirInput, input) = ends[0]
            (output, theirOutput) = ends[1]
            (errors, theirErrors) = ends[2]
            for end in [input, output, errors] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
        }

        deinit {
            for end in [theirInput, theirOutput, theirErrors, input, output, errors] where end >= 0 { close(end) }
        }

        private static func open(_ count: Int) throws(SystemError) -> [(read: Int32, write: Int32)] {
            var opened: [(read: Int32, write: Int32)] = []
            for _ in 0..<count {
                var ends: [Int32] = [-1, -1]
                var fault = pipe(&ends) == 0 ? 0 : errno
                // Above the three standard ones: where a caller has closed one of those, a pipe takes its number, and
                // setting up the child's streams would overwrite it.
                let raised = ends.map { $0 < 0 ? -1 : fcntl($0, F_DUPFD_CLOEXEC, 3) }
                if fault == 0, raised.contains(-1) { fault = errno }
                for end in ends where end >= 0 { close(end) }
                opened.append((raised[0], raised[1]))
                guard fault == 0 else {
                    for end in opened.flatMap({ [$0.read, $0.write] }) where end >= 0 { close(end) }
                    throw SystemError(.busy, "No pipe can be opened: \(String(cString: strerror(fault))).")
                }
            }
            return opened
        }

        mutating func closeTheirs() {
            for end in [theirInput, theirOutput, theirErrors] { close(end) }
            (theirInput, theirOutput, theirErrors) = (-1, -1, -1)
        }

        mutating func closeInput() {
            if input >= 0 { close(input) }
            input = -1
        }

        /// Moves what can be moved, after waiting for something to move or for so many milliseconds.
        mutating func transfer(_ rest: inout Data.SubSequence, _ out: inout Capture, _ err: inout Capture, wait: Int32)
        {
            // poll passes over descriptors below 0.
            var ends = [
                pollfd(fd: input, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: output, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&ends, 3, wait) > 0 else { return }
            if ends[0].revents != 0 { feed(&rest) }
            if ends[1].revents != 0 { Self.drain(&output, into: &out) }
            if ends[2].revents != 0 { Self.drain(&errors, into: &err) }
        }

        private mutating func feed(_ rest: inout Data.SubSequence) {
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(input, $0.baseAddress, $0.count) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    return
                } else if errno != EINTR {
                    // EPIPE: it has closed its input. What is left over says that it did not read all.
                    break
                }
            }
            closeInput()
        }

        private static func drain(_ end: inout Int32, into capture: inout Capture) {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            // So many at a time, so that a child that never stops talking does not keep us from looking at the clock.
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
}
