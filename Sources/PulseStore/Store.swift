public import PulseCore
import PulsePlatform

/// The reading history: a SQLite file of articles, when each was read, and the words to search them by.
///
/// A store is opened, used and closed on one thread; other threads and processes open the same file themselves.
public struct Store: ~Copyable {
    /// What the store may be used for.
    public enum Access: Sendable {
        /// The file must exist.
        case readOnly
        /// The file and its folder are made where they are missing.
        case readWrite
    }

    let path: String
    let connection: Connection

    /// Opens the store at a path.
    /// - Parameter busyTimeout: how long to wait for another program that is writing, before `tryAgain` is thrown.
    public init(at path: String, access: Access, busyTimeout: Duration = .seconds(5)) throws(PulseError) {
        self.path = path
        self.connection = try StoreOpening(path: path, busyTimeout: busyTimeout).open(for: access)
    }

    private init(alone path: String, after error: PulseError) throws(PulseError) {
        self.path = path
        self.connection = try StoreOpening(path: path, busyTimeout: .seconds(5)).openAlone(after: error)
    }

    /// Runs what may fail in SQLite's terms; see `reporting`.
    func attempt<Result>(_ body: () throws(SQLError) -> Result) throws(PulseError) -> Result {
        try reporting(path, body)
    }

    func select(_ sql: String, _ values: [SQLValue]) throws(PulseError) -> [Reading] {
        try attempt { () throws(SQLError) in
            var readings: [Reading] = []
            try connection.query(sql, values) { row throws(SQLError) in
                readings.append(ReadingRow.reading(row))
            }
            return readings
        }
    }
}

/// The store's questions, each beside the function that asks it. They have names so that a test can ask SQLite for its
/// plan of each: none may become slower as the history grows.
enum Query {}

extension Store {
    /// Forgets everything, as `clear()`, also where the disk is full.
    /// - Returns: how many articles were forgotten.
    public static func clear(at path: String) throws(PulseError) -> Int {
        let failure: PulseError
        do throws(PulseError) {
            return try Store(at: path, access: .readWrite).clear()
        } catch {
            // What is cleared makes room on a disk that is full, so it must not need any.
            guard error.code == .cannotWrite else { throw error }
            failure = error
        }
        let store = try Store(alone: path, after: failure)
        // In place, with what is needed to go back in memory: a crash in the middle would leave a damaged file, of
        // which nothing was to stay.
        try store.attempt { () throws(SQLError) in
            try store.connection.execute(
                "PRAGMA journal_mode = MEMORY; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
        }
        let forgotten = try store.clear()
        try store.attempt { () throws(SQLError) in try store.connection.execute("PRAGMA journal_mode = WAL") }
        return forgotten
    }

    /// Forgets everything: articles, when they were read, the search index, the journal of imports, and what was made
    /// of them, digests and answers; and leaves none of it in the files.
    /// - Returns: how many articles were forgotten.
    public func clear() throws(PulseError) -> Int {
        let forgotten = try attempt { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) in
                let count = Int(try connection.integer("SELECT count(*) FROM articles") ?? 0)
                try Schema.reset(connection)
                return count
            }
        }
        try erase()
        return forgotten
    }

    /// Deleting leaves the bytes in the file's free pages, and copies of pages in the -wal file. VACUUM writes the
    /// file anew, and a TRUNCATE checkpoint moves that over the old one and empties the -wal file.
    private func erase() throws(PulseError) {
        let isErased = try attempt { () throws(SQLError) in
            try connection.execute("VACUUM")
            // https://www.sqlite.org/pragma.html#pragma_wal_checkpoint: the first column is 1 where another
            // connection kept the checkpoint from completing.
            return try connection.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0
        }
        // A copy from before an upgrade has it all.
        StoreUpgrade(at: path).removeCopies()
        guard isErased else {
            throw PulseError(
                .tryAgain,
                "The history at \(path) is empty now, but another program has it open and keeps its old pages on the "
                    + "disk.", hint: "Close that program and clear the history once more.")
        }
    }
}
