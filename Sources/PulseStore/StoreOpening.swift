import Foundation
import PulseSQL

/// How a file becomes an open store: found or made, recognised, and brought to the schema of today.
struct StoreOpening {
    let path: String
    let busyTimeout: Duration
    let migrations: [Migration]

    func open(for access: Store.Access) throws(StoreError) -> Connection {
        guard !StoreFile.isFolder(path) else {
            throw StoreError(.notAStore, "\(path) is a folder. Give --store the path of a file.")
        }
        switch access {
        case .readOnly: return try openForReading()
        case .readWrite: return try openForWriting()
        }
    }

    private func openForReading() throws(StoreError) -> Connection {
        let connection = try attempt { () throws(SQLError) in
            try Connection(path: path, access: .readOnly, busyTimeout: busyTimeout)
        }
        let version = try version(of: connection)
        if version < migrations.count {
            // What reads may rely on the schema of today; the upgrade needs a connection that may write.
            do throws(StoreError) {
                let writer = try openForWriting()
                _ = consume writer
            } catch  where version > 0 && (error.code == .readOnly || error.code == .permission) {
                // Who may read the articles and no more still reads them: see `Store.isComplete`.
            }
        }
        return connection
    }

    private func openForWriting() throws(StoreError) -> Connection {
        try StoreFile.create(at: path)
        let connection = try attempt { () throws(SQLError) in
            try Connection(path: path, access: .readWrite, busyTimeout: busyTimeout)
        }
        let version = try version(of: connection)
        // SQLite opens a file that it may not write for reading, without an error.
        guard !connection.isReadOnly else { throw StoreError.readOnly(path) }
        try attempt { () throws(SQLError) in
            // Not before the file is known to be ours: the journal's mode stays in the file.
            try enableWriteAheadLog(on: connection)
            // An import touches pages all over the indexes of a long history: up to 64 MiB of them are kept at hand, and
            // the -wal file takes up to 16 MB before its pages go where they belong. What a statement would have to undo
            // is noted in memory: in a file (https://www.sqlite.org/tempfiles.html, "statement journal") it made twenty
            // writes for every article.
            try connection.execute(
                """
                PRAGMA foreign_keys = ON;
                PRAGMA synchronous = FULL;
                PRAGMA secure_delete = ON;
                PRAGMA cache_size = -65536;
                PRAGMA temp_store = MEMORY;
                PRAGMA wal_autocheckpoint = 4000;
                """)
            if version < migrations.count { try Schema.migrate(connection, with: migrations) }
        }
        return connection
    }

    /// The number of migrations the file has taken: 0 for an empty one.
    private func version(of connection: borrowing Connection) throws(StoreError) -> Int {
        let state = try attempt { () throws(SQLError) in try Schema.state(of: connection) }
        switch state {
        case .empty:
            return 0
        case .version(let version) where version <= migrations.count:
            return version
        case .version(let version):
            throw StoreError(
                .newer,
                "The history at \(path) was written by a newer version of pulse-digest (schema \(version), this "
                    + "program knows \(migrations.count)). Update the program, or choose another path with --store.")
        case .foreign:
            throw StoreError(
                .notAStore,
                "\(path) is another program's database, not a reading history of pulse-digest. It was left as it is; "
                    + "choose another path with --store, or import from it.")
        }
    }

    /// https://www.sqlite.org/wal.html: readers do not block the writer, nor it them.
    ///
    /// Two connections that leave the old mode at the same moment would wait for each other, so SQLite fails one of
    /// them at once, whatever its busy timeout; that one tries again.
    private func enableWriteAheadLog(on connection: borrowing Connection) throws(SQLError) {
        if try connection.text("PRAGMA journal_mode") == "wal" { return }
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: busyTimeout)
        while true {
            do throws(SQLError) {
                return try connection.execute("PRAGMA journal_mode = WAL")
            } catch {
                guard error.code == .busy, clock.now < deadline else { throw error }
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    private func attempt<Result: ~Copyable>(_ body: () throws(SQLError) -> Result) throws(StoreError) -> Result {
        do throws(SQLError) {
            return try body()
        } catch {
            throw StoreError(error, path: path)
        }
    }
}
