import Foundation
import PulseCore
import PulseSQL
import PulseTestSupport
import Testing

@testable import PulseStore

@Suite(.timeLimit(.minutes(10))) struct OpeningTests {
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
        #expect(scratch.failure(.readOnly) == .missing)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).isEmpty)
        let path = scratch.folder.file("no/such/folder/history.sqlite")
        #expect(failure { () throws(StoreError) in _ = try Store(at: path, access: .readOnly) } == .missing)
    }

    @Test func theStoreIsConfiguredAsPromised() throws {
        let store = try scratch.open()
        #expect(try store.connection.text("PRAGMA journal_mode") == "wal")
        #expect(try store.connection.integer("PRAGMA foreign_keys") == 1)
        #expect(try store.connection.integer("PRAGMA secure_delete") == 1)
        #expect(try store.connection.integer("PRAGMA cache_size") == -65_536)
        #expect(try store.connection.integer("PRAGMA wal_autocheckpoint") == 4000)
        #expect(try store.connection.integer("PRAGMA application_id") == Schema.applicationID)
        #expect(try store.connection.integer("PRAGMA user_version") == Int64(Migration.all.count))
    }

    @Test(
        "A file that is no database is refused and left as it is",
        arguments: [
            "Dear diary,\n" + String(repeating: "today I read. ", count: 500), "xy", "\u{0}\u{1}\u{2}",
        ])
    func notADatabase(text: String) throws {
        try scratch.folder.write(text, to: "history.sqlite")
        #expect(scratch.failure(.readWrite) == .notAStore)
        #expect(scratch.failure(.readOnly) == .notAStore)
        #expect(try String(contentsOfFile: scratch.path, encoding: .utf8) == text)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["history.sqlite"])
    }

    @Test(
        "Another program's database is refused and left as it is",
        arguments: [
            "CREATE TABLE rss_item (id INTEGER)", "PRAGMA user_version = 3", "PRAGMA application_id = 7",
        ])
    func foreign(sql: String) throws {
        try Connection(path: scratch.path, access: .readWriteCreate).execute(sql)
        let before = try Data(contentsOf: URL(fileURLWithPath: scratch.path))
        #expect(scratch.failure(.readWrite) == .notAStore)
        #expect(scratch.failure(.readOnly) == .notAStore)
        #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path)) == before)
    }

    @Test func aFolderIsNoStore() throws {
        let path = scratch.folder.path
        #expect(failure { () throws(StoreError) in _ = try Store(at: path, access: .readWrite) } == .notAStore)
        #expect(failure { () throws(StoreError) in _ = try Store(at: path, access: .readOnly) } == .notAStore)
    }

    @Test(
        "The folder of a path",
        arguments: [
            ("a", nil), ("/", nil), ("/a", nil), ("", nil), ("a/b", "a"), ("/a/b", "/a"), ("a/b/", "a"), ("a//b", "a"),
            ("./é/b.sqlite", "./é"), ("../b", ".."),
        ] as [(String, String?)])
    func parents(path: String, parent: String?) {
        #expect(StoreFile.parent(of: path) == parent)
    }

    @Test func anEmptyPathCannotBeMade() {
        #expect(failure { () throws(StoreError) in _ = try Store(at: "", access: .readWrite) } == .cannotOpen)
    }

    @Test func aPathThroughAFileCannotBeMade() throws {
        try scratch.folder.write("", to: "file")
        let path = scratch.folder.file("file/history.sqlite")
        #expect(failure { () throws(StoreError) in _ = try Store(at: path, access: .readWrite) } == .cannotOpen)
    }

    @Test func aNewerStoreIsRefused() throws {
        _ = try scratch.open().record([reading("a")])
        try Connection(path: scratch.path, access: .readWrite).execute("PRAGMA user_version = 99")
        #expect(scratch.failure(.readWrite) == .newer)
        #expect(scratch.failure(.readOnly) == .newer)
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
        #expect(failure { () throws(StoreError) in try store.record([reading("a")]) } == .busy)
        #expect(failure { () throws(StoreError) in try store.clear() } == .busy)
        #expect(try store.list(limit: 1).isEmpty)
        try other.execute("ROLLBACK")
        #expect(try store.record([reading("a")]) == ImportCounts(added: 1))
    }

    @Test func aFileLockedWholeIsBusy() throws {
        _ = try scratch.open()
        let other = try Connection(path: scratch.path, access: .readWrite)
        try other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        #expect(scratch.failure(.readWrite) == .busy)
        #expect(scratch.failure(.readOnly) == .busy)
    }

    @Test func aFileThatCannotBeWrittenIsReadOnly() throws {
        _ = try scratch.open().record([reading("a")])
        #expect(chmod(scratch.folder.path, 0o777) == 0)
        #expect(chmod(scratch.path, 0o444) == 0)
        #expect(try asOrdinaryUser { scratch.failure(.readWrite) } == .readOnly)
    }

    @Test func aFolderThatCannotBeWrittenIsAMatterOfPermission() throws {
        #expect(chmod(scratch.folder.path, 0o555) == 0)
        defer { chmod(scratch.folder.path, 0o700) }
        #expect(try asOrdinaryUser { scratch.failure(.readWrite) } == .permission)
    }

    @Test func aFileClosedToTheUserIsAMatterOfPermission() throws {
        _ = try scratch.open().record([reading("a")])
        #expect(chmod(scratch.folder.path, 0o755) == 0)
        #expect(chmod(scratch.path, 0o000) == 0)
        #expect(try asOrdinaryUser { scratch.failure(.readOnly) } == .permission)
        #expect(try asOrdinaryUser { scratch.failure(.readWrite) } == .permission)
    }

    @Test func aWritableStoreInAClosedFolderIsAMatterOfPermission() throws {
        _ = try scratch.open().record([reading("a")])
        #expect(chmod(scratch.path, 0o666) == 0)
        #expect(chmod(scratch.folder.path, 0o555) == 0)
        defer { chmod(scratch.folder.path, 0o700) }
        #expect(try asOrdinaryUser { scratch.failure(.readWrite) } == .permission)
    }

    @Test func everyErrorSaysWhatToDo() {
        for code: Int32 in [1, 3, 5, 8, 10, 11, 13, 14, 18, 23, 26, 1544] {
            let error = StoreError(SQLError(extendedCode: code, reason: "reason"), path: "/the/path")
            #expect(error.message.contains("/the/path"))
            #expect(error.message.hasSuffix("."))
            #expect(error.description == error.message)
        }
        let full = SQLError(extendedCode: 778, systemError: ENOSPC, reason: "disk I/O error")
        #expect(StoreError(full, path: "p").code == .full)
        let readOnlySystem = SQLError(extendedCode: 14, systemError: EROFS, reason: "unable to open database file")
        #expect(StoreError(readOnlySystem, path: "p").code == .readOnly)
    }
}
