import CSQLite

/// One compiled statement. The object owns the handle and finalizes it.
///
/// Parameters are counted from 1 and columns from 0, as in SQLite.
public final class Statement {
    private let handle: OpaquePointer
    private let sql: String

    init(connection: OpaquePointer, sql: String) throws {
        var handle: OpaquePointer?
        let result = sqlite3_prepare_v2(connection, sql, -1, &handle, nil)
        guard result == SQLITE_OK else { throw SQLError(connection: connection, result: result, sql: sql) }
        // sqlite3.h: if "an empty string or a comment … then *ppStmt is set to NULL", with SQLITE_OK.
        guard let handle else { throw SQLError(extendedCode: SQLITE_MISUSE, reason: "empty statement", sql: sql) }
        self.handle = handle
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    /// Binds values to the parameters 1, 2, 3…; other parameters keep their values, NULL at first.
    public func bind(_ values: [SQLValue]) throws {
        for (index, value) in values.enumerated() { try bind(value, at: index + 1) }
    }

    public func bind(_ value: SQLValue, at parameter: Int) throws {
        let position = Int32(clamping: parameter)
        switch value {
        case .null: try check(sqlite3_bind_null(handle, position))
        case .integer(let integer): try check(sqlite3_bind_int64(handle, position, integer))
        case .real(let real): try check(sqlite3_bind_double(handle, position, real))
        case .text(var text):
            let result = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // An empty buffer may have no address, and a NULL address would bind NULL instead of ''.
                    guard let start = characters.baseAddress else {
                        return sqlite3_bind_text(handle, position, "", 0, pulse_sqlite_transient)
                    }
                    return sqlite3_bind_text64(
                        handle, position, start, UInt64(characters.count), pulse_sqlite_transient, UInt8(SQLITE_UTF8))
                }
            }
            try check(result)
        case .blob(let bytes):
            try check(
                bytes.withUnsafeBytes { bytes in
                    sqlite3_bind_blob64(
                        handle, position, bytes.baseAddress, UInt64(bytes.count), pulse_sqlite_transient)
                })
        }
    }

    /// Moves to the next row; false at the end.
    public func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let result: throw SQLError(connection: sqlite3_db_handle(handle), result: result, sql: sql)
        }
    }

    /// Binds the values, runs the statement to its end ignoring any rows, and resets it.
    public func run(_ values: [SQLValue]) throws { _ = try rows(values) { _ in } }

    /// Binds the values, maps each row, and resets the statement.
    public func rows<Row>(_ values: [SQLValue], _ row: (Statement) throws -> Row) throws -> [Row] {
        reset()
        try bind(values)
        defer { reset() }
        var rows: [Row] = []
        while try step() { rows.append(try row(self)) }
        return rows
    }

    /// Binds the values, maps the first row, and resets the statement; nil if there is no row.
    public func first<Row>(_ values: [SQLValue], _ row: (Statement) throws -> Row?) throws -> Row? {
        reset()
        try bind(values)
        let found: Row?
        do {
            found = try step() ? try row(self) : nil
        } catch {
            reset()
            throw error
        }
        // A change with RETURNING that stops at its first row is committed by the reset.
        try check(sqlite3_reset(handle))
        return found
    }

    /// Resets the statement; bound values stay. sqlite3_reset() repeats an error that `step` has already thrown.
    public func reset() { sqlite3_reset(handle) }

    /// Rows that the latest INSERT, UPDATE or DELETE of the connection changed, not counting changes by triggers.
    public var changes: Int { Int(sqlite3_changes64(sqlite3_db_handle(handle))) }

    /// The rowid of the latest successful INSERT of its connection.
    public var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(sqlite3_db_handle(handle)) }

    public func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }

    /// The column as an integer, converted by SQLite's rules; nil for NULL.
    public func integer(_ column: Int) -> Int64? { isNull(column) ? nil : sqlite3_column_int64(handle, Int32(column)) }

    /// The column as a number, converted by SQLite's rules; nil for NULL.
    public func real(_ column: Int) -> Double? { isNull(column) ? nil : sqlite3_column_double(handle, Int32(column)) }

    /// The column as text; nil for NULL. Invalid UTF-8, which other programs may have stored, becomes U+FFFD.
    public func text(_ column: Int) -> String? {
        // sqlite3.h: call sqlite3_column_text() first and sqlite3_column_bytes() after it; the pointer is valid
        // until the next conversion, step or reset. The bytes may hold NUL characters, so their count decides.
        guard !isNull(column), let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A column's bytes as they are, valid during the call: of a text or blob, eight of a number, none of NULL.
    public func withBytes<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let column = Int32(column)
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return withUnsafeBytes(of: sqlite3_column_int64(handle, column), body)
        case SQLITE_FLOAT: return withUnsafeBytes(of: sqlite3_column_double(handle, column), body)
        case SQLITE_NULL: return body(UnsafeRawBufferPointer(start: nil, count: 0))
        default:
            let start = sqlite3_column_blob(handle, column)
            return body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
        }
    }

    private func check(_ result: Int32) throws {
        guard result == SQLITE_OK else {
            throw SQLError(connection: sqlite3_db_handle(handle), result: result, sql: sql)
        }
    }
}

/// A value as SQLite stores it (https://www.sqlite.org/datatype3.html), to be bound to a parameter.
public enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    public init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    public init(_ integer: Int64?) { self = integer.map { .integer($0) } ?? .null }
    public init(_ flag: Bool) { self = .integer(flag ? 1 : 0) }
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral integer: Int64) { self = .integer(integer) }
}
