import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseRendering

@Suite(.timeLimit(.minutes(10))) struct LanguageTests {
    private static let styles = [
        ("txt", TextStyle(timeZone: Sample.utc)),
        ("terminal.txt", TextStyle(width: 60, isStyled: true, hasLinks: true, timeZone: Sample.utc)),
    ]

    @Test(arguments: Language.allCases, styles)
    func golden(language: Language, format: (name: String, style: TextStyle)) throws {
        let digest = LanguageSample(language, isWritten: format.name == "terminal.txt").digest
        let text = DigestText.render(digest, style: format.style)
        #expect(try text == Golden.text("digest.\(language.rawValue).\(format.name)", actual: text))
        #expect(LanguageSample.streamed(digest, style: format.style) == text)
    }

    /// A digest in one language says nothing in another, but for what is told in it, and names.
    @Test func nothingIsLeftInEnglish() {
        for language in Language.allCases where language != .english {
            for isWritten in [false, true] {
                let digest = LanguageSample(language, isWritten: isWritten).digest
                let text = DigestText.render(digest, style: TextStyle(timeZone: Sample.utc))
                    .replacing(/pulse-digest [a-z ]+/, with: "")
                for word in [
                    "read", "from", "in a row", "More", "Also", "story", "article ", "Saturday", "November", "World",
                    "Sports", "NUMBER", "sentence", "muted",
                ] {
                    #expect(!text.contains(word), "\(word)")
                }
            }
        }
    }

    /// Every phrase, letter by letter; the golden files have most of them in their place.
    @Test(arguments: Language.allCases)
    func everyPhrase(language: Language) throws {
        let phrases = Phrases(language)
        let lines =
            [phrases.article, phrases.source, phrases.story].flatMap { [$0(1), $0(2)] } + [
                phrases.title("…"), phrases.read(1, 1, 1, "…", phrases.source(1)),
                phrases.read(2, 3, 3, "…", phrases.source(2)), phrases.read(2, 3, 15, "…", phrases.source(2)),
                phrases.muted(1), phrases.muted(2), phrases.daysInARow(2), phrases.more, phrases.everything,
                phrases.also, phrases.omitted(1), phrases.omitted(2), phrases.ownWords, phrases.writtenBy("…"),
                phrases.refused(1), phrases.refused(2), phrases.readAgain, phrases.nothingToTell,
                phrases.summaryShortened, phrases.subject("…", phrases.story(2)), phrases.reading, phrases.topics,
                phrases.articlesRead, phrases.times, phrases.most("…", "09:00–12:00", phrases.article(2)),
                phrases.most("…", nil, phrases.article(1)),
            ]
        let text = lines.joined(separator: "\n") + "\n"
        #expect(try text == Golden.text("phrases.\(language.rawValue).txt", actual: text))
        #expect(!lines.contains { $0.isEmpty || $0.contains("\n") })
    }

    /// What Portugal would not write is not written for it, and the other way round.
    @Test func thePortugueseOfPortugalIsNotThatOfBrazil() {
        let texts = [Language.portuguese, .europeanPortuguese].map { language in
            DigestText.render(LanguageSample(language, isWritten: true).digest, style: TextStyle(timeZone: Sample.utc))
        }
        for (brazilian, european) in [
            ("Seu resumo de ", "O seu resumo de "), ("que você leu desde", "que leu desde"),
            ("\nEsportes\n", "\nDesporto\n"),
        ] {
            #expect(texts[0].contains(brazilian) && !texts[1].contains("você"))
            #expect(texts[1].contains(european) && !texts[0].contains(european))
        }
        let digest = LanguageSample(.europeanPortuguese).digest
        #expect(DigestHTML.render(digest, timeZone: Sample.utc).contains("<html lang=\"pt-PT\">"))
        #expect(DigestJSON.render(digest).contains("\"language\" : \"pt-PT\""))
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
        #expect(DigestText.render(digest, style: TextStyle(timeZone: Sample.utc)).contains("sources; 3 muted.\n"))
        digest.muted = 0
        #expect(!DigestText.render(digest, style: TextStyle(timeZone: Sample.utc)).contains("muted"))
    }

    /// One and many of everything.
    @Test(arguments: Language.allCases, [1, 2])
    func numbersAgreeWithTheirNouns(language: Language, count: Int) {
        let phrases = Phrases(language)
        let read = phrases.read(count, count, count, "…", phrases.source(count))
        let expected =
            switch language {
            case .english:
                ["1 story from the article", "by 1 source", "2 stories from the 2 articles", "by 2 sources"]
            case .portuguese, .europeanPortuguese:
                ["1 notícia de 1 artigo", "de 1 fonte", "2 notícias de 2 artigos", "de 2 fontes"]
            case .spanish: ["1 noticia de 1 artículo", "de 1 fuente", "2 noticias de 2 artículos", "de 2 fuentes"]
            }
        let ours = expected[(count == 1 ? 0 : 2)..<(count == 1 ? 2 : 4)]
        for text in ours { #expect(read.contains(text), "\(read)") }
    }

    @Test func datesAreWrittenAsInTheLanguage() {
        #expect(DateText.day(Sample.now, in: Sample.utc, .english) == "Saturday, 21 November 2026")
        #expect(DateText.day(Sample.now, in: Sample.utc, .portuguese) == "sábado, 21 de novembro de 2026")
        #expect(DateText.day(Sample.now, in: Sample.utc, .europeanPortuguese) == "sábado, 21 de novembro de 2026")
        #expect(DateText.day(Sample.now, in: Sample.utc, .spanish) == "sábado, 21 de noviembre de 2026")
        // Midnight is 00, not 24, and days are those of the reader's zone.
        let midnight = Date(timeIntervalSince1970: 1_795_219_200)
        #expect(DateText.dayAndTime(midnight, in: Sample.utc, .portuguese).hasSuffix(", 00:00"))
        #expect(
            DateText.dayAndTime(midnight, in: TimeZone(secondsFromGMT: -3600) ?? .gmt, .spanish).hasPrefix("viernes"))
    }

    /// A page tells whoever reads it aloud what a story is written in; and so does JSON whoever asks.
    @Test func documentsSayTheLanguageOfEachStory() throws {
        let digest = LanguageSample(.portuguese).digest
        let page = DigestHTML.render(digest, timeZone: Sample.utc)
        #expect(page.contains("<html lang=\"pt\">") && page.contains("<bdi lang=\"en\">The council"))
        #expect(page.ranges(of: "<bdi lang=").count == 1)
        let european = DigestHTML.render(LanguageSample(.europeanPortuguese).digest, timeZone: Sample.utc)
        #expect(european.ranges(of: "<bdi lang=").count == 1)
        let object = try JSONSerialization.jsonObject(with: Data(DigestJSON.render(digest).utf8)) as? [String: Any]
        let articles = try #require(object?["articles"] as? [[String: Any]])
        #expect(articles.map { $0["language"] as? String }.prefix(2) == ["pt", "en"])
    }
}
