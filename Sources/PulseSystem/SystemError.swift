import Foundation

/// What the system refused.
public struct SystemError: Error, Sendable, Hashable {
    public enum Code: Sendable, CaseIterable {
        case cannotRead, cannotWrite, permission
        /// A program that cannot be started.
        case unavailable
        /// It may do so later.
        case busy
        /// The calling task was cancelled.
        case cancelled
    }

    public let code: Code
    /// One or two sentences; empty where there is nothing to say.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// - Parameters:
    ///   - action: What was tried: "Writing /a/b".
    ///   - number: The errno.
    ///   - code: What it is called where the number does not tell.
    public init(_ action: String, errno number: Int32, _ code: Code = .cannotWrite) {
        let reason = String(cString: strerror(number))
        switch number {
        case EACCES, EPERM, EROFS: self.init(.permission, "\(action): \(reason).")
        case ENOSPC, EDQUOT:
            self.init(.cannotWrite, "\(action): \(reason). Free some space and run the command again.")
        default: self.init(code, "\(action): \(reason).")
        }
    }
}
