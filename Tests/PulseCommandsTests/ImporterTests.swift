import Foundation
import PulseCore
import PulseStore
import PulseTestSupport
import Testing

@testable import PulseCommands
@testable import PulseSources

/// A program with a row for each batch.
private final class RowSource: ArticleSource {
    let origin = "rows"
    let name = "rows"
    /// Called before the second batch.
    let meanwhile: () throws -> Void
    private var row: Int64 = 0

    init(_ meanwhile: @escaping () throws -> Void) { self.meanwhile = meanwhile }

    func next(previousImport: Date?) throws(PulseError) -> ImportBatch? {
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

    private func context() -> Context {
        var settings = Settings()
        settings.storePath = folder.file("history.sqlite")
        settings.isQuiet = true
        let environment = ["HOME": folder.path]
        return Context(
            settings: settings, operands: [], locations: Locations(environment: environment, executable: "/p"),
            console: Console(environment: environment), environment: environment,
            now: Date(timeIntervalSince1970: 1_795_298_400), timeZone: .gmt)
    }

    /// What the next import passes over is in the history.
    @Test(arguments: [false, true])
    func whatIsDeletedDuringAnImportComesWithTheNext(isWhole: Bool) async throws {
        let context = context()
        let source = RowSource {
            let store = try context.store(.readWrite)
            if isWhole { _ = try store.clear() } else { #expect(try store.remove("a1", at: context.now)) }
        }
        try await Importer(context: context).run(source, of: nil)
        #expect(try context.store(.readWrite).rows(from: "rows") == [2: 2])
    }
}
