import Foundation
import PulseCore
import PulseSQL
import PulseSources
import PulseTestSupport
import Testing

@Suite struct NewsboatTests {
    /// 2026-03-01T12:00:00Z.
    static let now = Date(timeIntervalSince1970: 1_772_366_400)
    let folder: TemporaryFolder
    let path: String

    /// A copy of a cache that newsboat 2.21 made itself: six items of two feeds, one of them unread and one deleted.
    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("cache.db")
        let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../Fixtures/newsboat-2.21.db")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: path)
    }

    func read(
        previousImport: Date? = nil, now: Date = Self.now, urls: String? = nil, limit: Int = 500
    ) throws -> [Reading] {
        var cache = try NewsboatCache(path: path, now: now, previousImport: previousImport, urls: urls)
        var readings: [Reading] = []
        while case let batch = try cache.next(limit), !batch.isEmpty { readings += batch }
        return readings
    }

    func change(_ sql: String) throws {
        try Connection(path: path, access: .readWrite).execute(sql)
    }

    func failure(_ path: String, urls: String? = nil) -> SourceError? {
        do throws(SourceError) {
            var cache = try NewsboatCache(
                path: path, now: Self.now, previousImport: nil, urls: urls, busyTimeout: .milliseconds(20))
            _ = try cache.next()
            return nil
        } catch {
            return error
        }
    }

    @Test func whatWasReadComesOut() throws {
        let readings = try read()
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

    @Test func theFirstImportTakesTheTimeOfPublication() throws {
        try change("UPDATE rss_item SET pubDate = 9999999999 WHERE guid = 'bridge-17'")
        try change("UPDATE rss_item SET pubDate = 0 WHERE guid = 'tag:lab.example,2026:nota'")
        let readings = try read()
        #expect(
            readings.map(\.readAt) == [
                Self.now, Date(timeIntervalSince1970: 1_772_271_000), Self.now,
                Date(timeIntervalSince1970: 1_772_272_800),
            ])
        #expect(readings[2].article.publishedAt == nil)
    }

    @Test func aLaterImportTakesItsOwnTime() throws {
        let readings = try read(previousImport: Self.now.addingTimeInterval(-3600))
        #expect(readings.count == 4)
        #expect(readings.allSatisfy { $0.readAt == Self.now && !$0.isExact })
    }

    @Test func batchesOfAnySizeGiveTheSame() throws {
        let whole = try read()
        for limit in 1...5 { #expect(try read(limit: limit) == whole) }
        // A batch that holds nothing to read is not the end.
        try change("UPDATE rss_item SET title = '', content = ' ' WHERE id IN (3, 4)")
        #expect(try read(limit: 1) == Array(whole.dropFirst(2)))
        var cache = try NewsboatCache(path: path, now: Self.now, previousImport: nil)
        _ = try cache.next()
        let skipped = cache.skipped
        #expect(skipped == 2)
    }

    @Test(
        "A guid that is only the feed's own is told apart by the feed",
        arguments: [
            ("https://example.org/1", true), ("HTTP://example.org/1", true), ("tag:example.org,2026:1", true),
            ("urn:uuid:1", true), ("f81d4fae-7dec-11d0-a765-00a0c91e6bf6", true), ("1234", false), ("post/7", false),
        ])
    func identifiers(guid: String, isGlobal: Bool) throws {
        try change("DELETE FROM rss_item WHERE guid <> 'bridge-17'; UPDATE rss_item SET guid = '\(guid)'")
        let id = try #require(try read().first).article.id
        #expect(id == (isGlobal ? guid : "http://127.0.0.1:8765/gazette.xml#\(guid)"))
    }

    @Test func anItemWithoutAGuidIsItsLink() throws {
        try change("UPDATE rss_item SET guid = '' WHERE guid = 'bridge-17'")
        #expect(try read().first?.article.id == "https://gazette.example/2026/bridge")
    }

    /// Newsboat 2.22 and later.
    @Test func theTypeOfTheContentIsHonoured() throws {
        try change(
            """
            ALTER TABLE rss_item ADD content_mime_type VARCHAR(255) NOT NULL DEFAULT "";
            UPDATE rss_item SET content = '<b>not</b> markup &amp;', content_mime_type = 'text/plain' WHERE id = 3;
            UPDATE rss_item SET content = 'a &amp; b', content_mime_type = 'text/html' WHERE id = 4;
            UPDATE rss_item SET content = '<div>x</div>', content_mime_type = 'application/xhtml+xml' WHERE id = 5;
            UPDATE rss_item SET content = '<p>y</p>', content_mime_type = '' WHERE id = 6;
            """)
        #expect(try read().map(\.article.content) == ["<b>not</b> markup &amp;", "a & b", "x", "y"])
    }

    /// Newsbeuter and the first newsboats.
    @Test func aCacheWithoutDeletionIsRead() throws {
        try change("DROP INDEX idx_deleted; ALTER TABLE rss_item DROP COLUMN deleted")
        #expect(try read().count == 5)
    }

    @Test func anItemWhoseFeedIsGoneIsKept() throws {
        try change("DELETE FROM rss_feed")
        #expect(try read().map(\.article.source) == ["", "", "", ""])
    }

    @Test func tagsBecomeCategories() throws {
        let urls = try folder.write(
            """
            # my feeds
            http://127.0.0.1:8765/gazette.xml "~The Gazette" local "World" science
            http://127.0.0.1:8765/lab.xml ! "field notes" coast
            http://127.0.0.1:8765/none.xml
            "query:Unread:unread = \\"yes\\""
            """, to: "urls")
        #expect(try read(urls: urls).map(\.article.category.name) == ["world", "world", "field notes", "field notes"])
        #expect(failure(path, urls: folder.file("nothing"))?.code == .missing)
    }

    @Test func newsboatsOwnPlacesAreKnown() {
        let standard = NewsboatFiles.candidates(home: "/home/ana", environment: ["XDG_CONFIG_HOME": "relative"])
        #expect(standard.map(\.cache) == ["/home/ana/.local/share/newsboat/cache.db", "/home/ana/.newsboat/cache.db"])
        #expect(standard.map(\.urls) == ["/home/ana/.config/newsboat/urls", "/home/ana/.newsboat/urls"])
        let moved = NewsboatFiles.candidates(home: "/", environment: ["XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"])
        #expect(moved.first?.cache == "/d/newsboat/cache.db")
        #expect(moved.first?.urls == "/c/newsboat/urls")
    }

    @Test func nothingIsWritten() throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        _ = try read()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["cache.db"])
    }

    @Test func whatIsNoCacheIsRefused() throws {
        #expect(failure(folder.file("nothing"))?.code == .missing)
        #expect(failure(folder.path)?.code == .notThisFormat)
        #expect(failure(try folder.write("", to: "empty"))?.code == .notThisFormat)
        let text = String(repeating: "not a database ", count: 500)
        #expect(failure(try folder.write(text, to: "text"))?.code == .notThisFormat)
        let other = folder.file("other.sqlite")
        try Connection(path: other, access: .readWriteCreate).execute("CREATE TABLE rss_item (id, name)")
        #expect(failure(other)?.code == .notThisFormat)
        #expect(failure(other)?.message.contains(other) == true)
    }

    @Test func aCacheThatNewsboatIsWritingIsBusy() throws {
        let newsboat = try Connection(path: path, access: .readWrite)
        try newsboat.execute("BEGIN EXCLUSIVE")
        #expect(failure(path)?.code == .busy)
        try newsboat.execute("COMMIT")
        #expect(failure(path) == nil)
    }

    @Test func aDamagedCacheIsCalledDamaged() throws {
        let handle = try #require(FileHandle(forUpdatingAtPath: path))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 4096)
        try handle.write(contentsOf: Data(repeating: 0xa5, count: Int(size) - 4096))
        try handle.close()
        #expect(failure(path)?.code == .corrupt)
    }

    @Test func newsboatIsNotHeldUpBetweenBatches() throws {
        var cache = try NewsboatCache(path: path, now: Self.now, previousImport: nil)
        #expect(try cache.next(1).count == 1)
        try change("UPDATE rss_item SET unread = 0 WHERE id = 2")
        #expect(try cache.next(10).count == 3)
    }
}
