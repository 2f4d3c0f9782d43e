import Foundation
import PulseCore
import PulseMarkup

/// Reads the records of a file one after another, each of which is one article at most.
protocol RecordReader: AnyObject {
    associatedtype Record

    var name: String { get }
    /// How many bytes of the file the records so far have come to.
    var bytes: Int { get }
    /// Nil at the end.
    func next() throws(PulseError) -> Record?
}

/// The files of an export, whose records become articles.
final class RecordFile<Reader: RecordReader>: ArticleSource {
    let origin: String
    let name: String

    /// The files that are still to be read, the next one last.
    private var waiting: [ExportFiles.File]
    private var reader: Reader?
    private let open: (ByteReader) throws(PulseError) -> Reader
    private let add: (Reader.Record, inout ImportBatch) throws(PulseError) -> Void
    private var fault: PulseError?

    /// A batch is as many records as come to so many bytes, or so many records.
    private static var most: (bytes: Int, records: Int) { (4 << 20, 500) }

    /// - Parameters:
    ///   - open: begins to read a file.
    ///   - add: adds what a record holds to a batch.
    init(
        origin: String, name: String, files: [ExportFiles.File],
        open: @escaping (ByteReader) throws(PulseError) -> Reader,
        add: @escaping (Reader.Record, inout ImportBatch) throws(PulseError) -> Void
    ) throws(PulseError) {
        self.origin = origin
        self.name = name
        self.open = open
        self.add = add
        waiting = files.reversed()
        // At once, so that a file of another kind is refused before anything is imported.
        reader = try nextFile()
    }

    private func nextFile() throws(PulseError) -> Reader? {
        guard let file = waiting.popLast() else { return nil }
        return try open(try file.open())
    }

    func next(previousImport: Date?) throws(PulseError) -> ImportBatch? {
        if let fault { throw fault }
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
                try add(record, &batch)
            }
        } catch {
            guard records > 0 else { throw error }
            fault = error
        }
        guard records > 0 else { return nil }
        batch.markBulk()
        return batch
    }
}

extension LeftOut {
    /// What is said of articles that are imported without a text.
    public static let noTextKept = LeftOut(
        words: "of a title only; to get the text, import again with --fetch", isWhole: false)
}

extension ImportBatch {
    /// The times of articles that were marked as read together are not exact.
    mutating func markBulk() {
        var counts: [Int: Int] = [:]
        for reading in readings where reading.isExact {
            counts[Int(reading.readAt.timeIntervalSince1970), default: 0] += 1
        }
        guard counts.values.contains(where: { $0 >= Self.fewestInBulk }) else { return }
        for index in readings.indices where readings[index].isExact {
            let second = Int(readings[index].readAt.timeIntervalSince1970)
            readings[index].isExact = counts[second, default: 0] < Self.fewestInBulk
        }
    }

    /// Adds an item of a list of articles to read later.
    /// - Parameters:
    ///   - readAt: when it was read, if the list says so; nil: it counts as read when it was saved or published, by
    ///     approximation. The list may be years old, and another part of one that was imported before.
    ///   - savedAt: when it came onto the list.
    ///   - starredAt: when it was starred; nil: unknown.
    mutating func addSaved(
        _ draft: ArticleDraft, isRead: Bool, isStarred: Bool = false, readAt: Date? = nil, savedAt: Date? = nil,
        starredAt: Date? = nil, origin: String, now: Date
    ) {
        if isStarred, let article = try? draft.article() {
            starred.append(Bookmark(article: article, savedAt: starredAt ?? savedAt))
        }
        guard isRead else {
            unread += 1
            return
        }
        let known = readAt.map { min($0, now) }
        let guess = min(savedAt ?? draft.publishedAt ?? now, now)
        let before = readings.count
        add(draft, readAt: known ?? guess, isExact: known != nil, origin: origin)
        if readings.count > before, readings[before].article.content.isEmpty { leftOut[.noTextKept, default: 0] += 1 }
    }
}
