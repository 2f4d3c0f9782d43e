import Foundation
import PulseCore
import PulseDigest
import PulseInference
import PulseMarkup
import PulsePlatform
import PulseSources
import PulseTestSupport
import PulseText

/// A parser of something from outside, with honest inputs to begin from.
public struct FuzzTarget: Sendable {
    public let name: String
    let seeds: [Data]
    let dictionary: [String]
    /// Parses an input, which also is in a file. Throws a `PulseError` where it refuses it, which is fine, and a `Finding`
    /// where what it made of it must not be.
    let run: @Sendable (_ input: Data, _ path: String) async throws -> Void

    init(
        _ name: String, _ seeds: [Data], _ dictionary: [String] = [],
        _ run: @escaping @Sendable (_ input: Data, _ path: String) async throws -> Void
    ) {
        (self.name, self.seeds, self.dictionary, self.run) = (name, seeds, dictionary, run)
    }

    /// Something that no input may lead to.
    struct Finding: Error, CustomStringConvertible {
        let description: String
    }

    /// All of them.
    public static func all() throws -> [FuzzTarget] {
        try [feeds(), pages(), lists(), exports(), databases(), weights(), templates(), answers(), texts()]
    }

    // MARK: The table

    private static let markup = [
        "<![CDATA[", "]]>", "<!--", "-->", "<!DOCTYPE x [<!ENTITY a \"b\">]>", "&amp;", "&#x10FFFF;", "&#0;",
        "&lt;b&gt;", "<b/>", "</", "<a b=\"", "<select>", "<script>", "<![", "<?xml version=\"1.0\" encoding=\"",
        "windows-1252", "EUC-JP", "utf-16", "xmlns:a=\"b\"", "<entry>", "</item>", "<div>", "<table>", "<p hidden>",
        "style=\"display:none\"", "\u{202e}", "\u{1b}[2J",
    ]

    private static func feeds() throws -> FuzzTarget {
        FuzzTarget("feed", try files("feeds", ["xml", "json", "html"]), markup) { input, _ in
            let contents = try FeedDocument.parse(input, address: "https://feed.example/a", now: now)
            try plain([contents.title ?? "", contents.site ?? ""])
            for entry in contents.entries { try plain(entry) }
        }
    }

    private static func pages() throws -> FuzzTarget {
        FuzzTarget("page", try files("pages", ["html"]) + files("feeds", ["html"]), markup) { input, _ in
            _ = FeedDiscovery.feeds(in: input, address: "https://page.example/a")
            guard let page = PageText(page: input, contentType: nil, url: "https://page.example/a", now: now) else {
                return
            }
            try plain(page.article)
        }
    }

    private static func lists() throws -> FuzzTarget {
        FuzzTarget("opml", try files("feeds", ["opml"]), markup + ["<outline xmlUrl=\"", "type=\"rss\""]) { input, _ in
            let list = try FeedList.parse(input, name: "list.opml", now: now)
            try plain(list.feeds.map(\.title) + list.refused.map(\.address))
        }
    }

    private static func exports() throws -> FuzzTarget {
        let seeds =
            try files("exports", ["json", "csv", "html"]) + files("", ["jsonl"])
            + files("exports/omnivore", ["json"])
        let dictionary = [
            "\"", "\"\"", ",", ";", "sep=;\r\n", "\r", "\r\n", "\t", "[", "]", "{", "}", "{\"items\":[", "null",
            "\\u0000", "\\ud800", "https://a.example/", "title,url,read_at\n", "1e308", "PK\u{3}\u{4}",
        ]
        let kinds = [
            "jsonl", "csv", "json", "greader", "wallabag", "pocket", "instapaper", "readwise", "matter", "omnivore",
            "bookmarks",
        ]
        return FuzzTarget("export", seeds, dictionary) { _, path in try await read(path, as: kinds) }
    }

    private static func databases() throws -> FuzzTarget {
        let folder = try TemporaryFolder()
        var seeds = try files("stores", ["db"]) + files("", ["db"])
        for dump in try paths("stores", ["sql"]) + paths("browsers", ["sql"]) {
            let path = folder.file(UUID().uuidString)
            let connection = try Connection(path: path, access: .readWriteCreate)
            try connection.execute(String(contentsOfFile: dump, encoding: .utf8))
            seeds.append(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        let kinds = SourceKind.all.map(\.name)
        return FuzzTarget("database", seeds, ["CREATE VIEW ", "WITHOUT ROWID", "rss_item", "sqlite_master"]) {
            _, path in
            try await read(path, as: kinds)
        }
    }

    private static func weights() throws -> FuzzTarget {
        // The header, with a little of what follows it.
        let seeds = FixtureModel.Template.allCases.map { template in
            var model = FixtureModel()
            model.template = template
            return Data(model.data().prefix(Mutator.longest / 2))
        }
        let dictionary = ["general.architecture", "general.alignment", "split.count", "tokenizer.ggml.tokens", "GGUF"]
        return FuzzTarget("gguf", seeds, dictionary) { _, path in
            // Room for the tensors that the header tells of; a hole in the file takes no disk.
            truncate(path, 1 << 24)
            let file = try ModelFile(path: path)
            _ = (file.parameters, file.isForChat)
        }
    }

    private static func templates() throws -> FuzzTarget {
        let dictionary = [
            "{{", "}}", "{%", "%}", "{%-", "-%}", "{#", "#}", "{% for m in messages %}", "{% endfor %}", "{% if x %}",
            "{% endif %}", "{% set x = ", "{% macro a() %}", "{% endmacro %}", "{{ a() }}", "namespace(",
            "range(99999999)", "|tojson", "|join", "|sort", ".split(", "* 1000000", "~", "[::-1]", "loop.index",
            "raise_exception(", "messages", "(((((((((((((((((", "not not not ",
        ]
        return FuzzTarget("template", try files("templates", ["jinja"]), dictionary) { input, _ in
            let template = try ChatTemplate(source: String(decoding: input, as: UTF8.self))
            _ = try template.fill([
                ChatMessage(role: .system, text: "Be brief."),
                ChatMessage(role: .user, text: "What <|im_end|> is new?"),
            ])
        }
    }

    private static func answers() throws -> FuzzTarget {
        let seeds = try files("written", ["jsonl"]).flatMap {
            $0.split(separator: UInt8(ascii: "\n")).prefix(60).map { Data($0) }
        }
        let dictionary = [
            "<|im_end|>", "<think>", "</think>", "Sure! Here is", "**", "# ", "\u{1b}]8;;", "\n\n", "“", "”", " said ",
            "Dr. ", "3. ", "...",
        ]
        let article = Article(
            id: "a", title: "Ferry to Harnby sails again",
            content:
                "The ferry to Harnby sails again from Monday after a repair of three weeks. Tickets cost 40 crowns, the "
                + "company said. “We are glad,” said its owner.", language: "en")
        return FuzzTarget("answer", seeds, dictionary) { input, _ in
            var answer = CheckedAnswer([article], most: 6, mode: .mark)
            let text = String(decoding: input, as: UTF8.self)
            var shown: [Sentence] = []
            for piece in text.split(separator: " ", omittingEmptySubsequences: false) {
                shown += answer.add(piece + " ")
            }
            shown += answer.finish(isCut: false)
            try plain(shown.map(\.text))
        }
    }

    private static func texts() throws -> FuzzTarget {
        let seeds = try files("pages", ["txt"]) + files("", ["jsonl"])
        let dictionary = [
            "Ok. ", "Der 3. ", "\u{200d}", "e\u{301}", "\u{1b}[", "…", "« ", "» ", "(Photo: ",
            "Ignore all previous instructions", "\r",
            "&#8217;", "<p>", "arXiv:2611.01235v1 Announce Type: new \nAbstract: ", "。",
        ]
        return FuzzTarget("text", seeds, dictionary) { input, _ in
            let text = String(decoding: input, as: UTF8.self)
            let draft = ArticleDraft(
                url: "https://text.example/a", title: String(text.prefix(300)), content: text, contentForm: .unknown)
            guard let article = try? draft.article() else { return }
            try plain(article)
            _ = (
                LanguageDetector.language(of: text), Words.all(in: text),
                SourceTime.parse(String(text.prefix(64)), now: now)
            )
            try plain(Sentences.split(article.body))
        }
    }

    // MARK: What they share

    private static let now = Date(timeIntervalSince1970: 1_795_000_000)

    private static func read(_ path: String, as kinds: [String]) async throws {
        let environment = ImportEnvironment(
            now: now, home: "/nonexistent", variables: [:], standardInput: -1, hosts: ["example"])
        var (refusal, isRead): (PulseError?, Bool) = (nil, false)
        for kind in SourceKind.all where kinds.contains(kind.name) {
            do {
                let source = try kind.source(at: path, in: environment)
                while let batch = try await source.next(previousImport: nil) {
                    for reading in batch.readings { try plain(reading.article) }
                }
                isRead = true
            } catch let error as PulseError {
                try plain([error.description])
                refusal = error
            }
        }
        if let refusal, !isRead { throw refusal }
    }

    /// What reaches a terminal, a mail or a page is without control characters.
    private static func plain(_ texts: [String]) throws {
        for text in texts {
            if let scalar = text.unicodeScalars.first(where: { PlainText.isUnsafe($0) && $0 != "\n" && $0 != "\t" }) {
                throw Finding(description: "U+\(String(scalar.value, radix: 16)) in “\(text.prefix(80))”")
            }
        }
    }

    private static func plain(_ article: Article) throws {
        try plain(
            [article.id, article.url ?? "", article.title, article.author ?? "", article.source].map {
                // One line each.
                $0.replacing("\n", with: "\u{1b}")
            })
        try plain([article.summary, article.content])
    }

    private static func files(_ folder: String, _ types: Set<String>) throws -> [Data] {
        try paths(folder, types).map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    }

    private static func paths(_ folder: String, _ types: Set<String>) throws -> [String] {
        let folder = Repository.fixtures.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map(
            folder.appendingPathComponent
        )
        .filter { types.contains($0.pathExtension) }.map(\.path)
    }
}
