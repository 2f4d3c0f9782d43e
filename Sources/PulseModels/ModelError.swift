import Foundation
import PulseText

/// Why a model cannot be named, found, fetched or trusted: what happened, and in one sentence or two what to do next.
public struct ModelError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Code: String, Sendable, CaseIterable {
        /// No model of that name, no file at that path.
        case unknown
        /// A model of the catalogue that is not on this machine.
        case absent
        /// The server could not be reached, or the connection broke more often than is worth trying.
        case network
        /// The server answered, but not with the file.
        case server
        /// The disk is too full for the file.
        case noSpace
        /// A file whose size or sha256 is not the catalogue's.
        case mismatch
        case cannotWrite
        case cannotRead
        /// The catalogue itself is missing or broken.
        case manifest
        /// The task was cancelled; what was downloaded from the web is kept.
        case cancelled
    }

    public let code: Code
    /// For the reader, whole as it stands.
    public let message: String
    /// The technical reason in the words of the system or of libcurl, for a log; nil where there is none.
    public let cause: String?

    public var description: String { message }

    init(_ code: Code, _ message: String, cause: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// A failed system call. `number` is its errno; a full disk or quota is `.noSpace` whatever was being done.
    static func system(_ code: Code, _ action: String, errno number: Int32) -> ModelError {
        let reason = String(cString: strerror(number))
        if number == ENOSPC || number == EDQUOT {
            return ModelError(
                .noSpace, "The disk is full: \(action) failed. Free some space and run the command again.",
                cause: reason)
        }
        return ModelError(code, "\(action) failed: \(reason).", cause: "errno \(number)")
    }

    static let cancelled = ModelError(
        .cancelled, "Cancelled. Run the command again to go on.")
}

/// Words from outside (a server, an address, the catalogue) made fit for a message.
func printable(_ text: String) -> String { PlainText.line(text, limit: 200) }
