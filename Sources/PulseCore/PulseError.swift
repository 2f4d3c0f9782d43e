import Foundation

/// Why something could not be done: the one error type of the program.
///
/// SQLite's results (`SQLError`) and the values of options (`InvalidValue`) have types of their own, because the code
/// that catches them says in which file or after which option the trouble is; it throws this.
public struct PulseError: Error, Sendable, Hashable {
    public var code: Code
    /// What happened, in a sentence or two; empty where the user has been told already.
    public var message: Message
    /// What the user can do about it, in a sentence; nil where the message says it all.
    public var hint: Message?
    /// The reason in words that stay the same while the reason does: no process numbers, no other program's chatter.
    /// A failure that comes back is recognised by it, and `--verbose` prints it; nil: the message serves.
    public var cause: String?
    /// Whether this machine has no network, or none that answers: then nothing is known of the server that was asked.
    public var isOffline = false

    public init(_ code: Code, _ message: Message, hint: Message? = nil, cause: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.cause = cause
    }

    /// The kinds of failure, which are also how the process ends: the exit codes of sysexits.h, on which cron jobs and
    /// scripts may rely.
    public enum Code: Int32, Sendable, CaseIterable {
        /// Whoever read our output has seen enough, as in `| head -1`: an ordinary end.
        case closedPipe = 0
        /// EX_USAGE: the command line cannot be understood.
        case usage = 64
        /// EX_DATAERR: input that is not what it should be.
        case badData = 65
        /// EX_NOINPUT: no such file, store or article.
        case noInput = 66
        /// EX_UNAVAILABLE: no model, or one that cannot be used; a program or service that is not there.
        case unavailable = 69
        /// EX_SOFTWARE: a bug.
        case bug = 70
        /// EX_CANTCREAT: what should be written cannot be.
        case cannotWrite = 73
        /// EX_IOERR: what should be read cannot be.
        case cannotRead = 74
        /// EX_TEMPFAIL: busy, or out of memory or time; try again later.
        case tryAgain = 75
        /// EX_NOPERM
        case permission = 77
        /// EX_CONFIG: a setting, a prompt file or the installation is at fault.
        case configuration = 78
        /// 128 + SIGINT. Where it was another signal, the program exits with its number instead.
        case interrupted = 130

        public var exitCode: Int32 { rawValue }
    }

    /// By which a failure is recognised when it comes back.
    public var reason: String { cause ?? description }

    /// The same failure with something more to tell the user; it is still recognised as the same.
    public func adding(_ sentence: Message) -> PulseError {
        var error = self
        error.cause = reason
        error.hint = [hint, sentence].compactMap(\.self).joined(separator: " ")
        return error
    }

    public static let closedPipe = PulseError(.closedPipe, "")
    /// The task was cancelled: the user knows.
    public static let interrupted = PulseError(.interrupted, "")
}

extension PulseError {
    /// A system call that failed.
    ///
    /// - Parameters:
    ///   - action: What was tried: "Writing /a/b".
    ///   - number: Its errno.
    ///   - code: The kind of failure where the number does not tell.
    public init(_ action: Message, errno number: Int32, _ code: Code = .cannotWrite) {
        let message: Message = "\(action): \(String(cString: strerror(number)))."
        switch number {
        case EACCES, EPERM, EROFS: self.init(.permission, message)
        case ENOSPC, EDQUOT:
            self.init(.cannotWrite, message, hint: "Free some space and run the command again.")
        default: self.init(code, message)
        }
    }
}

extension PulseError: CustomStringConvertible {
    /// What the user is told: the message and the hint.
    public var text: Message {
        guard let hint, !hint.isEmpty else { return message }
        if message.isEmpty { return hint }
        // Words of another program at a message's end need not end as a sentence does.
        let isEnded = message.description.last.map { ".!?”".contains($0) } ?? true
        return isEnded ? "\(message) \(hint)" : "\(message). \(hint)"
    }

    /// The same in English, by which logs and tests know it.
    public var description: String { text.description }
}
