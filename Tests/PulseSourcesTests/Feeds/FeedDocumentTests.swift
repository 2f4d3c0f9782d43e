import Foundation
import PulseCore
import PulseSources
import Testing

@Suite(.timeLimit(.minutes(20))) struct FeedDocumentTests {
    @Test func rss2() throws {
        let feed = try Fixture.feed("rss-2.0.xml")
        #expect(feed.title == "The Harnby Herald & Post" && feed.site == "https://herald.example/")
        #expect(feed.skipped == 1 && feed.entries.count == 4)
        #expect(
            feed.entries[0]
                == Article(
                    // Another entry has its guid, too.
                    id: "https://herald.example/2026/ferry?a=1&b=2", url: "https://herald.example/2026/ferry?a=1&b=2",
                    title: "Ferry sails again – at last", summary: "The ferry to Harnby is back.",
                    content: "The ferry to Harnby sails again from Monday.\n\nIt was repaired for three weeks.",
                    author: "Ana Brook", source: "The Harnby Herald & Post", category: Category("business"),
                    language: "en-GB", publishedAt: date(1_795_165_200)))
        let bridge = feed.entries[1]
        #expect(bridge.id == "https://herald.example/2026/bridge" && bridge.content == "The bridge\n\nis open & free.")
        #expect(bridge.source == "The Harnby Herald & Post", "the feed is the publication, whatever its entries say")
        #expect(bridge.publishedAt == date(1_795_167_000))
        #expect(feed.entries[2].id == "https://herald.example/2026/second" && feed.entries[2].publishedAt == nil)
        #expect(feed.entries[3].url == "https://herald.example/notes/1")
        #expect(feed.entries[3].title == "A note without a title. It has a second sentence.")
    }

    @Test func rss091HasEntitiesOfHTMLAndNoOthers() throws {
        let feed = try Fixture.feed("rss-0.91.xml")
        #expect(feed.title == "Café news")
        #expect(feed.entries.map(\.title) == ["Crème brûlée &bogus; &leak;"])
    }

    @Test func rss1() throws {
        let feed = try Fixture.feed("rss-1.0.xml")
        #expect(feed.title == "Journal of Tides")
        let tides = try #require(feed.entries.first)
        #expect(tides.id == "https://journal.example/1" && tides.url == "https://journal.example/1?rss=1")
        #expect(tides.author == "Brook, A." && tides.category == Category("science") && tides.language == "en")
        #expect(tides.publishedAt?.formatted(.iso8601) == "2026-11-19T00:00:00Z")
    }

    @Test func atom1() throws {
        let feed = try Fixture.feed("atom-1.0.xml")
        #expect(feed.title == "Diário de Arrel" && feed.site == "https://diario.example/blog/")
        let first = feed.entries[0]
        #expect(first.title == "O elemento <b> &amp; outros")
        #expect(first.url == "https://diario.example/blog/um" && first.id == "tag:diario.example,2026:1")
        #expect(first.author == "Rui Vale" && first.language == "pt")
        #expect(first.content == "Um < dois.\n\nFim & nada mais.")
        #expect(first.publishedAt?.formatted(.iso8601) == "2026-11-19T11:00:00Z")
        let second = feed.entries[1]
        #expect(second.title == "Dos & tres" && second.url == "https://diario.example/blog/arquivo/dos")
        #expect(second.author == "Eva Sol, Leo Mar" && second.source == "Diário de Arrel")
        #expect(second.language == "es" && second.text == "Un resumen.")
    }

    @Test func atom03() throws {
        let entry = try #require(try Fixture.feed("atom-0.3.xml").entries.first)
        #expect(entry.title == "One < two" && entry.id == "https://feeds.example/rss#1" && entry.content == "Hello.")
        #expect(entry.publishedAt?.formatted(.iso8601) == "2004-05-06T10:00:00Z")
    }

    @Test func jsonFeed() throws {
        let feed = try Fixture.feed("feed.json")
        #expect(feed.title == "Harnby <notes>" && feed.skipped == 1)
        #expect(feed.entries.map(\.id) == ["https://feeds.example/rss#7", "https://feeds.example/rss#8"])
        #expect(feed.entries.map(\.url) == ["https://notes.example/7", "https://elsewhere.example/8"])
        #expect(feed.entries.map(\.content) == ["Seven & eight.", "if a < b then stop"])
        #expect(feed.entries.map(\.author) == ["Ana Brook", "Leo Mar"])
        #expect(feed.entries[0].category == Category("science"))
    }

    @Test func jsonThatEndsInTheMiddleKeepsItsWholeItems() throws {
        let json = try Fixture.data("feed.json")
        let end = try #require(json.firstRange(of: Data("external_url".utf8))).lowerBound
        #expect(try Fixture.feed(json.prefix(end)).entries.count == 1)
    }

    /// Half of an address would be an entry of its own, beside the whole one of the next refresh.
    @Test(arguments: [
        "<title>Two</title><link>http://a.example/2", "<guid>http://a.exa", "<id>tag:",
    ])
    func anEntryThatEndsInItsAddressIsLeftOut(end: String) throws {
        let xml = "<rss><channel><item><title>One</title><link>http://a.example/1</link></item><item>" + end
        #expect(try Fixture.feed(xml: xml).entries.map(\.title) == ["One"])
    }

    @Test func whatIsBrokenIsReadAsWellAsItCanBe() throws {
        let feed = try Fixture.feed("broken.xml")
        #expect(feed.title == "Broken & proud")
        #expect(feed.entries.map(\.title) == ["First", "Second < third", "Third"])
        #expect(feed.entries[1].content == "One\n\nTwo\n\nThree")
        #expect(feed.entries[2].author == "Ana Brook" && feed.entries[2].content == "What was read bef")
    }

    @Test(arguments: [
        ("<?xml version='1.0' encoding='windows-1251'?>", String.Encoding.windowsCP1251),
        ("<?xml version='1.0' encoding='utf-8'?>", .utf8), ("<?xml version='1.0' encoding='iso-8859-1'?>", .utf8),
        ("<?xml version='1.0' encoding='utf-16'?>", .utf8),
        ("<?xml version='1.0' encoding='utf-16'?>", .utf16LittleEndian), ("", .utf16BigEndian), ("", .utf16),
        ("\n  \u{feff}<?xml version='1.0'?>", .utf8), ("", .utf32),
    ])
    func encodings(declaration: String, encoding: String.Encoding) throws {
        let xml = declaration + Fixture.items("<item><title>Паром идёт</title><link>https://a.example/1</link></item>")
        let data = try #require(xml.data(using: encoding))
        #expect(try Fixture.feed(data).entries.map(\.title) == ["Паром идёт"])
    }

    @Test func theHeaderNamesTheEncodingThatTheDocumentDoesNot() throws {
        let xml = Fixture.items("<item><title>Паром</title><link>https://a.example/1</link></item>")
        let data = try #require(xml.data(using: .windowsCP1251))
        let feed = try Fixture.feed(data, contentType: "text/xml; charset=\"Windows-1251\"")
        #expect(feed.entries.map(\.title) == ["Паром"])
    }

    @Test func withoutANameOtherBytesAreWindows1252() throws {
        var data = Data(Fixture.items("<item><title>Caf# #quoted#</title><link>https://a.example/1</link></item>").utf8)
        for byte: UInt8 in [0xe9, 0x93, 0x94] {
            let place = try #require(data.firstIndex(of: UInt8(ascii: "#")))
            data[place] = byte
        }
        #expect(try Fixture.feed(data).entries.map(\.title) == ["Café “quoted”"])
    }

    @Test(arguments: [
        ("<link>//b.example/x y</link>", "https://b.example/x%20y"),
        ("<link>feed:https://b.example/</link>", "https://b.example/"),
        ("<link>feed://b.example/</link>", "http://b.example/"),
        ("<link>javascript:alert(1)</link>", nil), ("<link>file:///etc/passwd</link>", nil),
        ("<link/><guid>https://b.example/1</guid>", "https://b.example/1"),
        ("<link/><guid isPermaLink='false'>https://b.example/1</guid>", nil),
        ("<link href='https://b.example/2'/>", "https://b.example/2"),
        (
            "<link>https://proxy.example/</link><feedburner:origLink>https://b.example/3</feedburner:origLink>",
            "https://b.example/3"
        ),
        ("<link xml:base='https://c.example/d/'>e</link>", "https://c.example/d/e"),
        ("<link>https://b.example/\u{1b}[31m</link>", "https://b.example/%20[31m"),
        ("<link>http://Bücher.example/münchen?ü=1</link>", "http://xn--bcher-kva.example/münchen?ü=1"),
        ("<link>https://a\u{2100}.example/</link>", nil),
        ("<link>https://ana:secret@a.example/1</link>", "https://a.example/1"),
    ])
    func links(item: String, expected: String?) throws {
        let feed = try Fixture.feed(xml: Fixture.items("<item><title>T</title>\(item)</item>"))
        #expect(feed.entries.map(\.url) == [expected])
    }

    @Test(arguments: [
        ("https://ana:secret@b.example/1", "https://b.example/1"), ("https://b.example/@ana", "https://b.example/@ana"),
        ("ftp://ana:sec/secret@b.example/1", "https://feeds.example/rss#ftp://b.example/1"),
        ("tag:ana@b.example,2026:1", "tag:ana@b.example,2026:1"),
    ])
    func noIdentifierHasAPassword(guid: String, expected: String) throws {
        let feed = try Fixture.feed(xml: Fixture.items("<item><title>T</title><guid>\(guid)</guid></item>"))
        #expect(feed.entries.map(\.id) == [expected])
        #expect(feed.entries.first?.url?.contains("secret") != true)
    }

    @Test func nothingOfAFeedReachesATerminal() throws {
        let xml = Fixture.items(
            """
            <item><title>A&#27;[31m&#x202e;B&lt;script&gt;x&lt;/script&gt;</title><guid>i&#10;d\u{7}</guid>
            <author>Eve&#x9b;</author><category>x&#0;y</category><description>&#27;]0;t&#7;Text</description></item>
            """)
        let entry = try #require(try Fixture.feed(xml: xml).entries.first)
        let texts = [entry.id, entry.title, entry.author ?? "", entry.category.name, entry.content, entry.source]
        #expect(
            texts.joined().unicodeScalars.allSatisfy {
                $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) && $0.value != 0x202e
            })
        #expect(!entry.title.contains("script"))
    }

    @Test func entriesAreKnownAgain() throws {
        let item = "<item><title>T</title><description>D</description></item>"
        let other = "<item><title>U</title><description>D</description></item>"
        let first = try Fixture.feed(xml: Fixture.items(item + other))
        let second = try Fixture.feed(xml: Fixture.items(other + item + item))
        #expect(Set(first.entries.map(\.id)).count == 2 && second.entries.count == 2)
        #expect(Set(first.entries.map(\.id)) == Set(second.entries.map(\.id)))
    }

    @Test(arguments: [
        ("<ttl>90</ttl>", 5400.0), ("<ttl>soon</ttl>", nil), ("<ttl>-5</ttl>", nil),
        ("<sy:updatePeriod> daily </sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>", 21_600),
        ("<ttl>10</ttl><sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>", 3600),
        ("", nil),
    ])
    func howOftenItWantsToBeAsked(elements: String, interval: Double?) throws {
        let sy = "http://purl.org/rss/1.0/modules/syndication/"
        let xml = "<rss version='2.0' xmlns:sy='\(sy)'><channel><title>T</title>\(elements)</channel></rss>"
        #expect(try Fixture.feed(xml: xml).interval == interval)
    }
}
