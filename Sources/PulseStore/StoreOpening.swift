import Foundation
import PulseCore
import PulsePlatform

/// How a file becomes an open store: found or made, and recognised.
struct StoreOpening {
    let path: String
    let busyTimeout: Duration

    func open(for access: Store.Access) throws(PulseError) -> Connection {
        guard !StoreFile.isFolder(path) else {
            throw PulseError(.badData, "\(path) is a folder.", hint: "Give --store the path of a file.")
        }
        switch access {
        case .readOnly: return try openForReading()
        case .readWrite: return try openForWriting()
        }
    }

    private func openForReading() throws(PulseError) -> Connection {
        do throws(PulseError) {
            let connection = try reporting(path) { () throws(SQLError) in
                try Connection(path: path, access: .readOnly, busyTimeout: busyTimeout)
            }
            if try isEmpty(connection) {
                // Only a connection that may write can finish making the store.
                let writer = try openForWriting()
                _ = consume writer
            }
            return connection
        } catch {
            guard error.code == .cannotWrite else { throw error }
            return try openAlone()
        }
    }

    /// Opens a store on a disk that is full. Connections share the -wal file through a -shm file, for which there is no
    /// room; one that locks all others out needs none
    /// (https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory).
    func openAlone() throws(PulseError) -> Connection {
        let connection = try reporting(path) { () throws(SQLError) in
            let connection = try Connection(path: path, access: .readWrite, busyTimeout: busyTimeout)
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            return connection
        }
        guard try !isEmpty(connection) else { throw PulseError.full(path) }
        return connection
    }

    private func openForWriting() throws(PulseError) -> Connection {
        try StoreFile.create(at: path)
        let connection = try reporting(path) { () throws(SQLError) in
            try Connection(path: path, access: .readWrite, busyTimeout: busyTimeout)
        }
        let isEmpty = try isEmpty(connection)
        // SQLite opens a file that it may not write for reading, without an error.
        guard !connection.isReadOnly else { throw PulseError.readOnly(path) }
        try reporting(path) { () throws(SQLError) in
            // Not before the file is known to be ours: the journal's mode stays in the file.
            try enableWriteAheadLog(on: connection)
            // An import touches pages all over the indexes of a long history: up to 64 MiB of them are cached, and the
            // -wal file takes up to 16 MB before its pages go where they belong. The statement journal stays in memory:
            // as a file (https://www.sqlite.org/tempfiles.html) it cost twenty writes for every article.
            try connection.execute(
                """
                PRAGMA foreign_keys = ON;
                PRAGMA synchronous = FULL;
                PRAGMA secure_delete = ON;
                PRAGMA cache_size = -65536;
                PRAGMA temp_store = MEMORY;
                PRAGMA wal_autocheckpoint = 4000;
                """)
            if isEmpty { try Schema.create(in: connection) }
        }
        return connection
    }

    /// Whether there is nothing in the file yet; throws where it is not a store of this version.
    private func isEmpty(_ connection: borrowing Connection) throws(PulseError) -> Bool {
        let state = try reporting(path) { () throws(SQLError) in try Schema.state(of: connection) }
        switch state {
        case .empty:
            return true
        case .version(Schema.version):
            return false
        case .version(let version) where version > Schema.version:
            throw PulseError(
                .badData,
                "The history at \(path) was written by a newer version of pulse-digest (schema \(version), this "
                    + "program knows \(Schema.version)). It was left as it is.",
                hint: "Update this program, or choose another path with --store.")
        case .version(let version):
            throw PulseError(
                .badData,
                "The history at \(path) was written by an older version of pulse-digest (schema \(version), this "
                    + "program knows \(Schema.version)). It was left as it is.",
                hint:
                    "To take it over, use the older program once: pulse-digest history export --output history.jsonl. "
                    + "Then move the old file away, and with this one: pulse-digest import history.jsonl")
        case .foreign:
            throw PulseError(
                .badData, "\(path) is another program's database, not a reading history of pulse-digest.",
                hint: "It was left as it is; choose another path with --store, or import from it.")
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
}
