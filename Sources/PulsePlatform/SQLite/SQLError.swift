import CSQLite

/// An error of SQLite. The modules above turn it into a `PulseError` with a message for the user.
public struct SQLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The primary result codes that callers distinguish (https://www.sqlite.org/rescode.html).
    public enum Code: Sendable, Hashable {
        /// Another connection holds the lock, and the busy timeout has run out (SQLITE_BUSY, SQLITE_LOCKED).
        case busy
        case readOnly
        /// No room: the disk is full, or the file has reached its largest size (SQLITE_FULL).
        case full
        case corrupt
        case notADatabase
        case cannotOpen
        case permission
        case inputOutput
        case constraint
        case tooBig
        case outOfMemory
        /// The statement does not fit the database (SQLITE_ERROR and its kin): an error in the statement or, where it
        /// is known to be right, a damaged or foreign schema.
        case mismatch
        /// Anything else, such as SQLITE_MISUSE: a bug of the program.
        case other
    }

    public let code: Code
    /// SQLite's extended result code, such as 1544 for SQLITE_READONLY_DIRECTORY.
    public let extendedCode: Int32
    /// The operating system's `errno` at the failure; 0 where there was none.
    public let systemError: Int32
    /// SQLite's message, in English.
    public let reason: String
    /// The statement that failed; nil where the file could not be opened.
    public let sql: String?

    public init(extendedCode: Int32, systemError: Int32 = 0, reason: String, sql: String? = nil) {
        self.code = Code(extendedCode)
        self.extendedCode = extendedCode
        self.systemError = systemError
        self.reason = reason
        self.sql = sql
    }

    public var description: String {
        let statement = sql.map { " in: \($0)" } ?? ""
        return "SQLite: \(reason) (\(extendedCode))\(statement)"
    }
}

extension SQLError {
    /// The latest error of a connection. sqlite3.h: `sqlite3_errmsg` and its kin describe "the most recent `sqlite3_*`
    /// API call" on it, so this must be called at once, on the same thread.
    init(connection: OpaquePointer?, result: Int32, sql: String? = nil) {
        guard let connection else {
            self.init(extendedCode: result, reason: String(cString: sqlite3_errstr(result)), sql: sql)
            return
        }
        self.init(
            extendedCode: sqlite3_extended_errcode(connection),
            systemError: sqlite3_system_errno(connection),
            reason: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }
}

extension SQLError.Code {
    /// sqlite3.h: the primary code is the least significant 8 bits of an extended one.
    init(_ extendedCode: Int32) {
        self =
            switch extendedCode & 0xff {
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_READONLY: .readOnly
            case SQLITE_FULL: .full
            case SQLITE_CORRUPT: .corrupt
            case SQLITE_NOTADB: .notADatabase
            case SQLITE_CANTOPEN: .cannotOpen
            case SQLITE_PERM, SQLITE_AUTH: .permission
            case SQLITE_IOERR: .inputOutput
            case SQLITE_CONSTRAINT: .constraint
            case SQLITE_TOOBIG: .tooBig
            case SQLITE_NOMEM: .outOfMemory
            case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_FORMAT: .mismatch
            default: .other
            }
    }
}
