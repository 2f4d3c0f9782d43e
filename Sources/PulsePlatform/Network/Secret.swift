public import Foundation
public import PulseCore
import PulseText

/// A password or a token. It is never printed or logged, even if it is interpolated into a string.
public struct Secret: Sendable {
    private let text: String

    /// The first line of a text, trimmed. Throws `.configuration` if it is empty; `origin` is the error's subject.
    public init(_ text: String, origin: Message = "The key") throws {
        let line = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).first ?? ""
        self.text = line.trimmingCharacters(in: .whitespaces)
        if self.text.isEmpty {
            throw PulseError(.configuration, "\(origin) is empty.", hint: "The key must be its first line.")
        }
    }

    /// The secret itself.
    public func revealed() -> String { text }

    /// Reads a file that only its owner may read. Throws `.noInput`, `.cannotRead`, `.permission` (also if others may
    /// read it) or `.configuration` (empty).
    public static func fromFile(_ path: String) throws -> Secret {
        // Opening a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw PulseError("Cannot read the key in \(path)", errno: errno, errno == ENOENT ? .noInput : .cannotRead)
        }
        defer { close(descriptor) }
        // Checks the open file, since the path may be replaced meanwhile.
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw PulseError(.cannotRead, "\(path) is not a regular file, so no key can be read from it.")
        }
        guard info.st_mode & 0o077 == 0 else {
            throw PulseError(
                .permission, "Other users can read or change the key in \(path).",
                hint: "To make it readable by you only: chmod 600 '\(path)'")
        }
        guard [0, geteuid()].contains(info.st_uid) else {
            throw PulseError(.permission, "The key in \(path) is another user's.")
        }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw PulseError("Cannot read the key in \(path)", errno: errno, .cannotRead) }
        return try Secret(String(decoding: buffer[..<count], as: UTF8.self), origin: "The file \(path)")
    }

    /// The first line that a command prints, such as a password manager's. Throws `.configuration` if it fails or
    /// prints nothing, `.tryAgain` if it takes too long, and `.interrupted`.
    public static func fromCommand(
        _ command: String, environment: [String: String] = ProcessInfo.processInfo.environment,
        timeout: Duration = .seconds(60)
    ) async throws -> Secret {
        let shell = ChildProcess(
            path: "/bin/sh", arguments: ["-c", command], environment: environment, outputLimit: 64 << 10,
            timeout: timeout, mayAsk: true)
        let outcome = try await shell.run()
        let name = PlainText.line(command, limit: 100)
        guard outcome.ending != .timedOut else {
            throw PulseError(
                .tryAgain, "The command for the key, \(name), did not finish in time.",
                hint: "It may wait for an answer: run it once in a terminal.")
        }
        guard outcome.ending == .exited(0) else {
            let words = PlainText.line(String(decoding: outcome.errors, as: UTF8.self), limit: 200)
            throw PulseError(
                .configuration,
                words.isEmpty
                    ? "The command for the key, \(name), failed."
                    : "The command for the key, \(name), failed: \(words)",
                hint: "Run it in a terminal.", cause: "the command for the secret failed")
        }
        return try Secret(
            String(decoding: outcome.output, as: UTF8.self),
            origin: "The output of the command for the key, \(name),")
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "•••" }
    public var debugDescription: String { description }
    /// Without this, `dump` would print the text.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
