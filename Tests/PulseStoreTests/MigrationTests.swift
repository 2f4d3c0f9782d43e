import Foundation
import PulseCore
import PulseSQL
import Testing

@testable import PulseStore

@Suite(.timeLimit(.minutes(10))) struct MigrationTests {
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
        let later = Migration.all + [Migration(sql: "CREATE TABLE later (article INTEGER) STRICT")]
        let store = try scratch.open(access, migrations: later)
        #expect(try store.connection.integer("SELECT count(*) FROM later") == 0)
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

    /// A store as the first version wrote it: its articles are found, read and told as before, and there is room for
    /// what is made of them.
    @Test(arguments: [Store.Access.readWrite, .readOnly])
    func theFirstVersionsStoreKeepsItsHistory(access: Store.Access) throws {
        let expected = try scratch.makeFirstVersion()
        let store = try scratch.open(access)
        let isComplete = store.isComplete
        #expect(isComplete)
        #expect(try store.connection.integer("PRAGMA user_version") == Int64(Migration.all.count))
        #expect(try store.list(limit: 9) == expected)
        #expect(try store.search("bridge", limit: 9).map(\.article.id) == ["a"])
        #expect(try store.lastImport(from: "jsonl") == noon)
        #expect(try store.statistics().digests == 0)
        #expect(try store.latestDigest() == nil)
        let writer = try scratch.open()
        try writer.keep(.sample(), calendar: DigestArchiveTests.utc)
        #expect(try store.latestDigest() == .sample())
        #expect(try store.connection.text("PRAGMA integrity_check") == "ok")
    }

    /// The first step is on people's machines: whoever changes a letter of it makes stores that differ.
    @Test func theFirstStepIsWhatWasReleased() {
        #expect(
            ContentHash.of([Migration.all[0].sql])
                == "cc5111e86d80d24363105f3985dee2186e1314dd1ea3fa1cbb2078a48c7dc61e")
    }
}
