import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform
import PulseText

/// The articles of another program's database, in the order of its rows.
///
/// Each batch is a query of its own, so the program is held up no longer than that takes; and while the caller stores
/// a batch, the next is read and its texts are cleaned.
final class StoreSource: ArticleSource {
    let origin: String
    var name: String { database.path }

    /// In bytes of text: a batch of long articles is a short one.
    private static let largestBatch = 8 << 20

    private let now: Date
    private let feeds: [String: StoreFeed]
    private var shapes: [StoreShape]
    private let batchSize: Int
    private let database: SourceDatabase
    /// The last row of the first of `shapes` that was read; nil: none yet.
    private var last: Int64?
    /// The seconds in which the articles of the first of `shapes` were marked as read all at once.
    private var bulk: Set<Int64> = []
    private var skipped: [Int64: Int64] = [:]
    /// A hash of what is known of the feeds from elsewhere: if that changes, every article may.
    private let feedsHash: UInt64
    /// What is read next. A failure there is told when it is asked for: what was read before is handed out first.
    private var ahead: Task<Result<ImportBatch?, PulseError>, Never>?

    init(
        origin: String, now: Date, feeds: [String: StoreFeed], shapes: [StoreShape], batchSize: Int,
        database: consuming SourceDatabase
    ) {
        self.origin = origin
        self.now = now
        self.feeds = feeds
        feedsHash = FNV1a.hash(
            of: feeds.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value.name ?? "", $0.value.category ?? ""] }
                .joined(separator: "\n").utf8)
        self.shapes = shapes
        self.batchSize = batchSize
        self.database = database
    }

    func skip(_ rows: [Int64: Int64]) { skipped = rows }

    func next(previousImport: Date?) async throws(PulseError) -> ImportBatch? {
        let batch = try await (ahead ?? readAhead(previousImport)).value.get()
        ahead = batch == nil ? nil : readAhead(previousImport)
        return batch
    }

    private func readAhead(_ previousImport: Date?) -> Task<Result<ImportBatch?, PulseError>, Never> {
        // Safe: `next` waits for the task before it or another task uses the source.
        nonisolated(unsafe) let source = self
        return Task {
            Result { () throws(PulseError) in
                guard let part = try source.nextPart() else { return nil }
                var batch = ImportBatch()
                batch.unread = part.unread
                batch.known = part.known
                // Where the program notes times, what has none was not read since the last import.
                let previous = part.hasTimes ? nil : previousImport
                for row in part.rows {
                    batch.add(row, previousImport: previous, now: source.now, origin: source.origin)
                }
                return batch
            }
        }
    }

    private struct Part {
        var rows: [StoreRow] = []
        var unread = 0
        var known = 0
        /// Whether the program notes when something is read.
        var hasTimes = false
    }

    /// The next rows; nil at the end.
    private func nextPart() throws(PulseError) -> Part? {
        while let shape = shapes.first {
            var part = Part()
            part.hasTimes = shape.readAt != nil
            if last == nil {
                if let query = shape.unread {
                    part.unread = Int(try database.rows(query) { $0.integer(0) ?? 0 }.first ?? 0)
                }
                bulk = []
                if let query = shape.bulk {
                    bulk = Set(
                        try database.rows(query, [.integer(Int64(ImportBatch.fewestInBulk))]) { $0.integer(0) ?? 0 })
                }
            }
            var end: Int64?
            var size = 0
            try database.visit(shape.articles, [.integer(last ?? .min), .integer(Int64(batchSize))]) { statement in
                end = statement.integer(0)
                let hash = StoreRow.hash(statement, bulk: bulk, feeds: feedsHash)
                if let end, skipped[end] == hash {
                    if StoreRow.isReading(statement) { part.known += 1 }
                    return true
                }
                let row = StoreRow(statement, feeds: feeds, bulk: bulk, now: now, hash: hash)
                size += row.size
                part.rows.append(row)
                return size < Self.largestBatch
            }
            if let end {
                last = end
                return part
            }
            shapes.removeFirst()
            last = nil
            if part.unread > 0 { return part }
        }
        return nil
    }
}

/// An article as a database gave it.
private struct StoreRow: Sendable {
    let rowID: Int64
    let isRead: Bool
    let isStarred: Bool
    let isReadOnArrival: Bool
    let readAt: Date?
    /// Whether it was marked as read together with many others.
    let isBulk: Bool
    let savedAt: Date?
    let arrivedAt: Date?
    let draft: ArticleDraft
    /// See `ImportBatch.rows`.
    let hash: Int64

    /// In bytes, about.
    var size: Int { draft.content.utf8.count + draft.summary.utf8.count + draft.title.utf8.count }

    static func isReading(_ row: Statement) -> Bool {
        row.integer(1) ?? 0 != 0 && row.integer(3) ?? 0 == 0
    }

    /// Somebody who writes an article can bring about that two rows have one hash, but not that one row passes for
    /// another: they are compared by their numbers.
    static func hash(_ row: Statement, bulk: Set<Int64>, feeds: UInt64) -> Int64 {
        var hash = feeds
        func mix(_ next: UInt64) {
            hash = (hash ^ next) &* 0x9e37_79b9_7f4a_7c15
            hash ^= hash >> 32
        }
        for column in 0..<StoreShape.columnCount { mix(row.withBytes(column) { FNV1a.hash(of: $0) }) }
        mix(isBulk(row, bulk) ? 1 : 0)
        return Int64(bitPattern: hash)
    }

    private static func isBulk(_ row: Statement, _ bulk: Set<Int64>) -> Bool {
        row.integer(16).map(bulk.contains) ?? false
    }

    init(_ row: Statement, feeds: [String: StoreFeed], bulk: Set<Int64>, now: Date, hash: Int64) {
        self.hash = hash
        rowID = row.integer(0) ?? 0
        isRead = row.integer(1) ?? 0 != 0
        isStarred = row.integer(2) ?? 0 != 0
        isReadOnArrival = row.integer(3) ?? 0 != 0
        let guid = row.text(4)?.trimmed ?? ""
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
            id: StoreRow.identifier(guid: guid, feed: feedAddress, url: url), url: url, title: row.text(7) ?? "",
            summary: row.text(8) ?? "", content: row.text(9) ?? "", contentForm: form, author: row.text(11),
            source: feed?.name ?? row.text(12) ?? "", category: feed?.category ?? row.text(13),
            language: row.text(14), publishedAt: StoreRow.date(row.real(15), now: now))
        readAt = StoreRow.date(row.real(16), now: now)
        isBulk = StoreRow.isBulk(row, bulk)
        savedAt = StoreRow.date(row.real(17), now: now)
        arrivedAt = StoreRow.date(row.real(18), now: now)
    }

    private static func date(_ seconds: Double?, now: Date) -> Date? {
        SourceTime.plausible(seconds.map { Date(timeIntervalSince1970: $0) }, now: now)
    }

    private static func identifier(guid: String, feed: String?, url: String?) -> String? {
        guard !guid.isEmpty, let feed else { return guid.nonEmpty }
        return ArticleDraft.identifier(guid: guid, feed: feed, url: url)
    }
}

extension ImportBatch {
    fileprivate mutating func add(_ row: StoreRow, previousImport: Date?, now: Date, origin: String) {
        if row.isReadOnArrival, !row.isStarred {
            leftOut[.readOnArrival, default: 0] += 1
            return
        }
        do throws(ArticleDraft.DraftError) {
            let article = try row.draft.article()
            rows[row.rowID] = row.hash
            if row.isStarred { starred.append(Bookmark(article: article, savedAt: row.savedAt)) }
            guard row.isRead, !row.isReadOnArrival else { return }
            if row.isBulk { bulk.insert(article.id) }
            let noted = row.isBulk ? nil : row.readAt
            let readAt =
                noted.map { min($0, now) }
                ?? ImportBatch.readingTime(
                    published: article.publishedAt, arrived: row.arrivedAt, previousImport: previousImport, now: now)
            readings.append(
                Reading(article: article, readAt: readAt, origin: origin, isExact: noted != nil))
        } catch {
            leftOut[error == .noText ? .noText : .noIdentity, default: 0] += 1
        }
    }

    /// `approximateTime`, for a program that also notes when an article came: what was old by then is not news that
    /// was read today, but the archive of a new feed.
    private static func readingTime(published: Date?, arrived: Date?, previousImport: Date?, now: Date) -> Date {
        let halfAYear = 183 * 86_400.0
        if let published, let arrived, arrived.timeIntervalSince(published) > halfAYear { return min(published, now) }
        return approximateTime(published: published ?? arrived, previousImport: previousImport, now: now)
    }
}

extension LeftOut {
    fileprivate static let readOnArrival = LeftOut(words: "marked as read on arrival")
}
