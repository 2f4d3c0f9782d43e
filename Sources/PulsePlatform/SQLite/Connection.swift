import CSQLite

/// One open SQLite database. The value owns the handle and closes it.
///
/// It is not Sendable: each thread opens a connection of its own.
public struct Connection: ~Copyable {
    public enum Access: Sendable {
        case readOnly
        /// The file must exist.
        case readWrite
        case readWriteCreate
    }

    let handle: OpaquePointer

    /// Must run before SQLite is first used (https://www.sqlite.org/c3ref/config.html); a static runs once.
    private static let isConfigured = pulse_sqlite_without_statistics() == SQLITE_OK

    /// Opens the file at a path. SQLite reads it at the first statement, so a file that is no database opens too. After
    /// waiting `busyTimeout` for another connection's lock, a statement fails as `busy`.
    public init(path: String, access: Access, busyTimeout: Duration = .seconds(5)) throws {
        let flags =
            switch access {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        _ = Connection.isConfigured
        var handle: OpaquePointer?
        // A connection is not Sendable, so only one thread uses it at a time and SQLite need not lock each call
        // (https://www.sqlite.org/threadsafe.html, "multi-thread").
        let result = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard result == SQLITE_OK, let handle else {
            let error = SQLError(connection: handle, result: result)
            // sqlite3.h: "Whether or not an error occurs when it is opened, resources associated with the database
            // connection handle should be released by passing it to sqlite3_close()". Closing NULL is a no-op.
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        sqlite3_busy_timeout(handle, Int32(clamping: busyTimeout.milliseconds))
    }

    deinit {
        // sqlite3.h: with statements not yet finalized, sqlite3_close_v2 leaves a "zombie" that is freed with the
        // last of them, so a Statement may safely outlive its Connection. An open transaction is rolled back.
        sqlite3_close_v2(handle)
    }

    /// Prepares for a file that may be an attacker's (https://www.sqlite.org/security.html). Reading a longer field
    /// fails as `tooBig`, and more work as `interrupted`. The limit must live as long as the connection.
    public func distrust(longestField: Int, limit: WorkLimit) throws {
        let result = pulse_sqlite_distrust(handle)
        guard result == SQLITE_OK else { throw SQLError(connection: handle, result: result) }
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: longestField))
        sqlite3_progress_handler(
            handle, WorkLimit.interval,
            { limit in
                limit.map { Unmanaged<WorkLimit>.fromOpaque($0).takeUnretainedValue().isExceeded } == true ? 1 : 0
            },
            Unmanaged.passUnretained(limit).toOpaque())
        try execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
    }

    /// Runs one or more statements without parameters and ignores any rows.
    public func execute(_ sql: String) throws {
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw SQLError(connection: handle, result: result, sql: sql) }
    }

    public func prepare(_ sql: String) throws -> Statement { try Statement(connection: handle, sql: sql) }

    /// Runs one statement to its end and calls `row` for each row; values are bound in the order of the parameters.
    public func query(_ sql: String, _ values: [SQLValue] = [], row: (Statement) throws -> Void = { _ in }) throws {
        _ = try prepare(sql).rows(values, row)
    }

    /// Runs one statement to its end and maps its rows.
    public func rows<Row>(_ sql: String, _ values: [SQLValue] = [], _ row: (Statement) throws -> Row) throws -> [Row] {
        try prepare(sql).rows(values, row)
    }

    /// Maps the first row of one statement; nil if there is no row.
    public func first<Row>(_ sql: String, _ values: [SQLValue] = [], _ row: (Statement) throws -> Row?) throws -> Row? {
        try prepare(sql).first(values, row)
    }

    /// The first column of the first row, as an integer; nil if there is no row, or NULL.
    public func integer(_ sql: String, _ values: [SQLValue] = []) throws -> Int64? {
        try first(sql, values) { $0.integer(0) }
    }

    /// The first column of the first row, as text; nil if there is no row, or NULL.
    public func text(_ sql: String, _ values: [SQLValue] = []) throws -> String? {
        try first(sql, values) { $0.text(0) }
    }

    /// The columns of a table; none: no such table. Programs' files are recognised by columns, and not by a version.
    public func columns(of table: String) throws -> Set<String> {
        Set(try rows("SELECT name FROM pragma_table_info(?1)", [.text(table)]) { $0.text(0) ?? "" })
    }

    /// Whether the file was opened read-only, also if `readWrite` was asked for: SQLite falls back without an error.
    public var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// When the transaction takes its locks (https://www.sqlite.org/lang_transaction.html).
    public enum Transaction: String, Sendable {
        /// At its first statement; all reads see one snapshot.
        case deferred = "BEGIN DEFERRED"
        /// Takes the write lock at once, so that no other connection can change what was read before it is written.
        case immediate = "BEGIN IMMEDIATE"
    }

    /// Runs `body` in one transaction, which is rolled back when `body` throws.
    public func transaction<Result>(_ kind: Transaction, _ body: () throws -> Result) throws -> Result {
        try execute(kind.rawValue)
        do {
            let result = try body()
            if kind == .immediate, let number = WriteFault.number?("COMMIT") {
                throw SQLError(extendedCode: number == WriteFault.lock ? SQLITE_BUSY : SQLITE_FULL, reason: "a test")
            }
            try execute("COMMIT")
            return result
        } catch {
            // https://www.sqlite.org/lang_transaction.html: SQLITE_FULL, IOERR, NOMEM and BUSY "might cause an
            // automatic rollback", and a second one would be an error; sqlite3_get_autocommit() tells.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }
}

/// How long SQLite may work on a file in all, in CPU time: waiting for a disk or another program does not count.
///
/// It is not Sendable, and used by one thread at a time, as its connection is.
public final class WorkLimit {
    public let most: Duration
    /// By finished calls of `charge`.
    private var spent = Duration.zero
    /// When the current call began; nil: there is none.
    private var start: Duration?

    /// SQLite's instructions between two checks of the clock.
    static let interval: Int32 = 1000

    public init(_ most: Duration) { self.most = most }

    /// Counts what `body` takes.
    public func charge<Result>(_ body: () throws -> Result) throws -> Result {
        let start = ThreadTime.now
        self.start = start
        defer {
            spent += ThreadTime.now - start
            self.start = nil
        }
        return try body()
    }

    fileprivate var isExceeded: Bool { spent + (start.map { ThreadTime.now - $0 } ?? .zero) > most }
}

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
        /// A field is longer than the connection's limit (SQLITE_TOOBIG).
        case tooBig
        case outOfMemory
        /// The connection's `WorkLimit` is used up (SQLITE_INTERRUPT).
        case interrupted
        /// The statement does not fit the database (SQLITE_ERROR and similar): an error in the statement or, if that is
        /// known to be right, a damaged or foreign schema.
        case mismatch
        /// Anything else, such as SQLITE_MISUSE: a bug of the program.
        case other

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
                case SQLITE_INTERRUPT: .interrupted
                case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_FORMAT: .mismatch
                default: .other
                }
        }
    }

    public let code: Code
    /// SQLite's extended result code, such as 1544 for SQLITE_READONLY_DIRECTORY.
    public let extendedCode: Int32
    /// The operating system's `errno` at the failure; 0 if there was none.
    public let systemError: Int32
    /// SQLite's message, in English.
    public let reason: String
    /// The statement that failed; nil if the file could not be opened.
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

    /// The latest error of a connection. sqlite3.h: `sqlite3_errmsg` and similar describe "the most recent `sqlite3_*`
    /// API call" on it, so this must be called at once, on the same thread.
    init(connection: OpaquePointer?, result: Int32, sql: String? = nil) {
        guard let connection else {
            self.init(extendedCode: result, reason: String(cString: sqlite3_errstr(result)), sql: sql)
            return
        }
        self.init(
            extendedCode: sqlite3_extended_errcode(connection), systemError: sqlite3_system_errno(connection),
            reason: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }
}
