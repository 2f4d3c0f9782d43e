import Foundation
import PulseCore
import PulseTestSupport
import PulseText
import Testing

@testable import PulseRendering

@Suite(.timeLimit(.minutes(20))) struct DigestHTMLTests {
    private func page(_ digest: Digest) -> String { DigestHTML.render(digest, timeZone: Sample.utc) }

    /// Without its style sheet, which holds angle brackets of its own.
    private func markup(_ page: String) -> String { page.replacing(/<style>[\s\S]*?<\/style>/, with: "") }

    /// Each tag as its name and the names of its attributes.
    private func skeleton(_ page: String) -> [String] {
        markup(page).matches(of: /<[^>]*>/).map { tag in
            // Whether a text tells its language is its own affair.
            String(tag.output).replacing(/"[^"]*"/, with: "").replacing("<bdi lang=>", with: "<bdi>")
        }
    }

    /// A digest of one shape whose every text is given.
    private func digest(_ text: String) -> Digest {
        func article(_ id: String, _ url: String?) -> Article {
            Article(
                id: id, url: url, title: text + " x", content: text, source: id + text + " y", category: Category(text))
        }
        let readings = [article("1", "https://example.org/"), article("2", nil), article("3", "http://example.org/3")]
            .map { Reading(article: $0, readAt: Sample.now, origin: "test") }
        let stories = [Story([readings[0]]), Story([readings[1], readings[2]])]
        let entries = [
            Digest.Entry(
                story: stories[0],
                sentences: [
                    Sentence(text: text + " z", sources: ["1"], origin: .written),
                    Sentence(text: text, sources: [], origin: .replaced),
                ]), Digest.Entry(story: stories[1], sentences: []),
        ]
        return Digest(
            date: Sample.now, period: Period(hours: 48, endingAt: Sample.now), language: .english,
            model: ModelIdentity(name: text, sha256: nil),
            sections: [
                Digest.Section(
                    heading: .category(Category(text)), entries: entries, titled: [Story([readings[0]])], omitted: 2),
                Digest.Section(heading: .source(text), entries: entries, omitted: 1),
            ], daysInARow: 2, muted: 1, refused: 2)
    }

    @Test(arguments: 0..<60)
    func nothingFromOutsideIsMarkup(seed: Int) {
        let text = RandomText.make(seed: seed, length: 30)
        let page = page(digest(text))
        #expect(skeleton(page) == skeleton(self.page(digest("text"))))
        let shown = markup(page).replacing(/<[^>]*>/, with: "")
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        #expect(shown.contains(PlainText.line(text + " z")))
        #expect(shown.contains(PlainText.line(text + " x")))
        #expect(!page.unicodeScalars.contains { $0 != "\n" && PlainText.isUnsafe($0) })
    }

    @Test func nothingIsFetchedAndNothingRuns() {
        for page in [page(Sample.digest), page(Sample.written), page(HostileSample.digest())] {
            let tags = skeleton(page)
            for tag in tags {
                #expect(!tag.contains("<script") && !tag.contains("<link") && !tag.contains("<img"))
                #expect(!tag.contains(" src=") && !tag.contains(/\son[a-z]+=/))
            }
            #expect(!page.contains("url(") && !page.contains("@import"))
        }
    }

    @Test func linksGoToTheWebOrIntoThePage() throws {
        let page = page(HostileSample.digest())
        let links = markup(page).matches(of: /href="([^"]*)"/).map { String($0.output.1) }
        let anchors = Set(markup(page).matches(of: /id="([^"]*)"/).map { String($0.output.1) })
        #expect(links.contains { $0.hasPrefix("https://diario.example/") })
        for link in links {
            #expect(
                link.hasPrefix("http://") || link.hasPrefix("https://") || anchors.contains(String(link.dropFirst())))
        }
        #expect(anchors.count == markup(page).matches(of: /\sid="/).count)
    }

    /// A story's number is the same on the page as in the terminal, whatever list it stands in.
    @Test func numbersGoOnFromSectionToSection() {
        for digest in [Sample.digest, HostileSample.digest()] {
            let page = page(digest)
            let numbers = page.matches(of: /<li id="story-([0-9]+)" value="([0-9]+)"/)
            #expect(numbers.compactMap { Int($0.output.1) } == Array(1...digest.stories.count))
            #expect(numbers.allSatisfy { $0.output.1 == $0.output.2 })
        }
    }

    @Test func headingsAreInOrder() {
        let page = page(HostileSample.digest())
        #expect(page.matches(of: /<h1\s/).count == 1)
        #expect(page.matches(of: /<h2\s/).count == 6)
        #expect(!page.contains("<h3"))
        let tags = page.matches(of: /<([a-z0-9]+)[\s>]/).map { String($0.output.1) }
        for landmark in ["header", "nav", "main", "footer"] { #expect(tags.filter { $0 == landmark }.count == 1) }
    }

    @Test(arguments: [
        (Language.english, "en"), (.portuguese, "pt"), (.europeanPortuguese, "pt-PT"), (.spanish, "es"),
    ])
    func thePageTellsItsLanguage(language: Language, tag: String) {
        let page = page(HostileSample.digest(language))
        #expect(page.contains("<html lang=\"\(tag)\">"))
        #expect(page.contains("<bdi lang=\"ar\">المجلس"))
        #expect(page.contains("<bdi lang=\"pt\">Câmara") == (language.code != "pt"))
        // What is no tag of a language is none here.
        #expect(!page.contains("lang=\"&quot;"))
    }

    @Test func longerTimesAreDrawnByTheDayAndTheLongestNotAtAll() throws {
        func times(days: Double) -> ReadingTimes? {
            var digest = HostileSample.digest()
            digest.period = Period(hours: days * 24, endingAt: digest.date)
            return ReadingTimes(digest, timeZone: Sample.utc)
        }
        let hours = try #require(times(days: 2))
        #expect(hours.days.map(\.counts.count) == [8, 8, 8])
        #expect(hours.days.flatMap(\.counts).reduce(0, +) == 12)
        #expect(hours.peak == "You read most on Friday 20 November, 15:00–18:00: 3 articles.")
        let days = try #require(times(days: 10))
        #expect(days.days.map(\.counts.count) == Array(repeating: 1, count: 11))
        #expect(days.days.last?.label == "21 Nov" && days.sums == nil)
        #expect(hours.sums == "Thu 0, Fri 10, Sat 2")
        #expect(days.peak.hasPrefix("You read most on Friday 20 November: "))
        #expect(times(days: 60) == nil)
    }
}
