import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseStore

@Suite(.timeLimit(.minutes(20))) final class ClearTests: StoreSuite {
    @Test func nothingIsLeftInTheFiles() throws {
        let secret = "xyzzysecret"
        let text = String(repeating: "\(secret) and more. ", count: 2000)
        _ = try store.record((0..<20).map { reading(article("\(secret)-\($0)", title: secret, content: text)) })
        try store.noteImport(from: secret, at: noon)
        // Once through the checkpoint, so that the file itself holds the texts.
        _ = try store.connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
        _ = try store.record([reading(article("late", content: text))])
        #expect(try scratch.holds(secret))

        #expect(try store.clear() == 21)

        #expect(try !scratch.holds(secret))
        #expect(try store.list(limit: 9).isEmpty && store.found(secret, limit: 9).isEmpty)
        #expect(try store.lastImport(from: secret) == nil)
        #expect(try store.statistics().articles == 0)
        #expect(try store.connection.integer("PRAGMA user_version") == Int64(Schema.version))
        #expect(try store.record([reading("again")]) == ImportCounts(added: 1))
        #expect(try store.found("again", limit: 9).count == 1)
        #expect(store.indexIsSound() == true)
    }

    @Test func aReaderThatHoldsOldPagesIsNamed() throws {
        _ = try store.record([reading("a")])
        let reader = try Connection(path: scratch.path, access: .readOnly)
        try reader.execute("BEGIN; SELECT count(*) FROM articles")
        #expect(failure { try store.clear() }.says(.tryAgain, "keeps its old pages"))
        #expect(try store.list(limit: 9).isEmpty)
        try reader.execute("COMMIT")
        #expect(try store.clear() == 0)
    }
}
