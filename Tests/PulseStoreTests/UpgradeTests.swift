import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseStore

/// Stores that earlier programs made, in this one. Each folder of fixtures is named by its schema.
@Suite(.timeLimit(.minutes(20))) struct UpgradeTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    static let schemas = (Migrations.base..<Schema.version).filter { FileManager.default.fileExists(atPath: file($0)) }

    static func file(_ schema: Int) -> String {
        Repository.fixtures.appendingPathComponent("upgrades/schema-\(schema)/history.sqlite").path
    }

    func take(_ schema: Int) throws {
        try FileManager.default.copyItem(atPath: Self.file(schema), toPath: scratch.path)
    }

    /// The statements that make a database, in an order of their own.
    func schema(of path: String) throws -> String {
        let connection = try Connection(path: path, access: .readOnly)
        var text = "-- \(try connection.integer("PRAGMA user_version") ?? 0)\n"
        try connection.query("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name") {
            row in
            text += (row.text(0) ?? "") + ";\n"
        }
        return text
    }

    /// The same of what a release left. SQLite puts files beside a database that it reads, and so it reads a copy.
    func schema(left schema: Int) throws -> String {
        let copy = scratch.path + ".left"
        try FileManager.default.copyItem(atPath: Self.file(schema), toPath: copy)
        return try self.schema(of: copy)
    }

    @Test func theFirstSchemaIsNeverEdited() throws {
        let connection = try Connection(path: scratch.path, access: .readWriteCreate)
        try connection.execute(Schema.tables + "; PRAGMA user_version = \(Migrations.base)")
        #expect(try schema(of: scratch.path) == schema(left: Migrations.base))
    }

    @Test func theSchemaChangesByMigrationsAlone() throws {
        _ = try scratch.open()
        let schema = try schema(of: scratch.path)
        #expect(try schema == Golden.text("schema.sql", actual: schema))
    }

    @Test(arguments: schemas) func anEarlierStoreIsUpgraded(from earlier: Int) throws {
        try take(earlier)
        #expect(try scratch.open(.readOnly).list(limit: 99).count == 11)
        #expect(try schema(of: scratch.path) == Golden.text("schema.sql", actual: schema(of: scratch.path)))
        let upgraded = try Connection(path: scratch.path, access: .readOnly)
        #expect(try upgraded.integer("SELECT count(*) FROM pragma_foreign_key_check") == 0)
        #expect(try upgraded.text("PRAGMA integrity_check") == "ok")
        #expect(try upgraded.text("SELECT program FROM upgrades ORDER BY schema DESC") == Release.version)

        let copy = "\(scratch.path).v\(earlier).bak"
        #expect(try schema(of: copy) == schema(left: earlier))
        #expect(try Connection(path: copy, access: .readOnly).integer("SELECT count(*) FROM articles") == 11)
        let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    /// A copy has what was still in the -wal file, and takes the place of an earlier one.
    @Test func oneCopyIsKept() throws {
        try take(Migrations.base)
        try scratch.folder.write("", to: "history.sqlite.v3.bak")
        try scratch.folder.write("half", to: "history.sqlite.v\(Migrations.base).bak.new")
        try scratch.folder.write("", to: "other.sqlite.v3.bak")
        let late = try Connection(path: scratch.path, access: .readWrite)
        try late.execute("PRAGMA journal_mode = WAL; INSERT INTO imports VALUES ('late', 1, 1)")
        #expect(try scratch.open().list(limit: 99).count == 11)
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
        #expect(Set(files.filter { $0.contains(".bak") }) == ["history.sqlite.v8.bak", "other.sqlite.v3.bak"])
        let copy = try Connection(path: scratch.path + ".v8.bak", access: .readOnly)
        #expect(try copy.integer("SELECT count(*) FROM imports WHERE origin = 'late'") == 1)
    }

    @Test func whatIsDeletedIsInNoCopy() throws {
        try take(Migrations.base)
        let copy = scratch.path + ".v\(Migrations.base).bak"
        let store = try scratch.open()
        #expect(FileManager.default.fileExists(atPath: copy))
        let article = try #require(store.list(limit: 1).first?.article.id)
        #expect(try store.remove(article, at: noon))
        #expect(!FileManager.default.fileExists(atPath: copy))
        try scratch.folder.write("", to: "history.sqlite.v\(Migrations.base).bak")
        #expect(try store.clear() == 10)
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func aLaterStoreIsRefusedWithTheProgramThatWroteIt() throws {
        try take(Migrations.base)
        _ = try scratch.open()
        let later = Schema.version + 1
        try Connection(path: scratch.path, access: .readWrite).execute(
            "PRAGMA user_version = \(later); INSERT INTO upgrades VALUES (\(later), '7.1')")
        #expect(scratch.failure().says(.badData, "was written by pulse-digest 7.1 (schema \(later), this program"))
        #expect(scratch.failure(.readOnly).says(.badData, "--store \(scratch.path).v\(Migrations.base).bak"))
    }

    /// Each waits for the one that upgrades, and finds it done.
    @Test func severalOpenAnEarlierStoreAtOnce() async throws {
        try take(Migrations.base)
        let path = scratch.path
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<8 {
                group.addTask {
                    let access = index % 2 == 0 ? Store.Access.readOnly : .readWrite
                    return try Store(at: path, access: access, busyTimeout: .seconds(60)).list(limit: 99).count
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 11, count: 8))
    }
}
