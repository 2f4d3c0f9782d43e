import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseSources

/// How other programs' databases are opened while those programs run, and what is left of it: nothing.
@Suite(.timeLimit(.minutes(20))) struct SourceDatabaseTests {
    let folder: TemporaryFolder
    let path: String
    /// The store's user version, by which a copy of it is told from those of tests beside.
    private let mark = UInt32.random(in: 1...UInt32(Int32.max))

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("store.db")
    }

    /// The other program, with a table of one row.
    private func program(_ sql: String = "") throws -> Connection {
        let program = try Connection(path: path, access: .readWriteCreate)
        try program.execute(
            "\(sql); PRAGMA user_version = \(mark); CREATE TABLE notes (Title TEXT); INSERT INTO notes VALUES ('first')"
        )
        return program
    }

    private func open(_ wait: Duration = .milliseconds(20)) throws -> SourceDatabase {
        try SourceDatabase(path: path, program: "Notes", busyTimeout: wait)
    }

    private func titles() throws -> [String?] {
        try open().rows("SELECT title FROM notes ORDER BY rowid") { $0.text(0) }
    }

    private var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private var copies: Set<String> {
        get throws {
            let folder = FileManager.default.temporaryDirectory
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return Set(
                names.filter { name in
                    let copy = FileHandle(forReadingAtPath: folder.appendingPathComponent("\(name)/copy.db").path)
                    // The user version stands in bytes 60 to 63: https://www.sqlite.org/fileformat.html
                    return (try? copy?.read(upToCount: 64))?.suffix(4).elementsEqual(
                        withUnsafeBytes(of: mark.bigEndian, Array.init)) == true
                })
        }
    }

    @Test func rowsThatAreOnlyInTheLogOfARunningProgramAreSeen() throws {
        let program = try program("PRAGMA journal_mode = WAL")
        try program.execute("INSERT INTO notes VALUES ('second')")
        let before = try files
        #expect(before == ["store.db", "store.db-shm", "store.db-wal"])
        let source = try open()
        #expect(try source.rows("SELECT title FROM notes") { $0.text(0) } == ["first", "second"])
        // It may go on writing.
        try program.execute("INSERT INTO notes VALUES ('third')")
        #expect(try source.rows("SELECT title FROM notes") { $0.text(0) }.count == 3)
        #expect(try files == before)
    }

    @Test func nothingStaysBesideAStoreWithALogWhoseProgramIsClosed() throws {
        _ = try program("PRAGMA journal_mode = WAL")
        #expect(try files == ["store.db"])
        #expect(try titles() == ["first"])
        #expect(try files == ["store.db"])
    }

    @Test func aLogWithoutItsSharedMemoryIsRead() throws {
        let program = try program("PRAGMA journal_mode = WAL")
        let copy = try TemporaryFolder()
        for name in ["store.db", "store.db-wal"] { try copy.copy(folder.file(name), to: name) }
        let source = try SourceDatabase(path: copy.file("store.db"), program: "Notes")
        #expect(try source.rows("SELECT title FROM notes") { $0.text(0) } == ["first"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: copy.path).sorted() == ["store.db", "store.db-wal"])
        try program.execute("SELECT 1")
    }

    /// As Firefox has it, with a log, and with the lock for as long as it runs; as Chromium has it; and half written,
    /// because a cache this small is spilled into the file before the end of the transaction.
    @Test(arguments: [
        (
            "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL", "INSERT INTO notes VALUES ('second')",
            "store.db-wal", ["first", "second"]
        ),
        (
            "PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE; INSERT INTO notes VALUES ('not yet')", "store.db",
            ["first"]
        ),
        (
            "",
            """
            PRAGMA cache_size = 1; BEGIN;
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            INSERT INTO notes SELECT 'filler ' || i FROM n
            """, "store.db-journal", ["first"]
        ),
    ])
    func aLockedStoreIsReadAsItWasWritten(mode: String, change: String, file: String, rows: [String]) throws {
        let program = try program(mode)
        try program.execute(change)
        let before = try files
        #expect(before.contains(file))
        #expect(try titles() == rows)
        #expect(try files == before)
        try program.execute("SELECT 1")
    }

    @Test func theCopyIsPrivateAndGoesAway() throws {
        _ = try program("PRAGMA journal_mode = WAL")
        let before = try copies
        do {
            let source = try open()
            let copy = try #require(try copies.subtracting(before).first)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(copy).path
            let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
            #expect(mode == 0o700)
            #expect(try source.tables() == ["notes": ["title"]])
        }
        #expect(try copies.isSubset(of: before))
    }

    @Test func theCopyGoesAwayWhenItCannotBeRead() throws {
        _ = try program("PRAGMA journal_mode = WAL")
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        try handle.seek(toOffset: 100)
        try handle.write(contentsOf: Data(repeating: 0xa5, count: 3000))
        try handle.close()
        let before = try copies
        #expect(throws: PulseError.self) { try titles() }
        #expect(try copies.isSubset(of: before))
    }

    @Test func aFolderThatIsClosedToWritingServes() throws {
        _ = try program("PRAGMA journal_mode = WAL")
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path) }
        #expect(try titles() == ["first"])
        #expect(try files == ["store.db"])
    }

    @Test func aForeignStoreIsNamedByItsTables() throws {
        let program = try program("CREATE TABLE zebra (a); CREATE TABLE \"a\u{1b}[1m\" (b)")
        try program.execute("SELECT 1")
        let source = try open()
        let error = try source.foreign(source.tables().keys)
        #expect(error.code == .badData)
        #expect(
            error.description
                == "\(path) is a database, but not Notes's: it has the tables a, notes, zebra. Check the path.")
    }
}
