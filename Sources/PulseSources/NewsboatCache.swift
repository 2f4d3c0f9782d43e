public import Foundation
public import PulseCore
import PulseSQL

/// What was read in newsboat (https://newsboat.org), out of its `cache.db`.
///
/// Newsboat notes that an item was read and not when. So the first import takes the time of publication for it, which
/// keeps an old archive out of today's digest; each later import takes its own time for what it finds read, and the
/// store keeps the earliest time it was ever told, so what was known before stays where it was. Both are approximate.
///
/// Nothing is locked for longer than one batch takes to read, and nothing is written.
public struct NewsboatCache: ~Copyable {
    public static let origin = "newsboat"

    /// Items that were marked as read and hold neither a title nor a text.
    public private(set) var skipped = 0

    private let connection: Connection
    private let path: String
    private let now: Date
    private let previousImport: Date?
    private let categories: [String: PulseCore.Category]
    private let query: String
    /// The id of the last item of the batch before.
    private var last: Int64 = 0

    /// Opens a cache for reading.
    /// - Parameters:
    ///   - now: the moment of this import.
    ///   - previousImport: when this source was last imported to its end; nil for the first time.
    ///   - urls: newsboat's file of feeds, whose tags become categories; nil to do without.
    ///   - busyTimeout: how long to wait while newsboat writes.
    public init(
        path: String, now: Date, previousImport: Date?, urls: String? = nil, busyTimeout: Duration = .seconds(5)
    ) throws(SourceError) {
        try NewsboatCache.checkReadable(path)
        let connection = try NewsboatCache.attempt(path) { () throws(SQLError) in
            try Connection(path: path, access: .readOnly, busyTimeout: busyTimeout)
        }
        let columns = try NewsboatCache.attempt(path) { () throws(SQLError) in
            try NewsboatCache.columns(of: "rss_item", in: connection)
        }
        guard columns.isSuperset(of: NewsboatItem.requiredColumns) else {
            throw SourceError(
                .notThisFormat,
                "\(path) is a database, but not newsboat's: it has no items as newsboat keeps them. Check the path.")
        }
        self.categories = try urls.map { path throws(SourceError) in try NewsboatURLs.categories(path: path) } ?? [:]
        self.query = NewsboatItem.query(columns: columns)
        self.connection = connection
        self.path = path
        self.now = now
        self.previousImport = previousImport
    }

    /// The next readings in the order in which newsboat stored them; empty when there are no more.
    /// - Parameter limit: items to read at once.
    public mutating func next(_ limit: Int = 500) throws(SourceError) -> [Reading] {
        while true {
            let items = try batch(limit)
            guard let last = items.last else { return [] }
            self.last = last.id
            let readings = items.compactMap {
                $0.reading(now: now, previousImport: previousImport, categories: categories)
            }
            skipped += items.count - readings.count
            if !readings.isEmpty { return readings }
        }
    }

    private func batch(_ limit: Int) throws(SourceError) -> [NewsboatItem] {
        try NewsboatCache.attempt(path) { () throws(SQLError) in
            var items: [NewsboatItem] = []
            try connection.query(query, [.integer(last), .integer(Int64(max(1, limit)))]) { row throws(SQLError) in
                items.append(NewsboatItem(row))
            }
            return items
        }
    }

    private static func attempt<Result: ~Copyable>(
        _ path: String, _ body: () throws(SQLError) -> Result
    ) throws(SourceError) -> Result {
        do throws(SQLError) {
            return try body()
        } catch {
            throw SourceError(error, path: path, program: "newsboat")
        }
    }

    /// SQLite's own account of a file that is missing, closed or a folder is the same for all three.
    private static func checkReadable(_ path: String) throws(SourceError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SourceError(path: path, errno: errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw SourceError(path: path, errno: EISDIR) }
        guard access(path, R_OK) == 0 else { throw SourceError(path: path, errno: errno) }
    }

    /// The columns a table has, whatever version made it; none where there is no such table.
    private static func columns(
        of table: String, in connection: borrowing Connection
    ) throws(SQLError) -> Set<String> {
        var columns: Set<String> = []
        try connection.query("SELECT name FROM pragma_table_info(?1)", [.text(table)]) { row throws(SQLError) in
            if let name = row.text(0) { columns.insert(name) }
        }
        return columns
    }
}
