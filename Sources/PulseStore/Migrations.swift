import Foundation
import PulseCore
import PulsePlatform

/// The migrations since the first release, oldest first.
///
/// To change the schema, append SQL to `steps`. A step's schema version, the `user_version` of a store that has it, is
/// `base` plus its position, counted from 1. New stores run the same steps, so each schema is made in one way. Released
/// steps and `Schema.tables` are never edited or removed. Tests upgrade stores made by earlier programs and compare
/// each with the committed `Tests/Fixtures/golden/schema.sql`, which `UPDATE_GOLDEN=1` rewrites.
///
/// A step runs in a transaction with foreign keys off. A change that ALTER TABLE does not support recreates the table
/// (https://www.sqlite.org/lang_altertable.html#making_other_kinds_of_table_schema_changes).
enum Migrations {
    /// The schema version of `Schema.tables`.
    static let base = 8

    static let steps = [
        // 9: which program made each schema, so that an older program can say which one is needed.
        """
        CREATE TABLE upgrades (
            schema INTEGER PRIMARY KEY,
            program TEXT NOT NULL
        ) STRICT;
        """,
        // 10: the encoder's vectors of an article's passages, for search by meaning.
        """
        CREATE TABLE vectors (
            article INTEGER PRIMARY KEY REFERENCES articles (id) ON DELETE CASCADE,
            form INTEGER NOT NULL,
            passages BLOB NOT NULL
        ) STRICT;
        CREATE TRIGGER vectors_outdated AFTER UPDATE OF title, summary, content ON articles
        WHEN (old.title, old.summary, old.content) <> (new.title, new.summary, new.content)
        BEGIN
            DELETE FROM vectors WHERE article = old.id;
        END;
        """,
        // 11: feeds are found by name, so that thousands can be added.
        """
        ALTER TABLE feeds ADD COLUMN name TEXT;
        CREATE INDEX feeds_by_name ON feeds (name);
        """,
        // 12: the vectors of reports, by which stories are found. Deleted with the article or entry.
        """
        CREATE TABLE report_vectors (
            identifier TEXT PRIMARY KEY,
            form INTEGER NOT NULL,
            text TEXT NOT NULL,
            vector BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER articles_vector_deleted AFTER DELETE ON articles BEGIN
            DELETE FROM report_vectors WHERE identifier = old.identifier;
        END;
        CREATE TRIGGER entries_vector_deleted AFTER DELETE ON entries BEGIN
            DELETE FROM report_vectors WHERE identifier = old.identifier;
        END;
        CREATE TRIGGER entries_vector_gone AFTER UPDATE OF state ON entries WHEN new.state = 'gone' BEGIN
            DELETE FROM report_vectors WHERE identifier = old.identifier;
        END;
        """,
    ]
}

/// Migrates a store of an earlier schema: copies the file, then runs all missing steps in one transaction.
struct StoreUpgrade {
    /// Symbolic links are resolved, so that the copy is beside the file.
    private let path: String

    init(at path: String) {
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        self.path = resolved.map { String(cString: $0) } ?? path
    }

    /// - Parameter connection: A writable connection with foreign keys off.
    func run(on connection: borrowing Connection) throws {
        try checkFreeSpace()
        let migrated = try reporting(path) {
            try connection.transaction(.immediate) { () -> Int? in
                let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
                // Another process may have migrated it meanwhile.
                guard version < Schema.version else { return nil }
                // Under the write lock, so that the copy has everything ever written in the old schema.
                try copy(to: file(version))
                for step in Migrations.steps[(version - Migrations.base)...] { try connection.execute(step) }
                try Schema.mark(connection)
                return version
            }
        }
        if let migrated { removeCopies(but: migrated) }
    }

    /// The newest copy that this program can open.
    var copy: String? { copies().filter { $0 <= Schema.version }.max().map(file) }

    /// Removes the copies, which also hold data deleted since, except the one of schema `kept`.
    func removeCopies(but kept: Int? = nil) {
        for version in copies() where version != kept { unlink(file(version)) }
    }

    private func file(_ version: Int) -> String { "\(path).v\(version).bak" }

    private func copies() -> [Int] {
        let folder = AtomicFile.parent(of: path) ?? "/"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let store = path.split(separator: "/").last ?? ""
        return names.compactMap { name in
            guard name.hasPrefix("\(store).v"), name.hasSuffix(".bak") else { return nil }
            return Int(name.dropFirst(store.count + 2).dropLast(4))
        }
    }

    /// Throws unless there is room for the copy, and for a step that rewrites all tables.
    private func checkFreeSpace() throws {
        let size = [path, path + "-wal"].reduce(Int64(1 << 20)) { $0 + 2 * (FileStamp(path: $1)?.size ?? 0) }
        guard let free = Disk.freeSpace(in: path), free < size else { return }
        let (needed, found) = ((size + 1 << 20) >> 20, free >> 20)
        throw PulseError(
            .cannotWrite,
            "The history at \(path) is of an older version of pulse-digest. To bring it up to date, \(needed) MB must be "
                + "free on its disk; \(found) MB are. It was left as it is.",
            hint: "Free some space and run the command again.")
    }

    /// Copies by VACUUM INTO, because part of the data may be in the -wal file. An incomplete copy has another name.
    private func copy(to copy: String) throws {
        let new = copy + ".new"
        unlink(new)
        // VACUUM INTO accepts an empty file and keeps its mode.
        let descriptor = open(new, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(14) }
        defer { close(descriptor) }
        do {
            try Connection(path: path, access: .readOnly).query("VACUUM INTO ?1", [.text(new)])
            guard fsync(descriptor) == 0, rename(new, copy) == 0 else { throw failure(10) }
        } catch {
            unlink(new)
            throw error
        }
        AtomicFile.syncFolder(AtomicFile.parent(of: copy) ?? "/")
    }

    /// A system error as SQLite's: SQLITE_IOERR is 10, SQLITE_CANTOPEN 14.
    private func failure(_ code: Int32) -> SQLError {
        SQLError(extendedCode: code, systemError: errno, reason: String(cString: strerror(errno)))
    }
}
