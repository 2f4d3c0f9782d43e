import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseSources

/// Stores that the readers of Debian 12 made themselves, from the same two feeds of six items. What was read, starred
/// and deleted was so in the program's own windows; see Tests/Fixtures/README.md.
@Suite(.timeLimit(.minutes(20))) struct MadeStoreTests {
    private static let ferry = Article(
        id: "https://gazette.example/2026/ferry", url: "https://gazette.example/2026/ferry",
        title: "Ferry line reopens after storm & repairs",
        content: "The ferry between the islands runs again after three weeks of repairs.\n\nTickets cost 4 euros.",
        author: "Ana Reis", source: "The Harbour Gazette", publishedAt: date(1_772_271_000))
    private static let note = Article(
        id: "tag:lab.example,2026:nota", url: "https://lab.example/nota", title: "Uma nota curta",
        content: "Uma nota curta sobre as algas.", author: "João Sá", source: "Notas do Laboratório",
        publishedAt: date(1_772_100_000))
    private static let bridgeID = "http://127.0.0.1:8767/gazette.xml#bridge-17"

    @Test func liferea() async throws {
        let store = try StoreFixture("liferea-1.14.4.db", .liferea, at: "liferea/liferea.db")
        let all = try await store.all()
        var ferry = Self.ferry
        ferry.category = PulseCore.Category("News")
        #expect(all.articles.prefix(2) == [ferry, Self.note])
        #expect(all.titles.last == "Medição precisa das marés")
        #expect(all.times == [1_772_271_000, 1_772_100_000, 1_772_272_800].map(date))
        #expect(all.readings.allSatisfy { !$0.isExact && $0.origin == "liferea" })
        #expect(all.starred.map(\.article) == [ferry])
        #expect(all.unread == 3)
        try store.change("UPDATE items SET comment = 1 WHERE item_id = 5; UPDATE items SET read = 1")
        let ids = try await store.all().ids
        #expect(ids.count == 5 && ids.contains(Self.bridgeID))
        try await store.holds(
            texts: ["items": ["title", "description", "source", "source_id", "date"], "node": ["title"]])
    }

    @Test func rssGuard() async throws {
        let store = try StoreFixture("rssguard-4.0.4.db", .rssGuard, at: "RSS Guard 4/database/database.db")
        let all = try await store.all()
        #expect(
            all.ids == [
                Self.bridgeID, "http://127.0.0.1:8767/gazette.xml#lamp-18",
                "http://127.0.0.1:8767/gazette.xml#market-19", Self.note.id,
            ])
        #expect(all.articles.last == Self.note && all.times.last == date(1_772_100_000))
        #expect(all.readings.allSatisfy { !$0.isExact && $0.origin == "rssguard" })
        #expect(all.starredTitles == ["Market moves to the square", "Uma nota curta"])
        #expect(all.unread == 2)
        let folder = SourceProbe(path: store.folder.file("RSS Guard 4"), isFolder: true, head: Data(), tables: [:])
        #expect(SourceKind.store(.rssGuard).recognises(folder))

        try store.change(
            """
            UPDATE Messages SET is_deleted = 1 WHERE id = 2; UPDATE Messages SET is_pdeleted = 1 WHERE id = 3;
            INSERT INTO Accounts (id, type) VALUES (2, 'gmail'); UPDATE Messages SET account_id = 2 WHERE id = 4
            """)
        #expect(try await store.all().articles == [Self.note])
        try await store.holds(
            texts: ["Messages": ["title", "contents", "author", "url", "custom_id"], "Feeds": ["title"]])
    }

    /// In version 5 a message names its feed by the row's id. Both feeds have the other's number as their own.
    @Test func rssGuard5() async throws {
        let store = try StoreFixture("rssguard-4.0.4.db", .rssGuard, at: "database.db")
        try store.change(
            """
            INSERT INTO Categories (id, parent_id, title, account_id) VALUES (7, -1, 'Sea', 1);
            UPDATE Feeds SET custom_id = 3 - id, category = CASE id WHEN 2 THEN 7 ELSE -1 END;
            ALTER TABLE Messages RENAME TO old;
            CREATE TABLE Messages (id INTEGER PRIMARY KEY, is_read INTEGER(1) NOT NULL DEFAULT 0,
                is_important INTEGER(1) NOT NULL DEFAULT 0, is_deleted INTEGER(1) NOT NULL DEFAULT 0,
                is_pdeleted INTEGER(1) NOT NULL DEFAULT 0, feed INTEGER NOT NULL, title VARCHAR(500) NOT NULL,
                url VARCHAR(1200), author VARCHAR(400), date_created BIGINT NOT NULL, contents TEXT, enclosures TEXT,
                score REAL NOT NULL DEFAULT 0.0, account_id INTEGER NOT NULL, custom_id VARCHAR(250), custom_data TEXT,
                date_retrieved BIGINT NOT NULL DEFAULT 0);
            INSERT INTO Messages SELECT id, is_read, is_important, is_deleted, is_pdeleted, feed, title, url, author,
                date_created, contents, enclosures, score, account_id, custom_id, NULL, 1772272000000 FROM old;
            DROP TABLE old;
            """)
        let last = try #require(try await store.all().articles.last)
        #expect(last.source == "Notas do Laboratório" && last.category.name == "sea")
        // What was there before the last import and had long been published is the archive of a new feed.
        try store.change("UPDATE Messages SET date_created = 1640995200000 WHERE id = 6")
        let times = try await store.all(previousImport: SourceRun.now.addingTimeInterval(-60)).times
        #expect(times == [SourceRun.now, SourceRun.now, SourceRun.now, date(1_640_995_200)])
    }

    @Test func quiteRSS() async throws {
        let store = try StoreFixture("quiterss-0.19.4.db", .quiteRSS, at: "feeds.db")
        let all = try await store.all()
        #expect(all.readings.count == 4 && all.ids.last == Self.note.id)
        let ferry = try #require(all.articles.first)
        #expect(ferry.content == Self.ferry.content && ferry.author == "Ana Reis")
        #expect(ferry.source == "The Harbour Gazette")
        // Its times are local, so the fixture's depend on where the test runs.
        let published = try #require(ferry.publishedAt)
        let offset = Double(TimeZone.current.secondsFromGMT(for: published))
        #expect(published == date(1_772_271_000 - offset))
        #expect(all.starredTitles == ["Lighthouse gets a new lamp"])
        #expect(all.unread == 1)
        try store.change(
            """
            INSERT INTO feeds (id, text) VALUES (3, 'Coast'); UPDATE feeds SET parentId = 3 WHERE id = 1;
            UPDATE news SET link_href = '', content = 'Long text.' WHERE id = 1
            """)
        let first = try #require(try await store.all().articles.first)
        #expect(first.category.name == "coast" && first.url == first.id && first.content == "Long text.")
        try await store.holds(
            texts: ["news": ["title", "description", "guid", "published"], "feeds": ["text", "language"]])
    }
}
