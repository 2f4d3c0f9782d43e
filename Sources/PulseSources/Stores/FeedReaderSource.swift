import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform
import PulseText

/// The articles of a feed reader's database, in the order of its rows.
///
/// Each batch is a query of its own, so the program is locked out only for that time. While the caller stores a batch,
/// the next one is read and cleaned.
final class FeedReaderSource: ArticleSource {
    let origin: String
    var name: String { database.path }

    /// In bytes of text: long articles make shorter batches.
    private static let largestBatch = 8 << 20

    private let now: Date
    private let feeds: [String: ReaderFeed]
    private var schemas: [ReaderSchema]
    private let batchSize: Int
    private let database: SourceDatabase
    /// The last row that was read by the first of `schemas`; nil: none yet.
    private var last: Int64?
    /// The seconds in which articles of the first of `schemas` were marked in bulk.
    private var bulk: Set<Int64> = []
    private var skipped: [Int64: Int64] = [:]
    /// A hash of `feeds`: if it changes, every row counts as changed.
    private let feedsHash: UInt64
    /// Thrown by the next call.
    private var failure: SQLError?
    /// The next batch. A failure is thrown when the batch is requested, so that earlier batches are stored.
    private var ahead: Task<ImportBatch?, any Error>?

    init(
        origin: String, now: Date, feeds: [String: ReaderFeed], schemas: [ReaderSchema], batchSize: Int,
        database: consuming SourceDatabase
    ) {
        self.origin = origin
        self.now = now
        self.feeds = feeds
        feedsHash = FNV1a.hash(
            of: feeds.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value.name ?? "", $0.value.category ?? ""] }
                .joined(separator: "\n").utf8)
        self.schemas = schemas
        self.batchSize = batchSize
        self.database = database
    }

    func skip(_ rows: [Int64: Int64]) { skipped = rows }

    func next(previousImport: Date?) async throws -> ImportBatch? {
        let batch = try await (ahead ?? readAhead(previousImport)).value
        ahead = batch == nil ? nil : readAhead(previousImport)
        return batch
    }

    private func readAhead(_ previousImport: Date?) -> Task<ImportBatch?, any Error> {
        // Safe: `next` waits for this task before it or another task uses the source.
        nonisolated(unsafe) let source = self
        return Task { try source.read(previousImport) }
    }

    /// The number of repeated rows, which duplicate keys in a joined table cause.
    private var repeats = 0

    /// Reads the next rows, and cleans them when the database is free again; nil at the end.
    private func read(_ previousImport: Date?) throws -> ImportBatch? {
        if let failure { throw database.error(failure) }
        while let schema = schemas.first {
            var batch = ImportBatch()
            var rows: [ReaderRow] = []
            if last == nil {
                func integers(_ query: String?, _ values: [SQLValue] = []) throws -> [Int64] {
                    try query.map { try database.rows($0, values) { $0.integer(0) ?? 0 } } ?? []
                }
                batch.unread = Int(try integers(schema.unread).first ?? 0)
                bulk = Set(try integers(schema.bulk, [.integer(Int64(ImportBatch.fewestInBulk))]))
            }
            var end: Int64?
            var size = 0
            do {
                try database.visit(schema.articles, [.integer(last ?? .min), .integer(Int64(batchSize))]) { statement in
                    let id = statement.integer(0)
                    guard end == nil || id != end else {
                        repeats += 1
                        return repeats < SourceDatabase.mostRepeats
                    }
                    end = id
                    let hash = ReaderRow.hash(statement, bulk: bulk, feeds: feedsHash)
                    if let end, skipped[end] == hash {
                        if ReaderRow.isReading(statement) { batch.known += 1 }
                        return true
                    }
                    let row = ReaderRow(statement, feeds: feeds, bulk: bulk, now: now, hash: hash)
                    size += row.size
                    rows.append(row)
                    return size < Self.largestBatch
                }
            } catch let error as SQLError where error.code == .tooBig {
                // Returns the articles before it first, then skips it.
                if end == nil {
                    end = try database.rows(schema.next, [.integer(last ?? .min)]) { $0.integer(0) }.first ?? nil
                    batch.leftOut[.tooLargeText] = 1
                }
                if end == nil { throw database.error(error) }
            } catch let error as SQLError {
                guard end != nil else { throw database.error(error) }
                failure = error
            }
            if let end {
                guard last.map({ $0 < end }) ?? true, repeats < SourceDatabase.mostRepeats else {
                    throw database.damage
                }
                last = end
                // If the program records reading times, an article without one was not read since the last import.
                let previous = schema.readAt == nil ? previousImport : nil
                for row in rows { batch.add(row, previousImport: previous, now: now, origin: origin) }
                return batch
            }
            schemas.removeFirst()
            last = nil
            if batch.unread > 0 { return batch }
        }
        return nil
    }
}

/// A row of `ReaderSchema.articles`.
private struct ReaderRow: Sendable {
    let rowID: Int64
    let isRead: Bool
    let isStarred: Bool
    let isReadOnArrival: Bool
    let readAt: Date?
    /// Whether it was marked as read in bulk.
    let isBulk: Bool
    let savedAt: Date?
    let arrivedAt: Date?
    let draft: ArticleDraft
    /// See `ImportBatch.rows`.
    let hash: Int64

    /// About how many bytes its texts have.
    var size: Int { draft.content.utf8.count + draft.summary.utf8.count + draft.title.utf8.count }

    static func isReading(_ row: Statement) -> Bool {
        row.integer(1) ?? 0 != 0 && row.integer(3) ?? 0 == 0
    }

    /// Not a cryptographic hash: an author could give two versions of an article the same hash. That only hides the
    /// second version, because a row's hash is only compared with its own earlier one.
    static func hash(_ row: Statement, bulk: Set<Int64>, feeds: UInt64) -> Int64 {
        var hash = feeds
        func mix(_ next: UInt64) {
            hash = (hash ^ next) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 32
        }
        for column in 0..<ReaderSchema.columnCount { mix(row.withBytes(column) { FNV1a.hash(of: $0) }) }
        mix(isBulk(row, bulk) ? 1 : 0)
        return Int64(bitPattern: hash)
    }

    private static func isBulk(_ row: Statement, _ bulk: Set<Int64>) -> Bool {
        row.integer(16).map(bulk.contains) ?? false
    }

    init(_ row: Statement, feeds: [String: ReaderFeed], bulk: Set<Int64>, now: Date, hash: Int64) {
        self.hash = hash
        rowID = row.integer(0) ?? 0
        isRead = row.integer(1) ?? 0 != 0
        isStarred = row.integer(2) ?? 0 != 0
        isReadOnArrival = row.integer(3) ?? 0 != 0
        func date(_ column: Int) -> Date? {
            SourceTime.plausible(row.real(column).map { Date(timeIntervalSince1970: $0) }, now: now)
        }
        let guid = row.text(4)?.trimmed.nonEmpty
        let feedAddress = row.text(5)
        let feed = feedAddress.flatMap { feeds[$0] }
        let url = row.text(6)
        let form: ArticleDraft.Form =
            switch row.text(10)?.lowercased() {
            case "text/plain": .plain
            case "text/html", "application/xhtml+xml": .html
            default: .unknown
            }
        draft = ArticleDraft(
            id: guid.map { guid in
                feedAddress.map { ArticleDraft.identifier(guid: guid, feed: $0, url: url) } ?? guid
            },
            url: url, title: row.text(7) ?? "", summary: row.text(8) ?? "", content: row.text(9) ?? "",
            contentForm: form, author: row.text(11), source: feed?.name ?? row.text(12) ?? "",
            category: feed?.category ?? row.text(13), language: row.text(14), publishedAt: date(15))
        readAt = date(16)
        isBulk = ReaderRow.isBulk(row, bulk)
        savedAt = date(17)
        arrivedAt = date(18)
    }
}

extension ImportBatch {
    fileprivate mutating func add(_ row: ReaderRow, previousImport: Date?, now: Date, origin: String) {
        if row.isReadOnArrival, !row.isStarred {
            leftOut[.readOnArrival, default: 0] += 1
            return
        }
        guard let article = article(of: row.draft) else { return }
        rows[row.rowID] = row.hash
        if row.isStarred { starred.append(Bookmark(article: article, savedAt: row.savedAt)) }
        guard row.isRead, !row.isReadOnArrival else { return }
        if row.isBulk { bulk.insert(article.id) }
        let noted = row.isBulk ? nil : row.readAt
        let readAt =
            noted.map { min($0, now) }
            ?? ImportBatch.readingTime(
                published: article.publishedAt, arrived: row.arrivedAt, previousImport: previousImport, now: now)
        readings.append(Reading(article: article, readAt: readAt, origin: origin, isExact: noted != nil))
    }

    /// `approximateTime`, for a program that also records when an article arrived: an article that was old on arrival
    /// belongs to the archive of a new feed, and was not read today.
    private static func readingTime(published: Date?, arrived: Date?, previousImport: Date?, now: Date) -> Date {
        let halfAYear = 183 * 86_400.0
        if let published, let arrived, arrived.timeIntervalSince(published) > halfAYear { return min(published, now) }
        return approximateTime(published: published ?? arrived, previousImport: previousImport, now: now)
    }
}
