import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseStore

/// A file that says it is a store and is not whole: whatever is asked of it, the user is told so, and never that the
/// program is at fault.
@Suite(.timeLimit(.minutes(20))) struct DamageTests {
    let scratch: Scratch

    /// A store with something in each of its tables, all of it in the one file.
    init() throws {
        scratch = try Scratch()
        let store = try scratch.open()
        _ = try store.record(
            (0..<60).map {
                reading(
                    article("id-\($0)", url: "https://x.example/\($0 % 50)", content: "some text for \($0)"),
                    at: hoursAgo(Double($0)), isExact: $0 < 50)
            })
        try store.index()
        try store.noteImport(from: "jsonl", at: noon)
        try store.keep(.sample(), calendar: DigestArchiveTests.utc)
        try store.keep(CachedAnswerTests.answer, for: CachedAnswerTests.key(), at: noon)
        // Without free pages, which may hold anything.
        try store.connection.execute("VACUUM")
        _ = try store.connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// What goes wrong when everything is asked of the store that a command may ask.
    private func failures() -> [PulseError] {
        let utc = DigestArchiveTests.utc
        let answer = CachedAnswerTests.answer
        return [
            failure { try scratch.open().readings(in: Period(from: .distantPast, to: .distantFuture)) },
            failure { try scratch.open().count(category: Category("world")) },
            failure { try scratch.open().search("text", limit: 99) },
            failure { try scratch.open().find("nothing of this name") },
            failure { try scratch.open().find("https://x.example/7") },
            failure { try scratch.open(.readOnly).statistics() },
            failure { try scratch.open().lastImport(from: "jsonl") },
            failure { try scratch.open().latestPrinted() },
            failure { try scratch.open().answer(for: CachedAnswerTests.key()) },
            failure { try scratch.open().record([reading("id-3", at: hoursAgo(99)), reading("new")]) },
            failure { try scratch.open().noteImport(from: "jsonl", at: noon) },
            failure { try scratch.open().keep(.sample(text: "New."), calendar: utc) },
            failure { try scratch.open().keep(answer, for: CachedAnswerTests.key(model: "new"), at: noon) },
            failure { try scratch.open().clear() },
        ].compactMap(\.self)
    }

    private func expectDamage(_ how: String) {
        let failures = failures()
        #expect(!failures.isEmpty, "\(how)")
        for failure in failures {
            #expect(
                failure.code == .badData
                    && (failure.message.hasSuffix("is damaged.") || failure.message.contains("not an SQLite database")),
                "\(how): \(failure)")
        }
    }

    private func overwrite(_ range: Range<Int>, with byte: UInt8) throws {
        let handle = try #require(FileHandle(forUpdatingAtPath: scratch.path))
        try handle.seek(toOffset: UInt64(range.lowerBound))
        try handle.write(contentsOf: Data(repeating: byte, count: range.count))
        try handle.close()
    }

    private func size() throws -> Int { try Data(contentsOf: URL(fileURLWithPath: scratch.path)).count }

    @Test(arguments: [100, 1000, 4096, 10_000, 100_000]) func aFileThatWasCutShort(size: Int) throws {
        try #require(try self.size() > size)
        #expect(truncate(scratch.path, off_t(size)) == 0)
        expectDamage("cut at \(size)")
    }

    @Test func aPageOfZeros() throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: scratch.path))
        for page in 0..<whole.count / 4096 {
            for file in try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) {
                try FileManager.default.removeItem(atPath: scratch.folder.file(file))
            }
            try whole.write(to: URL(fileURLWithPath: scratch.path))
            try overwrite(page * 4096..<(page + 1) * 4096, with: 0)
            expectDamage("page \(page)")
        }
    }

    @Test func everythingBehindTheFirstPage() throws {
        try overwrite(4096..<size(), with: 0xa5)
        expectDamage("all but one page")
    }

    @Test func aFirstPageThatHasOnlyItsHeader() throws {
        try overwrite(100..<4096, with: 0xa5)
        expectDamage("the rest of the first page")
    }

    @Test(arguments: [
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'nonsense' WHERE name = 'articles'",
        "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema",
        "DROP TABLE articles", "DROP TABLE aliases", "DROP TABLE reads", "DROP TABLE words", "DROP TABLE imports",
        "DROP TABLE digests", "DROP TABLE answers", "ALTER TABLE articles RENAME COLUMN author TO writer",
        "DELETE FROM words_data", "UPDATE words_config SET v = 99", "DROP TABLE words_docsize",
    ])
    func anotherSchema(sql: String) throws {
        try Connection(path: scratch.path, access: .readWrite).execute(sql)
        expectDamage(sql)
    }
}
