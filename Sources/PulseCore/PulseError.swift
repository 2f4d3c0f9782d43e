public import Foundation

/// The program's error type.
///
/// SQLite's results (`SQLError`) and invalid values of options (`InvalidValue`) are types of their own. The code that
/// catches them knows the file or the option, and throws a `PulseError`.
public struct PulseError: Error, Sendable, Hashable {
    public var code: Code
    /// What happened, in a sentence or two; empty if it was already printed, or need not be.
    public var message: Message
    /// What the user can do, in a sentence; nil if the message says enough.
    public var hint: Message?
    /// The technical reason, printed by `--verbose`. A recurring failure is recognised by it, so it has no process
    /// numbers and no other program's output. Nil: `description` is used.
    public var cause: String?
    /// Whether this machine is offline, so that nothing is known about the server.
    public var isOffline = false
    /// The server asks for no requests until then.
    public var notBefore: Date?

    public init(_ code: Code, _ message: Message, hint: Message? = nil, cause: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.cause = cause
    }

    /// The kinds of failure. The values are exit codes of sysexits.h, on which cron jobs and scripts may rely.
    public enum Code: Int32, Sendable, CaseIterable {
        /// The reader of standard output has closed the pipe, as in `| head -1`: an ordinary end.
        case closedPipe = 0
        /// EX_USAGE: the command line cannot be understood.
        case usage = 64
        /// EX_DATAERR: invalid input data.
        case badData = 65
        /// EX_NOINPUT: no such file, store or article.
        case noInput = 66
        /// EX_UNAVAILABLE: no usable model, or a missing program or service.
        case unavailable = 69
        /// EX_SOFTWARE: a bug.
        case bug = 70
        /// EX_CANTCREAT: output cannot be written.
        case cannotWrite = 73
        /// EX_IOERR: input cannot be read.
        case cannotRead = 74
        /// EX_TEMPFAIL: busy, or out of memory or time; a later try may succeed.
        case tryAgain = 75
        /// EX_NOPERM
        case permission = 77
        /// EX_CONFIG: an error in a setting, a prompt file or the installation.
        case configuration = 78
        /// 128 + SIGINT. After another signal, the exit code is 128 plus its number.
        case interrupted = 130

        public var exitCode: Int32 { rawValue }
    }

    /// Identifies a recurring failure.
    public var reason: String { cause ?? description }

    /// The same error with a further hint; its `reason` stays the same.
    public func adding(_ sentence: Message) -> PulseError {
        var error = self
        error.cause = reason
        error.hint = [hint, sentence].compactMap(\.self).joined(separator: " ")
        return error
    }

    public static let closedPipe = PulseError(.closedPipe, "")
    /// The user cancelled the task and needs no message.
    public static let interrupted = PulseError(.interrupted, "")
}

extension PulseError {
    /// A failed system call.
    ///
    /// - Parameters:
    ///   - action: What was tried: "Writing /a/b".
    ///   - number: The errno.
    ///   - code: The kind of failure if errno does not determine it.
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

extension Error {
    /// The error to report. Any other type that leaves a module is a bug.
    public var asPulseError: PulseError {
        switch self {
        case let error as PulseError: error
        case is CancellationError: .interrupted
        default: PulseError(.bug, "\(String(describing: self))")
        }
    }
}

extension PulseError: CustomStringConvertible {
    /// The message and the hint.
    public var text: Message {
        guard let hint, !hint.isEmpty else { return message }
        if message.isEmpty { return hint }
        // A message may end with another program's output, without a full stop.
        let isEnded = message.description.last.map { ".!?”".contains($0) } ?? true
        return isEnded ? "\(message) \(hint)" : "\(message). \(hint)"
    }

    /// `text` in English, for logs and tests.
    public var description: String { text.description }
}
