import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseStore

/// What an import that fails in its middle leaves behind: everything before it, and nothing of itself.
@Suite(.timeLimit(.minutes(20))) final class FailureTests: StoreSuite {
    @Test func aFullDiskKeepsWhatWasThere() throws {
        _ = try store.record([reading("before")])
        let pages = try #require(try store.connection.integer("PRAGMA page_count"))
        try store.connection.execute("PRAGMA max_page_count = \(pages + 10)")
        let large = reading(article("large", content: String(repeating: "many words ", count: 100_000)))
        #expect(failure { try store.record([reading("small"), large]) }.says(.cannotWrite, "is full"))
        #expect(try store.list(limit: 9) == [reading("before")])
        // Room again, and the same connection goes on.
        try store.connection.execute("PRAGMA max_page_count = 1000000")
        #expect(try store.record([reading("small"), large]) == ImportCounts(added: 2))
    }

    @Test func aConnectionAbandonedInTheMiddleLeavesNothing() throws {
        _ = try scratch.open().record([reading("before")])
        do {
            let store = try scratch.open()
            try store.connection.execute("BEGIN IMMEDIATE")
            let writer = try ArticleWriter(store.connection)
            #expect(try writer.write(reading("half")) == .added)
            #expect(try store.list(limit: 9).count == 2)
        }
        #expect(try store.list(limit: 9) == [reading("before")])
        #expect(try store.found("half", limit: 9).isEmpty)
    }

    /// The files as kill -9 leaves them: copied while a transaction has already spilled pages into the -wal file.
    @Test func aKillInTheMiddleLeavesNothing() throws {
        _ = try store.record([reading("before")])
        try store.connection.execute("PRAGMA cache_size = 5; BEGIN IMMEDIATE")
        let writer = try ArticleWriter(store.connection)
        let text = String(repeating: "words that fill pages ", count: 5000)
        for index in 0..<20 { _ = try writer.write(reading(article("half-\(index)", content: "\(index) " + text))) }
        let killed = try Scratch()
        for name in ["history.sqlite", "history.sqlite-wal"] {
            try killed.folder.copy(scratch.folder.file(name), to: name)
        }
        let spilled = try Data(contentsOf: URL(fileURLWithPath: killed.path + "-wal")).count
        #expect(spilled > 1_000_000, "nothing was spilled, so nothing is tested")

        let survivor = try killed.open()
        #expect(try survivor.list(limit: 9) == [reading("before")])
        #expect(try survivor.found("words", limit: 9).isEmpty)
        #expect(try survivor.connection.text("PRAGMA integrity_check") == "ok")
        #expect(try survivor.record([reading("after")]) == ImportCounts(added: 1))
    }
}
