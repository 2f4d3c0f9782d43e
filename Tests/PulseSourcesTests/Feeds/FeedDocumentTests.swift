import Foundation
import PulseCore
import PulseSources
import Testing

@Suite(.timeLimit(.minutes(20))) struct FeedDocumentTests {
    @Test func rss2() throws {
        let feed = try Fixture.feed("rss-2.0.xml")
        #expect(feed.title == "The Harnby Herald & Post")
        #expect(feed.site == "https://herald.example/")
        #expect(feed.skipped == 1)
        #expect(feed.entries.count == 4)
        let ferry = feed.entries[0]
        // Another entry has its guid, too.
        #expect(ferry.id == "https://herald.example/2026/ferry?a=1&b=2")
        #expect(ferry.title == "Ferry sails again – at last")
        #expect(ferry.url == "https://herald.example/2026/ferry?a=1&b=2")
        #expect(ferry.publishedAt?.formatted(.iso8601) == "2026-11-20T09:00:00Z")
        #expect(ferry.author == "Ana Brook")
        #expect(ferry.category == Category("business"))
        #expect(ferry.summary == "The ferry to Harnby is back.")
        #expect(ferry.content == "The ferry to Harnby sails again from Monday.\n\nIt was repaired for three weeks.")
        #expect(ferry.source == "The Harnby Herald & Post")
        #expect(ferry.language == "en-GB")
        let bridge = feed.entries[1]
        #expect(bridge.id == "https://herald.example/2026/bridge")
        #expect(bridge.content == "The bridge\n\nis open & free.")
        #expect(bridge.source == "The Harnby Herald & Post", "the feed is the publication, whatever its entries say")
        #expect(bridge.publishedAt?.formatted(.iso8601) == "2026-11-20T09:30:00Z")
        #expect(feed.entries[2].id == "https://herald.example/2026/second")
        #expect(feed.entries[2].publishedAt == nil)
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
        #expect(tides.id == "https://journal.example/1")
        #expect(tides.url == "https://journal.example/1?rss=1")
        #expect(tides.author == "Brook, A.")
        #expect(tides.category == Category("science"))
        #expect(tides.language == "en")
        #expect(tides.publishedAt?.formatted(.iso8601) == "2026-11-19T00:00:00Z")
    }

    @Test func atom1() throws {
        let feed = try Fixture.feed("atom-1.0.xml")
        #expect(feed.title == "Diário de Arrel")
        #expect(feed.site == "https://diario.example/blog/")
        let first = feed.entries[0]
        #expect(first.title == "O elemento <b> &amp; outros")
        #expect(first.url == "https://diario.example/blog/um")
        #expect(first.id == "tag:diario.example,2026:1")
        #expect(first.author == "Rui Vale")
        #expect(first.language == "pt")
        #expect(first.content == "Um < dois.\n\nFim & nada mais.")
        #expect(first.publishedAt?.formatted(.iso8601) == "2026-11-19T11:00:00Z")
        let second = feed.entries[1]
        #expect(second.title == "Dos & tres")
        #expect(second.url == "https://diario.example/blog/arquivo/dos")
        #expect(second.author == "Eva Sol, Leo Mar")
        #expect(second.source == "Diário de Arrel")
        #expect(second.language == "es")
        #expect(second.text == "Un resumen.")
    }

    @Test func atom03() throws {
        let feed = try Fixture.feed("atom-0.3.xml")
        let entry = try #require(feed.entries.first)
        #expect(entry.title == "One < two")
        #expect(entry.id == "https://feeds.example/rss#1")
        #expect(entry.content == "Hello.")
        #expect(entry.publishedAt?.formatted(.iso8601) == "2004-05-06T10:00:00Z")
    }

    @Test func jsonFeed() throws {
        let feed = try Fixture.feed("feed.json")
        #expect(feed.title == "Harnby <notes>")
        #expect(feed.skipped == 1)
        #expect(feed.entries.map(\.id) == ["https://feeds.example/rss#7", "https://feeds.example/rss#8"])
        #expect(feed.entries.map(\.url) == ["https://notes.example/7", "https://elsewhere.example/8"])
        #expect(feed.entries.map(\.content) == ["Seven & eight.", "if a < b then stop"])
        #expect(feed.entries.map(\.author) == ["Ana Brook", "Leo Mar"])
        #expect(feed.entries[0].category == Category("science"))
    }

    @Test func jsonThatEndsInTheMiddleKeepsItsWholeItems() throws {
        let json = try Fixture.data("feed.json")
        let end = try #require(json.firstRange(of: Data("external_url".utf8))).lowerBound
        #expect(try FeedDocument.parse(json.prefix(end), address: "x", now: Fixture.now).entries.count == 1)
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
        #expect(feed.entries[2].author == "Ana Brook")
        #expect(feed.entries[2].content == "What was read bef")
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
        let feed = try FeedDocument.parse(
            try #require(xml.data(using: encoding)), address: Fixture.address, now: Fixture.now)
        #expect(feed.entries.map(\.title) == ["Паром идёт"])
    }

    @Test func theHeaderNamesTheEncodingThatTheDocumentDoesNot() throws {
        let xml = Fixture.items("<item><title>Паром</title><link>https://a.example/1</link></item>")
        let data = try #require(xml.data(using: .windowsCP1251))
        let feed = try FeedDocument.parse(
            data, contentType: "text/xml; charset=\"Windows-1251\"", address: Fixture.address, now: Fixture.now)
        #expect(feed.entries.map(\.title) == ["Паром"])
    }

    @Test func withoutANameOtherBytesAreWindows1252() throws {
        var data = Data(Fixture.items("<item><title>Caf# #quoted#</title><link>https://a.example/1</link></item>").utf8)
        for byte: UInt8 in [0xe9, 0x93, 0x94] {
            let place = try #require(data.firstIndex(of: UInt8(ascii: "#")))
            data[place] = byte
        }
        let feed = try FeedDocument.parse(data, address: Fixture.address, now: Fixture.now)
        #expect(feed.entries.map(\.title) == ["Café “quoted”"])
    }

    @Test(arguments: [
        ("<link>//b.example/x y</link>", "https://b.example/x%20y"),
        ("<link>feed:https://b.example/</link>", "https://b.example/"),
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
        #expect(Set(first.entries.map(\.id)).count == 2)
        #expect(Set(first.entries.map(\.id)) == Set(second.entries.map(\.id)))
        #expect(second.entries.count == 2)
    }

    @Test(arguments: [
        ("<ttl>90</ttl>", 5400.0), ("<ttl>soon</ttl>", nil), ("<ttl>-5</ttl>", nil),
        ("<sy:updatePeriod> daily </sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>", 21_600),
        ("<ttl>10</ttl><sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>", 3600),
        ("", nil),
    ])
    func howOftenItWantsToBeAsked(elements: String, interval: Double?) throws {
        let sy = "http://purl.org/rss/1.0/modules/syndication/"
        let feed = try Fixture.feed(
            xml:
                "<rss version=\"2.0\" xmlns:sy=\"\(sy)\"><channel><title>T</title>\(elements)</channel></rss>")
        #expect(feed.interval == interval)
    }
}
