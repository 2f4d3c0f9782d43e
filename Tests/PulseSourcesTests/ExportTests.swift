import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseSources

@Suite(.timeLimit(.minutes(20))) struct ExportTests {
    let folder: TemporaryFolder
    private let ferry = "https://gazette.example/2026/ferry"
    private let bridge = "https://gazette.example/2026/bridge"

    init() throws { folder = try TemporaryFolder() }

    private func read(_ kind: SourceKind, _ name: String) async throws -> ImportBatch {
        try await SourceRun.read(kind, SourceRun.fixture("exports/" + name))
    }

    private func date(_ text: String) -> Date? { Timestamp.parse(text, now: SourceRun.now) }

    // MARK: - Each export

    @Test func wallabag() async throws {
        let batch = try await read(.wallabag, "wallabag.json")
        #expect(batch.titles == ["Ferry line reopens after repairs", "Council votes on the bridge"])
        let first = try #require(batch.articles.first)
        #expect(
            first.content
                == "The ferry between the islands runs again after three weeks of repairs.\n\nTickets cost 4 euros.")
        #expect(first.author == "Ana Reis" && first.source == "www.gazette.example")
        #expect(first.category.name == "business" && first.language == "en")
        #expect(first.publishedAt == date("2026-02-18T05:00:00Z"))
        #expect(batch.readings.map(\.readAt) == [date("2026-02-20T17:30:05Z"), date("2016-09-09T09:55:58Z")])
        #expect(batch.readings.map(\.isExact) == [true, false])
        #expect(batch.readings.allSatisfy { $0.origin == "wallabag" })
        #expect(batch.starredTitles == ["Ferry line reopens after repairs", "Tides rise by a hand"])
        #expect(batch.starred.map(\.savedAt) == [date("2026-02-21T07:00:00Z"), date("2026-02-20T09:55:58Z")])
        #expect(batch.unread == 1 && batch.leftOut == [.noText: 1])
    }

    @Test func whatWallabagCouldNotFetchHasNoText() async throws {
        let failure = "wallabag can't retrieve contents for this article. Please <a href='x'>troubleshoot this</a>."
        let path = try folder.write(
            """
            [{"is_archived":1,"url":"\(ferry)","title":"","content":"\(failure)"},
            {"is_archived":1,"url":"\(bridge)","title":"Bridge",
            "content":"\(failure)<p><i>But we found a short description: </i></p>It opened."}]
            """, to: "entries.json")
        let batch = try await SourceRun.read(.wallabag, path)
        #expect(batch.titles == ["gazette.example/2026/ferry", "Bridge"])
        #expect(batch.articles.map(\.content) == ["", ""])
        #expect(batch.articles.map(\.summary) == ["", "It opened."])
        #expect(batch.leftOut == [.noTextKept: 2])
    }

    @Test func pocket() async throws {
        let batch = try await read(.pocket, "pocket.csv")
        #expect(batch.titles == ["Ferry line reopens after repairs", #"Council votes on the "long" bridge, again"#])
        #expect(batch.seconds == [1_771_500_000, 1_771_500_600])
        #expect(batch.readings.allSatisfy { !$0.isExact && $0.article.source == "gazette.example" })
        #expect(batch.readings.map(\.article.category.name) == ["business", "general"])
        #expect(batch.unread == 1 && batch.starred.isEmpty)
        #expect(batch.leftOut == [.noTextKept: 2])
    }

    @Test func raindropsExcerptIsTheText() async throws {
        let path = try folder.write(
            """
            id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite
            7,Ferry sails,mine,"It sails, again.",\(ferry),Unsorted,"sea, business",2026-02-03T04:05:06.000Z,,,true
            """, to: "raindrop.csv")
        let batch = try await SourceRun.read(.csv, path)
        let reading = try #require(batch.readings.first)
        #expect(reading.article.body == "It sails, again." && reading.article.title == "Ferry sails")
        #expect(reading.readAt == date("2026-02-03T04:05:06Z") && batch.starred.count == 1)
    }

    @Test func pocketsPage() async throws {
        let batch = try await read(.pocket, "ril_export.html")
        #expect(batch.titles == ["Ferry line & harbour reopen", "Council votes on the bridge"])
        #expect(batch.urls == [ferry + "?a=1&b=2", bridge])
        #expect(batch.seconds == [1_371_500_000, 1_371_500_600])
        #expect(batch.unread == 1)
    }

    @Test func bookmarks() async throws {
        let batch = try await read(.bookmarks, "bookmarks.html")
        #expect(batch.starredTitles == ["Ferry line & harbour reopen", "Council votes on the bridge"])
        #expect(batch.starred.map(\.article.url) == [ferry + "?a=1&b=2", bridge])
        #expect(batch.starred.map(\.savedAt?.timeIntervalSince1970) == [1_771_500_000, 1_771_500_600])
        #expect(batch.starred.first?.article.category.name == "business")
        #expect(batch.readings.isEmpty && batch.unread == 2)
    }

    /// Pocket put a large list into several files of one archive.
    @Test func pocketsPartsAreOneList() async throws {
        let table = try Data(contentsOf: URL(fileURLWithPath: SourceRun.fixture("exports/pocket.csv")))
        let other = Data("title,url,time_added,tags,status\nNote,https://lab.example/note,1371501200,,archive\n".utf8)
        let path = try SourceRun.archive(
            [
                "pocket/part_000000.csv": table, "pocket/part_000001.csv": other,
                "pocket/annotations/part_000000.json": Data("[]".utf8),
            ], in: folder)
        // What was imported before does not make the rest an article of today.
        let batch = try await SourceRun.read(.pocket, path, previousImport: SourceRun.now)
        #expect(batch.seconds == [1_771_500_000, 1_771_500_600, 1_371_501_200])
        #expect(SourceKind.pocket.recognises(SourceRun.probe(path)))
    }

    @Test func instapaper() async throws {
        let batch = try await read(.table(.instapaper), "instapaper.csv")
        #expect(batch.urls == [ferry, bridge])
        #expect(batch.articles.map(\.summary) == ["", "Five to four,\n\nafter a long night."])
        #expect(batch.seconds == [1_771_500_000, 1_771_500_600])
        #expect(batch.starredTitles == ["Tides rise by a hand"] && batch.unread == 2)
    }

    @Test func readwise() async throws {
        let batch = try await read(.table(.readwise), "readwise.csv")
        #expect(batch.urls == [ferry, bridge])
        #expect(batch.readings.map(\.readAt) == [date("2026-02-14T23:55:23.291Z"), date("2026-02-15T10:00:00Z")])
        #expect(batch.readings.allSatisfy { !$0.isExact } && batch.unread == 2)
    }

    @Test func matter() async throws {
        let batch = try await read(.table(.matter), "matter.csv")
        #expect(batch.urls == [ferry, bridge])
        #expect(batch.articles.map(\.source) == ["The Harbour Gazette", "The Harbour Gazette"])
        #expect(batch.readings.last?.readAt == date("2026-02-21T18:30:05Z"))
        #expect(batch.starredTitles == ["Ferry line reopens after repairs", "Tides rise by a hand"])
        #expect(batch.unread == 1)
    }

    @Test func omnivore() async throws {
        let batch = try await read(.omnivore, "omnivore")
        #expect(batch.urls == [ferry, bridge])
        #expect(batch.articles.map(\.content) == ["The ferry between the islands runs again after three weeks.", ""])
        #expect(batch.readings.map(\.readAt) == [date("2024-05-03T10:00:00Z"), date("2024-05-04T10:00:00Z")])
        #expect(batch.starred.map(\.article.url) == [ferry] && batch.unread == 1)
    }

    @Test func omnivoresArchiveIsItsFolder() async throws {
        var zip = ZIPWriter()
        for name in ["metadata_0_to_20.json", "content/ferry-line-18a.html"] {
            let file = URL(fileURLWithPath: SourceRun.fixture("exports/omnivore/" + name))
            zip.add("omnivore-export/" + name, gzipped: try SourceRun.gzipped(Data(contentsOf: file), in: folder))
        }
        let path = try folder.write(zip.data, to: "omnivore.zip")
        #expect(try await SourceRun.read(.omnivore, path).readings == read(.omnivore, "omnivore").readings)
        #expect(SourceKind.omnivore.recognises(SourceRun.probe(path)))
    }

    @Test func googleReader() async throws {
        let batch = try await read(.greader, "greader.json")
        #expect(batch.ids == [ferry, "feed/https://lab.example/feed.xml#7"])
        #expect(batch.readings.map(\.article.category.name) == ["business", "general"])
        #expect(batch.articles.map(\.source) == ["The Harbour Gazette", "Lab Notes"])
        #expect(batch.articles.map(\.content).first == "The ferry between the islands runs again.")
        #expect(batch.seconds == [1_771_490_000, 1_771_491_200])
        #expect(batch.readings.allSatisfy { !$0.isExact && $0.origin == "greader:alice" })
        #expect(batch.starred.map(\.article.id) == [ferry] && batch.unread == 1)
        let later = try await SourceRun.read(
            .greader, SourceRun.fixture("exports/greader.json"), previousImport: SourceRun.now - 3600)
        #expect(later.readings.allSatisfy { $0.readAt == SourceRun.now && !$0.isExact })
    }

    // MARK: - Files of any program

    @Test func timesAsMailAndFeedsWriteThem() async throws {
        let table = try folder.write(
            """
            title,url,Lu le
            One,https://a.example/1,"Fri, 20 Feb 2026 10:00:00 +0100"
            Two,https://a.example/2,20 Feb 26 09:00 GMT
            Three,https://a.example/3,"Fri, 20 February 2026 04:00:00 EST"
            Four,https://a.example/4,03/04/2026
            Five,https://a.example/5,"Fri, 31 Feb 2026 10:00:00 +0000"

            """, to: "times.csv")
        let batch = try await SourceRun.read(.csv, table)
        #expect(batch.readings.map(\.readAt) == Array(repeating: date("2026-02-20T09:00:00Z"), count: 3))
        #expect(batch.readings.allSatisfy { $0.isExact })
        #expect(batch.badLines.map(\.line) == [5, 6])
        #expect(batch.badLines.first?.reason == "Lu le is not a time such as 2026-04-03T10:00:00Z: \"03/04/2026\"")
    }

    @Test func jsonWithItsOwnNames() async throws {
        let batch = try await read(.json, "articles.json")
        #expect(batch.titles == ["Ferry line reopens after repairs"])
        let first = try #require(batch.readings.first)
        #expect(first.article.source == "The Harbour Gazette" && first.article.content == "The ferry runs again.")
        #expect(first.readAt == date("2026-02-20T17:30:05Z") && first.isExact)
        #expect(first.article.publishedAt == date("2026-02-18T06:00:00Z"))
        #expect(batch.unread == 1 && batch.badLines.map(\.line) == [4])
        #expect(batch.badLines.first?.reason.contains("yesterday 5") == true)
    }

    /// An article's own links are no list of articles.
    @Test func linksOfAnArticleAreNoArticles() async throws {
        let links = [#"[{"rel":"self","href":"https://a.example/1"}]"#, #"["https://a.example/2"]"#, "[]"]
        let lines = links.enumerated().map { index, links in
            #"{"id":"\#(index)","links":\#(links),"title":"Ferry \#(index)","read_at":"2026-02-20T10:00:00Z"}"#
        }
        let path = try folder.write(lines.joined(separator: "\n"), to: "lines.json")
        #expect(try await SourceRun.read(.json, path).titles == ["Ferry 0", "Ferry 1", "Ferry 2"])
        let list = try folder.write("{\"links\":[\(lines[0])]}", to: "list.json")
        #expect(try await SourceRun.read(.json, list).titles == ["Ferry 0"])
    }

    @Test func namesCanBeGiven() async throws {
        let table = try folder.write("Überschrift;Ziel;Gelesen\nFähre;\(ferry);2026-02-20T10:00Z\n", to: "t.csv")
        #expect(await SourceRun.failure(.csv, table).says(.badData, "Überschrift, Ziel, Gelesen"))
        let columns = ["title": "Überschrift", "url": "Ziel", "read_at": "gelesen"]
        let batch = try await SourceRun.read(.csv, table, columns: columns)
        #expect(batch.titles == ["Fähre"] && batch.times.first == date("2026-02-20T10:00:00Z"))

        let lines = try folder.write(
            "{\"Ziel\":\"\(ferry)\",\"Überschrift\":\"Fähre\",\"title\":\"-\"}\n", to: "t.jsonl")
        let names = ["title": "Überschrift", "url": "Ziel"]
        let article = Article(id: ferry, url: ferry, title: "Fähre")
        #expect(try await SourceRun.read(.jsonLines, lines, columns: names).articles == [article])
        let array = try folder.write("[{\"Ziel\":\"\(ferry)\",\"Überschrift\":\"Fähre\"}]", to: "t.json")
        #expect(try await SourceRun.read(.json, array, columns: names).titles == ["Fähre"])
    }

    @Test func oneOfTwoKeysWithTheSameNameCounts() async throws {
        let objects = (0..<20).map { #"{"Title":"A","title":"B","URL":"https://a.example/\#($0)","url":""}"# }
        let path = try folder.write("[\(objects.joined(separator: ","))]", to: "t.json")
        #expect(try await SourceRun.read(.json, path).titles == Array(repeating: "B", count: 20))
    }

    @Test func anEmptyValueDoesNotHideAnotherName() async throws {
        let path = try folder.write(#"[{"title":"","headline":"Ferry","link":"https://a.example/1"}]"#, to: "t.json")
        #expect(try await SourceRun.read(.json, path).titles == ["Ferry"])
    }

    @Test func aNameThatIsWrongIsToldOf() async throws {
        let table = try folder.write("Title,URL\nFerry,\(ferry)\n", to: "t.csv")
        let columns = ["title": "Headline"]
        #expect(await SourceRun.failure(.csv, table, columns: columns).says(.badData, "no column Headline"))
    }

    @Test func aTableSaysMuchByItsNames() async throws {
        let table = try folder.write(
            """
            Link,Headline,Date,Read at,Status,Favorite,ID
            \(ferry),Ferry,2026-02-01,2026-02-02 08:00:00,read,yes,1
            \(bridge),Bridge,2026-02-01,,read,no,2
            https://lab.example/a,A,2026-02-01,,unread,,3
            https://lab.example/b,B,,,,,4
            https://lab.example/c,C,,33.33.2026,,,5
            javascript:alert(1),D,,,,,
            """, to: "t.csv")
        let batch = try await SourceRun.read(.csv, table)
        #expect(batch.ids == [ferry, bridge, "https://lab.example/b"])
        #expect(batch.readings.map(\.readAt) == [date("2026-02-02T08:00:00Z"), date("2026-02-01"), SourceRun.now])
        #expect(batch.readings.map(\.isExact) == [true, false, false])
        #expect(batch.unread == 1 && batch.starred.count == 1)
        #expect(batch.badLines.map(\.line) == [6] && batch.leftOut[.noIdentity] == 1)
    }

    @Test(arguments: [
        (
            "Read",
            [
                "FALSCH", "FAUX", "FALSO", "não", "nao", "nein", "non", "ungelesen", "non lu", "no leído", "não lido",
                "Not read", "to-read", "To read", "want to read", "saved", "pending", "in progress", "0%", "50 %",
                "0.0", "☐", "✗", "❌", "-", "unread", "0",
            ], 0
        ),
        ("Lido", ["sim", "lido", "x", "✓", "100%", "1.0", "VERDADEIRO"], 7),
        ("Leído", ["sí", "leído", "no"], 2), ("Lu", ["oui", "VRAI", "lu", "pas"], 3),
        ("Gelesen", ["ja", "WAHR", "gelesen", "nein"], 3), ("To read", ["no", "0", "yes", "ja"], 2),
        ("unread", ["false", "true"], 1),
    ])
    func marksOfReading(column: String, values: [String], read: Int) async throws {
        let rows = values.enumerated().map { "T\($0.offset),https://a.example/\($0.offset),\($0.element)" }
        let path = try folder.write((["title,url,\(column)"] + rows).joined(separator: "\n"), to: "t.csv")
        let batch = try await SourceRun.read(.csv, path)
        let unknown = values.contains("pas") ? 1 : 0
        #expect(batch.readings.count == read && batch.badLines.count == unknown, "\(batch.badLines)")
        #expect(batch.unread == values.count - read - unknown)
    }

    @Test(arguments: ["Date de lecture", "Fecha de lectura", "Data de leitura", "Lesedatum", "Gelesen", "Read"])
    func columnsOfTimesOfReading(column: String) async throws {
        let path = try folder.write("title,url,\(column)\nA,\(ferry),2026-02-20T10:00Z\n", to: "t.csv")
        let batch = try await SourceRun.read(.csv, path)
        #expect(batch.readings.map(\.readAt) == [date("2026-02-20T10:00:00Z")])
    }

    @Test func anUnknownMarkIsToldOf() async throws {
        let path = try folder.write("title,url,Read\nA,\(ferry),perhaps\n", to: "t.csv")
        let batch = try await SourceRun.read(.csv, path)
        #expect(batch.readings.isEmpty && batch.badLines.map(\.line) == [2])
        #expect(batch.badLines.first?.reason == "Read is neither yes nor no: \"perhaps\"")
    }

    @Test(arguments: ["toread", "to_read", "unread"]) func flagsOfWhatIsNotRead(key: String) async throws {
        let flags = [#""yes""#, "true", "1", #""no""#, "false", "null"]
        let objects = flags.enumerated().map {
            #"{"title":"T","url":"https://a.example/\#($0.offset)","\#(key)":\#($0.element)}"#
        }
        let path = try folder.write("[\(objects.joined(separator: ","))]", to: "t.json")
        let batch = try await SourceRun.read(.json, path)
        #expect(batch.readings.count == 3 && batch.unread == 3)
    }

    @Test(arguments: [
        "46354.4166", "13440333600000000", #"{"$date":{"$numberLong":"x"}}"#, #"{"seconds":1}"#, "[2026,2,20]", "-1",
        "true", #""yesterday""#, "20269999",
    ])
    func aTimeThatIsNotUnderstoodIsToldOf(value: String) async throws {
        let path = try folder.write(#"[{"title":"T","url":"\#(ferry)","read_at":\#(value)}]"#, to: "t.json")
        let batch = try await SourceRun.read(.json, path)
        #expect(batch.readings.isEmpty && batch.badLines.map(\.line) == [1])
        #expect(batch.badLines.first?.reason.hasPrefix("read_at is not a time") == true)
    }

    @Test(arguments: [
        ("20260220", "2026-02-20"), ("1771581600000000000", "2026-02-20T10:00:00Z"),
        (#"{"$date":"2026-02-20T10:00:00Z"}"#, "2026-02-20T10:00:00Z"), ("null", ""), (#""""#, ""), ("0", ""),
        (#""-""#, ""),
    ])
    func timesInJSON(value: String, expected: String) async throws {
        let path = try folder.write(#"[{"title":"T","url":"\#(ferry)","read_at":\#(value)}]"#, to: "t.json")
        let batch = try await SourceRun.read(.json, path)
        #expect(batch.times == [date(expected) ?? SourceRun.now])
        #expect(batch.readings.map(\.isExact) == [!expected.isEmpty])
    }

    /// A day without a time is the reader's; a time without an offset is in UTC.
    @Test(arguments: [
        ("2026-02-20", "2026-02-20T03:00:00Z"), ("20260220", "2026-02-20T03:00:00Z"),
        ("20 Feb 2026", "2026-02-20T03:00:00Z"), ("2026-02-20 00:00", "2026-02-20T00:00:00Z"),
        ("20 Feb 2026 00:00", "2026-02-20T00:00:00Z"),
    ])
    func aDayIsTheReaders(text: String, expected: String) async throws {
        let zone = try #require(TimeZone(identifier: "America/Sao_Paulo"))
        let readAt = try #require(date(expected))
        let object = #"{"title":"T","url":"\#(ferry)","read_at":"\#(text)"}"#
        for (kind, contents) in [
            (SourceKind.csv, "title,url,read_at\nT,\(ferry),\(text)\n"), (.json, "[\(object)]"), (.jsonLines, object),
        ] {
            let path = try folder.write(contents, to: kind.name)
            let source = try kind.source(at: path, in: SourceRun.environment(timeZone: zone))
            #expect(try await source.all().times == [readAt], "\(kind.name)")
        }
    }

    /// Records of one second, with a batch's worth of others among them.
    @Test func whatWasMarkedTogetherMayBeApart() async throws {
        func row(_ number: Int, _ time: String) -> String { "https://lab.example/\(number),T\(number),\(time)" }
        let times = (0..<700).map { "2026-02-01 08:\(10 + $0 / 60 % 50):\(10 + $0 % 50)Z" }
        var rows = times.enumerated().map { row($0.offset, $0.element) }
        for place in 0..<18 { rows.insert(row(1000 + place, "2026-02-02 08:00:00Z"), at: place * 40) }
        let table = try folder.write((["URL,Title,Read at"] + rows).joined(separator: "\n"), to: "t.csv")
        let batch = try await SourceRun.read(.csv, table)
        let bulk = batch.readings.filter { !$0.isExact }
        #expect(batch.readings.count == 718 && bulk.count == 18 && batch.bulk == Set(bulk.map(\.article.id)))
    }

    // MARK: - What is not as it should be

    @Test func anotherFileIsRefused() async throws {
        let table = try folder.write("Name,Age\nAna,33\n", to: "people.csv")
        let object = try folder.write(#"[{"name":"Ana","age":33}]"#, to: "people.json")
        let text = try folder.write("Dear Ana,\n", to: "letter.txt")
        let page = try folder.write("<html><body>Hello</body></html>", to: "page.html")
        for kind in [SourceKind.csv, .table(.instapaper), .table(.matter), .pocket, .table(.readwise)] {
            #expect(await SourceRun.failure(kind, table).says(.badData, "Name, Age"), "\(kind.name)")
        }
        for kind in [SourceKind.json, .greader, .omnivore, .wallabag] {
            #expect(await SourceRun.failure(kind, object).says(.badData, "age, name"), "\(kind.name)")
            #expect(await SourceRun.failure(kind, text).says(.badData, "be read as JSON"), "\(kind.name)")
        }
        #expect(await SourceRun.failure(.pocket, page)?.code == .badData)
        #expect(await SourceRun.failure(.bookmarks, page).says(.badData, "not a page of bookmarks"))
        #expect(await SourceRun.failure(.omnivore, folder.path)?.code == .badData)
        #expect(await SourceRun.failure(.wallabag, "/nowhere")?.code == .noInput)
        let zip = try folder.write("PK\u{3}\u{4}and so on", to: "broken.zip")
        #expect(await SourceRun.failure(.omnivore, zip)?.message.contains("ZIP") == true)
    }

    /// Such an import of nothing would not be noticed.
    @Test func withoutTheFilesOfAnExportItIsRefused() async throws {
        let page = Data("<html></html>".utf8)
        let takeout = try SourceRun.archive(
            ["Takeout/archive_browser.html": page, "Takeout/Reader/subscriptions.xml": page], in: folder)
        let nothing = try SourceRun.archive([:], in: folder)
        let files = try TemporaryFolder()
        try files.write("Dear Ana", to: "letter.txt")
        for path in [takeout, nothing, files.path] {
            for (kind, name) in [
                (SourceKind.greader, "*.json"), (.json, "*.json"), (.wallabag, "*.json"), (.csv, "*.csv"),
                (.omnivore, "metadata*.json"), (.pocket, "part_*.csv"), (.table(.matter), "*.csv"),
            ] {
                let error = await SourceRun.failure(kind, path)
                #expect(error.says(.badData, "no file in it is called \(name)"))
                #expect(error?.hint?.contains("choose the one with such files") == true)
            }
        }
        #expect(FileAppearance(SourceRun.probe(takeout)) == .archive)
    }

    /// A feed without articles has such a file in FreshRSS's archive.
    @Test func anEmptyListIsNoFault() async throws {
        let greader = try Data(contentsOf: URL(fileURLWithPath: SourceRun.fixture("exports/greader.json")))
        let empty = Data(#"{"id":"x","items":[]}"#.utf8)
        let path = try SourceRun.archive(["feed_1.json": empty, "feed_2.json": greader], in: folder)
        #expect(try await SourceRun.read(.greader, path).readings.count == 2)
        #expect(try await SourceRun.read(.json, try folder.write("[]", to: "a.json")).readings.isEmpty)
    }

    @Test(arguments: [
        ("", "is empty"), (" \n", "is empty"),
        (#"[{"is_archived":true,"title":"T"#, "ends in the middle of an article"), ("{}", "an entry has no keys"),
        ("[{}]", "an entry has no keys"), ("null", "be read as JSON"),
    ])
    func whatIsWrongIsSaid(text: String, words: String) async throws {
        let path = try folder.write(text, to: "entries.json")
        for kind in [SourceKind.wallabag, .omnivore, .greader, .json] {
            #expect(await SourceRun.failure(kind, path)?.message.contains(words) == true, "\(kind.name)")
        }
    }

    @Test func aFileInAnArchiveIsNamed() async throws {
        let path = try SourceRun.archive(["feed_1.json": Data(#"{"items":[{"id""#.utf8)], in: folder)
        let error = await SourceRun.failure(.greader, path)
        #expect(
            error?.message.contains("\((path as NSString).lastPathComponent): feed_1.json ends in the middle") == true)
    }

    @Test func aFileThatWasCutGivesWhatItHas() async throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: SourceRun.fixture("exports/wallabag.json")))
        let path = try folder.write(data.prefix(data.count * 3 / 4), to: "cut.json")
        let source = try SourceKind.wallabag.source(at: path, in: SourceRun.environment())
        #expect(try await source.next(previousImport: nil)?.readings.count == 2)
        await #expect(throws: PulseError.self) { try await source.next(previousImport: nil) }
    }

    @Test func aBadEntryIsLeftOutAndTheRestGoesIn() async throws {
        let path = try folder.write(
            """
            [{"is_archived":true,"url":"\(ferry)","title":"Ferry"},
            {"is_archived":true,"url":"https://lab.example/x","title":"\\uD800 \u{1b}[31m<script>x</script>Tides"},
            {"is_archived":true,"url":"https://lab.example/y" "title":"?"},
            ["nested",{"a":[1,{"b":"}"}]}], "text", 5, null,
            {"is_archived":true,"url":"\(bridge)","title":"Bridge","content":{"a":[]},"tags":"x"}]
            """, to: "entries.json")
        let batch = try await SourceRun.read(.wallabag, path)
        let titles = batch.titles
        #expect(titles.first == "Ferry" && titles.last == "Bridge")
        #expect(titles.allSatisfy { !$0.contains("\u{1b}") && !$0.contains("script") })
        #expect(batch.badLines.contains { $0.line == 3 })
    }

    @Test func anArchiveIsNotTrusted() async throws {
        let entries = Data(#"[{"slug":"a","url":"https://a.example/x","title":"T","state":"Archived"}]"#.utf8)
        let packed = try SourceRun.gzipped(entries, in: folder)
        func failure(_ gzipped: Data, crc: UInt32? = nil, flags: Int = 0) async throws -> PulseError? {
            var zip = ZIPWriter()
            zip.add("metadata.json", gzipped: gzipped, crc: crc, flags: flags)
            return await SourceRun.failure(.omnivore, try folder.write(zip.data, to: "a.zip"))
        }
        #expect(try await failure(packed) == nil)
        #expect(try await failure(packed, crc: 5)?.message.contains("damaged") == true)
        #expect(try await failure(packed, flags: 1)?.hint?.contains("Unpack it") == true)
        let bomb = try SourceRun.gzipped(Data(repeating: 0x20, count: 200 << 20), in: folder)
        #expect(try await failure(bomb)?.message.contains("times its size") == true)
    }

    @Test func eachFileIsKnownByItsContent() {
        let files: [(String, SourceKind)] = [
            ("wallabag.json", .wallabag), ("pocket.csv", .pocket), ("ril_export.html", .pocket),
            ("instapaper.csv", .table(.instapaper)), ("readwise.csv", .table(.readwise)),
            ("matter.csv", .table(.matter)), ("bookmarks.html", .bookmarks),
            ("omnivore", .omnivore), ("omnivore/metadata_0_to_20.json", .omnivore), ("greader.json", .greader),
        ]
        for (name, kind) in files {
            let probe = SourceRun.probe(SourceRun.fixture("exports/" + name))
            #expect(SourceKind.recognising(probe).map(\.name) == [kind.name], "\(name)")
        }
    }
}
