import PulseCore
import PulsePlatform

/// The reading history: an SQLite file of articles, when each was read, and the search index.
///
/// A store is used by one task at a time, which may resume on another thread after an `await`, as SQLite's connections
/// allow (https://www.sqlite.org/threadsafe.html, multi-thread); other tasks and processes open the file themselves.
/// Any method may throw `.tryAgain` (another connection writes for longer than `busyTimeout`), `.badData` (the file is
/// damaged), `.permission`, `.cannotRead`, and when it writes, `.cannotWrite` (the disk is full).
public struct Store: ~Copyable {
    public enum Access: Sendable {
        /// The file must exist.
        case readOnly
        /// Missing files and folders are created.
        case readWrite
    }

    let path: String
    let connection: Connection

    /// Opens a store. Throws `.noInput` if there is none to read, `.badData` for a foreign file or a newer schema, and
    /// `.tryAgain` when another writer takes longer than `busyTimeout`.
    public init(at path: String, access: Access, busyTimeout: Duration = .seconds(5)) throws {
        self.path = path
        self.connection = try StoreOpening(path: path, busyTimeout: busyTimeout).open(for: access)
    }

    private init(alone path: String, after error: PulseError) throws {
        self.path = path
        self.connection = try StoreOpening(path: path, busyTimeout: .seconds(5)).openAlone(after: error)
    }

    func attempt<Result>(_ body: () throws -> Result) throws -> Result { try reporting(path, body) }

    /// Runs `body` in one write transaction, which is rolled back when it throws.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try attempt { try connection.transaction(.immediate, body) }
    }

    func rows<Row>(_ sql: String, _ values: [SQLValue] = [], _ row: (Statement) -> Row) throws -> [Row] {
        try attempt { try connection.rows(sql, values, row) }
    }

    func select(_ sql: String, _ values: [SQLValue]) throws -> [Reading] { try rows(sql, values, ReadingRow.reading) }

    func integer(_ sql: String, _ values: [SQLValue] = []) throws -> Int64? {
        try attempt { try connection.integer(sql, values) }
    }
}

/// The SQL queries, each beside its method. They have names for a test that none becomes slower with the history.
enum Query {}

extension Store {
    /// Deletes everything, as `clear()`, also on a full disk. Returns the number of deleted articles.
    public static func clear(at path: String) throws -> Int {
        var deleted = 0
        let failure: PulseError
        do {
            let store = try Store(at: path, access: .readWrite)
            deleted = try store.empty()
            try store.erase()
            return deleted
        } catch let error as PulseError where error.code == .cannotWrite {
            // Clearing frees space on a full disk, so it must not need any.
            failure = error
        }
        let store = try Store(alone: path, after: failure)
        // In place, with the journal in memory: a crash would damage a file that is to be deleted anyway.
        try store.attempt {
            try store.connection.execute(
                "PRAGMA journal_mode = MEMORY; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
        }
        // The first attempt may have deleted all articles already.
        deleted += try store.clear()
        try store.attempt { try store.connection.execute("PRAGMA journal_mode = WAL") }
        return deleted
    }

    /// Deletes everything in the store: articles, times of imports, digests, answers. Nothing remains in the files.
    /// Returns the number of deleted articles.
    public func clear() throws -> Int {
        let deleted = try empty()
        try erase()
        return deleted
    }

    private func empty() throws -> Int {
        try transaction {
            let count = Int(try connection.integer("SELECT count(*) FROM articles") ?? 0)
            try Schema.reset(connection)
            return count
        }
    }

    /// Deleting leaves data in the file's free pages, and copies of pages in the -wal file. VACUUM rewrites the file,
    /// and a TRUNCATE checkpoint copies the result into it and empties the -wal file.
    private func erase() throws {
        let isErased = try attempt {
            try connection.execute("VACUUM")
            // https://www.sqlite.org/pragma.html#pragma_wal_checkpoint: the first column is 1 if another
            // connection kept the checkpoint from completing.
            return try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0
        }
        // The copy from before a migration has all data, too.
        StoreUpgrade(at: path).removeCopies()
        guard isErased else {
            throw PulseError(
                .tryAgain,
                "The history at \(path) is empty now, but another program has it open and keeps its old pages on the "
                    + "disk.", hint: "Close that program and clear the history once more.")
        }
    }
}
