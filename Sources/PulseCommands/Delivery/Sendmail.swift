import Foundation
import PulseCore
import PulseSystem
import PulseText

/// The system's sendmail: Postfix's, Exim's, msmtp's or another program of that name and manner.
struct Sendmail: Sendable {
    let path: String
    let environment: [String: String]
    let timeout: Duration

    /// - Parameters:
    ///   - path: The one to use; nil for the system's.
    ///   - places: Where the system has it.
    init(
        at path: String?, environment: [String: String], timeout: Duration, places: [String] = Sendmail.places
    ) throws(Failure) {
        self.environment = environment
        self.timeout = timeout
        if let path {
            guard ProgramSearch.isProgram(path) else {
                throw Failure(.unavailable, "\(path) is not a program. --sendmail takes the path of one.")
            }
            self.path = path
            return
        }
        guard let found = ProgramSearch(environment: environment).find("sendmail", first: places) else {
            throw Failure(
                .unavailable,
                "There is no sendmail on this machine. Install a program that sends mail, such as msmtp (Debian: "
                    + "apt-get install msmtp-mta, and your account in ~/.msmtprc), or name one with --sendmail PATH.")
        }
        self.path = found
    }

    /// Where the Filesystem Hierarchy Standard has it, today and in former times.
    static let places = ["/usr/sbin/sendmail", "/usr/lib/sendmail"]

    /// Hands a message over.
    ///
    /// - Parameter message: Whole, with its recipient in `To:` and LF line ends.
    func send(_ message: String) async throws(Failure) {
        // -t: the recipients are those of the headers. -oi: a line of one dot is text, not the end.
        let child = ChildProcess(
            path: path, arguments: ["-t", "-oi"], environment: environment, input: Data(message.utf8),
            outputLimit: 4096, timeout: timeout)
        let outcome: ChildProcess.Outcome
        do throws(SystemError) {
            outcome = try await child.run()
        } catch {
            throw Failure(error)
        }
        let said =
            [outcome.errors, outcome.output].map { PlainText.line(String(decoding: $0, as: UTF8.self)) }
            .first { !$0.isEmpty }.map { ": " + String($0.prefix(400)) } ?? "."
        let (code, what): (ExitCode, String)
        switch outcome.ending {
        case .exited(0) where outcome.tookInput: return
        case .exited(0): (code, what) = (.unavailable, "took a part of the message only, and called that a success")
        case .exited(let status):
            code = Self.isTransient(status) ? .tryAgain : .unavailable
            what = "ended with status \(status)\(Self.meaning(status).map { " (\($0))" } ?? "")"
        case .signalled(let signal): (code, what) = (.tryAgain, "was ended by signal \(signal)")
        case .timedOut: (code, what) = (.tryAgain, "was not done after \(timeout.components.seconds) seconds")
        }
        throw Failure(code, "\(path) \(what)\(said)", cause: "\(path) \(what)")
    }

    /// EX_TEMPFAIL, and what a machine without a network gives: EX_NOHOST, EX_OSERR, EX_IOERR.
    private static func isTransient(_ status: Int32) -> Bool { [75, 68, 71, 74].contains(status) }

    /// The words of sysexits.h.
    private static func meaning(_ status: Int32) -> String? {
        switch status {
        case 64: "it was called wrongly"
        case 65: "it did not like the message"
        case 67: "no such recipient"
        case 68: "the host was not found"
        case 69: "the service is not available"
        case 71, 74: "a fault of the system"
        case 75: "try again later"
        case 77: "it may not"
        case 78: "it is not set up"
        default: nil
        }
    }
}
