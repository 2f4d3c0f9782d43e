import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseSources

/// A database that somebody made to harm whoever reads it: it costs no more than its share, and what is whole in it
/// comes out.
@Suite(.timeLimit(.minutes(5))) struct HostileDatabaseTests {
    let folder: TemporaryFolder
    let path: String

    private static let items = """
        CREATE TABLE rss_item (id INTEGER PRIMARY KEY, guid TEXT, title TEXT, author TEXT, url TEXT, feedurl TEXT,
            pubDate INTEGER, content TEXT, unread INTEGER, flags TEXT, deleted INTEGER DEFAULT 0);
        """
    private static let feeds = "CREATE TABLE rss_feed (rssurl TEXT PRIMARY KEY, url TEXT, title TEXT);"
    private static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("cache.db")
    }

    private func make(_ sql: String) throws { try Connection(path: path, access: .readWriteCreate).execute(sql) }

    /// Items of one text each, by their ids.
    private static func item(_ id: Int, _ content: String = "'The ferry sails.'") -> String {
        """
        INSERT INTO rss_item VALUES (\(id), 'g\(id)', 'Ferry \(id)', '', 'https://a.example/\(id)',
            'https://a.example/f', 1772300000, \(content), 0, '', 0);
        """
    }

    private func read(work: Duration = .seconds(2), batchSize: Int = 4000) async throws -> ImportBatch {
        try await FeedReaderDatabase.newsboat
            .open(path, in: SourceRun.environment(), batchSize: batchSize, work: work).all()
    }

    private func failure(work: Duration = .seconds(2)) async -> PulseError? {
        await PulseTestSupport.failure { try await read(work: work) }
    }

    /// Such keys come after every number, so that "after the last one" is always true.
    @Test func keysThatAreNoNumbersAreNotReadForEver() async throws {
        let items = Self.items.replacing("id INTEGER PRIMARY KEY", with: "id TEXT")
        try make(Self.feeds + items + (1...9).map { Self.item($0) }.joined() + "UPDATE rss_item SET id = 'x' || id")
        try await fails(.badData, "damaged") { try await read(batchSize: 4) }
    }

    /// A thousand feeds of one address make a million rows of a thousand items.
    @Test func keysThatAreThereSeveralTimes() async throws {
        let feeds = Self.feeds.replacing("rssurl TEXT PRIMARY KEY", with: "rssurl TEXT")
        let feed = "INSERT INTO rss_feed VALUES ('https://a.example/f', '', 'F');"
        try make(feeds + Self.items + String(repeating: feed, count: 3) + (1...9).map { Self.item($0) }.joined())
        #expect(try await read().readings.count == 9)
        try make("BEGIN;" + String(repeating: feed, count: 1000) + "COMMIT;")
        #expect(await failure()?.message.contains("damaged") == true)
    }

    private static let views = [
        items + """
            CREATE VIEW rss_feed AS \(endless) SELECT 'f' || i AS rssurl, '' AS url, 'x' AS title FROM n WHERE i < 0;
            """,
        feeds + """
            CREATE VIEW rss_item AS \(endless) SELECT i AS id, 'g' AS guid, 't' AS title, '' AS author, 'u' AS url,
                'f' AS feedurl, 0 AS pubDate, 'c' AS content, 0 AS unread, '' AS flags, 0 AS deleted FROM n WHERE i < 0;
            """,
    ]

    @Test(arguments: views, [false, true]) func viewsAreNotAsked(view: String, isDisguised: Bool) async throws {
        try make(view)
        if isDisguised {
            try make("PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'table' WHERE type = 'view'")
        }
        #expect(await failure()?.code == .badData)
        // What any import of the path asks first. The disguise of a view is damage.
        let tables = (try? SourceProbe(lookingAt: path))?.tables
        #expect(tables?["rss_feed"] == nil || tables?["rss_item"] == nil)
    }

    @Test func aColumnThatIsComputedIsNone() async throws {
        let computed = Self.items.replacing("content TEXT", with: "content TEXT AS (hex(zeroblob(100000000)))")
        try make(computed + Self.feeds)
        #expect(await failure()?.code == .badData)
    }

    @Test func workThatDoesNotEndIsEnded() async throws {
        // Each article has as many feeds as there are.
        let feeds = Self.feeds.replacing("PRIMARY KEY", with: "")
        try make(
            Self.items + feeds + Self.item(1) + "BEGIN;"
                + String(repeating: "INSERT INTO rss_feed VALUES ('https://a.example/f', '', 'F');", count: 2000)
                + "INSERT INTO rss_item (guid, title, feedurl, unread) "
                + "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n LIMIT 20000) "
                + "SELECT 'g' || i, 't', 'https://a.example/f', 1 FROM n; COMMIT")
        #expect(await failure(work: .milliseconds(200)).says(.badData, "takes more than"))
    }

    @Test(arguments: [1, 2, 4000]) func aHugeFieldCostsItsArticleOnly(batchSize: Int) async throws {
        let huge = "CAST(zeroblob(20000000) AS TEXT)"
        try make(Self.items + Self.feeds + Self.item(1) + Self.item(2, huge) + Self.item(3) + Self.item(4, huge))
        let batch = try await read(batchSize: batchSize)
        #expect(batch.titles == ["Ferry 1", "Ferry 3"] && batch.leftOut.map(\.value) == [2])
    }

    @Test func beforeDamageAllIsRead() async throws {
        try make("PRAGMA page_size = 4096;" + Self.items + Self.feeds)
        try make("BEGIN;" + (1...2000).map { Self.item($0) }.joined() + "COMMIT")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let middle = bytes.count / 2 / 4096 * 4096
        bytes.replaceSubrange(middle..<middle + 4096, with: Data(repeating: 0xff, count: 4096))
        try folder.write(bytes, to: "cache.db")
        var readings = 0
        // The count of unread articles may meet the damage first.
        try await fails(.badData) {
            let source = try FeedReaderDatabase.newsboat.open(path, batchSize: 100)
            while let batch = try await source.next(previousImport: nil) { readings += batch.readings.count }
        }
        #expect(readings < 2000)
    }

    @Test func aMillionRowsOfNonsense() async throws {
        try make(
            Self.items + Self.feeds + """
                INSERT INTO rss_item WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000000)
                SELECT i, x'ff', x'00ff', NULL, 1e999, -i, 'x', zeroblob(3), i % 1000, NULL, NULL FROM n
                """)
        #expect(try await read(work: .seconds(60)).readings.isEmpty)
    }
}
