import Foundation
import PulseApp
import PulseCore
import PulsePlatform
import PulseRendering
import PulseText

/// The process's three streams. Only the result goes to the output; messages go to the error stream.
struct Console: Sendable {
    let input: Int32
    let output: Int32
    let error: Int32
    /// Columns of the output where it is a terminal.
    let width: Int?
    /// Lines of the output where it is a terminal.
    let height: Int?
    /// Whether the output may be sent ECMA-48 sequences.
    private(set) var isStyled: Bool
    /// Whether it may be sent hyperlinks too (OSC 8).
    private(set) var hasLinks: Bool
    let isErrorTerminal: Bool
    /// Whether the cursor can be moved on the output, so that lines can be redrawn.
    let canRedraw: Bool
    /// Columns of the error stream where it is a terminal.
    let errorWidth: Int?
    let isInputTerminal: Bool
    private(set) var catalogue = Translations.english

    init(input: Int32 = 0, output: Int32 = 1, error: Int32 = 2, environment: [String: String]) {
        self.input = input
        self.output = output
        self.error = error
        isInputTerminal = isatty(input) == 1
        isErrorTerminal = isatty(error) == 1 && environment["TERM"] != "dumb"
        errorWidth = isErrorTerminal ? Console.size(of: error)?.columns : nil
        let isTerminal = isatty(output) == 1
        canRedraw = isTerminal && environment["TERM"].map { !$0.isEmpty && $0 != "dumb" } == true
        let size = isTerminal ? Console.size(of: output) : nil
        width = isTerminal ? size?.columns ?? environment["COLUMNS"].flatMap { Int($0) } ?? 80 : nil
        height = size?.lines
        // https://no-color.org: "when present and not an empty string (regardless of its value), prevents the addition
        // of ANSI color". https://bixense.com/clicolors: "CLICOLOR_FORCE set, but NO_COLOR unset: ANSI colors should be
        // enabled no matter what".
        let isRefused = environment["NO_COLOR"]?.isEmpty == false
        let isForced = environment["CLICOLOR_FORCE"]?.isEmpty == false
        isStyled = !isRefused && (isForced || isTerminal && environment["TERM"] != "dumb")
        hasLinks = isStyled && isTerminal && Console.takesLinks(environment)
    }

    /// The output's size now; nil where it is no terminal.
    var currentSize: (columns: Int, lines: Int)? { Console.size(of: output) }

    /// The console with the user's choice of colours, which overrides what was detected.
    func colored(_ mode: ColorMode) -> Console {
        guard mode != .auto else { return self }
        var console = self
        console.isStyled = mode == .always
        console.hasLinks = console.hasLinks && mode == .always
        return console
    }

    func speaking(_ catalogue: Translations) -> Console {
        var console = self
        console.catalogue = catalogue
        return console
    }

    /// Terminals without OSC 8 ignore it (ECMA-48, 5.6 and 8.3.89), except some that are known to print it: the Linux
    /// console, Emacs, and VTE before 0.50, which implemented it wrongly.
    static func takesLinks(_ environment: [String: String]) -> Bool {
        let name = environment["TERM"] ?? ""
        if name.isEmpty || ["linux", "cons25", "eterm", "vt52"].contains(where: name.hasPrefix) { return false }
        if environment["INSIDE_EMACS"]?.isEmpty == false { return false }
        if let version = environment["VTE_VERSION"].flatMap({ Int($0) }), version < 5000 { return false }
        return true
    }

    /// Opens /dev/null in the place of standard streams that the caller has closed (`<&-`, some schedulers). Otherwise
    /// the next file, perhaps the history, would get that descriptor, and messages would be written into it.
    static func openMissingStreams() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // The lowest number that is free is this one, because those below are open.
            _ = open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY)
        }
    }

    func write(_ text: String) throws {
        let fault = Console.write(text, to: output)
        switch fault {
        case 0: return
        case EPIPE: throw PulseError.closedPipe
        default:
            throw PulseError(.cannotWrite, "The output cannot be written: \(String(cString: strerror(fault))).")
        }
    }

    /// Prints a result. It may quote untrusted text, so it is made safe to print.
    func tell(_ message: Message) throws { try write(PlainText.printable(message.text(in: catalogue))) }

    /// A message on the error stream, wrapped to a terminal. It may quote anything, so it is made safe to print.
    func say(_ message: Message) { say(text: message.text(in: catalogue)) }

    private func say(text: String) {
        let text = PlainText.printable(text)
        let style = TextStyle(width: errorWidth)
        let lines =
            errorWidth == nil ? text + "\n" : text.split(separator: "\n").map { style.paragraph(String($0)) }.joined()
        // If even this fails, there is nowhere left to report it.
        _ = Console.write(lines, to: error)
    }

    /// An error: what happened, and the hint on a line of its own.
    func say(_ failure: PulseError) {
        let lines = [failure.message, failure.hint ?? ""].filter { !$0.isEmpty }.map { $0.text(in: catalogue) }
        if !lines.isEmpty { say(text: "pulse-digest: " + lines.joined(separator: "\n")) }
    }

    /// Writes raw bytes to the error stream, for a terminal's status line.
    func draw(_ sequence: String) { _ = Console.write(sequence, to: error) }

    /// - Returns: 0, or the errno that stopped it.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
                } else if errno == EAGAIN {
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&waiting, 1, -1)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }

    private static func size(of descriptor: Int32) -> (columns: Int, lines: Int)? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
    }
}

extension Console: Questioner {
    /// Asks the person at the terminal for a line; a secret one is not echoed. Throws `.interrupted` if the task is
    /// cancelled; the terminal's mode is restored in any case.
    /// - Returns: the line without the blanks around it; nil at the end of the input.
    func ask(_ question: Message, isSecret: Bool) async throws -> String? {
        let text = PlainText.printable(question.text(in: catalogue))
        // The question begins with the secret's name, such as “password”, which is in lower case elsewhere.
        let question = laidOut(isSecret ? text.prefix(1).uppercased() + text.dropFirst() : text)
        let line = try await BlockingThread.run { cancellation in
            try readLine(after: question, isSecret: isSecret, cancellation)
        }
        // The newline was not echoed either.
        if isSecret { draw("\n") }
        return line?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Wrapped to the terminal. The answer is typed after the last line.
    private func laidOut(_ question: String) -> String {
        guard errorWidth != nil else { return question }
        let style = TextStyle(width: errorWidth)
        let lines = question.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.isEmpty || line.hasPrefix(" ") ? String(line) : String(style.paragraph(String(line)).dropLast())
        }
        return lines.joined(separator: "\n") + (question.hasSuffix(" ") ? " " : "")
    }

    /// Whether the person at the terminal says yes, in English or in their language; the end of the input is a no.
    /// - Parameter isUsual: Whether an empty line is a yes.
    func agrees(to question: Message, isUsual: Bool) async throws -> Bool {
        let asked: Message = isUsual ? "\(question) [Y/n] " : "\(question) [y/N] "
        while let answer = try await ask(asked) {
            if answer.isEmpty { return isUsual }
            // Where yes is usual, an answer that is neither is asked again. In each language, no begins with an n.
            if isYes(answer) || !isUsual || Words.folded(answer).hasPrefix("n") { return isYes(answer) }
        }
        return false
    }

    func isYes(_ answer: String) -> Bool {
        let words: [Message] = ["y", "yes"]
        return (["y", "yes"] + words.map { $0.text(in: catalogue) }).map(Words.folded).contains(Words.folded(answer))
    }

    private func readLine(after question: String, isSecret: Bool, _ cancellation: Cancellation) throws -> String? {
        var before = termios()
        let isTerminal = tcgetattr(input, &before) == 0
        if isSecret, isTerminal {
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(input, TCSAFLUSH, &silent)
        }
        defer { if isSecret, isTerminal { tcsetattr(input, TCSAFLUSH, &before) } }
        // Only after turning echo off, which discards what was typed ahead.
        draw(question)
        var bytes: [UInt8] = []
        while bytes.count < 65_536 {
            try cancellation.check()
            var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 50) > 0 else { continue }
            var byte: UInt8 = 0
            // Byte by byte, so that input after the line stays unread.
            let count = read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
