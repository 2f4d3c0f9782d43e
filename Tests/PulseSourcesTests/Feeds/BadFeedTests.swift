import Foundation
import PulseCore
import PulseSources
import PulseTestSupport
import Testing

/// What a feed should not be: each is one clear sentence, or what could be read of it.
@Suite(.timeLimit(.minutes(20))) struct BadFeedTests {
    @Test(arguments: [
        ("<!doctype html><html><body>Hello</body></html>", "web page"),
        ("<html><form><input type=password>", "login page"), ("", "empty"), ("  \n\0 ", "empty"), ("\u{feff}", "empty"),
        ("<opml version='2.0'><body/></opml>", "OPML"), ("<urlset><url/></urlset>", "neither"), ("hello", "neither"),
        ("{\"a\": 1}", "neither"), ("{", "neither"), ("[1]", "neither"), ("GIF89a", "image"), ("%PDF-1.7", "PDF"),
        ("<", "neither"), ("&", "neither"), ("<!DOCTYPE x [<!ENTITY a '", "neither"), ("<rss", "neither"),
    ])
    func isNamed(body: String, kind: String) throws {
        let error = try fails(.badData) { try Fixture.feed(xml: body) }
        #expect(error.message.hasPrefix("https://feeds.example/rss is "))
        #expect(error.message.contains(kind), "\(error.message)")
        #expect(FeedDocument.isPage(Data(body.utf8)) == (kind.contains("page")))
    }

    @Test func gzipIsNamed() throws {
        try fails(.badData, "cannot be unpacked") { try Fixture.feed(Data([0x1f, 0x8b, 8, 0, 0])) }
    }

    /// gzip of which the header says nothing: once it is read, twice it is named.
    @Test func gzipWithoutAHeaderIsRead() throws {
        let folder = try TemporaryFolder()
        let once = try SourceRun.gzipped(Data(Fixture.items("<item><title>Packed</title></item>").utf8), in: folder)
        #expect(try Fixture.feed(once).entries.map(\.title) == ["Packed"])
        let twice = try SourceRun.gzipped(once, in: folder)
        try fails(.badData, "compresses it twice") { try Fixture.feed(twice) }
    }

    @Test func aFeedInsideOfAPageIsAFeed() throws {
        let feed =
            "<html><body><feed xmlns='http://www.w3.org/2005/Atom'><entry><id>tag:1</id><title>T</title></entry></feed>"
        #expect(try Fixture.feed(xml: feed).entries.count == 1)
    }

    @Test func laughsAndFilesStayUnread() throws {
        var entities = "<!ENTITY a0 'ha'>"
        for level in 1...30 { entities += "<!ENTITY a\(level) '\(String(repeating: "&a\(level - 1);", count: 10))'>" }
        let files = "<!ENTITY f SYSTEM 'file:///etc/passwd'><!ENTITY % p SYSTEM 'http://127.0.0.1:9/'> %p;"
        let items = Fixture.items("<item><title>&a30;&f;</title><link>https://a.example/&a30;</link></item>")
        let feed = try Fixture.feed(xml: "<!DOCTYPE rss [\(files) \(entities)]>" + items)
        #expect(feed.entries.map(\.title) == ["&a30;&f;"])
    }

    /// No text is lost without a word.
    @Test func whatIsTooLongIsCutAndSaid() throws {
        let long = String(repeating: "word ", count: 200_000)
        let xml = Fixture.items(
            "<item><title>A</title><guid>a</guid><description>\(long)</description></item>"
                + "<item><title>B</title><guid>b</guid><description>Short.</description></item>")
        let start = #"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"a","title":"A""#
        let json = start + #","content_text":""# + long + #""},{"id":"b","title":"B"}]}"#
        for feed in [try Fixture.feed(xml: xml), try Fixture.feed(xml: json)] {
            #expect(feed.entries.map(\.title) == ["A", "B"])
            #expect(feed.entries[0].content.utf8.count > 500_000)
            #expect(feed.cuts == ["One text is longer than 512 KiB, and was cut there."])
        }
        let deep = Fixture.items(
            "<item><title>A</title></item>" + (0..<6000).map { "<x\($0)>" }.joined() + "<item><title>B</title></item>")
        #expect(
            try Fixture.feed(xml: deep).cuts == ["Only its beginning was read: the rest does not look like a feed."])
        let values = start + #"},{"id":"b","x":["# + String(repeating: "0,", count: 200_000) + "0]}]}"
        let feed = try Fixture.feed(xml: values)
        #expect(feed.entries.map(\.title) == ["A"] && feed.cuts.count == 1)
    }

    @Test func itemsWithoutEndAreBounded() throws {
        let items = (0..<20_000).map { "<item><title>T\($0)</title><guid>\($0)</guid></item>" }.joined()
        let feed = try Fixture.feed(xml: Fixture.items(items))
        #expect(feed.entries.count == FeedDocument.mostEntries && feed.entries.first?.title == "T0")
    }

    @Test(arguments: [
        "<b>", "<p><i>", "<a x='", "<a x=\"<a y='", "</b>", "<!--", "<![CDATA[", "<?x", "&", "<item>",
        "<x:y xmlns:x='u'>",
    ])
    func floodsEnd(piece: String) throws {
        let flood = String(repeating: piece, count: 30_000)
        #expect(try Fixture.titles("<item><title>Kept</title></item><item><description>\(flood)").first == "Kept")
    }

    @Test func aFloodOfAttributesEnds() throws {
        let attributes = (0..<20_000).map { " a\($0)='1' xmlns:n\($0)='u\($0)'" }.joined()
        let item = "<item\(attributes)><title>T</title><link>https://a.example/</link></item>"
        #expect(try Fixture.titles(item) == ["T"])
    }

    /// What comes after more names than any feed has is not read.
    @Test(arguments: ["<x#/>", "<x#></x#>", "<x a#='1'/>", "<x xmlns:a='u#'/>", "<x xmlns:a#='u'/>"])
    func aFloodOfNamesEnds(piece: String) throws {
        func titles(names: Int) throws -> [String] {
            let flood = (0..<names).map { piece.replacing("#", with: "\($0)") }.joined()
            return try Fixture.titles("<item><title>Kept</title></item>\(flood)<item><title>Late</title></item>")
        }
        #expect(try titles(names: 1000) == ["Kept", "Late"])
        #expect(try titles(names: 10_000) == ["Kept"])
    }

    @Test func jsonThatNestsEnds() throws {
        let start = #"{"version": "https://jsonfeed.org/version/1", "items": "#
        #expect(throws: PulseError.self) { try Fixture.feed(xml: start + String(repeating: "[", count: 500_000)) }
    }

    /// Wherever a document ends, what stands before that is read, and nothing else happens.
    @Test(arguments: ["rss-2.0.xml", "atom-1.0.xml", "rss-1.0.xml", "broken.xml", "feed.json"])
    func whereverADocumentEnds(name: String) throws {
        let data = try Fixture.data(name)
        let whole = try Fixture.feed(name).entries.count
        for end in stride(from: 0, to: data.count, by: 41) {
            let feed = try? Fixture.feed(data.prefix(end))
            #expect((feed?.entries.count ?? 0) <= whole + 1)
        }
    }
}
