import Foundation
import PulseCore
import PulsePlatform
import PulseRendering
import PulseText

extension Console {
    /// Asks the person at the terminal for a line, which may be secret: then it is not shown while it is typed. Throws
    /// `.interrupted` when the task is cancelled; the terminal is as it was before, in any case.
    /// - Returns: the line without the blanks around it; nil at the end of the input.
    func ask(_ question: Message, isSecret: Bool = false) async throws(PulseError) -> String? {
        let text = PlainText.printable(question.text(in: catalogue))
        // What is secret stands first, and its name is a noun, which begins with a small letter elsewhere.
        let question = laidOut(isSecret ? text.prefix(1).uppercased() + text.dropFirst() : text)
        let line = try await BlockingThread.run { cancellation throws(PulseError) in
            try readLine(after: question, isSecret: isSecret, cancellation)
        }
        // The line's own end was not shown either.
        if isSecret { draw("\n") }
        return line?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Wrapped to the terminal. The answer stands behind the last line.
    private func laidOut(_ question: String) -> String {
        guard errorWidth != nil else { return question }
        let style = TextStyle(width: errorWidth)
        let lines = question.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.isEmpty || line.hasPrefix(" ") ? String(line) : String(style.paragraph(String(line)).dropLast())
        }
        return lines.joined(separator: "\n") + (question.hasSuffix(" ") ? " " : "")
    }

    /// Whether the person at the terminal says yes to a question, in English or in their language; the end of the input
    /// is a no.
    /// - Parameter isUsual: what an empty line means.
    func agrees(to question: Message, isUsual: Bool = false) async throws(PulseError) -> Bool {
        let asked: Message = isUsual ? "\(question) [Y/n] " : "\(question) [y/N] "
        guard let answer = try await ask(asked)?.lowercased() else { return false }
        let yes: Message = "y"
        return answer.isEmpty ? isUsual : answer.hasPrefix("y") || answer.hasPrefix(yes.text(in: catalogue))
    }

    private func readLine(
        after question: String, isSecret: Bool, _ cancellation: Cancellation
    ) throws(PulseError) -> String? {
        var before = termios()
        let isTerminal = tcgetattr(input, &before) == 0
        if isSecret, isTerminal {
            var silent = before
            silent.c_lflag &= ~tcflag_t(ECHO)
            tcsetattr(input, TCSAFLUSH, &silent)
        }
        defer { if isSecret, isTerminal { tcsetattr(input, TCSAFLUSH, &before) } }
        // Not before the terminal is silent, which drops what was typed ahead.
        draw(question)
        var bytes: [UInt8] = []
        while bytes.count < 65_536 {
            try cancellation.check()
            var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 50) > 0 else { continue }
            var byte: UInt8 = 0
            // One at a time: what follows the line is not ours.
            let count = read(input, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
