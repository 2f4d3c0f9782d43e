import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseSources

@Suite(.timeLimit(.minutes(20))) struct NewsboatTests {
    /// A copy of a cache that newsboat 2.21 made itself: six items of two feeds, one of them unread and one deleted.
    let store: StoreFixture

    init() throws { store = try StoreFixture("../newsboat-2.21.db", .newsboat, at: "cache.db") }

    private func isRefused(_ path: String, _ code: PulseError.Code, _ words: String) async -> Bool {
        await store.reader.failure(path).says(code, words)
    }

    @Test func whatWasReadComesOut() async throws {
        let all = try await store.all()
        let gazette = "http://127.0.0.1:8765/gazette.xml"
        #expect(
            all.articles == [
                Article(
                    id: "\(gazette)#bridge-17", url: "https://gazette.example/2026/bridge",
                    title: "Council votes on the bridge", content: "Plain words < markup, five to four.",
                    source: "The Harbour Gazette", publishedAt: date(1_772_215_200)),
                Article(
                    id: "https://gazette.example/2026/ferry", url: "https://gazette.example/2026/ferry",
                    title: "Ferry line reopens after storm & repairs",
                    content: "The ferry between the islands runs again after three weeks of repairs.\n\n"
                        + "Tickets cost 4 euros – as before.",
                    author: "Ana Reis", source: "The Harbour Gazette", publishedAt: date(1_772_271_000)),
                Article(
                    id: "tag:lab.example,2026:nota", url: "https://lab.example/nota", title: "Nota",
                    content: "Uma nota curta, sem título.", source: "Notas do Laboratório",
                    publishedAt: date(1_772_100_000)),
                Article(
                    id: "tag:lab.example,2026:mares", url: "https://lab.example/mares",
                    title: "Medição precisa das marés", content: "As marés subiram 12 cm.\n\nNorte\n\nSul",
                    author: "João Sá", source: "Notas do Laboratório", publishedAt: date(1_772_272_800)),
            ])
        #expect(all.readings.allSatisfy { $0.origin == "newsboat" && !$0.isExact })
    }

    @Test func theFirstImportTakesTheTimeOfPublication() async throws {
        try store.change("UPDATE rss_item SET pubDate = 9999999999 WHERE guid = 'bridge-17'")
        try store.change("UPDATE rss_item SET pubDate = 0 WHERE guid = 'tag:lab.example,2026:nota'")
        let all = try await store.all()
        #expect(all.times == [SourceRun.now, date(1_772_271_000), SourceRun.now, date(1_772_272_800)])
        #expect(all.articles[2].publishedAt == nil)
    }

    @Test func aLaterImportTakesItsOwnTime() async throws {
        let readings = try await store.all(previousImport: SourceRun.now.addingTimeInterval(-3600)).readings
        #expect(readings.count == 4 && readings.allSatisfy { $0.readAt == SourceRun.now && !$0.isExact })
    }

    @Test func batchesOfAnySizeGiveTheSame() async throws {
        let whole = try await store.all().readings
        for size in 1...5 { #expect(try await store.all(batchSize: size).readings == whole) }
        // A batch that holds nothing to read is not the end.
        try store.change("UPDATE rss_item SET title = '', content = ' ' WHERE id IN (3, 4)")
        let rest = try await store.all(batchSize: 1)
        #expect(rest.readings == Array(whole.dropFirst(2)) && rest.leftOut == [.noText: 2])
    }

    /// A guid that is only the feed's own is told apart by the feed.
    @Test(arguments: [
        ("https://example.org/1", true), ("HTTP://example.org/1", true), ("tag:example.org,2026:1", true),
        ("urn:uuid:1", true), ("f81d4fae-7dec-11d0-a765-00a0c91e6bf6", true), ("1234", false), ("post/7", false),
    ])
    func guidsAreIds(guid: String, isGlobal: Bool) async throws {
        try store.change("UPDATE rss_item SET guid = '\(guid)' WHERE guid = 'bridge-17'")
        #expect(try await store.all().ids.first == (isGlobal ? guid : "http://127.0.0.1:8765/gazette.xml#\(guid)"))
    }

    @Test(arguments: [
        ("feedurl = 'https://ana:secret@gazette.example/feed.xml'", "https://gazette.example/feed.xml#bridge-17"),
        ("guid = ''", "https://gazette.example/2026/bridge"),
    ])
    func idsHaveNoPasswordAndNeedNoGuid(change: String, id: String) async throws {
        try store.change("UPDATE rss_item SET \(change) WHERE guid = 'bridge-17'")
        #expect(try await store.all().ids.first == id)
    }

    /// Newsboat 2.22 and later.
    @Test func theTypeOfTheContentIsHonoured() async throws {
        try store.change(
            """
            ALTER TABLE rss_item ADD content_mime_type VARCHAR(255) NOT NULL DEFAULT "";
            UPDATE rss_item SET content = '<b>not</b> markup &amp;', content_mime_type = 'text/plain' WHERE id = 3;
            UPDATE rss_item SET content = 'a &amp; b', content_mime_type = 'text/html' WHERE id = 4;
            UPDATE rss_item SET content = '<div>x</div>', content_mime_type = 'application/xhtml+xml' WHERE id = 5;
            UPDATE rss_item SET content = '<p>y</p>', content_mime_type = '' WHERE id = 6;
            """)
        #expect(try await store.all().articles.map(\.content) == ["<b>not</b> markup &amp;", "a & b", "x", "y"])
    }

    /// Newsbeuter and the first newsboats.
    @Test func aCacheWithoutDeletionIsRead() async throws {
        try store.change("DROP INDEX idx_deleted; ALTER TABLE rss_item DROP COLUMN deleted")
        #expect(try await store.all().readings.count == 5)
    }

    @Test func anItemWhoseFeedIsGoneIsKept() async throws {
        try store.change("DELETE FROM rss_feed")
        #expect(try await store.all().articles.map(\.source) == ["", "", "", ""])
    }

    @Test func tagsBecomeCategories() async throws {
        try store.folder.write(
            """
            # my feeds
            http://127.0.0.1:8765/gazette.xml "~The Gazette" local "World" science
            http://127.0.0.1:8765/lab.xml ! "field notes" coast
            http://127.0.0.1:8765/none.xml
            "query:Unread:unread = \\"yes\\""
            """, to: "urls")
        #expect(
            try await store.all().articles.map(\.category.name) == ["world", "world", "field notes", "field notes"])
    }

    @Test func newsboatsOwnPlacesAreKnown() {
        let standard = NewsboatFiles.candidates(
            in: SourceRun.environment(home: "/home/ana", variables: ["XDG_CONFIG_HOME": "relative"]))
        #expect(standard.map(\.cache) == ["/home/ana/.local/share/newsboat/cache.db", "/home/ana/.newsboat/cache.db"])
        #expect(standard.map(\.urls) == ["/home/ana/.config/newsboat/urls", "/home/ana/.newsboat/urls"])
        let moved = NewsboatFiles.candidates(
            in: SourceRun.environment(variables: ["XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"]))
        #expect(moved.first?.cache == "/d/newsboat/cache.db" && moved.first?.urls == "/c/newsboat/urls")
    }

    @Test func withoutAPathItIsFoundWhereItUsuallyIs() async throws {
        let folder = store.folder
        let environment = SourceRun.environment(home: folder.path)
        try fails(.noInput, "nor at \(folder.path)/.newsboat/cache.db. Name it: pulse-digest import") {
            try SourceKind.store(.newsboat).source(at: nil, in: environment)
        }
        try folder.write("http://127.0.0.1:8765/gazette.xml coast", to: ".newsboat/urls")
        try folder.copy(store.path, to: ".newsboat/cache.db")
        let source = try SourceKind.store(.newsboat).source(at: nil, in: environment)
        #expect(source.name == folder.file(".newsboat/cache.db"))
        #expect(try await source.all().articles.first?.category.name == "coast")
    }

    @Test func nothingIsWritten() async throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: store.path))
        _ = try await store.all()
        #expect(try Data(contentsOf: URL(fileURLWithPath: store.path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.path) == ["cache.db"])
    }

    @Test func whatIsNoCacheIsRefused() async throws {
        let folder = store.folder
        #expect(await isRefused(folder.file("nothing"), .noInput, "There is no file or folder"))
        #expect(await isRefused(FileManager.default.temporaryDirectory.path, .badData, "is a folder"))
        let empty = try folder.write("", to: "empty")
        #expect(await isRefused(empty, .badData, "is empty, and not a database of newsboat"))
        let text = try folder.write(String(repeating: "not a database ", count: 500), to: "text")
        #expect(await isRefused(text, .badData, "not an SQLite file"))
        let other = folder.file("other.sqlite")
        try Connection(path: other, access: .readWriteCreate).execute("CREATE TABLE rss_item (id, name)")
        #expect(await isRefused(other, .badData, other))
    }

    @Test func aCacheWithoutFeedsIsNotReadByHalf() async throws {
        try store.change("DROP TABLE rss_feed")
        #expect(await isRefused(store.path, .badData, "not newsboat's"))
    }

    /// With a remote account, such as Miniflux or FreshRSS, what stands for a feed is no address.
    @Test func theItemsOfARemoteAccountAreTheirLinks() async throws {
        try store.change(
            """
            UPDATE rss_feed SET rssurl = 'feed/7' WHERE rssurl LIKE '%gazette.xml';
            UPDATE rss_item SET feedurl = 'feed/7' WHERE feedurl LIKE '%gazette.xml';
            UPDATE rss_item SET guid = '1789' WHERE guid = 'bridge-17';
            """)
        let article = try #require(try await store.all().articles.first)
        #expect(article.id == "https://gazette.example/2026/bridge" && article.source == "The Harbour Gazette")
    }

    @Test func unreadItemsAreCountedAndFlagsAreBookmarks() async throws {
        try store.change("UPDATE rss_item SET flags = 'l' WHERE id = (SELECT max(id) FROM rss_item WHERE deleted = 0)")
        let all = try await store.all()
        #expect(all.unread == 1 && all.starredTitles == ["Medição precisa das marés"])
    }

    @Test func aDamagedCacheIsCalledDamaged() async throws {
        let handle = try #require(FileHandle(forUpdatingAtPath: store.path))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 4096)
        try handle.write(contentsOf: Data(repeating: 0xa5, count: Int(size) - 4096))
        try handle.close()
        #expect(await isRefused(store.path, .badData, "is damaged"))
    }

    @Test func newsboatIsNotHeldUpBetweenBatches() async throws {
        let cache = try store.reader.open(store.path, batchSize: 1)
        #expect(try await cache.next(previousImport: nil)?.readings.count == 1)
        try store.change("UPDATE rss_item SET unread = 0 WHERE id = 2")
        #expect(try await cache.next(previousImport: nil)?.readings.count == 1)
    }
}
