public import PulseSQL

/// Why a source could not be read: a code to act on and a sentence for the reader.
public struct SourceError: Error, Sendable, CustomStringConvertible {
    public enum Code: Sendable, Hashable, CaseIterable {
        /// There is nothing at the path.
        case missing
        /// The file or its folder is closed to this user.
        case permission
        /// The file is something else than was expected.
        case notThisFormat
        /// Another program holds it. Trying again later helps.
        case busy
        /// The file is damaged.
        case corrupt
        /// Reading failed.
        case inputOutput
    }

    public let code: Code
    /// What happened and what to do next, in one or two sentences.
    public let message: String
    /// SQLite's own account, for the verbose, where a database was read.
    public let cause: SQLError?

    init(_ code: Code, _ message: String, cause: SQLError? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    public var description: String { message }
}
