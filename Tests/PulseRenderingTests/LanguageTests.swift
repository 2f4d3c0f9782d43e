import Foundation
import PulseTestSupport
import Testing

@testable import PulseCore
@testable import PulseRendering

@Suite(.timeLimit(.minutes(20))) struct LanguageTests {
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
    @Test(arguments: Language.allCases.filter { $0 != .english })
    func nothingIsLeftInEnglish(language: Language) {
        // These two are French as well.
        let shared = language == .french ? ["article ", "Sports"] : []
        for isWritten in [false, true] {
            let digest = LanguageSample(language, isWritten: isWritten).digest
            let text = DigestText.render(digest, style: TextStyle(timeZone: Sample.utc))
                .replacing(/pulse-digest [a-z ]+/, with: "")
            for word in [
                "read", "from", "in a row", "More", "Also", "story", "article ", "Saturday", "November", "World",
                "Sports", "NUMBER", "sentence", "muted",
            ] where !shared.contains(word) {
                #expect(!text.contains(word), "\(word)")
            }
        }
    }

    /// A language is a value, and nothing but the value says what is written in it.
    @Test func aLanguageOfNoListIsWrittenLikeAnyOther() throws {
        let language = Language(
            "x-loud",
            LanguageFile(
                Array(
                    """
                    == language
                    locale = de_DE
                    quotation = << >>
                    == categories
                    world = WORLD
                    == phrases
                    colon = ::
                    semicolon = ;;
                    story = {count} {count: STORY | STORIES}
                    source = {count} {count: SOURCE | SOURCES}
                    title = TITLE {day}
                    at = AT {day} {time}
                    opening.read = READ {stories} {shown} {all} {since} {sources}
                    muted = MUTED {count}
                    daysInARow = DAYS {days}
                    more = MORE
                    also = ALSO
                    omitted = OMITTED {count}
                    listAll = ALL
                    writtenBy = WRITTEN BY {model}
                    refused = REFUSED {count}
                    readOn = READ ON
                    noSummary = NOTHING
                    subject = SUBJECT {day} {stories}
                    reading = READING
                    most.hours = MOST {day} {hours} {articles}
                    """.utf8)))
        #expect(Language(rawValue: "x-loud") == nil)
        let digest = LanguageSample(language, isWritten: true).digest
        let said = [
            "TITLE Samstag, 21. November 2026", "READ 4 4 10 AT Donnerstag", "3 SOURCES;; MUTED 3", "DAYS 5", "WORLD",
            "MORE", "ALSO", "OMITTED 2", "WRITTEN BY scripted", "REFUSED 2", "READ ON",
        ]
        let message = EmailMessage(
            digest, from: try MailAddress("a@b.example"), to: [try MailAddress("a@b.example")], timeZone: Sample.utc)
        let texts = [
            DigestText.render(digest, style: TextStyle(timeZone: Sample.utc)),
            DigestMarkdown.render(digest, timeZone: Sample.utc), DigestHTML.render(digest, timeZone: Sample.utc),
            message.plain,
        ]
        for text in texts { for phrase in said { #expect(text.contains(phrase), "\(phrase)") } }
        for text in texts.dropFirst() { #expect(text.contains("READING") && text.contains("MOST")) }
        #expect(message.subject.hasPrefix("SUBJECT 21. November 4 STORIES"))
        #expect(message.text.contains("Content-Language: x-loud\n"))
        #expect(texts[2].contains("<html lang=\"x-loud\">") && DigestJSON.render(digest).contains("\"x-loud\""))
        let article = Article(id: "-", title: "", content: "x")
        #expect(SummaryText.notes(Summary(article: article, sentences: [], language: language)) == ["NOTHING"])
    }

    /// A model that may only quote chooses sentences. Where none can be shown, that is said, and what it cost.
    @Test func aModelThatQuotesHasChosen() {
        var digest = LanguageSample(.english).digest
        digest.model = ModelIdentity(name: "scripted", sha256: nil)
        #expect(DigestOutline.closing(digest)[0].hasPrefix("No sentence in scripted’s own words"))
        digest.timing.output = .seconds(12)
        #expect(DigestOutline.closing(digest)[1] == "That took 12 seconds.")
        digest.chosen = 2
        #expect(DigestOutline.closing(digest)[0].contains("publication named; scripted chose it for 2 of "))
        digest.chosen = 0
        #expect(DigestOutline.closing(digest)[0].hasPrefix("No sentence in scripted’s own words"))
    }

    /// As French typography has it; a terminal has a plain space there, and the line does not break at it.
    @Test func aNoBreakSpaceStandsBeforeTheMarksOfFrench() throws {
        let digest = LanguageSample(.french, isWritten: true).digest
        let outline = DigestOutline(digest, timeZone: Sample.utc)
        for text in [DigestMarkdown.render(digest, timeZone: Sample.utc), DigestLetter.render(outline)] {
            #expect(text.contains("pas confirmées par les articles\u{a0}; les publications"))
            #expect(text.contains("Également\u{a0}:\n") && text.contains("Monde\u{a0}: "))
            #expect(text.firstMatch(of: #/[ \p{L}][:;!?] /#) == nil)
        }
        let lines = DigestText.render(digest, style: TextStyle(width: 30, timeZone: Sample.utc)).split(separator: "\n")
        #expect(!lines.contains { $0.first.map(":;!?".contains) == true })
    }

    /// Every phrase, letter by letter; the golden files have most of them in their place.
    @Test(arguments: Language.allCases)
    func everyPhrase(language: Language) throws {
        let phrases = language.phrases
        func opening(_ basis: DigestBasis, _ stories: Int, _ shown: Int, _ all: Int) -> String {
            phrases.opening(basis, stories, shown, all, since: "…", sources: phrases.source(min(2, all)))
        }
        var lines =
            [phrases.article, phrases.source, phrases.story].flatMap { [$0(1), $0(2)] } + [
                phrases.title("…"), phrases.week("…", "…"), phrases.update("…"),
                opening(.read, 1, 1, 1), opening(.read, 2, 3, 3), opening(.read, 2, 3, 15),
                phrases.muted(1), phrases.muted(2), phrases.toldArticles(1), phrases.toldArticles(2),
                phrases.daysInARow(2), phrases.more, phrases.everything(.read),
                phrases.archive,
                phrases.also, phrases.omitted(1), phrases.omitted(2), phrases.listAll, phrases.ownWords,
                phrases.writtenBy("…"),
                phrases.inItsWords(1, 2), phrases.inItsWords(2, 3), phrases.refused(1), phrases.refused(2),
                phrases.marked(1), phrases.marked(2), phrases.unchecked, phrases.nothingShown("…"),
                phrases.took(.seconds(1))[0], phrases.took(.seconds(70))[0],
                phrases.unusable("…"), phrases.chosen("…", 2, 3), phrases.writes("…"),
                phrases.quotation("a “b” \"c\""), phrases.noSummary,
                phrases.nothingSaysSo(.read), phrases.nearest(.bookmarks), phrases.searched("…"),
                phrases.searchedBeyond("…", nil), phrases.searchedBeyond("…", "…"), phrases.nothingOf("…"),
                phrases.noArticleHas(["…", "…"]), phrases.readDay("…"), phrases.quotesOnly("…"),
                phrases.summaryShortened, phrases.subject("…", phrases.story(2)), phrases.reading, phrases.topics,
                phrases.articlesRead, phrases.times, phrases.most("…", "09:00–12:00", phrases.article(2)),
                phrases.most("…", nil, phrases.article(1)), phrases.notRead, phrases.articles, phrases.readOn,
            ]
        for basis in [DigestBasis.unread, .bookmarks, .readAndUnread] {
            lines += [
                opening(basis, 1, 1, 1), opening(basis, 2, 3, 3), opening(basis, 2, 3, 15), phrases.everything(basis),
            ]
        }
        let text = lines.joined(separator: "\n") + "\n"
        #expect(try text == Golden.text("phrases.\(language.rawValue).txt", actual: text))
        #expect(!lines.contains { $0.isEmpty || $0.contains("\n") })
    }

    /// A passage may begin or end within a quotation.
    @Test(arguments: [
        ("He said “no”.", "“He said ‘no’.”", "«He said “no”.»"),
        ("had to stop.\" \"Obviously", "“‘had to stop.’ ‘Obviously’”", "«“had to stop.” “Obviously”»"),
        ("dijo «que está", "“dijo ‘que está’”", "«dijo “que está”»"), ("está» dijo", "“‘está’ dijo”", "«“está” dijo»"),
        ("il dit «\u{a0}non\u{a0}»", "“il dit ‘non’”", "«il dit “non”»"),
        ("« La Baie » ou « non »", "“‘La Baie’ ou ‘non’”", "«“La Baie” ou “non”»"),
        ("„Ja“, sagte er.", "“‘Ja’, sagte er.”", "«“Ja”, sagte er.»"),
        (
            "Die Band »Rot« löst „Blau” (»Grün«) auf", "“Die Band ‘Rot’ löst ‘Blau’ (‘Grün’) auf”",
            "«Die Band “Rot” löst “Blau” (“Grün”) auf»"
        ),
        ("”Ja”, sade hon.", "“‘Ja’, sade hon.”", "«“Ja”, sade hon.»"),
        ("a 5\" pipe", "“a 5\" pipe”", "«a 5\" pipe»"),
    ])
    func quotationsNest(text: String, curly: String, angular: String) {
        #expect(Language.english.phrases.quotation(text) == curly)
        #expect(Language.spanish.phrases.quotation(text) == angular)
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
            #expect(text.contains("You have read \(days) days in a row.") == isTold)
        }
    }

    @Test func mutedArticlesAreToldWhereThereAreAny() {
        var digest = LanguageSample(.english).digest
        #expect(
            DigestText.render(digest, style: TextStyle(timeZone: Sample.utc)).contains("sources; 3 articles muted.\n"))
        digest.muted = 0
        #expect(!DigestText.render(digest, style: TextStyle(timeZone: Sample.utc)).contains("muted"))
    }

    /// None, one, two and many of everything.
    @Test(arguments: [
        (
            Language.english,
            ["0 stories from", "1 story from the article", "2 stories from the 2 articles", "100 stories"]
        ),
        (
            .portuguese,
            ["0 notícias", "1 notícia do artigo", "2 notícias dos 2 artigos", "100 notícias dos 100 artigos"]
        ),
        (.europeanPortuguese, ["0 notícias", "1 notícia do artigo", "2 notícias dos 2 artigos", "100 notícias"]),
        (.spanish, ["0 noticias", "1 noticia del artículo", "2 noticias de los 2 artículos", "100 noticias"]),
        (
            .french,
            [
                "0 sujet", "1 sujet dans l’article que vous avez lu depuis",
                "2 sujets dans les 2 articles que vous avez lus depuis", "100 sujets dans les 100 articles",
            ]
        ),
    ])
    func numbersAgreeWithTheirNouns(language: Language, expected: [String]) {
        let phrases = language.phrases
        for (count, text) in zip([0, 1, 2, 100], expected) {
            let read = phrases.opening(.read, count, count, count, since: "…", sources: phrases.source(count))
            #expect(read.hasPrefix(text), "\(read)")
        }
    }

    /// The singular for one, the plural for two and for many, and for none what the language has.
    @Test(arguments: Language.allCases)
    func everyCountedPhraseHasASingularAndAPlural(language: Language) {
        let phrases = language.phrases
        for phrase in [phrases.article, phrases.source, phrases.story, phrases.omitted, phrases.refused] {
            let words = [0, 1, 2, 100].map { phrase($0).filter { !$0.isNumber } }
            #expect(words[1] != words[2] && words[2] == words[3])
            #expect(words[0] == (language == .french ? words[1] : words[2]))
        }
    }

    @Test func datesAreWrittenAsInTheLanguage() {
        #expect(DateText.day(Sample.now, in: Sample.utc, .english) == "Saturday, 21 November 2026")
        #expect(DateText.day(Sample.now, in: Sample.utc, .portuguese) == "sábado, 21 de novembro de 2026")
        #expect(DateText.day(Sample.now, in: Sample.utc, .europeanPortuguese) == "sábado, 21 de novembro de 2026")
        #expect(DateText.day(Sample.now, in: Sample.utc, .spanish) == "sábado, 21 de noviembre de 2026")
        #expect(DateText.day(Sample.now, in: Sample.utc, .french) == "samedi 21 novembre 2026")
        let first = Sample.now.addingTimeInterval(10 * 86_400)
        #expect(DateText.day(first, in: Sample.utc, .french) == "mardi 1er décembre 2026")
        #expect(DateText.shortDay(first, in: Sample.utc, .french) == "1er déc.")
        #expect(DateText.day(first, in: Sample.utc, .spanish) == "martes, 1 de diciembre de 2026")
        // Midnight is 00, not 24, and days are those of the reader's zone.
        let midnight = Date(timeIntervalSince1970: 1_795_219_200)
        #expect(DateText.dayAndTime(midnight, in: Sample.utc, .portuguese).hasSuffix(", às 00:00"))
        #expect(
            DateText.dayAndTime(midnight, in: TimeZone(secondsFromGMT: -3600) ?? .gmt, .spanish).hasPrefix("viernes"))
    }

    /// A page tells whoever reads it aloud what a story is written in; and so does JSON whoever asks.
    @Test func documentsSayTheLanguageOfEachStory() throws {
        let digest = LanguageSample(.portuguese).digest
        let page = DigestHTML.render(digest, timeZone: Sample.utc)
        #expect(page.contains("<html lang=\"pt\">") && page.contains("<bdi lang=\"en\">“The council"))
        #expect(page.ranges(of: "<bdi lang=").count == 1)
        let european = DigestHTML.render(LanguageSample(.europeanPortuguese).digest, timeZone: Sample.utc)
        #expect(european.ranges(of: "<bdi lang=").count == 1)
        let object = try JSONSerialization.jsonObject(with: Data(DigestJSON.render(digest).utf8)) as? [String: Any]
        let articles = try #require(object?["articles"] as? [[String: Any]])
        #expect(articles.map { $0["language"] as? String }.prefix(2) == ["pt", "en"])
    }
}
