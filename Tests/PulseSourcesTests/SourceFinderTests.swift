import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseSources

/// What a path holds, found out from its beginning.
@Suite(.timeLimit(.minutes(20))) struct SourceFinderTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var environment: ImportEnvironment { ImportEnvironment(now: .now, home: folder.path, variables: [:]) }

    private static let newsboat = Repository.fixtures.appendingPathComponent("newsboat-2.21.db").path
    private static let line = #"{"id":"1","title":"One"}"#

    /// The kind's name, with the file's; several with a plus between; else what it looks like.
    private func look(_ path: String, among kinds: [SourceKind] = [.jsonLines, .store(.newsboat)]) throws
        -> String
    {
        switch try SourceFinder.look(at: path, among: kinds) {
        case .one(let found): found.kind.name + " " + (found.path as NSString).lastPathComponent
        case .several(let found): found.map(\.kind.name).joined(separator: "+")
        case .unknown(let look): look.text.description
        }
    }

    @Test(arguments: [
        (Self.line, "jsonl f"), ("\n\n  " + Self.line + "\nnonsense", "jsonl f"), ("\u{feff}" + Self.line, "jsonl f"),
        (#"{"url":"https://a.example","content":"x"}"#, "jsonl f"),
        (#"{"id":1,"title":"One"}"#, "JSON with the keys id, title"), ("[]", "JSON"),
        ("{\n  \"items\": [\n {\"a\": 1}", "JSON with the keys items, a"),
        ("Title;\"Read on\";URL\n1;2;3", "CSV with the columns Title, Read on, URL"),
        ("<?xml version='1.0'?>\n<opml version='2.0'>", "a list of feeds (OPML)"),
        ("<?xml version='1.0'?><rss version='2.0'>", "a feed"),
        ("<feed xmlns='http://www.w3.org/2005/Atom'>", "a feed"), ("<!DOCTYPE html><html>", "an HTML page"),
        ("A word to the reader, and no more.\n", "plain text"), ("", "an empty file"), (" \n", "an empty file"),
        ("a\0b", "something that is neither text nor a database"),
    ])
    func textsAreKnownByTheirBeginning(text: String, what: String) throws {
        #expect(try look(folder.write(text, to: "f")) == what)
    }

    @Test(arguments: [
        (#"{"articles":[{"title":"Ferry","url":"https://a.example/1"}]}"#, "json f"),
        (#"{"page":1,"results":[{"Headline":"Ferry","Link":"https://a.example/1"},"#, "json f"),
        (#"[{"title":"Ferry","url":"https://a.example/1"}]"#, "json f"),
        (#"{"articles":[{"name":"Ana","age":33}]}"#, "JSON with the keys articles, name, age"),
        (#"{"articles":[]}"#, "JSON with the keys articles"),
        (
            #"{"version":"https://jsonfeed.org/version/1.1","items":[{"title":"Ferry","id":"1"}]}"#,
            "JSON with the keys version, items, title, id"
        ),
    ])
    func listsOfArticlesAreKnown(text: String, what: String) throws {
        #expect(try look(folder.write(text, to: "f"), among: SourceKind.all) == what)
    }

    @Test func aLongFirstLineIsKnownByItsKeys() throws {
        let long = #"{"id":"1","title":"One","content":""# + String(repeating: "word ", count: 50_000) + #""}"#
        #expect(try look(folder.write(long, to: "f")) == "jsonl f")
    }

    /// An export has an id and a title of its own, and may be one line, longer than what is looked at.
    @Test(arguments: [1, 5000]) func aListOnOneLineIsNoJSONLine(count: Int) async throws {
        let item = #"""
            {"id":"tag:google.com,2005:reader/item/1","crawlTimeMsec":"1794000000000","title":"Ferry",\#
            "categories":["user/-/state/com.google/read"],"canonical":[{"href":"https://a.example/1"}],\#
            "origin":{"streamId":"feed/1","title":"Gazette"},"summary":{"content":"It sails."}}
            """#
        let export =
            #"{"id":"user/-/state/com.google/reading-list","title":"List","items":["#
            + Array(repeating: item, count: count).joined(separator: ",") + "]}"
        let path = try folder.write(export, to: "f.json")
        #expect(try look(path, among: SourceKind.all) == "greader f.json")
        #expect(try await SourceRun.read(.greader, path).readings.count == count)
    }

    /// Tables of Excel, in its encodings.
    @Test(arguments: [String.Encoding.windowsCP1252, .utf8, .utf16])
    func tablesOfExcelAreKnown(encoding: String.Encoding) async throws {
        let table = "sep=;\r\nTitle;Link;Read at\r\nCafé du quai;https://a.example/1;2026-02-03T04:05:06Z\r\n"
        let path = try folder.write(try #require(table.data(using: encoding)), to: "f.csv")
        #expect(try look(path, among: SourceKind.all) == "csv f.csv")
        let readings = try await SourceRun.read(.csv, path).readings
        #expect(readings.map(\.article.title) == ["Café du quai"] && readings.allSatisfy(\.isExact))
        // With columns that only the user knows.
        let other = try folder.write(
            try #require(table.replacing("Title", with: "Titel à").data(using: encoding)), to: "g.csv")
        #expect(SourceFinder.otherLook(of: other, than: .csv) == nil)
        #expect(try await SourceRun.read(.csv, other, columns: ["title": "Titel à"]).titles == ["Café du quai"])
    }

    /// The head of gzip's: RFC 1952.
    @Test func whatGzipPackedIsLookedInto() throws {
        let bytes = try SourceRun.gzipped(Data((Self.line + "\n").utf8), in: folder, isNamed: true)
        #expect(try look(folder.write(bytes, to: "f.gz")) == "jsonl f.gz")
        // Half of it shows its beginning all the same, and nonsense is nonsense.
        #expect(try look(folder.write(bytes.dropLast(9), to: "f.gz")) == "jsonl f.gz")
        let nonsense = Data([0x1f, 0x8b]) + Data(repeating: 0xff, count: 99)
        #expect(try look(folder.write(nonsense, to: "f.gz")) == "something that is neither text nor a database")
    }

    @Test func databasesAreKnownByTheirTables() throws {
        #expect(try look(Self.newsboat) == "newsboat newsboat-2.21.db")
        let path = folder.file("other.db")
        try Connection(path: path, access: .readWriteCreate).execute(
            "CREATE TABLE B (x); CREATE TABLE a (y, Z); CREATE VIRTUAL TABLE v USING fts5 (t)")
        #expect(try SourceProbe(lookingAt: path).tables["a"]?.isSuperset(of: ["y", "z"]) == true)
        #expect(try look(path).hasPrefix("an SQLite database with the tables a, b, "))
    }

    @Test func aFolderIsWhatItsFilesAre() throws {
        #expect(try look(folder.path) == "a folder without a file that can be imported")
        try folder.copy(Self.newsboat, to: "cache.db")
        try folder.write("https://a.example/feed\n", to: "urls")
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        // A folder of newsboat's is newsboat's, whatever else is in it.
        let name = URL(fileURLWithPath: folder.path).lastPathComponent
        #expect(try look(folder.path) == "newsboat \(name)")
        try folder.write(Self.line, to: "a.jsonl")
        #expect(try look(folder.path) == "newsboat \(name)")
        try FileManager.default.moveItem(atPath: folder.file("cache.db"), toPath: folder.file("copy.db"))
        #expect(try look(folder.path) == "jsonl+newsboat")
    }

    @Test func severalKindsMayKnowAFile() throws {
        var other = SourceKind.store(.newsboat)
        other.recognises = { _ in true }
        #expect(try look(folder.write(Self.line, to: "f"), among: [.jsonLines, other]) == "jsonl+newsboat")
    }

    @Test func whatCannotBeLookedAtSaysWhy() throws {
        func fault(_ path: String) -> PulseError? { failure { try look(path) } }
        #expect(fault(folder.file("none"))?.code == .noInput)
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(fault(folder.file("pipe"))?.description.contains("import jsonl") == true)
        let damaged = Data("SQLite format 3\0".utf8) + Data(repeating: 7, count: 4000)
        #expect(try fault(folder.write(damaged, to: "damaged.db"))?.code == .badData)
    }

    @Test func theReadersOfAMachineAreFound() throws {
        #expect(SourceFinder.all(in: environment, withBrowsers: true).isEmpty)
        for name in [".newsboat", ".local/share/newsboat"] { try folder.copy(Self.newsboat, to: name + "/cache.db") }
        let found = SourceFinder.all(in: environment, withBrowsers: false)
        #expect(found.map(\.kind.name) == ["newsboat"])
    }

    /// Makes a file that was written at some second.
    private func touch(_ name: String, at seconds: Double) throws {
        try setDate(of: folder.write("x", to: name), to: seconds)
    }

    private func setDate(of path: String, to seconds: Double) throws {
        try FileManager.default.setAttributes([.modificationDate: date(1_795_000_000 + seconds)], ofItemAtPath: path)
    }

    /// What the program left behind when it moved was read long ago.
    @Test(arguments: [0, 1], ["", "-wal"])
    func ofTwoFilesOfOneProgramTheNewerIsRead(newer: Int, log: String) throws {
        let places = ["RSS Guard 4", "rssguard5"].map { ".config/\($0)/database/database.db" }
        let paths = places.map(folder.file)
        for (number, place) in places.enumerated() {
            for (suffix, age) in [("", 10.0), ("-wal", 20)] {
                try touch(place + suffix, at: (number == newer && suffix == log ? 60 : 0) - age)
            }
        }
        #expect(SourceKind.store(.rssGuard).found(in: environment) == [paths[newer]])
        #expect(SourceFinder.all(in: environment, withBrowsers: true).map(\.path) == [paths[newer]])
    }

    /// Any app may have a `default.store`, and be used more than Pulse.
    @Test func aNewerFileOfAnotherProgramHidesNone() throws {
        let name = "Library/Application Support/default.store"
        let store = try StoreFixture("pulse.sql", .pulse, at: "default.store")
        let place = "Library/Developer/CoreSimulator/Devices/D/data/Containers/Data/Application/A/" + name
        let own = try folder.copy(store.path, to: place)
        // An empty file is a database without tables.
        let other = try folder.write("", to: name)
        try Connection(path: other, access: .readWriteCreate).execute("CREATE TABLE ZNOTE (Z_PK)")
        try setDate(of: own, to: 0)
        try setDate(of: other, to: 60)
        #expect(SourceKind.store(.pulse).found(in: environment) == [own])
    }

    /// SQLite's log lies beside the file itself.
    @Test func theLogOfALinkedFileCounts() throws {
        let places = ["RSS Guard 4", "rssguard5"].map { ".config/\($0)/database/database.db" }
        try touch("elsewhere.db", at: 0)
        try touch(places[1], at: 60)
        try touch("elsewhere.db-wal", at: 120)
        try folder.link(places[0], to: folder.file("elsewhere.db"))
        #expect(SourceKind.store(.rssGuard).found(in: environment) == [folder.file(places[0])])
    }

    /// The files of two users, or accounts, are both read; the profiles of a browser too.
    @Test func filesOfDifferentOriginsAreAllFound() throws {
        let accounts = "Library/Application Support/NetNewsWire/Accounts"
        let paths = [
            "\(accounts)/17_9/DB.sqlite3", "\(accounts)/2_OnMyMac/DB.sqlite3", ".config/chromium/Default/History",
            ".config/chromium/Profile 1/History",
        ]
        for path in paths { try folder.write("", to: path) }
        #expect(Set(SourceFinder.all(in: environment, withBrowsers: true).map(\.path)) == Set(paths.map(folder.file)))
        #expect(SourceKind.store(.netNewsWire).origin(at: folder.file(paths[0])) == "netnewswire/17_9")
    }

    // MARK: - Bookmarks in JSON Lines

    @Test func aLineWithSavedAtIsABookmark() async throws {
        let path = try folder.write(
            """
            {"id":"1","title":"One","saved_at":"2026-02-01"}
            {"id":"2","title":"Two","saved_at":"2026-02-01","read_at":"2026-02-02"}
            {"id":"3","title":"Three"}
            {"id":"4","title":"Four","saved_at":"yesterday"}
            """, to: "f")
        let file = JSONLinesFile(try LineReader(path: path), format: JSONLines(now: SourceRun.now))
        let batch = try #require(try await file.next(previousImport: nil))
        #expect(batch.ids == ["2", "3"])
        #expect(batch.starred.map(\.article.id) == ["1", "2"])
        #expect(batch.starred.first?.savedAt == Timestamp.parse("2026-02-01", now: SourceRun.now))
        #expect(batch.unread == 1 && batch.badLines.map(\.line) == [4])
    }
}
