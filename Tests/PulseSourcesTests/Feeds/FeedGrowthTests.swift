import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseSources

/// Feeds and lists in the shapes that are the worst for their readers: cost grows as the input does.
@Suite(.timeLimit(.minutes(10))) struct FeedGrowthTests {
    private static func feed(_ name: String, _ make: @escaping @Sendable (Int) -> String) -> GrowthCase {
        GrowthCase("feed: \(name)", to: 1 << 17, make) { _ = try? Fixture.feed(xml: $0) }
    }

    private static func item(_ name: String, _ make: @escaping @Sendable (Int) -> String) -> GrowthCase {
        feed("item: \(name)") { Fixture.items("<item><guid>a</guid><title>T</title>\(make($0))</item>") }
    }

    private static func entry(_ name: String, _ make: @escaping @Sendable (Int) -> String) -> GrowthCase {
        feed("entry: \(name)") {
            "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>a</id><title>T</title>\(make($0))</entry></feed>"
        }
    }

    private static func list(_ name: String, _ make: @escaping @Sendable (Int) -> String) -> GrowthCase {
        GrowthCase("OPML: \(name)") {
            "<opml><body>\(make($0))</body></opml>"
        } _: {
            _ = try? FeedList.parse(Data($0.utf8), name: "list", now: Fixture.now)
        }
    }

    static let cases: [GrowthCase] =
        ["<b/>", "<b>x</b>", "&lt;b/&gt;", "&lt;b&gt;", "&lt;select&gt; ", "<![CDATA[x]]>", "<a b=\"<a\" "]
        .flatMap { piece in
            [
                item("description of \(piece)") { "<description>\(pieces(piece)($0))</description>" },
                item("title of \(piece)") { "<title>\(pieces(piece)($0))</title>" },
                entry("XHTML of \(piece)") {
                    "<content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>\(pieces(piece)($0))</div></content>"
                },
            ]
        }
        + [
            "<author>A B</author>", "<category>a</category>", "<link>https://a.example/</link>", "<guid>a</guid>",
            "<pubDate>Sat, 21 Nov 2026 10:00:00 GMT</pubDate>", "<source>a</source>", "<enclosure url='a.mp3'/>",
            "<x:y xmlns:x='u'>a</x:y>", "<dc:language>a-</dc:language>", "<media:group><media:content/></media:group>",
        ].map { item($0, pieces($0)) }
        + [
            "<author><name>A</name></author>", "<category term='a'/>", "<link href='https://a.example/'/>",
            "<link xml:base='a/' href='b'/>", "<x xml:base='a/b/'/>", "<id>a</id>", "<updated>1</updated>",
        ].map { entry($0, pieces($0)) }
        + [
            feed("authors") { Fixture.items(pieces("<author>A</author>")($0) + "<item><title>T</title></item>") },
            feed("channels") { Fixture.items(pieces("<channel xml:base='c'/>")($0)) },
            feed("items", pieces("<rss><channel><item>")), feed("pieces of a page", pieces("<html><rss ")),
            feed("one title") { size in
                Fixture.items((0..<size).map { "<item><guid>\($0)</guid><title>Same</title></item>" }.joined())
            },
            feed("one guid") { size in
                Fixture.items((0..<size).map { "<item><guid>1</guid><title>\($0)</title></item>" }.joined())
            },
            feed("JSON: brackets") { #"{"version":"jsonfeed","items":["# + pieces("[")($0) },
            feed("JSON: items") { #"{"version":"jsonfeed","items":["# + pieces(#"{"id":"a","title":"b"},"#)($0) },
            feed("JSON: tags") {
                #"{"version":"jsonfeed","items":[{"id":"1","title":"t","tags":["# + pieces("\"a\",")($0) + "\"\"]}]}"
            },
            list("feeds") { size in (0..<size).map { "<outline xmlUrl='https://a.example/\($0)'/>" }.joined() },
            list("one feed", pieces("<outline xmlUrl='https://a.example/'/>")),
            list("folders") {
                pieces("<outline text='a'>")(min($0, 120)) + pieces("<outline xmlUrl='http://a.b/'/>")($0)
            },
            GrowthCase("FeedDiscovery", pieces("<link rel='alternate' type='application/rss+xml' href='x'>")) {
                _ = FeedDiscovery.feeds(in: Data($0.utf8), address: "https://a.example/")
            },
            GrowthCase("FeedDiscovery: attributes", pieces("<link rel=")) {
                _ = FeedDiscovery.feeds(in: Data($0.utf8), address: "https://a.example/")
            },
        ]

    @Test(arguments: cases) func costGrowsWithTheInput(_ growth: GrowthCase) throws { try growth.check() }

    /// A feed that takes too long is read as far as that goes, and it is said.
    @Test func readingEndsInTime() throws {
        let xml = Fixture.items((0..<500).map { "<item><guid>\($0)</guid><title>T\($0)</title></item>" }.joined())
        let json = #"{"version":"jsonfeed","items":[{"id":"1","title":"a"},{"id":"2","title":"b"}]}"#
        for feed in [xml, json] {
            let read = try FeedDocument.parse(
                Data(feed.utf8), contentType: nil, address: Fixture.address, now: Fixture.now, within: .zero)
            #expect(read.entries.count <= 1)
            #expect(read.cuts == ["Only its beginning was read: to read the rest takes too long."])
            #expect(!read.isTruncated)
        }
    }
}
