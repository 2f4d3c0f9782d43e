import Foundation
import PulseCore
import PulsePlatform
import Synchronization

struct StoreOpening {
    let path: String
    let busyTimeout: Duration

    func open(for access: Store.Access) throws -> Connection {
        guard FileStamp(path: path)?.isFolder != true else {
            throw PulseError(.badData, "\(path) is a folder.", hint: "Give --store the path of a file.")
        }
        switch access {
        case .readOnly: return try openForReading()
        case .readWrite: return try openForWriting()
        }
    }

    private func openForReading() throws -> Connection {
        do {
            let connection = try reporting(path) {
                try Connection(path: path, access: .readOnly, busyTimeout: busyTimeout)
            }
            if try version(of: connection) != Schema.version {
                // Creating or migrating a store needs a writable connection.
                let writer = try openForWriting()
                _ = consume writer
            }
            return connection
        } catch let error as PulseError where error.code == .cannotWrite {
            return try openAlone(after: error)
        }
    }

    /// Opens a store on a full disk. Connections share the -wal file through a -shm file, for which there is no room;
    /// an exclusive lock does without it (https://www.sqlite.org/wal.html#use_of_wal_without_shared_memory).
    ///
    /// - Parameter error: Why it could not be opened normally; rethrown for an empty store or one to migrate.
    func openAlone(after error: PulseError) throws -> Connection {
        let connection = try reporting(path) {
            let connection = try Connection(path: path, access: .readWrite, busyTimeout: busyTimeout)
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            return connection
        }
        guard try version(of: connection) == Schema.version else { throw error }
        return connection
    }

    private func openForWriting() throws -> Connection {
        try StoreFile.create(at: path)
        openSideFiles()
        let connection = try reporting(path) {
            try Connection(path: path, access: .readWrite, busyTimeout: busyTimeout)
        }
        let version = try version(of: connection)
        // SQLite opens a file without write permission read-only, without an error.
        guard !connection.isReadOnly else { throw PulseError.readOnly(path) }
        try reporting(path) {
            // Only now, because the journal mode is stored in the file, which is now known to be ours.
            try enableWriteAheadLog(on: connection)
        }
        // Migrations run before foreign keys are on.
        if (1..<Schema.version).contains(version) { try StoreUpgrade(at: path).run(on: connection) }
        try reporting(path) {
            // An import touches pages all over the indexes of a long history: up to 64 MiB of them are cached, and the
            // -wal file grows to 16 MB before a checkpoint. The statement journal stays in memory: as a file
            // (https://www.sqlite.org/tempfiles.html) it took twenty writes per article.
            try connection.execute(
                """
                PRAGMA foreign_keys = ON;
                PRAGMA synchronous = FULL;
                PRAGMA secure_delete = ON;
                PRAGMA cache_size = -65536;
                PRAGMA temp_store = MEMORY;
                PRAGMA wal_autocheckpoint = 4000;
                """)
            if version == 0 { try Schema.create(in: connection) }
        }
        return connection
    }

    /// SQLite makes the -wal and -shm files with the store's mode. Read-only ones may remain from a time when the store
    /// was read-only.
    private func openSideFiles() {
        let mode = AtomicFile.mode(of: path, new: 0)
        for file in ["-wal", "-shm"].map({ path + $0 })
        where mode & 0o600 & ~AtomicFile.mode(of: file, new: mode) != 0 {
            // If this fails, as for another user's file, the error of the first write names it.
            chmod(file, mode)
        }
    }

    /// The version of the schema; 0: the file is empty. Throws if it is no store, or one that cannot be migrated.
    private func version(of connection: borrowing Connection) throws -> Int {
        switch try reporting(path, { try Schema.state(of: connection) }) {
        case .empty: return 0
        case .version(let version) where (Migrations.base...Schema.version).contains(version): return version
        case .version(let version) where version > Schema.version: throw later(version, connection)
        case .version(let version):
            throw PulseError(
                .badData,
                "The history at \(path) was written by an older version of pulse-digest (schema \(version), this "
                    + "program knows \(Schema.version)). It was left as it is.",
                hint:
                    "To import it, use the older program once: pulse-digest history export --output history.jsonl. "
                    + "Then move the old file away, and with this one: pulse-digest import history.jsonl")
        case .foreign:
            throw PulseError(
                .badData, "\(path) is another program's database, not a reading history of pulse-digest.",
                hint: "It was left as it is; choose another path with --store, or import from it.")
        }
    }

    private func later(_ version: Int, _ connection: borrowing Connection) -> PulseError {
        let hint: Message =
            StoreUpgrade(at: path).copy.map {
                "Update this program, or use the copy from before the upgrade, without later changes: --store \($0)"
            } ?? "Update this program, or choose another path with --store."
        // A later program may have changed this table.
        if let program = try? connection.text("SELECT program FROM upgrades WHERE schema = \(version)") {
            return PulseError(
                .badData,
                "The history at \(path) was written by pulse-digest \(program) (schema \(version), this program knows "
                    + "\(Schema.version)). It was left as it is.", hint: hint)
        }
        return PulseError(
            .badData,
            "The history at \(path) was written by a newer version of pulse-digest (schema \(version), this program "
                + "knows \(Schema.version)). It was left as it is.", hint: hint)
    }

    /// https://www.sqlite.org/wal.html: readers do not block the writer, and the writer does not block readers.
    ///
    /// Of two connections that change the mode at the same time, SQLite fails one at once; that one retries.
    private func enableWriteAheadLog(on connection: borrowing Connection) throws {
        if try connection.text("PRAGMA journal_mode") == "wal" { return }
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: busyTimeout)
        while true {
            do {
                return try connection.execute("PRAGMA journal_mode = WAL")
            } catch let error as SQLError where error.code == .busy && clock.now < deadline {
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }
}

/// The file of a store, made with mode 0600 and folders with 0700: what someone reads is private.
enum StoreFile {
    /// Held while the file is created. POSIX drops all locks of a process on a file as soon as it closes ANY descriptor
    /// of it
    /// (https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_), so
    /// no other thread may open the file in SQLite between our `open` and our `close`.
    private static let creation = Mutex(())

    static func create(at path: String) throws {
        do {
            if let folder = AtomicFile.parent(of: path) { try AtomicFile.makeFolder(folder) }
            try creation.withLock { _ in
                if access(path, F_OK) == 0 { return }
                // So that no other user can ever open it. The -wal and -shm files get its mode (SQLite's os_unix.c).
                let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
                if descriptor >= 0 {
                    close(descriptor)
                } else if errno != EEXIST {
                    throw PulseError("Cannot make \(path)", errno: errno)
                }
            }
        } catch let error as PulseError {
            throw PulseError(
                error.code, error.message,
                hint: error.hint ?? "Give yourself the right to write there, or choose another place with --store.")
        }
    }
}
