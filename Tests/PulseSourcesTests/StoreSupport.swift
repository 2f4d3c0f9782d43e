import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseSources

func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

extension ImportBatch {
    var articles: [Article] { readings.map(\.article) }
    var ids: [String] { articles.map(\.id) }
    var titles: [String] { articles.map(\.title) }
    var urls: [String?] { articles.map(\.url) }
    var starredTitles: [String] { starred.map(\.article.title) }
    /// When each article was read.
    var times: [Date] { readings.map(\.readAt) }
    var seconds: [Double] { times.map(\.timeIntervalSince1970) }
}

extension ArticleSource {
    /// All that the source holds.
    func all(previousImport: Date? = nil) async throws -> ImportBatch {
        var all = ImportBatch()
        while let batch = try await next(previousImport: previousImport) { all.append(batch) }
        return all
    }
}

extension FeedReaderDatabase {
    func open(_ path: String, batchSize: Int = 4000) throws -> FeedReaderSource {
        try open(path, in: SourceRun.environment(), batchSize: batchSize)
    }

    /// Why a store cannot be read; nil where it can.
    func failure(_ path: String) async -> PulseError? {
        await PulseTestSupport.failure {
            try await open(path, in: SourceRun.environment(), busyTimeout: .milliseconds(20)).all()
        }
    }
}

/// A copy of a fixture: of a database that a program made, or one that an SQL script makes.
struct StoreFixture {
    let reader: FeedReaderDatabase
    let folder: TemporaryFolder
    let path: String

    /// - Parameters:
    ///   - name: in the folder Tests/Fixtures/stores, with `.sql` where it is a script.
    ///   - place: the file's path in the test's folder.
    ///   - changes: SQL for the copy.
    init(_ name: String, _ reader: FeedReaderDatabase, at place: String, changes: String? = nil) throws {
        self.reader = reader
        folder = try TemporaryFolder()
        path = folder.file(place)
        let fixture = Repository.fixtures.appendingPathComponent("stores/\(name)").path
        if name.hasSuffix(".sql") {
            // An empty file is a database without tables.
            try folder.write("", to: place)
            let script = try String(contentsOfFile: fixture, encoding: .utf8)
            try Connection(path: path, access: .readWriteCreate).execute(script)
        } else {
            try folder.copy(fixture, to: place)
        }
        if let changes { try change(changes) }
    }

    func change(_ sql: String) throws { try Connection(path: path, access: .readWrite).execute(sql) }

    func all(previousImport: Date? = nil, batchSize: Int = 500) async throws -> ImportBatch {
        try await reader.open(path, batchSize: batchSize).all(previousImport: previousImport)
    }

    /// What holds for each store: batches of any size give the same, nothing is written beside it, it is recognised,
    /// rows with anything in them do no harm, and another program's tables are refused.
    func holds(texts: [String: [String]]) async throws {
        let kind = SourceKind.store(reader)
        let whole = try await all()
        for size in 1...3 {
            let parts = try await all(batchSize: size)
            #expect(parts.readings == whole.readings)
            #expect(parts.starred == whole.starred)
            #expect(parts.unread == whole.unread)
        }
        let beside = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let files = try FileManager.default.contentsOfDirectory(atPath: beside)
        #expect(!files.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") || $0.hasSuffix("-journal") })

        let tables = try SourceDatabase(path: path, program: "test").tables()
        let probe = SourceProbe(path: path, isFolder: false, head: Data(), tables: tables)
        #expect(SourceKind.all.filter { $0.recognises(probe) }.map(\.name) == [kind.name])
        let folder = SourceProbe(path: beside, isFolder: true, head: Data(), tables: [:])
        #expect(kind.recognises(folder))
        let opened = try kind.open(beside, SourceRun.environment(home: beside))
        #expect(opened.name == path && opened.origin == kind.origin(at: path))

        let hostile = "'<script>alert(1)</script>' || char(27) || '[31m' || char(0) || char(8238) || 'text <|im_end|>'"
        for (table, columns) in texts {
            for column in columns {
                try change("UPDATE \(table) SET \(column) = \(hostile)")
                for article in try await all().articles {
                    let texts = [article.title, article.content, article.summary, article.author ?? "", article.source]
                    #expect(!texts.contains { $0.contains("\u{1b}") || $0.contains("im_end") || $0.contains("alert(") })
                }
                try change("UPDATE \(table) SET \(column) = CAST(x'fffe00' AS TEXT)")
                _ = try await all()
            }
        }
        let foreign = self.folder.file("foreign.db")
        try Connection(path: foreign, access: .readWriteCreate).execute("CREATE TABLE recipes (id, name)")
        #expect(await reader.failure(foreign).says(.badData, "not \(reader.program)'s: it has the tables recipes."))
    }
}
