import Foundation
import PulseCore
import PulseSQL
import Testing

@testable import PulseStore

@Suite struct MigrationTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    func schema(_ store: borrowing Store) throws -> [String] {
        var schema: [String] = []
        try store.connection.query("SELECT name, sql FROM sqlite_schema ORDER BY name") { row throws(SQLError) in
            schema.append((row.text(0) ?? "") + ": " + (row.text(1) ?? ""))
        }
        return schema
    }

    @Test("Every earlier version becomes today's", arguments: 0...Migration.all.count)
    func upgrade(version: Int) throws {
        let old = try scratch.open(migrations: Array(Migration.all.prefix(version)))
        #expect(try old.connection.integer("PRAGMA user_version") == Int64(version))
        let fresh = try Scratch()
        let new = try scratch.open()
        #expect(try schema(new) == schema(fresh.open()))
        #expect(try new.record([reading("a")]) == ImportCounts(added: 1))
    }

    /// The steps to come, which today's list cannot show: data is kept, and reading alone upgrades too.
    @Test(arguments: [Store.Access.readWrite, .readOnly])
    func aLaterStepKeepsTheData(access: Store.Access) throws {
        _ = try scratch.open().record([reading("a")])
        let later = Migration.all + [Migration(sql: "CREATE TABLE summaries (article INTEGER) STRICT")]
        let store = try scratch.open(access, migrations: later)
        #expect(try store.connection.integer("SELECT count(*) FROM summaries") == 0)
        #expect(try store.list(limit: 9) == [reading("a")])
        #expect(scratch.failure() == .newer)
    }

    @Test func aStepThatFailsIsNotTakenByHalf() throws {
        _ = try scratch.open().record([reading("a")])
        let broken = Migration.all + [Migration(sql: "CREATE TABLE one (a); CREATE TABLE one (a);")]
        #expect(scratch.failure(migrations: broken) == .bug)
        let store = try scratch.open()
        #expect(try store.connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'one'") == 0)
        #expect(try store.list(limit: 9) == [reading("a")])
    }
}
