import Foundation
import PulseCore
import PulsePlatform

/// The changes of the schema since the first release, oldest first.
///
/// To change the schema, append SQL to `steps`; nothing else needs to be told of it. The step's number, and the
/// `user_version` of a store that has it, is `base` + its place in the array, counted from 1. New stores are made by
/// the same steps, so there is one way to each schema. What was released is never edited or removed, neither here nor
/// in `Schema.tables`: the tests upgrade stores that earlier programs made, and compare each with the committed
/// `Tests/Fixtures/golden/schema.sql`, which `UPDATE_GOLDEN=1` writes anew.
///
/// A step runs inside a transaction, with foreign keys off: a change that ALTER TABLE does not know makes the table anew
/// (https://www.sqlite.org/lang_altertable.html#making_other_kinds_of_table_schema_changes).
enum Migrations {
    /// The schema that `Schema.tables` makes.
    static let base = 8

    static let steps = [
        // 9: which program made each schema, so that an older program can say which one is needed.
        """
        CREATE TABLE upgrades (
            schema INTEGER PRIMARY KEY,
            program TEXT NOT NULL
        ) STRICT;
        """,
        // 10: what an encoder made of an article's passages, by which questions find them.
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
    ]
}

/// Brings a store of an earlier schema up to date: all missing steps in one transaction, after a copy of the file.
struct StoreUpgrade {
    /// Without symbolic links: the copy lies beside the file.
    private let path: String

    init(at path: String) {
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        self.path = resolved.map { String(cString: $0) } ?? path
    }

    /// - Parameter connection: one that may write, without foreign keys.
    func run(on connection: borrowing Connection) throws(PulseError) {
        try checkFreeSpace()
        let kept = try reporting(path) { () throws(SQLError) in
            try connection.transaction(.immediate) { () throws(SQLError) -> Int? in
                let version = Int(try connection.integer("PRAGMA user_version") ?? 0)
                // Another process may have been faster.
                guard version < Schema.version else { return nil }
                // Under the lock for writing, so that the copy has all that was ever written in the old schema.
                try copy(to: file(version))
                for step in Migrations.steps[(version - Migrations.base)...] { try connection.execute(step) }
                try Schema.mark(connection)
                return version
            }
        }
        if let kept { removeCopies(but: kept) }
    }

    /// The newest copy that this program can open.
    var copy: String? { copies().filter { $0 <= Schema.version }.max().map(file) }

    /// Removes the copies, which also hold what was deleted since, but for that of one schema.
    func removeCopies(but kept: Int? = nil) {
        for version in copies() where version != kept { unlink(file(version)) }
    }

    private func file(_ version: Int) -> String { "\(path).v\(version).bak" }

    private func copies() -> [Int] {
        let folder = StoreFile.parent(of: path) ?? "/"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let store = path.split(separator: "/").last ?? ""
        return names.compactMap { name in
            guard name.hasPrefix("\(store).v"), name.hasSuffix(".bak") else { return nil }
            return Int(name.dropFirst(store.count + 2).dropLast(4))
        }
    }

    /// Room for the copy, and for a step that writes everything anew.
    private func checkFreeSpace() throws(PulseError) {
        var size: Int64 = 1 << 20
        for file in [path, path + "-wal"] {
            var status = stat()
            if stat(file, &status) == 0 { size += 2 * Int64(status.st_size) }
        }
        guard let free = Disk.freeSpace(in: path), free < size else { return }
        let (needed, found) = ((size + 1 << 20) >> 20, free >> 20)
        throw PulseError(
            .cannotWrite,
            "The history at \(path) is of an older version of pulse-digest. To bring it up to date, \(needed) MB must be "
                + "free on its disk; \(found) MB are. It was left as it is.",
            hint: "Free some space and run the command again.")
    }

    /// By SQLite, which knows what is still in the -wal file. Until the copy is whole it has another name.
    private func copy(to copy: String) throws(SQLError) {
        let new = copy + ".new"
        unlink(new)
        // VACUUM INTO takes an empty file, and keeps its mode.
        let descriptor = open(new, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(14) }
        defer { close(descriptor) }
        do throws(SQLError) {
            try Connection(path: path, access: .readOnly).query("VACUUM INTO ?1", [.text(new)])
            guard fsync(descriptor) == 0, rename(new, copy) == 0 else { throw failure(10) }
        } catch {
            unlink(new)
            throw error
        }
        WholeFile.syncFolder(StoreFile.parent(of: copy) ?? "/")
    }

    /// What the system refused, as SQLite would tell it: SQLITE_IOERR is 10, SQLITE_CANTOPEN 14.
    private func failure(_ code: Int32) -> SQLError {
        SQLError(extendedCode: code, systemError: errno, reason: String(cString: strerror(errno)))
    }
}
