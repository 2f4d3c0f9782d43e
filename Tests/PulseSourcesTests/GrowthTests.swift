import Foundation
import PulseCore
import PulseMarkup
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseSources

/// Reading what other programs wrote costs what its length is, whatever its shape.
@Suite(.timeLimit(.minutes(20))) struct GrowthTests {
    static let tables: [GrowthCase] = [
        ("separators", ","), ("lines", "\n"), ("returns", "\r"), ("quotation marks", "\""), ("open quotes", "\"a\n"),
        ("records", "a,b\n"), ("accents", "é,ç\n"), ("empty fields", "\"\","),
    ].map { shape in
        GrowthCase("CSV: \(shape.0)", to: 1 << 18, pieces(shape.1)) { text in
            let reader = try CSVReader(ByteStream(Data(text.utf8), name: "t"))
            while try reader.next() != nil {}
        }
    }

    static let records: [GrowthCase] = [
        ("objects", "[", "{\"a\":1},"), ("nested arrays", "", "["), ("nested objects", "", "{\"a\":"),
        ("keys", "{", "\"a\":1,"), ("lists", "{", "\"items\":[],"), ("strings", "[\"", "\\\""),
        ("white space", "[", " "),
    ].map { shape in
        GrowthCase("JSON: \(shape.0)", to: 1 << 18, { shape.1 + String(repeating: shape.2, count: $0) }) { text in
            let reader = JSONRecords(ByteStream(Data(text.utf8), name: "t"), holding: "") { _ in true }
            while (try? reader.next()) ?? nil != nil {}
            _ = JSONRecords.isContainer(Data(text.utf8))
        }
    }

    static let pages: [GrowthCase] = [
        ("nested elements", "<div>"), ("paragraphs", "<p>A word, and one more.</p>"),
        ("links", "<a href=x>Related</a>"),
        ("headings", "<h2>Related</h2><p>Related</p>"), ("comments' headings", "<h2>Comments</h2>"),
        ("reply buttons", "<div><a>Reply</a></div>"), ("cards", "<li><a href=x>A headline of words</a><p>x</p></li>"),
        ("classes", "<div class='cookie-banner x'>a</div>"), ("styles", "<p style='color: red; display : none'>a"),
        ("scripts", "<script>"), ("scripts of data", "<script type='application/ld+json'>{}</script>"),
        ("comments", "<!--"), ("tags without an end", "<p "), ("line breaks", "a<br><br>"), ("items", "<ul><li>a"),
        ("tables", "<table><tr><td>"), ("meta", "<meta name=author content=a>"), ("titles", "<title>a"),
        ("textareas", "<textarea></textarea>"), ("vectors", "<svg/>"), ("inline", "<b>a<i>b"),
        ("quoted mail", "> a\n\nAna wrote 1:\n"),
    ].map { shape in
        GrowthCase("page: \(shape.0)", to: 1 << 14, pieces(shape.1)) { text in
            _ = PageText(page: Data(text.utf8), contentType: nil, url: "https://a.example/b", now: .distantPast)
            _ = PageText.article(in: Data(text.utf8), now: .distantPast)
        }
    }

    static let others: [GrowthCase] = [
        GrowthCase("robots: rules", pieces("Disallow: /*a*b$\n")) { text in
            _ = RobotsRules(Data(("User-agent: *\n" + text).utf8)).allows("/" + String(repeating: "a", count: 1000))
        },
        GrowthCase("robots: asterisks", to: 2000, pieces("*a")) { text in
            let rules = RobotsRules(Data("User-agent: *\nDisallow: /\(text)b\n".utf8))
            _ = rules.allows("/" + String(repeating: "a", count: text.utf8.count))
        },
        GrowthCase("robots: one long piece", to: 1000, pieces("a")) { text in
            let rules = RobotsRules(Data("User-agent: *\nDisallow: /*\(text)b\n".utf8))
            for _ in 0..<100 { _ = rules.allows("/" + text + text) }
        },
        GrowthCase("robots: lines", pieces("a:b#c\n")) { _ = RobotsRules(Data($0.utf8)) },
        GrowthCase("Bluesky: links", pieces("a b ")) { text in
            let facets = (0..<100).compactMap { number in
                JSONObject(
                    [
                        "index": ["byteStart": number * 2, "byteEnd": number * 2 + 1],
                        "features": [["uri": "https://a.example/\(number)"]],
                    ] as [String: Any])
            }
            _ = BlueskyPost.linked(text, facets: facets)
        },
        GrowthCase("Google Reader: tags", to: 1 << 16, pieces("user/-/label/a,")) { text in
            let tags = text.split(separator: ",").map(String.init)
            _ = JSONObject(["categories": tags, "title": text] as [String: Any]).map {
                GReaderItem($0, now: .distantPast).isRead
            }
        },
        GrowthCase("JSON Lines: lines", to: 1 << 14, pieces("{\"id\":\"a\",\"title\":\"b\"}\n")) { text in
            let lines = text.split(separator: "\n").enumerated().map {
                LineReader.Line(number: $0 + 1, bytes: Array($1.utf8))
            }
            _ = JSONLines(now: .distantPast).batch(lines)
        },
    ]

    /// Each member is looked up, as an import does for the texts of its articles.
    static let archives = GrowthCase.of("archive: members", to: 1 << 14, archive(of:)) { archive in
        let files = try ExportFiles(path: archive.path, in: SourceRun.environment())
        for number in 0..<archive.count { _ = files.member("content/slug-\(number).html") }
        _ = try files.called("*.html", holding: "texts")
    }

    /// Each page of a site has a name of its own behind its title.
    static let histories = GrowthCase.of("history: visits", to: 1 << 14, history(of:)) { history in
        let environment = SourceRun.environment(hosts: ["a.example"])
        let source = try BrowserHistory(path: history.path, schema: .chromium, environment: environment, batchSize: 500)
        while try source.next(previousImport: nil) != nil {}
    }

    private static func history(of count: Int) -> Archive {
        do {
            let folder = try TemporaryFolder()
            let path = folder.file("History")
            try Connection(path: path, access: .readWriteCreate).execute(
                """
                CREATE TABLE urls (id INTEGER PRIMARY KEY, url TEXT, title TEXT, visit_count INTEGER, hidden INTEGER);
                CREATE TABLE visits (id INTEGER PRIMARY KEY, url INTEGER, visit_time INTEGER, transition INTEGER,
                    visit_duration INTEGER);
                INSERT INTO urls WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(count))
                    SELECT i, 'https://a.example/b/' || i, 'Title - a | ' || i, 1, 0 FROM n;
                INSERT INTO visits SELECT id, id, 13400000000000000 + id, 0x20000000, 60000000 FROM urls;
                CREATE INDEX times ON visits (visit_time)
                """)
            return Archive(folder: folder, path: path, count: count)
        } catch {
            fatalError("\(error.asPulseError)")
        }
    }

    private struct Archive: Sendable {
        let folder: TemporaryFolder
        let path: String
        let count: Int
    }

    private static func archive(of count: Int) -> Archive {
        // An empty file, as gzip packs it.
        let empty = Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        var writer = ZIPWriter()
        for number in 0..<count { writer.add("export/content/slug-\(number).html", gzipped: empty) }
        do {
            let folder = try TemporaryFolder()
            return Archive(folder: folder, path: try folder.write(writer.data, to: "a.zip"), count: count)
        } catch {
            fatalError("\(error.asPulseError)")
        }
    }

    @Test(arguments: tables + records + pages + others + [archives, histories])
    func costGrowsWithTheInputAndNoFaster(shape: GrowthCase) throws { try shape.check() }
}
