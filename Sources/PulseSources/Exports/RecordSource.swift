import Foundation
import PulseCore
import PulseMarkup

/// Reads a file record by record. A record is at most one article.
protocol RecordReader: AnyObject {
    associatedtype Record

    var name: String { get }
    /// The number of bytes of the records so far.
    var bytes: Int { get }
    /// Nil at the end.
    func next() throws(PulseError) -> Record?
}

/// A source of files whose records become articles.
final class RecordSource<Reader: RecordReader>: ArticleSource {
    let origin: String
    let name: String

    /// The unread files, the next one last.
    private var waiting: [ExportFiles.File]
    private var reader: Reader?
    private let open: (ByteStream) throws(PulseError) -> Reader
    private let add: (Reader.Record, Date?, inout ImportBatch) throws(PulseError) -> Void
    private var failure: PulseError?
    /// How many articles were read in each second; see `ImportBatch.markBulk`.
    private var seconds: [Int: Int] = [:]

    /// A batch ends at this number of bytes or records, whichever comes first.
    private static var most: (bytes: Int, records: Int) { (4 << 20, 500) }

    /// - Parameters:
    ///   - pattern: what the files are called; see `ExportFiles.called`.
    ///   - contents: what they hold, for errors, such as `articles of Omnivore`.
    ///   - open: opens a reader of a file.
    ///   - add: adds a record to a batch; its second argument is the `previousImport` of `next`.
    init(
        origin: String, files: ExportFiles, called pattern: String, holding contents: Message,
        open: @escaping (ByteStream) throws(PulseError) -> Reader,
        add: @escaping (Reader.Record, Date?, inout ImportBatch) throws(PulseError) -> Void
    ) throws(PulseError) {
        self.origin = origin
        name = files.name
        self.open = open
        self.add = add
        waiting = try files.called(pattern, holding: contents).reversed()
        // Opened at once, so that a wrong file is refused before anything is imported.
        reader = try nextFile()
    }

    private func nextFile() throws(PulseError) -> Reader? {
        guard let file = waiting.popLast() else { return nil }
        return try open(try file.open())
    }

    func next(previousImport: Date?) throws(PulseError) -> ImportBatch? {
        if let failure { throw failure }
        var batch = ImportBatch()
        var records = 0
        var bytes = 0
        do throws(PulseError) {
            while records < Self.most.records, bytes < Self.most.bytes {
                if reader == nil { reader = try nextFile() }
                guard let reader else { break }
                let before = reader.bytes
                guard let record = try reader.next() else {
                    self.reader = nil
                    continue
                }
                bytes += reader.bytes - before
                records += 1
                try add(record, previousImport, &batch)
            }
        } catch {
            guard records > 0 else { throw error }
            failure = error
        }
        guard records > 0 else { return nil }
        batch.markBulk(&seconds)
        return batch
    }
}
