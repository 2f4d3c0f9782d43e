import PulseCore
import Testing

@testable import PulseDigest

@Suite(.timeLimit(.minutes(20))) struct StoryMergerTests {
    private func article(_ id: String, _ title: String, _ content: String = "", daysAgo: Double = 0) -> Reading {
        Readings.make(id, title: title, content: content, minutesAgo: 0, publishedDaysAgo: daysAgo)
    }

    @Test(arguments: [
        ("en", "I've swum there twice. It is ours, and when the fences go up something gets smaller.", true),
        ("en", "I've swum there 2 times. It is ours, and when the fences go up something gets smaller.", false),
        ("en", "“I swam there, and so did my sister,” said Ines Halvard. The pool of Orlen will be closed.", false),
        ("en", "‘I swam there, and so did my sister,’ said Ines Halvard. The pool of Orlen will be closed.", false),
        ("en", "The council of Orlen voted on Monday to close the pool in spring. Nobody spoke against it.", false),
        ("pt", "Eu nadei lá duas vezes. A piscina é nossa, e quando a fecharem ficamos todos mais pobres.", true),
        ("es", "Yo nadé allí dos veces. La piscina es nuestra y, cuando la cierren, seremos más pobres.", true),
        ("fr", "J'y ai nagé deux fois. La piscine est à nous, et je sais ce que nous perdons avec elle.", true),
        ("en", "We are sorry to tell you that our pool was broken into. Our staff were not hurt.", false),
        ("de", "Ich bin dort zweimal geschwommen. Das Bad gehört uns, und wir verlieren viel mit ihm.", false),
    ])
    func aColumnIsInTheFirstPersonAndHasNoFigure(language: String, content: String, isColumn: Bool) {
        let article = Article(id: "a", title: "Orlen", content: content, language: language)
        #expect(ReportFacts.isColumn(article) == isColumn)
    }

    private func stories(_ readings: [Reading]) -> [[String]] {
        StorySelection(from: readings, limit: 1000).sections.flatMap(\.stories).map { $0.readings.map(\.article.id) }
    }

    private func areOne(_ left: Reading, _ right: Reading) -> Bool {
        let forth = stories([left, right]).count == 1
        #expect((stories([right, left]).count == 1) == forth)
        return forth
    }

    private static let dam = """
        Engineers opened two of the five gates of the Tamsin dam and about 14,000 people were told to leave the Arrel \
        valley, after 212 millimetres of rain in 36 hours.
        """

    @Test(arguments: [
        (
            "Tamsin dam gates opened as 14,000 leave Arrel valley",
            "Gates of Tamsin dam opened; 14,000 leave the Arrel valley"
        ),
        ("Tamsin dam gates opened", "Tamsin dam gates are opened as 14,000 people leave Arrel valley"),
        ("Thousands leave Arrel valley as Tamsin dam opens", "Tamsin dam gates opened, Arrel valley is cleared"),
    ])
    func oneStoryInSeveralWordings(left: String, right: String) {
        let other =
            "About 14,000 people in the Arrel valley were told to leave after two of five gates of the Tamsin dam were opened on Friday."
        #expect(areOne(article("a", left, Self.dam), article("b", right, other)))
    }

    /// A newsletter that repeats two stories is like each of them; they are not like one another.
    @Test func whatRepeatsSeveralStoriesMakesNoneOfThem() {
        let ferry =
            "Ferry crews of Port Hallam ended their strike on Monday after the town promised 4 percent more pay."
        let chess = "Ilse Maarten won the chess open of Veldhaven on Sunday with 9 points in 11 games."
        let news = [
            article("both", "Ferry crews end strike; Ilse Maarten wins chess open", ferry + " " + chess),
            article("a", "Ferry crews of Port Hallam end strike", ferry),
            article("b", "Ilse Maarten wins the chess open of Veldhaven", chess),
        ]
        let told = stories(news)
        #expect(told.count == 2 && !told.contains { $0.contains("a") && $0.contains("b") }, "\(told)")
    }

    @Test(arguments: [
        // Numbers differ.
        (
            "Magnitude 5.8 earthquake shakes northern Orvanto, no deaths reported",
            "A magnitude 5.8 earthquake struck Cabral Alto in northern Orvanto, cracking walls in 90 houses and trapping 27 miners.",
            "Magnitude 5.3 earthquake shakes southern Orvanto, no deaths reported",
            "A magnitude 5.3 earthquake was felt in Pedra Funda in southern Orvanto, where 12 chimneys fell."
        ),
        // Titles are alike to the letter, the events are not.
        (
            "Bank raises its main rate",
            "The central bank of Kestria raised its main rate to 4.5 percent on Thursday, Ana Roth said.",
            "Bank raises its main rate",
            "The Bank of Vellmark put its main rate at 6.25 percent, Governor Ole Dahl announced in Brandholt."
        ),
        // One subject, two days' news.
        (
            "Marrowick tram strike begins",
            "Tram drivers in Marrowick walked out on Monday over pay; the union ATU wants 6 percent.",
            "Marrowick tram bridge reopens",
            "The tram bridge at Quay Street in Marrowick reopened after 14 months of work by Harnby Ltd."
        ),
        // In other languages.
        (
            "Governo anuncia aumento do salário mínimo",
            "O governo de Orvanto anunciou em Cabral Alto um salário mínimo de 812 coroas, disse a ministra Inês Prado.",
            "Governo anuncia aumento do imposto mínimo",
            "O governo de Serrana subiu para 9,5 por cento o imposto mínimo das empresas, disse o ministro Téo Lanz."
        ),
        (
            "Incendio en el puerto de Altamar deja tres heridos",
            "Un incendio en el muelle Norte de Altamar dejó tres heridos el martes, informó el capitán Luis Ferrer.",
            "Incendio en el puerto de Brisa deja tres heridos",
            "Ardió un almacén de pescado en Brisa el lunes; hubo tres heridos, dijo la alcaldesa Marta Sol."
        ),
        (
            "Central vence o Atlético por 2 a 1",
            "O Central venceu o Atlético por 2 a 1 no estádio da Foz, com golos de Nuno Reis e Caio Lins.",
            "Central vence o Atlético por 3 a 1",
            "O Central ganhou por 3 a 1 ao Atlético em Orlen; marcaram Davi Luz e Rui Prado."
        ),
    ])
    func differentEventsStayApart(title: String, text: String, otherTitle: String, otherText: String) {
        #expect(!areOne(article("a", title, text), article("b", otherTitle, otherText)))
    }

    /// The same in Portuguese and Spanish, where words bend more.
    @Test(arguments: [
        (
            "Ponte do Arvela reabre ao trânsito depois de dois anos de obras",
            "A ponte sobre o rio Arvela, em Vila Serena, reabriu na quinta-feira, depois de dois anos de obras que custaram 46 milhões de euros.",
            "Reaberta a ponte do Arvela após dois anos de obras",
            "Vila Serena voltou a ter ponte: o tabuleiro sobre o Arvela abriu na quinta-feira. As obras custaram 46 milhões de euros."
        ),
        (
            "Cosecha de aceituna crece un 27 % en Altamar",
            "La cosecha de Altamar llegará a 84.000 toneladas, un 27 % más, según las once cooperativas y su portavoz, Rosa Vidal.",
            "La cosecha de aceituna de Altamar crecerá un 27 %",
            "Las cooperativas de Altamar prevén 84.000 toneladas de aceituna, un 27 % más que el año pasado, dijo Rosa Vidal."
        ),
    ])
    func oneStoryInOtherLanguages(left: String, text: String, right: String, otherText: String) {
        #expect(areOne(article("a", left, text), article("b", right, otherText)))
    }

    @Test func theSameTitleMonthsApartIsNoStory() {
        let title = "Tamsin dam gates opened"
        #expect(areOne(article("a", title, Self.dam), article("b", title, Self.dam, daysAgo: 2)))
        #expect(!areOne(article("a", title, Self.dam), article("b", title, Self.dam, daysAgo: 30)))
    }

    @Test func withoutTextsTitlesMustBeOneAnother() {
        #expect(areOne(article("a", "Ferry to Orlen returns"), article("b", "Ferry to Orlen returns on Monday")))
        #expect(!areOne(article("a", "Ferry to Orlen returns"), article("b", "Ferry to Dask returns")))
        #expect(!areOne(article("a", ""), article("b", "")))
    }

    /// A title of one or two words is a column's name, and no evidence that two articles are one story.
    @Test func aColumnsTitleIsNoStory() {
        let left = article("a", "Morning briefing", "The council of Orlen voted to rebuild the bridge over the Dask.")
        let right = article("b", "Morning briefing", "A comet passed the harbour of Marrowick, and nobody looked up.")
        #expect(!areOne(left, right))
    }

    /// Titles made of the same few words and a number each stay apart, however many there are.
    @Test func thousandsOfArticlesAreGrouped() {
        let readings = (0..<3000).map { article("\($0)", "Report number \($0) about town \($0 % 97)", "Nothing.") }
        let merged = StorySelection(from: readings, limit: 1).sections
        let shown = merged.flatMap(\.stories)
        #expect(shown.reduce(0) { $0 + $1.readings.count } + merged.reduce(0) { $0 + $1.omitted } == 3000)
    }
}
