/// Why a command did not do what it was asked: how the process ends, and what the person at the terminal is told.
struct Failure: Error, Sendable, Hashable {
    let code: ExitCode
    /// One or two sentences that say what happened and what to do next; empty where there is nothing to say.
    let message: String
    /// The message without what may differ from one time to the next while the reason stays: another program's words,
    /// and how much has gathered.
    let cause: String

    /// - Parameter cause: nil where the message has nothing of that kind.
    init(_ code: ExitCode, _ message: String, cause: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause ?? message
    }

    /// Whoever read our output has seen enough, as in `| head -1`: an ordinary end.
    static let closedPipe = Failure(.success, "")
}

/// How the process ends: the codes of sysexits.h, which cron jobs and scripts may rely on.
enum ExitCode: Int32, Sendable {
    case success = 0
    /// EX_USAGE: the command line cannot be understood.
    case usage = 64
    /// EX_DATAERR: input that is not what it should be.
    case badData = 65
    /// EX_NOINPUT: no such file, store or article.
    case noInput = 66
    /// EX_UNAVAILABLE: no model, or one that cannot be used.
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
    /// 128 + SIGINT. Where it was another signal, `Program` has its number.
    case interrupted = 130
}
