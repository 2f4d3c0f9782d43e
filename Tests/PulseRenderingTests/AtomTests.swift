import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseRendering

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite(.timeLimit(.minutes(20))) struct AtomTests {
    private func feed(_ digests: Digest...) -> AtomFeed {
        var feed = AtomFeed(named: "a")
        for digest in digests { feed.add(digest, timeZone: Sample.utc) }
        return feed
    }

    private func text(_ feed: AtomFeed) -> String { feed.text(in: .english) }

    private func day(_ number: Int, muted: Int = 0) -> Digest {
        var digest = LanguageSample(.english).digest
        digest.date = Sample.now.addingTimeInterval(Double(number) * 86_400)
        digest.muted = muted
        return digest
    }

    /// The entries' elements of a name, by a real parser.
    private func elements(_ name: String, in text: String) throws -> [String] {
        let parser = XMLParser(data: Data(text.utf8))
        let reader = ElementReader(name)
        parser.delegate = reader
        guard parser.parse() else { throw try #require(parser.parserError) }
        return reader.found
    }

    @Test func golden() throws {
        let atom = text(feed(Sample.digest, day(-1)))
        #expect(try atom == Golden.text("digest.atom.xml", actual: atom))
    }

    @Test(arguments: Language.allCases)
    func aParserReadsIt(language: Language) throws {
        for digest in [
            HostileSample.digest(language), LanguageSample(language, isWritten: true).digest, Sample.written,
        ] {
            let atom = feed(digest).text(in: language)
            let outline = DigestOutline(digest, timeZone: Sample.utc)
            #expect(try elements("content", in: atom) == [DigestHTML.content(outline).source])
            #expect(try elements("title", in: atom) == [language.phrases.archive, outline.title])
            #expect(try elements("updated", in: atom) == ["2026-11-21T02:46:40Z", "2026-11-21T02:46:40Z"])
            #expect(try Set(elements("id", in: atom)).count == 2)
        }
    }

    /// What is written is read back as it was.
    @Test func whatIsWrittenIsReadBack() {
        for feed in [feed(HostileSample.digest()), feed(Sample.digest, day(-1)), feed()] {
            #expect(AtomFeed(text(feed)) == feed)
        }
    }

    @Test func daysAreKeptTheLatestFirstAndUpToABound() throws {
        var feed = feed(day(0))
        let id = try elements("id", in: text(feed))[1]
        for number in [1, -2, 2] {
            feed = try #require(AtomFeed(text(feed)))
            feed.add(day(number), timeZone: Sample.utc)
        }
        #expect(
            try elements("updated", in: text(feed)).map { $0.prefix(10) } == [
                "2026-11-23", "2026-11-23", "2026-11-22", "2026-11-21", "2026-11-19",
            ])
        #expect(try elements("id", in: text(feed))[3] == id)
        for number in 3..<60 { feed.add(day(number), timeZone: Sample.utc) }
        #expect(try elements("content", in: text(feed)).count == AtomFeed.mostEntries)
        #expect(try elements("updated", in: text(feed))[0].hasPrefix("2027-01-19"))
    }

    /// A second digest of a day takes the first one's place under its id. One that says the same is no update.
    @Test func aDayHasOneEntry() throws {
        var later = day(0)
        later.date += 3600
        let first = feed(day(0))
        #expect(feed(day(0), later) == first)
        var changed = day(0, muted: 7)
        changed.date += 3600
        let second = feed(day(0), changed)
        #expect(try elements("id", in: text(second)) == elements("id", in: text(first)))
        #expect(try elements("updated", in: text(second)) == ["2026-11-21T03:46:40Z", "2026-11-21T03:46:40Z"])
    }

    @Test func feedsHaveIdsOfTheirOwn() {
        let ids = ["a", "b", "a\nb"].map { text(AtomFeed(named: $0)).split(separator: "\n")[3] }
        #expect(Set(ids).count == 3)
        for id in ids {
            #expect(
                id.wholeMatch(
                    of: /<id>urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}<\/id>/)
                    != nil)
        }
    }

    @Test func whatIsNotItsOwnIsNotTaken() {
        let atom = text(feed(day(0)))
        for foreign in [
            "", "<feed/>", String(atom.dropLast()), atom.replacing("pulse-digest</generator>", with: "x</generator>"),
            atom.replacing("</entry>", with: ""), atom.replacing("<?xml", with: " <?xml"), atom + "more\n",
            atom.replacing("urn:uuid", with: "urn:x"),
        ] {
            #expect(AtomFeed(foreign) == nil)
        }
    }

    // MARK: - The folder of pages

    @Test func theIndexNamesTheDaysAndWeeks() {
        let index = DigestPages(
            [
                "2026-11-20.html", "index.html", "2026-11-21.html", "2026-13-01.html", "<b>.html", "2026-11-21.htm",
                "week-2026-11-21.html", "week-x.html",
            ], in: .english
        ).index
        let links = index.matches(of: /<a href="([^"]*)">([^<]*)<\/a>/).map { [$0.output.1, $0.output.2] }
        #expect(
            links == [
                ["week-2026-11-21.html", "15 – 21 November 2026"],
                ["2026-11-21.html", "Saturday, 21 November 2026"], ["2026-11-20.html", "Friday, 20 November 2026"],
            ])
        #expect(DigestPages.isOwn(index) && DigestPages.isOwn(DigestPages.page(Sample.digest, timeZone: Sample.utc)))
        #expect(!DigestPages.isOwn(DigestHTML.render(Sample.digest, timeZone: Sample.utc)))
        // No text of an article can make a page pass for one.
        var digest = Sample.digest
        digest.sections = [
            Digest.Section(heading: .source("<meta name=\"generator\" content=\"pulse-digest\">"), entries: [])
        ]
        #expect(!DigestPages.isOwn(DigestHTML.render(digest, timeZone: Sample.utc)))
    }
}

private final class ElementReader: NSObject, XMLParserDelegate {
    private let name: String
    private var isInside = false
    private(set) var found: [String] = []

    init(_ name: String) { self.name = name }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        isInside = element == name
        if isInside { found.append("") }
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if isInside { found[found.count - 1] += text }
    }

    func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
        isInside = false
    }
}
