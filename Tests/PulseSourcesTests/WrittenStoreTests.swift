import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseSources

/// Stores written from the programs' own definitions of their tables.
@Suite(.timeLimit(.minutes(20))) struct WrittenStoreTests {
    private static let lastWeek = SourceRun.now.addingTimeInterval(-7 * 86_400)

    @Test func netNewsWire() async throws {
        let store = try StoreFixture("netnewswire.sql", .netNewsWire, at: "2_OnMyMac/DB.sqlite3")
        let all = try await store.all()
        #expect(
            all.ids == [
                "https://gazette.example/ferry", "https://elsewhere.example/post", "https://lab.example/atom.xml#a3",
            ])
        #expect(
            all.articles.map(\.content) == ["The ferry runs again.", "A post without a title.", "The *tides* rose."])
        #expect(all.titles == ["Ferry line reopens", "A post without a title.", "Tides"])
        #expect(all.articles.map(\.author) == ["Ana Reis", nil, nil])
        // Without a date of publication it counts as read when it came.
        #expect(all.times == [date(1_772_271_000), date(1_772_215_200.5), date(1_772_272_800)])
        #expect(all.readings.allSatisfy { !$0.isExact && $0.origin == "netnewswire/2_OnMyMac" })
        #expect(all.starredTitles == ["A post without a title.", "Old and starred"])
        #expect(all.leftOut == [LeftOut(words: "marked as read on arrival"): 1])
        #expect(all.unread == 1)
        let later = try await store.all(previousImport: Self.lastWeek)
        #expect(later.times == [SourceRun.now, SourceRun.now, SourceRun.now])
        try await store.holds(
            texts: ["articles": ["title", "contentHTML", "contentText", "authors", "url", "datePublished"]])
    }

    @Test func netNewsWiresFeedsHaveTheNamesThatTheUserGave() async throws {
        let store = try StoreFixture("netnewswire.sql", .netNewsWire, at: "17_9/DB.sqlite3")
        try store.folder.write(
            """
            <?xml version="1.0"?><!DOCTYPE opml [<!ENTITY file SYSTEM "file:///etc/passwd">]>
            <opml version="1.1"><body>
            <outline text="World" title="World">
              <outline text="Gazette &amp; more" type="rss" xmlUrl="https://gazette.example/feed.xml"/>
            </outline>
            <outline text="Lab" title="&file;" type="rss" xmlUrl="https://lab.example/subscribed"/>
            </body></opml>
            """, to: "17_9/Subscriptions.opml")
        try Connection(path: store.folder.file("17_9/FeedSettings.db"), access: .readWriteCreate).execute(
            """
            CREATE TABLE feedSettings (feedURL TEXT PRIMARY KEY, feedID TEXT NOT NULL DEFAULT '', editedName TEXT);
            INSERT INTO feedSettings VALUES ('https://lab.example/subscribed', '81', 'My lab'),
                ('https://gazette.example/feed.xml', '', NULL);
            UPDATE feedSettings SET editedName = 'My lab' WHERE feedID = '81'
            """)
        try store.change("UPDATE articles SET feedID = '81' WHERE articleID = 'a3'")
        let articles = try await store.all().articles
        #expect(articles.map(\.source) == ["Gazette & more", "Gazette & more", "My lab"])
        #expect(articles.map(\.category.name) == ["world", "world", "general"])
        try store.folder.write("no XML at all", to: "17_9/Subscriptions.opml")
        #expect(try await store.all().readings.count == 3)
    }

    /// Before April 2026.
    @Test func netNewsWiresTablesOfAuthorsAreRead() async throws {
        let store = try StoreFixture(
            "netnewswire.sql", .netNewsWire, at: "DB.sqlite3",
            changes: """
                ALTER TABLE articles DROP COLUMN authors; ALTER TABLE articles DROP COLUMN markdown;
                CREATE TABLE authors (authorID TEXT PRIMARY KEY, name TEXT);
                CREATE TABLE authorsLookup (authorID TEXT, articleID TEXT);
                INSERT INTO authors VALUES ('x', 'Eva'); INSERT INTO authorsLookup VALUES ('x', 'a2')
                """)
        #expect(try await store.all().articles.map(\.author) == [nil, "Eva", nil])
    }

    @Test func freshRSS() async throws {
        let store = try StoreFixture("freshrss.sql", .freshRSS, at: "users/ana/db.sqlite")
        let all = try await store.all()
        #expect(
            all.articles == [
                Article(
                    id: "https://gazette.example/ferry", url: "https://gazette.example/ferry?x=1&y=2",
                    title: "Ferry & \"storm\": 3 < 4", content: "The ferry runs again.", author: "Ana & Eva, Rui",
                    source: "Fish & Chips", publishedAt: date(1_772_271_000)),
                Article(
                    id: "https://lab.example/atom.xml#n-17", url: "https://lab.example/tides", title: "Tides",
                    content: "Twelve cm.", source: "The Lab", category: PulseCore.Category("science & sea"),
                    publishedAt: date(1_772_215_200)),
                Article(
                    id: "https://lab.example/atom.xml#n-18", url: "https://lab.example/18", title: "Read before 1.28",
                    content: "x", source: "The Lab", category: PulseCore.Category("science & sea"),
                    publishedAt: date(1_772_100_000)),
            ])
        #expect(all.times == [1_772_352_000, 1_772_355_600, 1_772_100_000].map(date))
        #expect(all.readings.map(\.isExact) == [true, true, false])
        #expect(all.readings.allSatisfy { $0.origin == "freshrss/ana" })
        #expect(all.starredTitles == ["Tides", "Starred, not read"])
        #expect(all.unread == 2)
        try await store.holds(
            texts: [
                "entry": ["title", "content", "author", "link", "date", "lastUserModified"],
                "feed": ["name"],
            ])
    }

    private func freshStore(_ changes: String? = nil) throws -> StoreFixture {
        try StoreFixture("freshrss.sql", .freshRSS, at: "db.sqlite", changes: changes)
    }

    @Test func whatFreshRSSMarkedAllAtOnceIsNotExact() async throws {
        let store = try freshStore(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)
            INSERT INTO entry (id, guid, title, link, date, lastUserModified, is_read, id_feed)
                SELECT 1772271200000000 + i, 'bulk' || i, 'T' || i, '', 1772200000, 1772350000, 1, 2 FROM n
            """)
        // Also where it is marked after the first import: when it was published, and not that night.
        for previous in [nil, Self.lastWeek] {
            let all = try await store.all(previousImport: previous)
            let bulk = all.readings.filter { $0.article.title.hasPrefix("T") && $0.article.title != "Tides" }
            #expect(bulk.count == 10 && all.bulk == Set(bulk.map(\.article.id)))
            #expect(bulk.allSatisfy { !$0.isExact && $0.readAt == date(1_772_200_000) })
            #expect(all.readings.filter(\.isExact).count == 2)
        }
    }

    /// What an import with these rows behind it hands out.
    private func all(_ store: StoreFixture, after rows: [Int64: Int64]) async throws -> ImportBatch {
        let source = try store.reader.open(store.path, batchSize: 2)
        source.skip(rows)
        return try await source.all(previousImport: SourceRun.now)
    }

    @Test func whatHasNotChangedIsPassedOver() async throws {
        let store = try freshStore()
        let first = try await all(store, after: [:])
        #expect(first.readings.count == 3 && first.starred.count == 2 && first.known == 0 && first.rows.count == 4)
        let second = try await all(store, after: first.rows)
        #expect(second.readings.isEmpty && second.starred.isEmpty && second.rows.isEmpty)
        #expect(second.known == 3 && second.unread == first.unread)
    }

    /// By title, since a change of any kind must be seen.
    @Test(arguments: [
        ("is_read = 1 WHERE guid = 'n-20'", "Not read"), ("is_read = 1 WHERE guid = 'n-19'", "Starred, not read"),
        ("title = 'Tidal' WHERE guid = 'n-17'", "Tidal"), ("content = 'More.' WHERE guid = 'n-17'", "Tides"),
        ("lastUserModified = 1772360000 WHERE guid = 'n-17'", "Tides"), ("author = 'Eva' WHERE guid = 'n-17'", "Tides"),
    ])
    func whatHasChangedComesIn(change: String, title: String) async throws {
        let store = try freshStore()
        let rows = try await all(store, after: [:]).rows
        try store.change("UPDATE entry SET " + change)
        let batch = try await all(store, after: rows)
        #expect(batch.titles == [title])
        #expect(batch.rows.count == 1)
        #expect(try await all(store, after: rows.merging(batch.rows) { $1 }).readings.isEmpty)
    }

    @Test func aFeedWithAnotherNameBringsItsArticlesInAgain() async throws {
        let store = try freshStore()
        let rows = try await all(store, after: [:]).rows
        try store.change("UPDATE feed SET name = 'The Laboratory' WHERE id = 2")
        #expect(try await all(store, after: rows).articles.map(\.source) == ["The Laboratory", "The Laboratory"])
    }

    /// What is left out is counted each time.
    @Test func whatCannotBeImportedIsNotPassedOver() async throws {
        let store = try freshStore("UPDATE entry SET title = '', content = '' WHERE guid = 'n-17'")
        let first = try await all(store, after: [:])
        #expect(first.leftOut == [.noText: 1])
        #expect(try await all(store, after: first.rows).leftOut == [.noText: 1])
    }

    /// A rule sets no time. What came before the first time may also have been read before there were any.
    @Test func whatAFilterOfFreshRSSMarkedWasNotReadToday() async throws {
        let store = try freshStore(
            """
            INSERT INTO entry (id, guid, title, link, date, is_read, id_feed)
                VALUES (1772352001000001, 'n-21', 'Marked by a rule', '', 1772352000, 1, 2)
            """)
        let batch = try await store.all(previousImport: Self.lastWeek)
        #expect(batch.leftOut == [LeftOut(words: "marked as read on arrival"): 1])
        #expect(batch.times == [1_772_352_000, 1_772_355_600, 1_772_100_000].map(date))
        // Later the first times are gone, with the entries that FreshRSS has deleted.
        try store.change("DELETE FROM entry WHERE id <> 1772352001000001")
        #expect(try await store.all(previousImport: Self.lastWeek).times == [date(1_772_352_000)])
    }

    @Test func freshRSSBefore128HasNoReadingTimes() async throws {
        let all = try await freshStore("ALTER TABLE entry DROP COLUMN lastUserModified").all()
        #expect(all.times == [1_772_271_000, 1_772_215_200, 1_772_100_000].map(date))
        #expect(all.readings.allSatisfy { !$0.isExact })
    }

    /// What programs have where there is no time, or a broken clock.
    @Test(arguments: [0, -1, -63_114_076_800, 700_000_000, 99_999_999_999])
    func aTimeThatCannotBeMeantIsNone(seconds: Int) async throws {
        let store = try freshStore("UPDATE entry SET date = \(seconds), lastUserModified = \(seconds)")
        let readings = try await store.all().readings
        #expect(readings.allSatisfy { $0.article.publishedAt == nil && !$0.isExact })
        // When it came.
        #expect(readings.allSatisfy { abs($0.readAt.timeIntervalSince1970 - 1_772_271_100) < 1 })
    }

    @Test func pulse() async throws {
        let store = try StoreFixture("pulse.sql", .pulse, at: "default.store")
        let all = try await store.all()
        #expect(
            all.ids == [
                "7f0d4c1a-0d0e-4f4e-9d8e-3a1f4c5b6a70", "science/2026/feb/28/tides", "world/2026/jan/25/bridge",
            ])
        #expect(all.readings.map(\.isExact) == [true, false, true])
        #expect(all.times == [date(1_772_298_000.25), SourceRun.now, date(1_769_307_200)])
        #expect(all.articles.first?.category.name == "world" && all.articles.first?.summary == "Teaser.")
        #expect(
            all.starred == [
                Bookmark(
                    article: Article(
                        id: "kept", url: "https://lab.example/kept", title: "Keep this", source: "The Lab",
                        category: PulseCore.Category("health"), publishedAt: date(1_772_215_500)),
                    savedAt: date(1_772_305_200))
            ])
        #expect(all.unread == 0)
        try await store.holds(texts: ["ZREADARTICLE": ["ZTITLE", "ZCONTENT", "ZURL", "ZREADAT"]])
    }

    @Test func pulsesMissingTablesAreEmpty() async throws {
        let store = try StoreFixture("pulse.sql", .pulse, at: "default.store")
        try store.change("DROP TABLE ZREADARTICLE")
        #expect(try await store.all().readings.count == 1)
        try store.change("DROP TABLE ZREADINGHISTORYENTRY; DROP TABLE ZBOOKMARKEDARTICLE")
        #expect(try await store.all().readings.isEmpty)
        try store.change("DROP TABLE ZUSERPREFERENCESMODEL; CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY)")
        #expect(await store.reader.failure(store.path)?.code == .badData)
    }

    @Test func rssium() async throws {
        let store = try StoreFixture("rssium.sql", .rssium, at: "RSSiumModel.sqlite")
        let all = try await store.all()
        #expect(all.ids == ["https://gazette.example/ferry", "https://gazette.example/feed.xml#Council votes"])
        // The second has the time of parsing.
        #expect(all.articles.map(\.publishedAt) == [date(1_772_271_000), nil])
        #expect(all.times == [date(1_772_271_000), date(1_772_272_800.734)])
        #expect(all.readings.allSatisfy { !$0.isExact && $0.article.source == "The Harbour Gazette" })
        #expect(all.starredTitles == ["Council votes", "Saved"])
        #expect(all.unread == 2)
        try await store.holds(texts: ["ZARTICLE": ["ZTITLE", "ZCONTENT", "ZAUTHOR", "ZURL", "ZPUBLISHEDDATE"]])
    }

    @Test func aRunningProgramIsReadWithWhatIsOnlyInItsLog() async throws {
        let store = try StoreFixture("rssium.sql", .rssium, at: "RSSiumModel.sqlite")
        let app = try Connection(path: store.path, access: .readWrite)
        try app.execute("PRAGMA journal_mode = WAL; UPDATE ZARTICLE SET ZISREAD = 1")
        #expect(try await store.all().readings.count == 4)
        try app.execute("BEGIN EXCLUSIVE; UPDATE ZARTICLE SET ZISREAD = 0")
        #expect(try await store.all().readings.count == 4)
        try app.execute("COMMIT")
        #expect(try await store.all().readings.isEmpty)
    }

    @Test func whatWasReadBeforeAFaultIsHandedOutFirst() async throws {
        let store = try StoreFixture("rssium.sql", .rssium, at: "RSSiumModel.sqlite")
        let source = try store.reader.open(store.path, batchSize: 1)
        #expect(try await source.next(previousImport: nil)?.readings.count == 1)
        try store.change("DROP TABLE ZARTICLE")
        // Of the next batch it is chance whether it was read before.
        try await fails(.badData) {
            while let batch = try await source.next(previousImport: nil) { #expect(batch.readings.count == 1) }
        }
        await #expect(throws: PulseError.self) { try await source.next(previousImport: nil) }
    }

    @Test func eachIsLookedForWhereItsProgramKeepsIt() throws {
        let home = try TemporaryFolder()
        let environment = SourceRun.environment(home: home.path)
        let library = "Library/Developer/CoreSimulator/Devices/D/data/Containers"
        let netNewsWire = "Library/Containers/com.ranchero.NetNewsWire-Evergreen/Data/Library/Application Support"
        for (reader, place) in [
            (FeedReaderDatabase.liferea, ".local/share/liferea/liferea.db"),
            (.liferea, ".var/app/net.sourceforge.liferea/data/liferea/liferea.db"),
            (.rssGuard, ".var/app/io.github.martinrotter.rssguard/config/RSS Guard 4/database/database.db"),
            (.newsboat, "snap/newsboat/current/.newsboat/cache.db"),
            (.rssGuard, ".config/RSS Guard 4/database/database.db"),
            (.rssGuard, ".config/rssguard5/database/database.db"),
            (.quiteRSS, ".local/share/QuiteRss/QuiteRss/feeds.db"),
            (.netNewsWire, netNewsWire + "/NetNewsWire/Accounts/17_9/DB.sqlite3"),
            (.netNewsWire, netNewsWire + "/NetNewsWire/Accounts/2_OnMyMac/DB.sqlite3"),
            (.pulse, library + "/Data/Application/A/Library/Application Support/default.store"),
            (.rssium, library + "/Shared/AppGroup/A/Library/Application Support/RSSiumModel.sqlite"),
        ] {
            #expect(!reader.defaultPaths(environment).isEmpty)
            let path = try home.write("", to: place)
            #expect(reader.defaultPaths(environment).contains(path))
        }
        // The newer of two versions comes first.
        #expect(SourceKind.store(.rssGuard).defaultPaths(environment).first?.contains("rssguard5") == true)
        #expect(SourceKind.store(.netNewsWire).defaultPaths(environment).count == 2)
        #expect(!SourceKind.store(.freshRSS).defaultPaths(environment).isEmpty)
    }
}
