import CSQLite

extension Connection {
    /// When the transaction takes its locks (https://www.sqlite.org/lang_transaction.html).
    public enum Transaction: String, Sendable {
        /// At its first statement; reads see one moment of the database.
        case deferred = "BEGIN DEFERRED"
        /// The write lock at once, so that nothing read inside can be changed by another before it is written.
        case immediate = "BEGIN IMMEDIATE"
    }

    /// Runs `body` in one transaction: all of it is kept, or, when it throws, nothing.
    public func transaction<Result>(
        _ kind: Transaction, _ body: () throws(SQLError) -> Result
    ) throws(SQLError) -> Result {
        try execute(kind.rawValue)
        do throws(SQLError) {
            let result = try body()
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
