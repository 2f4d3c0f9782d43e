import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseSources

@Suite(.timeLimit(.minutes(20))) struct NewsboatTests {
    /// 2026-03-01T12:00:00Z.
    static let now = Date(timeIntervalSince1970: 1_772_366_400)
    let folder: TemporaryFolder
    let path: String

    /// A copy of a cache that newsboat 2.21 made itself: six items of two feeds, one of them unread and one deleted.
    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("cache.db")
        let fixture = Repository.fixtures.appendingPathComponent("newsboat-2.21.db")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
    }

    private func read(previousImport: Date? = nil, batchSize: Int = 500) async throws -> ImportBatch {
        try await FeedReaderDatabase.newsboat.open(path, now: Self.now, batchSize: batchSize)
            .all(previousImport: previousImport)
    }

    private func readings(previousImport: Date? = nil) async throws -> [Reading] {
        try await read(previousImport: previousImport).readings
    }

    private func change(_ sql: String) throws {
        try Connection(path: path, access: .readWrite).execute(sql)
    }

    private func failure(_ path: String) async -> PulseError? {
        await FeedReaderDatabase.newsboat.failure(path, now: Self.now)
    }

    private func isRefused(_ path: String, _ code: PulseError.Code, _ words: String) async -> Bool {
        await failure(path).says(code, words)
    }

    @Test func whatWasReadComesOut() async throws {
        let readings = try await readings()
        let gazette = "http://127.0.0.1:8765/gazette.xml"
        #expect(
            readings.map(\.article) == [
                Article(
                    id: "\(gazette)#bridge-17", url: "https://gazette.example/2026/bridge",
                    title: "Council votes on the bridge",
                    content: "Plain words < markup, five to four.", source: "The Harbour Gazette",
                    publishedAt: Date(timeIntervalSince1970: 1_772_215_200)),
                Article(
                    id: "https://gazette.example/2026/ferry", url: "https://gazette.example/2026/ferry",
                    title: "Ferry line reopens after storm & repairs",
                    content: "The ferry between the islands runs again after three weeks of repairs.\n\n"
                        + "Tickets cost 4 euros – as before.",
                    author: "Ana Reis", source: "The Harbour Gazette",
                    publishedAt: Date(timeIntervalSince1970: 1_772_271_000)),
                Article(
                    id: "tag:lab.example,2026:nota", url: "https://lab.example/nota", title: "Nota",
                    content: "Uma nota curta, sem título.", source: "Notas do Laboratório",
                    publishedAt: Date(timeIntervalSince1970: 1_772_100_000)),
                Article(
                    id: "tag:lab.example,2026:mares", url: "https://lab.example/mares",
                    title: "Medição precisa das marés",
                    content: "As marés subiram 12 cm.\n\nNorte\n\nSul", author: "João Sá",
                    source: "Notas do Laboratório",
                    publishedAt: Date(timeIntervalSince1970: 1_772_272_800)),
            ])
        #expect(readings.allSatisfy { $0.origin == "newsboat" && !$0.isExact })
    }

    @Test func theFirstImportTakesTheTimeOfPublication() async throws {
        try change("UPDATE rss_item SET pubDate = 9999999999 WHERE guid = 'bridge-17'")
        try change("UPDATE rss_item SET pubDate = 0 WHERE guid = 'tag:lab.example,2026:nota'")
        let readings = try await readings()
        #expect(
            readings.map(\.readAt) == [
                Self.now, Date(timeIntervalSince1970: 1_772_271_000), Self.now,
                Date(timeIntervalSince1970: 1_772_272_800),
            ])
        #expect(readings[2].article.publishedAt == nil)
    }

    @Test func aLaterImportTakesItsOwnTime() async throws {
        let readings = try await readings(previousImport: Self.now.addingTimeInterval(-3600))
        #expect(readings.count == 4)
        #expect(readings.allSatisfy { $0.readAt == Self.now && !$0.isExact })
    }

    @Test func batchesOfAnySizeGiveTheSame() async throws {
        let whole = try await readings()
        for size in 1...5 { #expect(try await read(batchSize: size).readings == whole) }
        // A batch that holds nothing to read is not the end.
        try change("UPDATE rss_item SET title = '', content = ' ' WHERE id IN (3, 4)")
        let rest = try await read(batchSize: 1)
        #expect(rest.readings == Array(whole.dropFirst(2)))
        #expect(rest.leftOut == [.noText: 2])
    }

    @Test(arguments: [
        ("https://example.org/1", true), ("HTTP://example.org/1", true), ("tag:example.org,2026:1", true),
        ("urn:uuid:1", true), ("f81d4fae-7dec-11d0-a765-00a0c91e6bf6", true), ("1234", false), ("post/7", false),
    ])
    func aGuidThatIsOnlyTheFeedsOwnIsToldApartByTheFeed(guid: String, isGlobal: Bool) async throws {
        try change("DELETE FROM rss_item WHERE guid <> 'bridge-17'; UPDATE rss_item SET guid = '\(guid)'")
        let id = try #require(try await readings().first).article.id
        #expect(id == (isGlobal ? guid : "http://127.0.0.1:8765/gazette.xml#\(guid)"))
    }

    @Test func aFeedsPasswordIsInNoId() async throws {
        let feed = "https://ana:secret@gazette.example/feed.xml"
        try change("DELETE FROM rss_item WHERE guid <> 'bridge-17'; UPDATE rss_item SET feedurl = '\(feed)'")
        #expect(try await readings().map(\.article.id) == ["https://gazette.example/feed.xml#bridge-17"])
    }

    @Test func anItemWithoutAGuidIsItsLink() async throws {
        try change("UPDATE rss_item SET guid = '' WHERE guid = 'bridge-17'")
        #expect(try await readings().first?.article.id == "https://gazette.example/2026/bridge")
    }

    /// Newsboat 2.22 and later.
    @Test func theTypeOfTheContentIsHonoured() async throws {
        try change(
            """
            ALTER TABLE rss_item ADD content_mime_type VARCHAR(255) NOT NULL DEFAULT "";
            UPDATE rss_item SET content = '<b>not</b> markup &amp;', content_mime_type = 'text/plain' WHERE id = 3;
            UPDATE rss_item SET content = 'a &amp; b', content_mime_type = 'text/html' WHERE id = 4;
            UPDATE rss_item SET content = '<div>x</div>', content_mime_type = 'application/xhtml+xml' WHERE id = 5;
            UPDATE rss_item SET content = '<p>y</p>', content_mime_type = '' WHERE id = 6;
            """)
        #expect(try await readings().map(\.article.content) == ["<b>not</b> markup &amp;", "a & b", "x", "y"])
    }

    /// Newsbeuter and the first newsboats.
    @Test func aCacheWithoutDeletionIsRead() async throws {
        try change("DROP INDEX idx_deleted; ALTER TABLE rss_item DROP COLUMN deleted")
        #expect(try await readings().count == 5)
    }

    @Test func anItemWhoseFeedIsGoneIsKept() async throws {
        try change("DELETE FROM rss_feed")
        #expect(try await readings().map(\.article.source) == ["", "", "", ""])
    }

    @Test func tagsBecomeCategories() async throws {
        try folder.write(
            """
            # my feeds
            http://127.0.0.1:8765/gazette.xml "~The Gazette" local "World" science
            http://127.0.0.1:8765/lab.xml ! "field notes" coast
            http://127.0.0.1:8765/none.xml
            "query:Unread:unread = \\"yes\\""
            """, to: "urls")
        #expect(try await readings().map(\.article.category.name) == ["world", "world", "field notes", "field notes"])
    }

    private func environment(home: String, _ variables: [String: String] = [:]) -> ImportEnvironment {
        ImportEnvironment(now: Self.now, home: home, variables: variables)
    }

    @Test func newsboatsOwnPlacesAreKnown() {
        let standard = NewsboatFiles.candidates(in: environment(home: "/home/ana", ["XDG_CONFIG_HOME": "relative"]))
        #expect(standard.map(\.cache) == ["/home/ana/.local/share/newsboat/cache.db", "/home/ana/.newsboat/cache.db"])
        #expect(standard.map(\.urls) == ["/home/ana/.config/newsboat/urls", "/home/ana/.newsboat/urls"])
        let moved = NewsboatFiles.candidates(
            in: environment(home: "/", ["XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"]))
        #expect(moved.first?.cache == "/d/newsboat/cache.db")
        #expect(moved.first?.urls == "/c/newsboat/urls")
    }

    @Test func withoutAPathItIsFoundWhereItUsuallyIs() async throws {
        try fails(.noInput, "nor at \(folder.path)/.newsboat/cache.db. Name it: pulse-digest import") {
            try SourceKind.store(.newsboat).source(at: nil, in: environment(home: folder.path))
        }
        try folder.write("http://127.0.0.1:8765/gazette.xml coast", to: ".newsboat/urls")
        try FileManager.default.moveItem(atPath: path, toPath: folder.file(".newsboat/cache.db"))
        let source = try SourceKind.store(.newsboat).source(at: nil, in: environment(home: folder.path))
        #expect(source.name == folder.file(".newsboat/cache.db"))
        let batch = try #require(try await source.next(previousImport: nil))
        #expect(batch.readings.first?.article.category.name == "coast")
    }

    @Test func nothingIsWritten() async throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        _ = try await readings()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["cache.db"])
    }

    @Test func whatIsNoCacheIsRefused() async throws {
        #expect(await isRefused(folder.file("nothing"), .noInput, "There is no file or folder"))
        #expect(await isRefused(FileManager.default.temporaryDirectory.path, .badData, "is a folder"))
        #expect(
            await isRefused(try folder.write("", to: "empty"), .badData, "is empty, and not a database of newsboat"))
        let text = String(repeating: "not a database ", count: 500)
        #expect(await isRefused(try folder.write(text, to: "text"), .badData, "not an SQLite file"))
        let other = folder.file("other.sqlite")
        try Connection(path: other, access: .readWriteCreate).execute("CREATE TABLE rss_item (id, name)")
        #expect(await isRefused(other, .badData, other))
    }

    @Test func aCacheWithoutFeedsIsNotReadByHalf() async throws {
        try change("DROP TABLE rss_feed")
        #expect(await isRefused(path, .badData, "not newsboat's"))
    }

    @Test func aCacheThatNewsboatIsWritingIsReadAsItWasBefore() async throws {
        let newsboat = try Connection(path: path, access: .readWrite)
        try newsboat.execute("BEGIN EXCLUSIVE; UPDATE rss_item SET unread = 1")
        #expect(await failure(path) == nil)
        try newsboat.execute("COMMIT")
    }

    /// With a remote account, such as Miniflux or FreshRSS, what stands for a feed is no address.
    @Test func theItemsOfARemoteAccountAreTheirLinks() async throws {
        try change(
            """
            UPDATE rss_feed SET rssurl = 'feed/7' WHERE rssurl LIKE '%gazette.xml';
            UPDATE rss_item SET feedurl = 'feed/7' WHERE feedurl LIKE '%gazette.xml';
            UPDATE rss_item SET guid = '1789' WHERE guid = 'bridge-17';
            """)
        let article = try #require(try await readings().first).article
        #expect(article.id == "https://gazette.example/2026/bridge")
        #expect(article.source == "The Harbour Gazette")
    }

    @Test func unreadItemsAreCountedAndFlagsAreBookmarks() async throws {
        try change("UPDATE rss_item SET flags = 'l' WHERE id = (SELECT max(id) FROM rss_item WHERE deleted = 0)")
        let all = try await read()
        #expect(all.unread == 1)
        #expect(all.starredTitles == ["Medição precisa das marés"])
    }

    @Test func aDamagedCacheIsCalledDamaged() async throws {
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 4096)
        try handle.write(contentsOf: Data(repeating: 0xa5, count: Int(size) - 4096))
        try handle.close()
        #expect(await isRefused(path, .badData, "is damaged"))
    }

    @Test func newsboatIsNotHeldUpBetweenBatches() async throws {
        let cache = try FeedReaderDatabase.newsboat.open(path, now: Self.now, batchSize: 1)
        #expect(try await cache.next(previousImport: nil)?.readings.count == 1)
        try change("UPDATE rss_item SET unread = 0 WHERE id = 2")
        #expect(try await cache.next(previousImport: nil)?.readings.count == 1)
    }
}
