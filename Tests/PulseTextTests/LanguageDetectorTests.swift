import PulseText
import Testing

@Suite(.timeLimit(.minutes(20))) struct LanguageDetectorTests {
    /// News as it is written, in the languages that are told apart.
    @Test(arguments: [
        ("en", "The council of Orlen voted on Tuesday to rebuild the bridge, which had been closed since the flood."),
        (
            "en",
            "Shares in the harbour company fell by four percent after it said that profits would be lower this year."
        ),
        ("en", "What people who live near the river want to know is when the water will go down again."),
        ("pt", "A câmara aprovou na terça-feira a reconstrução da ponte, que estava fechada desde a cheia."),
        (
            "pt",
            "O governo anunciou que vai reduzir o imposto sobre os alimentos a partir de janeiro, mas só para famílias pobres."
        ),
        ("pt", "Os jogadores treinaram ontem à tarde e devem enfrentar o time da casa no domingo."),
        ("es", "El ayuntamiento aprobó el martes la reconstrucción del puente, cerrado desde la inundación."),
        (
            "es",
            "El gobierno anunció que bajará el impuesto sobre los alimentos desde enero, pero solo para las familias pobres."
        ),
        ("es", "Los jugadores se entrenaron ayer por la tarde y se enfrentarán al equipo local el domingo."),
        ("fr", "Le conseil municipal a voté mardi la reconstruction du pont, qui était fermé depuis l'inondation."),
        (
            "de",
            "Der Stadtrat hat am Dienstag beschlossen, die Brücke wieder aufzubauen, die seit dem Hochwasser gesperrt ist."
        ),
        (
            "it",
            "Il consiglio comunale ha votato martedì la ricostruzione del ponte, chiuso dopo l'alluvione dell'anno scorso."
        ),
        (
            "nl",
            "De gemeenteraad heeft dinsdag besloten om de brug te herbouwen, die sinds de overstroming gesloten is."
        ),
        (
            "ca",
            "L'ajuntament va aprovar dimarts la reconstrucció del pont, que és tancat des de la inundació de l'any passat."
        ),
        (
            "gl",
            "O concello aprobou o martes a reconstrución da ponte, que xa levaba pechada desde a enchente coas súas augas."
        ),
        ("ro", "Consiliul local a votat marți pentru reconstrucția podului, care a fost închis după inundații."),
        ("sv", "Kommunfullmäktige har beslutat att bygga upp bron igen, som har varit stängd sedan översvämningen."),
        ("da", "Byrådet har besluttet at genopbygge broen, som ikke har været åben siden oversvømmelsen."),
        ("pl", "Rada miasta zdecydowała we wtorek, że most, który był zamknięty po powodzi, zostanie odbudowany."),
    ])
    func newsOfEachLanguage(language: String, text: String) {
        #expect(LanguageDetector.language(of: text) == language)
    }

    @Test(arguments: [
        ("ja", "東京で新しい橋が完成し、市長が祝辞を述べた。"), ("zh", "市议会周二投票决定重建这座桥梁，工程将于五月开始。"), ("ko", "시의회는 화요일에 다리를 다시 짓기로 했다."),
        ("el", "Το δημοτικό συμβούλιο ψήφισε την Τρίτη."), ("he", "מועצת העיר הצביעה ביום שלישי."),
        ("th", "สภาเมืองลงมติเมื่อวันอังคารให้สร้างสะพานใหม่"), ("und-Zzzz", "ጠቅላይ ሚኒስትሩ ቅዳሜ ዕለት አዲስ ድልድይ መርቀው ከፍተዋል።"),
        ("und-Cyrl", "Городской совет проголосовал во вторник за восстановление моста."),
        ("und-Arab", "صوت مجلس المدينة يوم الثلاثاء على إعادة بناء الجسر."),
        ("und-Deva", "नगर परिषद ने मंगलवार को पुल बनाने का फैसला किया।"),
    ])
    func scripts(language: String, text: String) { #expect(LanguageDetector.language(of: text) == language) }

    /// Too little to tell, or nothing to tell by.
    @Test(arguments: [
        "", " ", "42", "🎉🎉🎉🎉🎉🎉🎉🎉🎉🎉", "Orlen", "No", "Quillon 3.2 released", "a b c", "1 2 3 4 5 6 7 8 9 10 11 12",
        "Finlandia, Suomi", "ЖЖ", "———————————————",
    ])
    func tooLittle(text: String) { #expect(LanguageDetector.language(of: text) == nil, "\(text)") }

    /// A language that is not known is not taken for one that is.
    @Test(arguments: [
        "Kaupunginvaltuusto päätti tiistaina rakentaa sillan uudelleen tulvan jälkeen ensi keväänä.",
        "Az önkormányzat kedden úgy döntött, hogy újjáépíti a hidat, amely az árvíz óta zárva van.",
        "Belediye meclisi salı günü selden beri kapalı olan köprünün yeniden yapılmasına karar verdi.",
        "Hội đồng thành phố đã bỏ phiếu hôm thứ Ba để xây dựng lại cây cầu bị đóng cửa từ trận lụt.",
    ])
    func othersInLatinLetters(text: String) {
        #expect(!["en", "pt", "es"].contains(LanguageDetector.language(of: text) ?? "none"), "\(text)")
    }

    /// Names and quotations in another language do not change what a text is written in.
    @Test func namesDoNotDecide() {
        #expect(
            LanguageDetector.language(
                of:
                    "The mayor of São João da Boa Vista said “não vamos parar” when he was asked about the works in the town."
            )
                == "en")
        let film = "O filme “The Lord of the Rings: The Return of the King” volta aos cinemas em dezembro."
        #expect(LanguageDetector.language(of: film) != "en")
        let more = " Segundo a distribuidora, as sessões não terão intervalo e começam às oito da noite."
        #expect(LanguageDetector.language(of: film + more) == "pt")
    }

    /// A title may be too short to tell, but is taken for no other language; most are long enough.
    @Test(arguments: [("en", TitleSamples.english), ("pt", TitleSamples.portuguese), ("es", TitleSamples.spanish)])
    func titles(language: String, titles: [String]) {
        let found = titles.map { LanguageDetector.language(of: $0) }
        for (title, tag) in zip(titles, found) { #expect(tag == nil || tag == language, "\(title)") }
        #expect(found.filter { $0 == language }.count * 10 >= titles.count * 6)
    }

    /// Four together, about as long as a title and the sentence below it, always tell.
    @Test(arguments: [("en", TitleSamples.english), ("pt", TitleSamples.portuguese), ("es", TitleSamples.spanish)])
    func titlesTogether(language: String, titles: [String]) {
        for start in stride(from: 0, to: titles.count - 4, by: 4) {
            let text = titles[start..<start + 4].joined(separator: ". ")
            #expect(LanguageDetector.language(of: text) == language, "\(text)")
        }
    }

    /// Cutting a text off where the detector stops reading changes nothing.
    @Test func onlyTheFrontIsRead() {
        let front = String(repeating: "A câmara não aprovou a obra. ", count: 100)
        let tail = String(repeating: "The council of the town has voted for it. ", count: 5000)
        #expect(LanguageDetector.language(of: front + tail) == "pt")
    }
}
