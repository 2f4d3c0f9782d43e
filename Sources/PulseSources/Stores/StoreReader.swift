import Foundation
import PulseCore

/// A program that keeps its articles in tables of an SQLite database: how its database is known, and where in it the
/// articles are. With it a `SourceKind` is made.
struct StoreReader: Sendable {
    /// What the user calls it, such as `Liferea`.
    let program: String
    /// `Reading.origin`, before the account.
    let origin: String
    /// The database's path in a folder of the program, for users who name the folder; the likeliest first.
    let files: [String]
    /// Whether a database with these tables is the program's. By tables and columns, never by a version: these change
    /// with nearly every version, the version's number not always.
    let isOurs: @Sendable (StoreTables) -> Bool
    /// Where the articles are. Several where the program has several tables of them.
    let shapes: @Sendable (borrowing SourceDatabase, StoreTables) throws(PulseError) -> [StoreShape]
    /// What files beside the database say of the feeds, by `StoreShape.feed`.
    var feeds: @Sendable (_ path: String) throws(PulseError) -> [String: StoreFeed] = { _ in [:] }
    /// The account that a database at a path is of, where the program may have several.
    var account: @Sendable (_ path: String) -> String? = { _ in nil }

    @Sendable func recognises(_ probe: SourceProbe) -> Bool {
        probe.isFolder
            ? files.contains { FileManager.default.fileExists(atPath: probe.path + "/" + $0) }
            : isOurs(StoreTables(probe.tables))
    }

    /// - Parameters:
    ///   - path: the database or a folder of the program.
    ///   - busyTimeout: how long to wait while the program writes.
    ///   - batchSize: how many articles to read at once.
    func open(
        _ path: String, now: Date, busyTimeout: Duration = .seconds(5), batchSize: Int = 4000
    ) throws(PulseError) -> StoreSource {
        // A folder without such a file is refused as one when it is opened.
        let path = files.lazy.map { path + "/" + $0 }.first(where: FileManager.default.fileExists(atPath:)) ?? path
        let database = try SourceDatabase(path: path, program: program, busyTimeout: busyTimeout)
        let tables = StoreTables(try database.tables())
        guard isOurs(tables) else { throw database.foreign(tables.names) }
        let shapes = try shapes(database, tables)
        return StoreSource(
            origin: origin(at: path), now: now, feeds: try feeds(path), shapes: shapes, batchSize: batchSize,
            database: database)
    }

    /// `ArticleSource.origin` of a database.
    @Sendable func origin(at path: String) -> String {
        ([origin] + [account(path)].compactMap(\.self)).joined(separator: "/")
    }
}

extension SourceKind {
    static func store(
        _ name: String, _ reader: StoreReader, summary: Message, details: Message,
        places: @escaping @Sendable (ImportEnvironment) -> [String]
    ) -> SourceKind {
        SourceKind(
            name: name, operands: "[PATH]", summary: summary, details: details, places: places,
            recognises: reader.recognises,
            open: { path, environment throws(PulseError) in try reader.open(path, now: environment.now) },
            fileOrigin: reader.origin(at:))
    }
}

/// The tables of a database.
struct StoreTables: Sendable {
    /// The columns of each; all names in lower case.
    private let tables: [String: Set<String>]

    init(_ tables: [String: Set<String>]) { self.tables = tables }

    var names: [String] { Array(tables.keys) }

    /// Whether there is a table with these columns, however they are written.
    func has(_ table: String, _ columns: String...) -> Bool {
        tables[table.lowercased()].map { table in columns.allSatisfy { table.contains($0.lowercased()) } } ?? false
    }

    /// The SQL for a column that not every version of the program has: NULL where this one has it not.
    /// - Parameter alias: what the query calls the table; nil: by its name.
    func optional(_ table: String, _ column: String, as alias: String? = nil) -> String {
        has(table, column) ? "\(alias ?? table).\(column)" : "NULL"
    }
}

/// What is known of a feed from elsewhere than the database.
struct StoreFeed: Sendable, Hashable {
    var name: String?
    var category: String?
}

/// Where articles are in a database: SQL over its own tables. Moments are in seconds since 1970, and NULL is nothing.
struct StoreShape: Sendable {
    /// What follows FROM. The first table decides the order and may be joined with at most one row of the others.
    let tables: String
    /// An integer of the first table by which the rows are found in order, such as `item.id`.
    let rowID: String
    /// Whether the program still shows it.
    var isKept = "1"
    var isRead = "1"
    var isStarred = "0"
    /// Whether the program itself marked it as read when it came.
    var isReadOnArrival = "0"

    /// By what the program knows it, such as the feed's own `guid`.
    var guid = "NULL"
    /// The feed's address, or what the program has in its place. Nil: the `guid` is unique without it.
    var feed: String?
    var url = "NULL"
    var title = "NULL"
    var summary = "NULL"
    var content = "NULL"
    /// The media type of the content. Where that is unknown, it may be HTML or not.
    var contentType = "NULL"
    var author = "NULL"
    var source = "NULL"
    var category = "NULL"
    var language = "NULL"
    var publishedAt = "NULL"
    /// When it was read; nil where the program does not note that.
    var readAt: String?
    /// When it was starred.
    var savedAt = "NULL"
    /// When it came to the program.
    var arrivedAt = "NULL"

    private var isWanted: String { "coalesce(\(isRead), 0) OR coalesce(\(isStarred), 0)" }

    /// Of `articles`.
    static let columnCount = 19

    /// Parameters: ?1, the last row before; ?2, how many. The columns are those that `StoreRow` reads.
    var articles: String {
        let columns = [
            rowID, isRead, isStarred, isReadOnArrival, guid, feed ?? "NULL", url, title, summary, content, contentType,
            author, source, category, language, publishedAt, readAt ?? "NULL", savedAt, arrivedAt,
        ]
        return """
            SELECT \(columns.joined(separator: ", ")) FROM \(tables)
            WHERE \(rowID) > ?1 AND (\(isKept)) AND (\(isWanted)) ORDER BY \(rowID) LIMIT ?2
            """
    }

    /// How many articles nobody has read; nil for a table of bookmarks, which says nothing of that.
    var unread: String? {
        isRead == "0" ? nil : "SELECT count(*) FROM \(tables) WHERE (\(isKept)) AND NOT coalesce(\(isRead), 0)"
    }

    /// The seconds in which so many articles became read that it was not by reading; ?1: how many those are.
    var bulk: String? {
        readAt.map { readAt in
            """
            SELECT CAST(\(readAt) AS INTEGER) FROM \(tables) WHERE (\(isKept)) AND (\(isRead)) AND \(readAt) NOTNULL
            GROUP BY 1 HAVING count(*) >= ?1
            """
        }
    }
}
