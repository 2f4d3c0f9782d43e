import Foundation
import PulseCore
import PulseStore
import PulseTestSupport
import Testing

@testable import PulseApp
@testable import PulseSources

/// A program with a row for each batch.
private final class RowSource: ArticleSource {
    let origin = "rows"
    let name = "rows"
    /// Called before the second batch.
    let meanwhile: () throws -> Void
    private var row: Int64 = 0

    init(_ meanwhile: @escaping () throws -> Void) { self.meanwhile = meanwhile }

    func next(previousImport: Date?) throws -> ImportBatch? {
        row += 1
        if row == 3 { return nil }
        if row == 2 { #expect(throws: Never.self) { try meanwhile() } }
        var batch = ImportBatch()
        batch.readings = [
            Reading(article: Article(id: "a\(row)", title: "One"), readAt: .distantPast, origin: origin, isExact: true)
        ]
        batch.rows = [row: row]
        return batch
    }
}

@Suite(.timeLimit(.minutes(20))) struct ImporterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What the next import passes over is in the history.
    @Test(arguments: [false, true])
    func whatIsDeletedDuringAnImportComesWithTheNext(isWhole: Bool) async throws {
        let app = AppEnvironment(home: folder)
        let source = RowSource {
            let store = try app.history.open(.readWrite)
            if isWhole { _ = try store.clear() } else { #expect(try store.remove("a1", at: app.now)) }
        }
        try await Importer(in: app, reporter: .silent).run(source, of: nil)
        #expect(try app.history.open(.readWrite).rows(from: "rows") == [2: 2])
    }
}
