import Foundation
import PulseCore

/// How to recognise a feed reader's SQLite database, and where its articles are.
struct FeedReaderDatabase: Sendable {
    /// The argument of `import`, such as `liferea`; also the beginning of `Reading.origin`, which may be followed by an
    /// account.
    let name: String
    let program: String
    let summary: Message
    let details: Message
    let defaultPaths: @Sendable (ImportEnvironment) -> [String]
    /// The database's possible paths in a folder that the user gives, the likeliest first.
    let files: [String]
    /// Recognises the program's database by its tables and columns. Never by a version: versions differ in their
    /// columns, and a schema's number does not always change with them.
    let isOurs: @Sendable (ReaderTables) -> Bool
    /// Where the articles are: one schema for each table of articles.
    let schemas: @Sendable (borrowing SourceDatabase, ReaderTables) throws -> [ReaderSchema]
    /// Feeds described by files beside the database, by `ReaderSchema.feed`.
    var feeds: @Sendable (_ path: String, ImportEnvironment) throws -> [String: ReaderFeed] = { _, _ in [:] }
    /// Whether the program may have several accounts, each with a database in a folder of that name.
    var hasAccounts = false

    @Sendable func recognises(_ probe: SourceProbe) -> Bool {
        probe.isFolder
            ? files.contains { FileManager.default.fileExists(atPath: probe.path + "/" + $0) }
            : isOurs(ReaderTables(probe.tables))
    }

    /// For the times see `SourceDatabase`.
    /// - Parameters:
    ///   - path: the database or a folder of the program.
    ///   - batchSize: how many articles to read at once.
    func open(
        _ path: String, in environment: ImportEnvironment, busyTimeout: Duration = .seconds(5), batchSize: Int = 4000,
        work: Duration = .seconds(60)
    ) throws -> FeedReaderSource {
        // Opening a folder that holds no such file fails with the right error.
        let path = files.lazy.map { path + "/" + $0 }.first(where: FileManager.default.fileExists(atPath:)) ?? path
        let database = try SourceDatabase(path: path, program: program, busyTimeout: busyTimeout, work: work)
        let tables = ReaderTables(try database.tables())
        guard isOurs(tables) else { throw database.foreign(tables.names) }
        let schemas = try schemas(database, tables)
        return FeedReaderSource(
            origin: origin(at: path), now: environment.now, feeds: try feeds(path, environment), schemas: schemas,
            batchSize: batchSize, database: database)
    }

    @Sendable func origin(at path: String) -> String {
        hasAccounts ? "\(name)/\(URL(fileURLWithPath: path).deletingLastPathComponent().lastPathComponent)" : name
    }
}

extension SourceKind {
    static func store(_ reader: FeedReaderDatabase) -> SourceKind {
        SourceKind(
            name: reader.name, operands: "[PATH]", summary: reader.summary, details: reader.details,
            defaultPaths: reader.defaultPaths, recognises: reader.recognises,
            open: { path, environment in try reader.open(path, in: environment) },
            fileOrigin: reader.origin(at:))
    }
}

struct ReaderTables: Sendable {
    /// The columns of each table, all names in lower case.
    private let tables: [String: Set<String>]

    init(_ tables: [String: Set<String>]) { self.tables = tables }

    var names: [String] { Array(tables.keys) }

    /// Whether there is a table with these columns, in any case.
    func has(_ table: String, _ columns: String...) -> Bool {
        tables[table.lowercased()].map { table in columns.allSatisfy { table.contains($0.lowercased()) } } ?? false
    }

    /// The SQL for a column that some versions of the program lack: NULL if it is missing here.
    /// - Parameter alias: the query's alias of the table; nil: its name.
    func optional(_ table: String, _ column: String, as alias: String? = nil) -> String {
        has(table, column) ? "\(alias ?? table).\(column)" : "NULL"
    }
}

/// A feed's description in files beside the database.
struct ReaderFeed: Sendable, Hashable {
    var name: String?
    var category: String?
}

/// Where a database has its articles: SQL expressions over the program's own tables. Times are in seconds since 1970,
/// and NULL means missing.
struct ReaderSchema: Sendable {
    /// The FROM clause. Each row of the first table may be joined with at most one row of the others.
    let tables: String
    /// An integer column of the first table that orders the rows, such as `item.id`.
    let rowID: String
    /// Whether the user still sees the article.
    var isKept = "1"
    var isRead = "1"
    var isStarred = "0"
    /// Whether the program marked it as read on arrival, by a rule.
    var isReadOnArrival = "0"

    /// The program's identifier of the article, such as the feed's `guid`.
    var guid = "NULL"
    /// The feed's URL, or what identifies the feed. Nil: `guid` is unique without it.
    var feed: String?
    var url = "NULL"
    var title = "NULL"
    var summary = "NULL"
    var content = "NULL"
    /// The media type of the content. If unknown, the content may be plain text or HTML.
    var contentType = "NULL"
    var author = "NULL"
    var source = "NULL"
    var category = "NULL"
    var language = "NULL"
    var publishedAt = "NULL"
    /// When it was read; nil if the program does not record it.
    var readAt: String?
    /// When it was starred.
    var savedAt = "NULL"
    /// When the program received it.
    var arrivedAt = "NULL"

    private var isWanted: String { "coalesce(\(isRead), 0) OR coalesce(\(isStarred), 0)" }

    /// The number of columns of `articles`.
    static let columnCount = 19

    /// The query for at most ?2 articles after row ?1. `ReaderRow` reads the columns.
    var articles: String {
        let columns = [
            rowID, isRead, isStarred, isReadOnArrival, guid, feed ?? "NULL", url, title, summary, content, contentType,
            author, source, category, language, publishedAt, readAt ?? "NULL", savedAt, arrivedAt,
        ]
        return select(columns.joined(separator: ", "), limit: "?2")
    }

    /// The query for the row after row ?1 that `articles` would return.
    var next: String { select(rowID, limit: "1") }

    private func select(_ columns: String, limit: String) -> String {
        """
        SELECT \(columns) FROM \(tables)
        WHERE \(rowID) > ?1 AND (\(isKept)) AND (\(isWanted)) ORDER BY \(rowID) LIMIT \(limit)
        """
    }

    /// The query for the number of unread articles; nil for a table of bookmarks.
    var unread: String? {
        isRead == "0" ? nil : "SELECT count(*) FROM \(tables) WHERE (\(isKept)) AND NOT coalesce(\(isRead), 0)"
    }

    /// The query for the seconds in which at least ?1 articles became read: they were marked in bulk. Nil: there are no
    /// reading times.
    var bulk: String? {
        readAt.map { readAt in
            """
            SELECT CAST(\(readAt) AS INTEGER) FROM \(tables) WHERE (\(isKept)) AND (\(isRead)) AND \(readAt) NOTNULL
            GROUP BY 1 HAVING count(*) >= ?1
            """
        }
    }
}
