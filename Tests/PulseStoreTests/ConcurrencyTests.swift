import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Synchronization
import Testing

@testable import PulseStore

@Suite(.timeLimit(.minutes(20))) struct ConcurrencyTests {
    /// Runs the body on so many threads at once, and hands back what each came to.
    func onThreads<Result: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Result) throws
        -> [Result]
    {
        let results = Mutex<[Swift.Result<Result, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Swift.Result { try body(index) }
            results.withLock { $0.append(result) }
        }
        return try results.withLock { try $0.map { try $0.get() } }
    }

    @Test func twoImportsAtOnceLoseNothingAndDoubleNothing() throws {
        let scratch = try Scratch()
        let path = scratch.path
        let counts = try onThreads(2) { writer in
            let store = try Store(at: path, access: .readWrite, busyTimeout: .seconds(30))
            var counts = ImportCounts()
            for batch in 0..<20 {
                // Half are shared by both writers.
                counts += try store.record([
                    reading("shared-\(batch)", at: hoursAgo(Double(writer)), origin: "origin-\(writer)"),
                    reading("own-\(writer)-\(batch)"),
                ])
            }
            return counts
        }
        #expect(counts.map(\.total) == [40, 40])
        #expect(counts.reduce(0) { $0 + $1.added } == 60)
        let store = try scratch.open()
        #expect(try store.statistics().articles == 60)
        #expect(try store.connection.integer("SELECT count(*) FROM reads") == 80)
        #expect(try store.find("shared-7") == .one(reading("shared-7", at: hoursAgo(1), origin: "origin-1")))
        #expect(try store.connection.text("PRAGMA integrity_check") == "ok")
    }

    @Test func twoIndexWhileTwoImport() throws {
        let scratch = try Scratch()
        let path = scratch.path
        _ = try onThreads(4) { index in
            let store = try Store(at: path, access: .readWrite, busyTimeout: .seconds(30))
            for batch in 0..<10 {
                if index < 2 {
                    _ = try store.record((0..<60).map { reading("\(index)-\(batch)-\($0)") })
                } else {
                    try store.index()
                }
            }
        }
        let store = try scratch.open()
        #expect(try store.found("title", limit: 9999).count == 1200)
        #expect(store.indexIsSound() == true)
    }

    @Test func manyMayMakeTheStoreAtTheSameMoment() throws {
        for _ in 0..<10 {
            let scratch = try Scratch()
            let path = scratch.folder.file("new/folder/history.sqlite")
            let added = try onThreads(4) { index in
                try Store(at: path, access: .readWrite, busyTimeout: .seconds(30)).record([reading("id-\(index)")])
                    .added
            }
            #expect(added == [1, 1, 1, 1])
            #expect(try Store(at: path, access: .readOnly).statistics().articles == 4)
        }
    }

    @Test func aReaderIsNotHeldUpByAWriter() throws {
        let scratch = try Scratch()
        let writer = try scratch.open()
        _ = try writer.record([reading("before")])
        try writer.connection.execute("BEGIN IMMEDIATE")
        _ = try ArticleWriter(writer.connection).write(reading("half"))
        #expect(try scratch.open(.readOnly).list(limit: 9) == [reading("before")])
        try writer.connection.execute("COMMIT")
        #expect(try scratch.open(.readOnly).list(limit: 9).count == 2)
    }
}
