import Foundation
import PulseCore
import PulsePlatform
package import PulseRendering
import PulseText

package struct MailSettings: Sendable {
    /// The sendmail program; nil: the system's.
    package var sendmail: String?
    /// The longest time for one message.
    package var timeout: Duration = .seconds(120)
    /// How long a run that nobody watches retries.
    package var retryTime: Duration = .seconds(900)
    var run: Sendmail.Run?

    package init() {}

    package func program(in app: AppEnvironment, places: [String] = Sendmail.places) throws -> Sendmail {
        var program = try Sendmail(at: sendmail, environment: app.variables, timeout: timeout, places: places)
        program.run = run
        return program
    }
}

/// The system's sendmail: Postfix's, Exim's, msmtp's or another with its interface.
package struct Sendmail: Sendable {
    package let path: String
    let environment: [String: String]
    let timeout: Duration
    /// Replaces the program in tests of thousands of nights.
    var run: Run?

    typealias Run =
        @Sendable (String, @escaping @Sendable () throws -> Void) async throws ->
        ChildProcess.Outcome

    /// - Parameter path: Nil: the system's, in one of the places or in PATH.
    init(
        at path: String?, environment: [String: String], timeout: Duration, places: [String] = Sendmail.places
    ) throws {
        self.environment = environment
        self.timeout = timeout
        if let path, !ProgramSearch.isProgram(path) {
            throw PulseError(.unavailable, "\(path) is not a program.", hint: "--sendmail takes the path of one.")
        }
        guard let found = path ?? ProgramSearch(environment: environment).find("sendmail", first: places) else {
            throw PulseError(
                .unavailable, "There is no sendmail on this machine.",
                hint: "Install a program that sends email, such as msmtp (Debian: apt-get install msmtp-mta, and your "
                    + "account in ~/.msmtprc), or name one with --sendmail PATH.")
        }
        self.path = found
    }

    /// Throws if the program certainly cannot send: msmtp without an account. No server is contacted.
    package func requireAccount() async throws {
        guard URL(fileURLWithPath: path).resolvingSymlinksInPath().lastPathComponent == "msmtp" else { return }
        // msmtp(1): "Print the configuration settings that would be used, but do not take further action."
        let outcome = try await ChildProcess(
            path: path, arguments: ["--pretend", "nobody@example.org"], environment: environment, timeout: .seconds(10)
        ).run()
        guard case .exited(let status) = outcome.ending, status != 0 else { return }
        let said = PlainText.line(String(decoding: outcome.errors, as: UTF8.self)).prefix(400)
        throw PulseError(
            .configuration, "\(path) cannot send: \(said)",
            hint: "Put your account into ~/.msmtprc; man msmtp has examples.")
    }

    /// The Filesystem Hierarchy Standard's, current and former; and msmtp, not always installed under that name.
    package static let places = ["/usr/sbin/sendmail", "/usr/lib/sendmail", "/usr/bin/msmtp"]

    struct Failure: Error {
        let error: PulseError
        /// Whether it may still have been sent: the program took the whole message, and then reported no result.
        var mayHaveSent = false
    }

    /// Hands a message over.
    ///
    /// - Parameters:
    ///   - message: Whole, with its recipient in `To:` and LF line ends.
    ///   - willEnd: Called when the program has read the whole message, but its input is not closed yet: until then it
    ///     cannot have sent it, unless this process is killed. If it throws, the program is killed.
    func send(_ message: String, willEnd: @escaping @Sendable () throws -> Void = {}) async throws(Failure) {
        // -t: the recipients are those of the headers. -oi: a line of one dot is text, not the end.
        let child = ChildProcess(
            path: path, arguments: ["-t", "-oi"], environment: environment, input: Data(message.utf8),
            outputLimit: 4096, timeout: timeout)
        let outcome: ChildProcess.Outcome
        do {
            outcome =
                if let run { try await run(message, willEnd) } else { try await child.run(beforeClosingInput: willEnd) }
        } catch {
            throw Failure(error: error.asPulseError)
        }
        let said =
            [outcome.errors, outcome.output].map { PlainText.line(String(decoding: $0, as: UTF8.self)) }
            .first { !$0.isEmpty }.map { ": " + String($0.prefix(400)) } ?? "."
        let (code, what): (PulseError.Code, Message)
        var isSilent = false
        switch outcome.ending {
        case .exited(0) where outcome.tookInput: return
        case .exited(0): (code, what) = (.unavailable, "reported success but read only a part of the message")
        case .exited(let status):
            code = Self.isTransient(status) ? .tryAgain : .unavailable
            what =
                Self.meaning(status).map { "failed with status \(status) (\($0))" } ?? "failed with status \(status)"
            // A shell's status for a program that was killed by a signal.
            isSilent = (129...192).contains(status)
        case .signalled(let signal):
            (code, what, isSilent) = (.tryAgain, "was killed by signal \(signal)", true)
        case .timedOut:
            let limit = Counted.text(Int(timeout.components.seconds), "second", "seconds")
            (code, what, isSilent) = (.tryAgain, "took longer than \(limit)", true)
        }
        let mayHaveSent = isSilent && outcome.tookInput
        throw Failure(
            error: PulseError(mayHaveSent ? .unavailable : code, "\(path) \(what)\(said)", cause: "\(path) \(what)"),
            mayHaveSent: mayHaveSent)
    }

    /// EX_TEMPFAIL, and what a machine without a network gives: EX_NOHOST, EX_OSERR, EX_IOERR.
    private static func isTransient(_ status: Int32) -> Bool { [75, 68, 71, 74].contains(status) }

    /// The words of sysexits.h.
    private static func meaning(_ status: Int32) -> Message? {
        switch status {
        case 64: "usage error"
        case 65: "message rejected"
        case 67: "no such recipient"
        case 68: "host not found"
        case 69: "service unavailable"
        case 71, 74: "system error"
        case 75: "try again later"
        case 77: "permission denied"
        case 78: "not configured"
        default: nil
        }
    }
}

/// The default sender of mail: the user that the program runs as.
package enum Sender {
    package static func address(environment: [String: String]) -> MailAddress {
        // cron sets LOGNAME, a shell sets both, and an empty environment sets neither.
        let named = environment["LOGNAME"] ?? environment["USER"] ?? ""
        return MailAddress(user: named.isEmpty ? NSUserName() : named, host: host)
    }

    /// The machine's own name for itself. Foundation's `hostName` may ask a name server for one.
    private static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        // The last byte stays zero, since a name that is too long need not end in one.
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
