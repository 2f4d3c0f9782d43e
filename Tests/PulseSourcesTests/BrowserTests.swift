import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseSources

@Suite(.timeLimit(.minutes(20))) struct BrowserTests {
    let folder: TemporaryFolder
    /// A day after the fixtures' visits.
    private let now = Date(timeIntervalSince1970: 1_795_420_000)
    private let ferry = "http://gazette.example/2026/ferry"
    private let bridge = "http://gazette.example/2026/bridge?page=1"
    private let headlines = ["Ferry line reopens after repairs", "Council votes on the bridge"]

    init() throws { folder = try TemporaryFolder() }

    private func database(_ fixture: String, _ name: String, changes: String = "") throws -> String {
        let sql = try String(contentsOfFile: SourceRun.fixture("browsers/" + fixture), encoding: .utf8)
        let path = folder.file(name)
        try Connection(path: path, access: .readWriteCreate).execute(sql + changes)
        return path
    }

    private func environment(hosts: [String] = []) -> ImportEnvironment {
        SourceRun.environment(now: now, home: folder.path, hosts: hosts)
    }

    private func read(
        _ kind: SourceKind, _ path: String, hosts: [String] = ["gazette.example"]
    ) async throws -> ImportBatch {
        try await kind.source(at: path, in: environment(hosts: hosts)).all()
    }

    /// Of a history with changes, in SQL.
    private func firefox(_ changes: String = "") async throws -> ImportBatch {
        try await read(.browser(.firefox), database("firefox-153.sql", "places.sqlite", changes: changes))
    }

    private func chromium(_ changes: String = "") async throws -> ImportBatch {
        try await read(.browser(.chromium), database("chromium-156.sql", "History", changes: changes))
    }

    private func leftOut(_ batch: ImportBatch) -> [Message: Int] {
        Dictionary(uniqueKeysWithValues: batch.leftOut.map { ($0.key.words, $0.value) })
    }

    /// A profile's folder will do, and so will that of all profiles; one without any is said to be that.
    @Test func aFolderOfProfilesIsOne() async throws {
        let chromium = folder.path + "/chromium"
        for profile in ["Profile 2", "Profile 1"] {
            try folder.makeFolder("chromium/" + profile)
            _ = try database("chromium-156.sql", "chromium/\(profile)/History")
        }
        for path in [chromium, chromium + "/Profile 1"] {
            #expect(try await read(.browser(.chromium), path).urls == [ferry, bridge])
        }
        let error = await failure { try await read(.browser(.chromium), folder.path) }
        #expect(error?.code == .noInput && error?.message.hasPrefix("There is no profile of Chromium in ") == true)
        func message() -> Message? {
            failure { try SourceKind.browser(.firefox).source(at: nil, in: environment()) }?.message
        }
        #expect(message() == "No Firefox profile was found.")
        try folder.makeFolder(".mozilla/firefox")
        #expect(message() == "No Firefox profile was found in \(folder.path)/.mozilla/firefox.")
    }

    /// The name of a site behind the titles of its pages is the site's name, and no part of a headline.
    @Test func theNameOfASiteIsNoPartOfATitle() async throws {
        let changes = """
            UPDATE moz_places SET title = title || ' | Global Wire' WHERE url LIKE 'http://gazette.example/2026/%';
            """
        #expect(try await firefox(changes).titles == headlines)
    }

    /// Sections, and what newsrooms put behind titles, are shared by some pages, or begin in lower case.
    @Test(arguments: [
        ("title || ' | Opinion' WHERE url NOT LIKE '%ferry%'", "Council votes on the bridge | Opinion"),
        (
            "title || iif(url LIKE '%bridge%', ' | Gazette', ' | Opinion')",
            "Ferry line reopens after repairs | Opinion"
        ),
        ("title || ' – live updates'", "Council votes on the bridge – live updates"),
    ])
    func whatSomePagesShareIsNoNameOfTheSite(change: String, title: String) async throws {
        #expect(try await firefox("UPDATE moz_places SET title = \(change);").titles.contains(title))
    }

    /// Also of a single page, where the host or the page itself has the name.
    @Test func theNameOfTheHostIsNoPartOfATitleEither() async throws {
        let safari = "UPDATE history_visits SET title = title || ' | The GAZETTE';"
        let visits = try await read(.safari, database("safari.sql", "History.db", changes: safari))
        #expect(visits.titles.first == headlines[0] && visits.articles.first?.source == "The GAZETTE")
        let urls = try await chromium("UPDATE urls SET title = title || ' - Gazette News';")
        #expect(urls.titles.first == headlines[0] && urls.articles.first?.source == "Gazette News")
        let places = try await firefox(
            """
            UPDATE moz_places SET title = title || ' | Harbours | Ocean Híll', site_name = 'ocean hill'
            WHERE url LIKE 'http://gazette.example/2026/ferry%';
            """)
        #expect(places.titles.first == headlines[0] + " | Harbours" && places.articles.first?.source == "ocean hill")
    }

    /// Nor a section, if three titles share it.
    @Test(arguments: [
        (" | Business | The Gazette", ""), (" – as it happened | Business | The Gazette", " – as it happened"),
        (" | What we know | The Gazette", " | What we know"), (" - Orlen | The Gazette", " - Orlen"),
    ])
    func aSectionIsNoPartOfATitle(end: String, left: String) async throws {
        let changes = """
            UPDATE moz_places SET title = title || '\(end)' WHERE url LIKE 'http://gazette.example/2026/%';
            INSERT INTO moz_places (id, url, title, hidden)
            VALUES (90, 'http://gazette.example/2026/harbour-opens-a-new-quay', 'Harbour opens\(end)', 0);
            """
        #expect(try await firefox(changes).titles.first == "Ferry line reopens after repairs" + left)
    }

    @Test(arguments: [
        ("The Orlen Times", "www.orlentimes.example", true), ("The Old Harbour Times", "www.ohtimes.example", true),
        ("OBC News", "www.obc.co.uk", true), ("DER HAFEN", "www.hafen.example", true),
        ("EL CAÍS", "elcais.example", true), ("H1", "h1.orb.example", true), ("Le Quai.fr", "www.lequai.fr", true),
        ("Harbour Times", "ht.example", true), ("AH News", "ahnews.example", true),
        ("Harbours", "www.orlentimes.example", false), ("High tides", "ht.example", false),
        ("News", "news.example", false), ("Council Opens", "www.obc.co.uk", false),
        ("the OBC under pressure", "www.obc.co.uk", false), ("Ana Lima", "www.orlentimes.example", false),
    ])
    func namesOfSitesAreToldByTheirHosts(name: String, host: String, isName: Bool) {
        #expect(VisitedPages.isName(name, of: host) == isName)
    }

    /// By addresses alone: the site's articles have slugs, and what is above them is a front.
    @Test(arguments: [
        ("https://globe.example/world/2026/nov/21/harbour-opens", true), ("https://globe.example/world/", false),
        ("https://globe.example/world/2026/nov", false), ("https://globe.example/sport", false),
        ("https://globe.example/news/a-new-bridge-for-the-old-town", true),
        ("https://globe.example/technology/archive/2026/11/how-a-tide-clock-works/61724/", true),
        ("https://globe.example/topics/why-the-bridge-was-closed", true),
        ("https://globe.example/topics/bridges", false),
        ("https://globe.example/tag/harbour-tunnel", false), ("https://globe.example/author/ana-lopes", false),
        ("https://globe.example/login?return=/world/2026/nov/21/harbour-opens", false),
        ("https://globe.example/video/2026/nov/21/the-harbour-seen-from-above", false),
        ("https://globe.example/pol%C3%ADtica", false),
        ("https://globe.example/V%C3%ADdeos/o-porto-visto-de-cima", false),
        ("https://globe.example/2026/a-ponte-reabriu-em-S%C3%A3o-Jorge", true),
        ("https://globe.example/search/harbour", false), ("https://globe.example/article.php?id=4711", true),
        ("https://globe.example/21114711", true), ("https://globe.example/", false),
        // Of this one nothing with a slug was visited.
        ("https://weblog.example/tides", true),
    ])
    func articlesAreToldByTheirAddresses(url: String, isArticle: Bool) {
        var pages = VisitedPages()
        for page in ["world/2026/nov/21/harbour-opens", "news/a-new-bridge-for-the-old-town", "sport"] {
            pages.add("https://globe.example/" + page)
        }
        #expect(pages.isArticle(url) == isArticle)
    }

    // MARK: - What the browsers wrote

    /// The front page, an article by way of a redirect, one that was reloaded and visited again, one that was left
    /// after two seconds, a search, another site, and a download.
    @Test(arguments: [
        ("firefox", [1_795_333_097.161904, 1_795_333_111.301984]),
        ("chromium", [1_795_333_157.455638, 1_795_333_171.453003]),
    ])
    func firefoxAndChromium(browser: String, expected: [Double]) async throws {
        let batch = try await browser == "firefox" ? firefox() : chromium()
        #expect(batch.urls == [ferry, bridge] && batch.ids == [ferry, bridge])
        #expect(batch.titles == headlines)
        if browser == "firefox" {
            #expect(batch.articles.map(\.summary) == ["The ferry between the islands runs again.", ""])
        }
        #expect(batch.articles.map(\.source) == ["gazette.example", "gazette.example"])
        #expect(zip(batch.seconds, expected).allSatisfy { abs($0 - $1) < 0.001 })
        #expect(batch.readings.allSatisfy { $0.isExact && $0.origin == browser })
        #expect(
            leftOut(batch) == [
                "of other sites": 1, "of front pages, searches, logins or videos": 2,
                "seen for less than ten seconds": 1, LeftOut.noTextKept.words: 2,
            ])
    }

    @Test func safari() async throws {
        let batch = try await read(.safari, database("safari.sql", "History.db"))
        #expect(batch.urls == [ferry, "http://gazette.example/2026/bridge"])
        #expect(batch.seconds == [1_795_333_097.25, 1_795_333_111.5])
        #expect(batch.titles == headlines)
    }

    @Test func safarisReadingList() async throws {
        let entries: [[String: Any]] = [
            [
                "URLString": ferry, "URIDictionary": ["title": "Ferry"],
                "ReadingList": [
                    "DateAdded": now - 9000, "DateLastViewed": now - 3600, "PreviewText": "It runs again.",
                ] as [String: Any],
            ],
            ["URLString": bridge, "ReadingList": ["DateAdded": now - 8000]],
        ]
        let bookmarks: [String: Any] = [
            "Children": [["Title": "BookmarksBar"], ["Title": "com.apple.ReadingList", "Children": entries]]
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: bookmarks, format: .binary, options: 0)
        let path = try folder.write(data, to: "Bookmarks.plist")
        // Whoever puts a page on a list has chosen it: no site need be named.
        let batch = try await read(.safari, path, hosts: [])
        #expect(batch.titles == ["Ferry"] && batch.readings.map(\.isExact) == [true])
        #expect(batch.articles.map(\.summary) == ["It runs again."])
        #expect(batch.times == [now - 3600])
        #expect(batch.unread == 1)
        let other = try folder.write("[]", to: "Other.plist")
        await #expect(throws: PulseError.self) { try await read(.safari, other) }
        let others = try PropertyListSerialization.data(
            fromPropertyList: ["Children": [[String: String]]()], format: .binary, options: 0)
        let without = try folder.write(others, to: "Bookmarks.plist")
        #expect(await SourceRun.failure(.safari, without).says(.badData, "no Reading List"))
    }

    // MARK: - Rules

    @Test func withoutASiteNothingIsRead() async throws {
        for (kind, fixture) in [
            (SourceKind.browser(.firefox), "firefox-153.sql"), (.browser(.chromium), "chromium-156.sql"),
        ] {
            let path = try database(fixture, kind.name)
            try await fails(.usage, "gazette.example (", "other.example (1)", hint: "--host news.example") {
                try await read(kind, path, hosts: [])
            }
        }
    }

    @Test func aSiteStandsForThoseBelowIt() async throws {
        let path = try database("firefox-153.sql", "places.sqlite")
        #expect(try await read(.browser(.firefox), path, hosts: ["example"]).readings.count == 3)
        let other = try await read(.browser(.firefox), path, hosts: ["https://Other.example/x"])
        #expect(other.urls == ["http://other.example/2026/tides"])
        #expect(try await read(.browser(.firefox), path, hosts: ["zette.example"]).readings.isEmpty)
    }

    @Test func batchesOfAnySizeGiveTheSame() throws {
        for (schema, fixture) in [(BrowserSchema.firefox, "firefox-153.sql"), (.chromium, "chromium-156.sql")] {
            let path = try database(fixture, schema.file)
            for size in [1, 2, 3, 100] {
                let history = try BrowserHistory(
                    path: path, schema: schema, environment: environment(hosts: ["example"]), batchSize: size)
                var readings: [Reading] = []
                while let batch = try history.next(previousImport: nil) { readings += batch.readings }
                #expect(readings.count == 3)
            }
        }
    }

    @Test func whereTheTimeOfAViewIsNotKnownAVisitCounts() async throws {
        #expect(try await firefox("DROP TABLE moz_places_metadata;").titles.contains("A page left at once"))
        let changes = "DROP TABLE context_annotations; UPDATE visits SET visit_duration = 0;"
        #expect(try await chromium(changes).titles.contains("A page left at once"))
    }

    @Test func hostileRowsDoNoHarm() async throws {
        let batch = try await firefox(
            """
            INSERT INTO moz_places (id, url, title, hidden) VALUES
                (90, 'http://gazette.example/2026/a', char(27) || '[31m<b>Red</b>', 0),
                (91, 'http://gazette.example/2026/' || hex(zeroblob(5000)), 'Long', 0),
                (92, 'javascript:alert(1)', 'Script', 0), (93, NULL, NULL, 0), (94, x'ff00', x'ff', 0),
                (95, 'http://gazette.example/2026/future', 'Future', 0),
                (96, 'http://gazette.example/2026/b"<x>', 'Mark', 0);
            INSERT INTO moz_historyvisits (id, place_id, visit_date, visit_type) SELECT id, id,
                CASE id WHEN 95 THEN 9000000000000000 ELSE 1795333200000000 END, 1 FROM moz_places WHERE id >= 90;
            """)
        #expect(batch.titles.suffix(2) == ["[31mRed", "Mark"])
        #expect(batch.readings.last?.article.url == "http://gazette.example/2026/b%22%3Cx%3E")
        #expect(batch.readings.count == 4)
        #expect(batch.leftOut[.noIdentity] == 1 && leftOut(batch)["without a time"] == 1)
    }

    @Test func aCountOfVisitsMayBeAnyNumber() async throws {
        let changes = "UPDATE urls SET visit_count = 9223372036854775807;"
        let path = try database("chromium-156.sql", "History", changes: changes)
        try await fails(.usage, "gazette.example (") { try await read(.browser(.chromium), path, hosts: []) }
    }

    @Test func anotherDatabaseIsRefused() async throws {
        let path = folder.file("other.db")
        try Connection(path: path, access: .readWriteCreate).execute("CREATE TABLE moz_places (id); CREATE TABLE b (x)")
        for kind in [SourceKind.browser(.firefox), .browser(.chromium), .safari] {
            try await fails(.badData, "b, moz_places") { try await read(kind, path) }
        }
    }

    // MARK: - Places

    @Test func firefoxsOwnProfileComesFirst() throws {
        let profiles = folder.path + "/.mozilla/firefox"
        try folder.write(
            """
            [Install4F96D1932A9F858E]
            Default=abc.default-esr
            Locked=1

            [Profile1]
            Name=default
            IsRelative=1
            Path=xyz.default
            Default=1

            [Profile0]
            Name=work
            IsRelative=0
            Path=/elsewhere/work

            [Profile2]
            Path=abc.default-esr
            """, to: ".mozilla/firefox/profiles.ini")
        #expect(
            SourceKind.browser(.firefox).defaultPaths(environment()).prefix(3) == [
                profiles + "/abc.default-esr/places.sqlite", profiles + "/xyz.default/places.sqlite",
                "/elsewhere/work/places.sqlite",
            ])
    }

    /// By the folder that holds the profiles.
    @Test(arguments: [
        ".config/chromium", ".config/google-chrome", ".config/vivaldi", ".config/opera",
        ".var/app/org.chromium.Chromium/config/chromium", ".var/app/com.google.Chrome/config/google-chrome",
        ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser",
        ".var/app/com.microsoft.Edge/config/microsoft-edge", ".var/app/com.vivaldi.Vivaldi/config/vivaldi",
        ".var/app/com.opera.Opera/config/opera",
        ".var/app/io.github.ungoogled_software.ungoogled_chromium/config/chromium", "snap/chromium/common/chromium",
        "snap/brave/current/.config/BraveSoftware/Brave-Browser", "snap/opera/current/.config/opera",
    ])
    func chromiumIsFoundHoweverItWasInstalled(place: String) throws {
        let names = ["Default", "Profile 1", "Profile 2", "Profile 10", "Work"]
        for name in names + ["System Profile"] { try folder.write("", to: "\(place)/\(name)/History") }
        #expect(
            SourceKind.browser(.chromium).found(in: environment())
                == names.map { "\(folder.path)/\(place)/\($0)/History" })
    }

    @Test func operasOnlyProfileIsItsFolder() throws {
        let path = try folder.write("", to: ".config/opera/History")
        #expect(SourceKind.browser(.chromium).found(in: environment()) == [path])
    }

    @Test(arguments: [
        ".mozilla/firefox", ".config/mozilla/firefox", ".librewolf", ".zen", ".waterfox", ".floorp",
        "snap/firefox/common/.mozilla/firefox", ".var/app/org.mozilla.firefox/.mozilla/firefox",
        ".var/app/org.mozilla.firefox/config/mozilla/firefox", ".var/app/io.gitlab.librewolf-community/.librewolf",
        ".var/app/app.zen_browser.zen/.zen", ".var/app/net.waterfox.waterfox/.waterfox",
        ".var/app/one.ablaze.floorp/.floorp",
    ])
    func firefoxIsFoundHoweverItWasInstalled(place: String) throws {
        let names = ["abc.default", "xyz.default-release"]
        for name in names { try folder.write("", to: "\(place)/\(name)/places.sqlite") }
        let files = names.map { "\(folder.path)/\(place)/\($0)/places.sqlite" }
        #expect(SourceKind.browser(.firefox).found(in: environment()) == files)
        try folder.write("[Profile0]\nPath=xyz.default-release\nIsRelative=1\n", to: "\(place)/profiles.ini")
        #expect(SourceKind.browser(.firefox).found(in: environment()) == files.reversed())
    }
}
