import CSQLite

/// One open SQLite database, and the only owner of its handle: closed when the value dies.
///
/// It is not Sendable: a thread that wants the same file opens a connection of its own.
public struct Connection: ~Copyable {
    /// What the connection may do to the file.
    public enum Access: Sendable {
        case readOnly
        /// The file must exist.
        case readWrite
        case readWriteCreate
    }

    let handle: OpaquePointer

    /// Opens the file at a path. SQLite looks into it only when the first statement is run, so a file that is no
    /// database is opened without complaint.
    /// - Parameter busyTimeout: how long a statement waits for another connection's lock before it fails as `busy`.
    public init(path: String, access: Access, busyTimeout: Duration = .seconds(5)) throws(SQLError) {
        let flags =
            switch access {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        var handle: OpaquePointer?
        // Not Sendable, a connection and its statements are on one thread at a time: SQLite need not lock each of its
        // calls against others (https://www.sqlite.org/threadsafe.html, "multi-thread").
        let result = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard result == SQLITE_OK, let handle else {
            let error = SQLError(connection: handle, result: result)
            // sqlite3.h: "Whether or not an error occurs when it is opened, resources associated with the database
            // connection handle should be released by passing it to sqlite3_close()". Closing NULL is a no-op.
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        let (seconds, attoseconds) = busyTimeout.components
        // Whole days are enough for anyone, and keep the product within an Int32.
        let milliseconds = min(max(seconds, 0), 1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000
        sqlite3_busy_timeout(handle, Int32(clamping: milliseconds))
    }

    deinit {
        // sqlite3.h: with statements not yet finalized, sqlite3_close_v2 leaves a "zombie" that is freed with the
        // last of them, so a Statement may safely outlive its Connection. An open transaction is rolled back.
        sqlite3_close_v2(handle)
    }

    /// Runs one or more statements that take no values, and drops any rows.
    public func execute(_ sql: String) throws(SQLError) {
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw SQLError(connection: handle, result: result, sql: sql) }
    }

    /// Compiles one statement.
    public func prepare(_ sql: String) throws(SQLError) -> Statement {
        try Statement(connection: handle, sql: sql)
    }

    /// Runs one statement to its end, handing each row to `row`; values are bound in the order of the parameters.
    public func query(
        _ sql: String, _ values: [SQLValue] = [], row: (borrowing Statement) throws(SQLError) -> Void = { _ in }
    ) throws(SQLError) {
        let statement = try prepare(sql)
        try statement.bind(values)
        while try statement.step() {
            try row(statement)
        }
    }

    /// The first column of the first row, as an integer; nil where there is no row, or NULL.
    public func integer(_ sql: String, _ values: [SQLValue] = []) throws(SQLError) -> Int64? {
        let statement = try prepare(sql)
        try statement.bind(values)
        return try statement.step() ? statement.integer(0) : nil
    }

    /// The first column of the first row, as text; nil where there is no row, or NULL.
    public func text(_ sql: String, _ values: [SQLValue] = []) throws(SQLError) -> String? {
        let statement = try prepare(sql)
        try statement.bind(values)
        return try statement.step() ? statement.text(0) : nil
    }

    /// True where the file could only be opened for reading, whatever was asked: SQLite falls back without an error.
    public var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }
}
