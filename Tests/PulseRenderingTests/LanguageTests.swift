import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseRendering

@Suite struct LanguageTests {
    private static let styles = [
        ("txt", TextStyle(timeZone: Sample.utc)),
        ("terminal.txt", TextStyle(width: 60, isStyled: true, hasLinks: true, timeZone: Sample.utc)),
    ]

    @Test(arguments: Language.allCases, styles)
    func golden(language: Language, format: (name: String, style: TextStyle)) throws {
        let sample = LanguageSample(language)
        let text = DigestText.render(sample.digest, style: format.style)
        #expect(try text == Golden.text("digest.\(language.rawValue).\(format.name)", actual: text))
        #expect(sample.streamed(style: format.style) == text)
    }

    /// A digest in one language says nothing in another, but for what is told in it, and names.
    @Test func nothingIsLeftInEnglish() {
        for language in [Language.portuguese, .spanish] {
            let text = DigestText.render(LanguageSample(language).digest, style: TextStyle(timeZone: Sample.utc))
                .replacing("pulse-digest history show", with: "")
            for word in ["read", "from", "in a row", "topics", "article ", "Saturday", "November", "World", "Sports"] {
                #expect(!text.contains(word), "\(word)")
            }
        }
    }

    @Test(arguments: [
        (Language.english, "en", "World, in English"), (.english, "pt", "World, in Portuguese"),
        (.portuguese, "en", "Mundo, em inglês"), (.portuguese, "zh", "Mundo, em chinês"),
        (.spanish, "pt", "Mundo, en portugués"), (.spanish, "ja", "Mundo, en japonés"),
        (.english, "und-Cyrl", "World, in another language"), (.portuguese, "und-Arab", "Mundo, em outro idioma"),
        (.spanish, "und-Deva", "Mundo, en otro idioma"), (.english, "qqq", "World, in another language"),
        (.english, "\u{1b}[1m", "World, in another language"),
    ])
    func sectionsSayTheirLanguage(language: Language, foreign: String, title: String) {
        #expect(Phrases(language).sectionTitle(Category("world"), foreignLanguage: foreign) == title)
        #expect(
            Phrases(language).sectionTitle(Category("world"), foreignLanguage: nil)
                == Category("world").title(in: language))
    }

    @Test func streaksAreToldFromTwoDaysOn() {
        for (days, isTold) in [(0, false), (1, false), (2, true), (365, true)] {
            var digest = LanguageSample(.english).digest
            digest.daysInARow = days
            let text = DigestText.render(digest, style: TextStyle(timeZone: Sample.utc))
            #expect(text.contains("Reading for \(days) days in a row.") == isTold)
        }
    }

    @Test func mutedArticlesAreToldWhereThereAreAny() {
        var digest = LanguageSample(.english).digest
        #expect(DigestText.render(digest, style: TextStyle(timeZone: Sample.utc)).contains("topics; 3 muted.\n"))
        digest.muted = 0
        #expect(!DigestText.render(digest, style: TextStyle(timeZone: Sample.utc)).contains("muted"))
    }

    /// One and many of everything.
    @Test(arguments: Language.allCases, [1, 2])
    func numbersAgreeWithTheirNouns(language: Language, count: Int) {
        let phrases = Phrases(language)
        let read = phrases.read(count, count, "…", phrases.source(count), phrases.topic(count))
        let expected =
            switch language {
            case .english: ["1 article read", "1 source in 1 topic", "2 articles read", "2 sources in 2 topics"]
            case .portuguese: ["1 artigo lido", "1 fonte em 1 tema", "2 artigos lidos", "2 fontes em 2 temas"]
            case .spanish: ["1 artículo leído", "1 fuente en 1 tema", "2 artículos leídos", "2 fuentes en 2 temas"]
            }
        for (place, text) in expected.enumerated() { #expect(read.contains(text) == (place / 2 + 1 == count)) }
    }

    @Test func datesAreWrittenAsInTheLanguage() {
        #expect(DateText.day(Sample.now, in: Sample.utc, .english) == "Saturday, 21 November 2026")
        #expect(DateText.day(Sample.now, in: Sample.utc, .portuguese) == "sábado, 21 de novembro de 2026")
        #expect(DateText.day(Sample.now, in: Sample.utc, .spanish) == "sábado, 21 de noviembre de 2026")
        // Midnight is 00, not 24, and days are those of the reader's zone.
        let midnight = Date(timeIntervalSince1970: 1_795_219_200)
        #expect(DateText.dayAndTime(midnight, in: Sample.utc, .portuguese).hasSuffix(", 00:00"))
        #expect(
            DateText.dayAndTime(midnight, in: TimeZone(secondsFromGMT: -3600) ?? .gmt, .spanish).hasPrefix("viernes"))
    }

    @Test func aSummaryInAnotherLanguageSaysSo() {
        let summary = Summary(
            article: Article(id: "a", title: "T", content: "x"), text: "Choveu.",
            sentences: [Sentence(text: "Choveu.", sources: ["a"], isGrounded: true)], isShortened: false,
            language: .english, foreignLanguage: "pt", model: ModelIdentity(name: "m", sha256: nil), timing: Timing())
        let text = SummaryText.render(summary, style: TextStyle(timeZone: Sample.utc))
        #expect(text == "T\n\nChoveu.\n\nThe model does not translate: the article is told in its own language.\n")
        #expect(SummaryJSON.render(summary).contains("\"language\" : \"pt\""))
    }

    /// The documents say it too, and a page tells whoever reads it aloud.
    @Test func documentsSayTheLanguageOfEachSection() {
        let digest = LanguageSample(.portuguese).digest
        let markdown = DigestMarkdown.render(digest, timeZone: Sample.utc)
        #expect(markdown.contains("\n## Mundo, em inglês\n"))
        #expect(markdown.contains("em 2 temas; 3 silenciados."))
        #expect(markdown.contains("Ele não traduz"))
        let page = DigestHTML.render(digest, timeZone: Sample.utc)
        #expect(page.contains("<html lang=\"pt") && page.contains("<p lang=\"en\" style"))
        #expect(page.ranges(of: "<p lang=").count == 1)
    }

    @Test func jsonSaysTheLanguageOfEachSection() throws {
        let text = DigestJSON.render(LanguageSample(.portuguese).digest)
        let digest = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let sections = try #require(digest["sections"] as? [[String: Any]])
        #expect(sections.compactMap { $0["language"] as? String } == ["pt", "en", "pt"])
        #expect(digest["language"] as? String == "pt")
        let stats = try #require(digest["stats"] as? [String: Any])
        #expect(stats["muted"] as? Int == 3)
        #expect(stats["categories"] as? [String: Int] == ["world": 2, "sports": 1])
    }
}
