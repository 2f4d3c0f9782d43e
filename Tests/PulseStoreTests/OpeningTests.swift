import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseStore

@Suite(.timeLimit(.minutes(20))) struct OpeningTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }

    @Test func whatIsMadeIsTheReadersAlone() throws {
        let path = scratch.folder.file("data/pulse-digest/history.sqlite")
        let store = try Store(at: path, access: .readWrite)
        _ = try store.record([reading("a")])
        #expect(try mode(path) == 0o600)
        #expect(try mode(path + "-wal") == 0o600)
        #expect(try mode(path + "-shm") == 0o600)
        #expect(try mode(scratch.folder.file("data/pulse-digest")) == 0o700)
        #expect(try mode(scratch.folder.file("data")) == 0o700)
    }

    @Test func readingWhatIsNotThereMakesNothing() throws {
        #expect(scratch.failure(.readOnly).says(.noInput, "There is no reading history"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).isEmpty)
        let path = scratch.folder.file("no/such/folder/history.sqlite")
        #expect(failure { _ = try Store(at: path, access: .readOnly) }.says(.noInput, "no reading history"))
    }

    @Test func theStoreIsConfiguredAsPromised() throws {
        let store = try scratch.open()
        #expect(try store.connection.text("PRAGMA journal_mode") == "wal")
        #expect(try store.connection.integer("PRAGMA foreign_keys") == 1)
        #expect(try store.connection.integer("PRAGMA secure_delete") == 1)
        #expect(try store.connection.integer("PRAGMA cache_size") == -65_536)
        #expect(try store.connection.integer("PRAGMA wal_autocheckpoint") == 4000)
        #expect(try store.connection.integer("PRAGMA application_id") == Schema.applicationID)
        #expect(try store.connection.integer("PRAGMA user_version") == Int64(Schema.version))
    }

    @Test(arguments: ["Dear diary,\n" + String(repeating: "today I read. ", count: 500), "xy", "\u{0}\u{1}\u{2}"])
    func aFileThatIsNoDatabaseIsRefusedAndLeftAsItIs(text: String) throws {
        try scratch.folder.write(text, to: "history.sqlite")
        #expect(scratch.failure(.readWrite).says(.badData, "not an SQLite database"))
        #expect(scratch.failure(.readOnly).says(.badData, "not an SQLite database"))
        #expect(try String(contentsOfFile: scratch.path, encoding: .utf8) == text)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["history.sqlite"])
    }

    @Test(arguments: ["CREATE TABLE rss_item (id INTEGER)", "PRAGMA user_version = 3", "PRAGMA application_id = 7"])
    func anotherProgramsDatabaseIsRefusedAndLeftAsItIs(sql: String) throws {
        try Connection(path: scratch.path, access: .readWriteCreate).execute(sql)
        let before = try Data(contentsOf: URL(fileURLWithPath: scratch.path))
        #expect(scratch.failure(.readWrite).says(.badData, "another program's database"))
        #expect(scratch.failure(.readOnly).says(.badData, "another program's database"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path)) == before)
    }

    @Test func aFolderIsNoStore() throws {
        let path = scratch.folder.path
        #expect(failure { _ = try Store(at: path, access: .readWrite) }.says(.badData, "is a folder"))
        #expect(failure { _ = try Store(at: path, access: .readOnly) }.says(.badData, "is a folder"))
    }

    @Test(
        arguments: [
            ("a", nil), ("/", nil), ("/a", nil), ("", nil), ("a/b", "a"), ("/a/b", "/a"), ("a/b/", "a"), ("a//b", "a"),
            ("./é/b.sqlite", "./é"), ("../b", ".."),
        ] as [(String, String?)])
    func theFolderOfAPathIsWhatStandsBeforeItsName(path: String, parent: String?) {
        #expect(AtomicFile.parent(of: path) == parent)
    }

    @Test func anEmptyPathCannotBeMade() {
        #expect(failure { _ = try Store(at: "", access: .readWrite) }.says(.cannotWrite, "Cannot make"))
    }

    @Test func aPathThroughAFileCannotBeMade() throws {
        try scratch.folder.write("", to: "file")
        let path = scratch.folder.file("file/history.sqlite")
        #expect(failure { _ = try Store(at: path, access: .readWrite) }.says(.cannotWrite, "Cannot make"))
    }

    @Test(arguments: [0, Migrations.base - 1, Schema.version + 1])
    func anotherVersionsStoreIsRefused(version: Int) throws {
        _ = try scratch.open().record([reading("a")])
        try Connection(path: scratch.path, access: .readWrite).execute("PRAGMA user_version = \(version)")
        let isNewer = version > Schema.version
        #expect(scratch.failure(.readWrite).says(.badData, isNewer ? "a newer version" : "an older version"))
        #expect(scratch.failure(.readOnly).says(.badData, isNewer ? "Update this program" : "history export"))
    }

    @Test func whatWasOnlyBegunIsFinished() throws {
        // What a kill between the making of the file and of its tables leaves behind.
        try scratch.folder.write("", to: "history.sqlite")
        #expect(try scratch.open(.readOnly).list(limit: 1).isEmpty)
        #expect(try scratch.open().record([reading("a")]) == ImportCounts(added: 1))
    }

    @Test func aStoreLockedByAnotherIsBusy() throws {
        _ = try scratch.open()
        let other = try Connection(path: scratch.path, access: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let store = try scratch.open()
        #expect(failure { try store.record([reading("a")]) }.says(.tryAgain, "Another program"))
        #expect(failure { try store.clear() }.says(.tryAgain, "Another program"))
        #expect(try store.list(limit: 1).isEmpty)
        try other.execute("ROLLBACK")
        #expect(try store.record([reading("a")]) == ImportCounts(added: 1))
    }

    @Test func aFileLockedWholeIsBusy() throws {
        _ = try scratch.open()
        let other = try Connection(path: scratch.path, access: .readWrite)
        try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        #expect(scratch.failure(.readWrite).says(.tryAgain, "Another program"))
        #expect(scratch.failure(.readOnly).says(.tryAgain, "Another program"))
    }

    @Test func aFolderThatCannotBeWrittenIsAMatterOfPermission() throws {
        #expect(chmod(scratch.folder.path, 0o555) == 0)
        defer { chmod(scratch.folder.path, 0o700) }
        #expect(try asOrdinaryUser { scratch.failure(.readWrite) }.says(.permission, "Cannot make"))
    }

    @Test(
        arguments: [
            (0o777, 0o444, .readWrite, "cannot be written"), (0o755, 0o000, .readOnly, "permission to use the history"),
            (0o755, 0o000, .readWrite, "permission to use the history"),
            (0o555, 0o666, .readWrite, "permission to use the history"),
        ] as [(mode_t, mode_t, Store.Access, String)])
    func aStoreThatIsClosedIsAMatterOfPermission(
        folder: mode_t, file: mode_t, access: Store.Access, words: String
    ) throws {
        _ = try scratch.open().record([reading("a")])
        #expect(chmod(scratch.path, file) == 0 && chmod(scratch.folder.path, folder) == 0)
        defer { chmod(scratch.folder.path, 0o700) }
        #expect(try asOrdinaryUser { scratch.failure(access) }.says(.permission, words))
    }

    /// What was read while the store was read-only leaves them so.
    @Test func theFilesBesideTheStoreAreMadeWritableAgain() throws {
        _ = try scratch.open().record([reading("a")])
        for suffix in ["-wal", "-shm"] {
            try scratch.folder.write("", to: "history.sqlite" + suffix)
            #expect(chmod(scratch.path + suffix, 0o444) == 0)
        }
        let store = try scratch.open()
        #expect(try store.record([reading("b")]) == ImportCounts(added: 1))
        #expect(try mode(scratch.path + "-wal") == 0o600 && mode(scratch.path + "-shm") == 0o600)
    }

    @Test func everyErrorSaysWhatToDo() {
        for code: Int32 in [1, 3, 5, 7, 8, 10, 11, 13, 14, 18, 19, 21, 23, 26, 1544] {
            let error = PulseError(SQLError(extendedCode: code, reason: "reason"), historyAt: "/the/path")
            #expect(error.message.contains("/the/path"))
            #expect(error.description.hasSuffix("."))
            #expect(error.hint != nil || code == 18)
            #expect(error.cause?.contains("/the/path") == true)
        }
        func code(_ code: Int32, _ systemError: Int32) -> PulseError.Code {
            let error = SQLError(extendedCode: code, systemError: systemError, reason: "disk I/O error")
            return PulseError(error, historyAt: "p").code
        }
        #expect(code(778, ENOSPC) == .cannotWrite)
        #expect(code(14, EROFS) == .permission)
        #expect(code(21, 0) == .bug)
    }
}
