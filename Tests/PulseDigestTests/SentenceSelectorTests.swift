import Foundation
import PulseCore
import PulseDigest
import Testing

/// What a story is told by where no model writes: rule V2.
@Suite(.timeLimit(.minutes(20))) struct SentenceSelectorTests {
    private func tell(_ readings: Reading...) -> Digest.Entry? {
        StorySelection(from: readings, limit: 9).digestSections().first?.entries.first
    }

    private func entry(title: String = Self.title, _ content: String, language: String? = "en") -> Digest.Entry? {
        tell(Readings.make("a", title: title, content: content, language: language))
    }

    private func tell(title: String = Self.title, _ content: String, language: String? = "en") -> String? {
        entry(title: title, content, language: language)?.sentences.first?.plain
    }

    private static let title = "Tamsin dam gates opened as 14,000 leave Arrel valley"
    private static let lead =
        "Engineers opened two gates of the Tamsin dam and 14,000 people were told to leave the Arrel valley."

    // MARK: - Which sentence

    @Test func theLeadTellsTheStory() {
        #expect(tell(Self.lead + " Rain is forecast for Friday. It was cold.") == Self.lead)
    }

    @Test(arguments: [
        // Captions, headings, addresses, fragments.
        "The dam on Friday (left).", "File photo: Tamsin dam, 2019.", "Tamsin dam, seen from the north.",
        "Arrel valley", "Read more at https://dam.example/gates today.", "and the lake rose.", "A view…",
        "Photo: the Tamsin dam in the rain on Friday.", "2 of 9 | The Tamsin dam is seen in Arrel on Friday.",
        "2 sur 9 | The Tamsin dam is seen in Arrel on Friday.", "[1/3]The Tamsin dam is seen in Arrel on Friday.",
        // Teasers that were cut off.
        "Engineers opened two gates of the Tamsin dam and…", "Engineers opened two gates of the Tamsin dam and...",
        // What has hardly more than names.
        "President Lulana with Angela Merken in Berlin on Tuesday.", "Bobby Arrel, welcome to the Tamsin spotlight.",
        "The Tamsin dam and the Arrel valley in the morning light. Photo: Ana Costa.",
    ])
    func whatIsNoSentenceOfTheReportIsPassedOver(caption: String) {
        #expect(tell(caption + "\n\n" + Self.lead) == Self.lead)
    }

    @Test(arguments: [
        (
            "pt", "Ponte do Arvela reabre ao trânsito", "Foto: a ponte do Arvela na quinta-feira.",
            "A ponte sobre o rio Arvela reabriu ao trânsito na quinta-feira, depois de dois anos."
        ),
        (
            "es", "La cosecha de aceituna crece en Altamar", "Olivares de Altamar al amanecer del martes.",
            "La cosecha de aceituna de Altamar alcanzará este año las 84.000 toneladas."
        ),
        (
            "fr", "Le pont de l’Arvela rouvre à la circulation", "Photo : le pont de l’Arvela jeudi dernier.",
            "Le pont sur l’Arvela a rouvert jeudi à la circulation, après deux ans de travaux."
        ),
        (
            "fr", "La récolte d’olives progresse à Altamar", "Des oliviers d’Altamar à l’aube.",
            "La récolte d’olives d’Altamar atteindra cette année 84 000 tonnes."
        ),
    ])
    func theSameInOtherLanguages(language: String, title: String, caption: String, lead: String) {
        #expect(tell(title: title, caption + "\n\n" + lead, language: language) == lead)
    }

    /// No list of verbs is whole: a sentence is told by whether it looks like one.
    @Test(arguments: [
        ("en", "Quake off Morania", "A magnitude 5.2 earthquake struck the coast of Morania on Sunday."),
        ("en", "Company buys brewery", "The Molson company picks up a small craft brewery in the north of Orlen."),
        (
            "pt", "Preços dos terrenos sobem",
            "Os valores médios das locações comerciais aumentam mais de metade em Orlen."
        ),
        ("es", "El mercado de Altamar", "El mercado central de Altamar recupera poco a poco las cifras del pasado."),
        ("es", "El alcalde de Tamsin", "El alcalde de Tamsin no teme a los vecinos."),
        ("pt", "Futebol e política", "Futebol e política não combinam em Orlen."),
        ("pt", "Encontro em Orlen", "Na Videoteca de Orlen estreia-se o filme de Tamsin."),
        ("fr", "La musique d'Orlen", "La musique d'Orlen n'adoucit pas toujours les mœurs."),
    ])
    func aLeadWhoseVerbIsInNoListTellsTheStory(language: String, title: String, lead: String) {
        let next = [
            "en": "Two people were injured and a bridge was closed.", "pt": "Duas pessoas ficaram feridas na ponte.",
            "es": "Dos personas fueron atendidas por los médicos en la plaza.",
            "fr": "Deux personnes ont été blessées sur la place.",
        ]
        #expect(tell(title: title, lead + " " + (next[language] ?? ""), language: language)?.hasSuffix(lead) == true)
    }

    /// What a title names and the sentence only points at stands in front of it.
    @Test func aSentenceThatLeansOnItsTitleHasIt() {
        let title = "Lisbon bridge reopens after repairs"
        let sentence = "The bridge reopened to traffic on Monday after two years of repairs."
        #expect(tell(title: title, sentence) == "\(title) — \(sentence)")
        #expect(tell(title: "Bridge reopens after two years of repairs", sentence) == sentence)
        let named = "The bridge over the Tejo reopened on Monday after two years of repairs."
        #expect(tell(title: title, named) == named)
    }

    @Test func aLanguageWithoutItsListsIsToldByItsFirstSentence() {
        let first = "Der Stadtrat von Orlen hat am Dienstag beschlossen, die Brücke wieder aufzubauen."
        let told = tell(title: "Orlen baut die Brücke wieder auf", first + " Sie kostet viel.", language: "de")
        #expect(told == first)
        #expect(tell(title: "新しい橋", "東京で新しい橋が完成した。市長が祝辞を述べた。", language: "ja") == "東京で新しい橋が完成した。")
    }

    /// A lead that is scenery gives way to a sentence that tells what the title announces.
    @Test func anotherSentenceTakesThePlaceOfALeadThatSaysNothingOfItsTitle() {
        let title = "Marrowick council closes Quay Street library"
        let scenery = "It is a quiet morning and the kettles are on in every kitchen of the street."
        let news = "Marrowick council voted on Monday to close the Quay Street library in March."
        #expect(tell(title: title, scenery + " " + news) == news)
        // Not one that leans on what stood before it.
        let leaning = "They voted on Monday to close the Quay Street library of Marrowick in March."
        #expect(tell(title: title, scenery + " " + leaning) == "\(title) — \(scenery)")
    }

    /// Of several days' reports the last day's tell the story, but no feature does.
    @Test func theLastDayTellsTheStory() throws {
        func report(_ id: String, _ title: String, _ text: String, daysAgo: Double) -> Reading {
            Readings.make(
                id, title: title, content: text, source: id, language: "en", minutesAgo: daysAgo * 1440 + 1,
                publishedDaysAgo: daysAgo)
        }
        let talks = ["Post", "Mail"].map {
            report(
                $0, "Vellmark in talks to buy Kessler of Orlen",
                "Vellmark is in talks to buy the builder Kessler of Orlen, two people said on Monday.", daysAgo: 2)
        }
        let deal = report(
            "Wire", "Vellmark to buy Kessler of Orlen",
            "Vellmark is buying the builder Kessler of Orlen for 48 million crowns.", daysAgo: 1)
        let column = report(
            "Weekly", "Vellmark, Kessler and I", "Nobody asked me about the builder Kessler of Orlen.", daysAgo: 0)
        let entries = StorySelection(from: talks + [deal, column], limit: 9).digestSections().flatMap(\.entries)
        let entry = try #require(entries.first { $0.story.readings.count > 1 })
        #expect(entry.sentences.first?.sources == ["Wire"] && entry.story.readings.count >= 3)
    }

    @Test(arguments: [
        ("en", "Senior Liberal wants control over water", "He is calling for a referendum on this issue now."),
        ("en", "Who walked to work last week?", "Last week, 231 of you did."),
        ("en", "One drawer, no phone", "A week in, the drawer is winning."),
        ("en", "Ask Ana: dad won't leave Orlen's old phone alone", "Q: My dad insists that the phone of Orlen stays."),
        (
            "en", "Early halting in small language models: Orlen, a benchmark",
            "When a language model generates text, it must decide when to stop."
        ),
        ("fr", "Grève au port : l'inquiétude des dockers", "Depuis hier, personne ne travaille plus dans le port."),
        ("de", "Abschied von der Orgel", "„Frau Petersen, Sie haben 40 Jahre lang Orgel gespielt.“"),
        ("es", "El maestro de Altamar se jubila", "«Cuarenta años en Altamar me han enseñado mucho»."),
    ])
    func whatSaysNothingWithoutItsTitleStandsBehindIt(language: String, title: String, sentence: String) {
        #expect(tell(title: title, sentence, language: language) == title + " — " + sentence)
    }

    /// The next sentence tells the news.
    @Test(arguments: [
        (
            "en", "‘I opened the fridge and there was a python’: Orlen man finds snake",
            "‘I opened the fridge to find a python there.’", "Bo Lima of Orlen found a snake on Monday."
        ),
        (
            "fr", "« Je ne regrette rien » : l'ex-maire d'Orlen condamnée", "« Je ne regrette vraiment rien. »",
            "L'ancienne maire d'Orlen a été condamnée lundi à 2 ans de prison."
        ),
        (
            "es", "¿Por qué se ha caído Altachat?", "¿Por qué se ha caído hoy Altachat?",
            "Altachat ha dejado de funcionar este lunes en toda Kestria."
        ),
        (
            "pt", "Por que o Altachat caiu?", "Por que caiu o Altachat hoje?",
            "O Altachat deixou de funcionar nesta segunda-feira em Kestria."
        ),
        (
            "de", "„Ich bereue gar nichts“: Bürgermeisterin von Orlen verurteilt",
            "„Ich bereue überhaupt gar nichts.“", "Die Bürgermeisterin von Orlen ist am Montag verurteilt worden."
        ),
    ])
    func aLeadThatRepeatsAQuotationOrQuestionOfTheTitleGivesWay(
        language: String, title: String, lead: String, news: String
    ) {
        #expect(tell(title: title, lead + " " + news, language: language)?.hasSuffix(news) == true)
        #expect(tell(title: title, lead + " " + news, language: language)?.contains(lead) == false)
    }

    @Test(arguments: [
        "", "Arrel valley", "Photo gallery. Twelve pictures.",
        String(repeating: "The dam is open, and ", count: 100) + "so it is.",
        // Fact sheets: the sentences of an item say nothing alone.
        """
        - Where: the treasure house of the abbey of Arrel, which is closed.

        - How: by rope through the roof. Three people were seen on the cameras.

        - What is gone: a golden arm and two caskets from the dam's museum.
        """,
        """
        61 - minutes between leaving the pad in South America and flying free.

        890 million - euros for the craft, its ride and its operation.

        0 - spacecraft that met a comet fresh from the cloud before this one.
        """,
        """
        1. The new coach of Arrel takes her first training session at nine.

        2. The valley's council votes on the dam of Tamsin in the evening.

        3. Rain is forecast in the valley for Friday and all of Saturday.
        """,
    ])
    func whatHasNoSentenceIsToldByItsTitle(content: String) {
        let entry = entry(content)
        #expect(entry?.sentences.isEmpty == true)
        #expect(entry?.story.lead.title == Self.title)
    }

    @Test func beforeTheItemsOfAFactSheetThereMayBeASentence() {
        let items = ["Where: at the dam of Tamsin.", "When: on Monday before dawn.", "Who: engineers of the dam."]
        func text(_ count: Int) -> String { ([Self.lead] + items.prefix(count)).joined(separator: "\n\n") }
        #expect(tell(text(3)) == Self.lead)
        // Two of them are an article's usual “Correction: …”.
        #expect(tell(title: "Arrel", items.prefix(2).joined(separator: "\n\n")) != nil)
    }

    // MARK: - Several reports

    @Test func ofSeveralReportsTheOneThatSaysWhatTheOthersSayTells() {
        let vague = Readings.make(
            "vague", title: Self.title,
            content: "Nobody in the Arrel valley slept much as the Tamsin dam was in the news again and again.",
            source: "Post", language: "en", minutesAgo: 1)
        let clear = Readings.make(
            "clear", title: Self.title,
            content: Self.lead + " The gates of the Tamsin dam are open in the Arrel valley.",
            source: "Herald", language: "en", minutesAgo: 2)
        let entry = tell(vague, clear)
        #expect(entry?.story.readings.count == 2)
        #expect(entry?.sentences.map(\.text) == [Self.lead])
        #expect(entry?.sentences.map(\.sources) == [["clear"]])
        #expect(entry?.story.lead.id == "clear")
    }

    @Test(arguments: [(Language.english, "en"), (.spanish, "es"), (.europeanPortuguese, "es")])
    func ofSeveralReportsOneInTheReadersLanguageTells(reader: Language, told: String) {
        let english = Readings.make(
            "en", title: "Almenara: Astorga sentenced in Lisbon",
            content: "Ramiro Astorga of Banco Almenara was convicted.",
            source: "Post", language: "en", minutesAgo: 2)
        let spanish = Readings.make(
            "es", title: "Almenara: Ramiro Astorga, condenado",
            content: "La Audiencia ha condenado a Ramiro Astorga, de Banco Almenara, a ocho años de cárcel.",
            source: "Diario", language: "es", minutesAgo: 1)
        let selection = StorySelection(from: StoryCandidates([spanish, english]), limit: 9, language: reader)
        #expect(selection.digestSections().flatMap(\.entries).map(\.story.lead.id) == [told])
    }

    // MARK: - Deleting, never joining, and marking what is missing inside

    @Test(arguments: [
        // Dateline.
        ("MARROWICK (Northern Wire) - Trams were stopped by ice on Monday.", "Trams were stopped by ice on Monday."),
        ("- Trams were stopped by ice on Monday.", "Trams were stopped by ice on Monday."),
        ("• Trams were stopped by ice on Monday.", "Trams were stopped by ice on Monday."),
        ("Port Merrow, Kestria — Trams were stopped by ice on Monday.", "Trams were stopped by ice on Monday."),
        // The numbers of notes; other brackets are the publication's words.
        (
            "The Mines Safety Office (MSO) closed two tunnels [of nine] [12] on Monday.",
            "The Mines Safety Office (MSO) closed two tunnels [of nine] on Monday."
        ),
        // Days that are wrong when it is read.
        ("Yesterday, Trams were stopped by ice in Marrowick.", "Trams were stopped by ice in Marrowick."),
        (
            "Trams were stopped by ice in Marrowick today, police said.",
            "Trams were stopped by ice in Marrowick …, police said."
        ),
        (
            "Four hundred people met in Baku, Orlen, yesterday, demanding bread.",
            "Four hundred people met in Baku, Orlen …, demanding bread."
        ),
    ])
    func whatIsNoNewsIsLeftOut(sentence: String, told: String) {
        // The title is the sentence's, so that it need not stand in front.
        #expect(tell(title: told, sentence) == told)
    }

    /// Not where a gap would be left, or another time is meant.
    @Test(arguments: [
        ("en", "Trams will be stopped from today until the ice has gone."),
        ("en", "Today was the day on which Orlen opened its bridge."),
        ("en", "Trams were stopped by ice yesterday evening in Marrowick."),
        ("en", "The newspaper Today was sold to Harnby Ltd on Monday."),
        ("fr", "Le conseil d'Orlen a fermé le pont hier vers midi."),
        ("fr", "Le pont d'Orlen est fermé depuis ce matin."),
        ("fr", "Le pont d'Orlen est fermé à partir d’aujourd’hui."), ("fr", "Le cahier d'Orlen a disparu du musée."),
        // A space belongs before a semicolon.
        ("fr", "Le pont d'Orlen est fermé ; le conseil vote."),
    ])
    func whatOnlyLooksLikeItStays(language: String, sentence: String) {
        #expect(tell(title: sentence, sentence, language: language) == sentence)
    }

    @Test(arguments: [
        ("Hier, le conseil d'Orlen a fermé le pont.", "Le conseil d'Orlen a fermé le pont."),
        ("Hier l’armée a quitté Orlen par le pont.", "L’armée a quitté Orlen par le pont."),
        (
            "Le conseil d'Orlen a fermé le pont ce matin, selon la police.",
            "Le conseil d'Orlen a fermé le pont …, selon la police."
        ),
        ("Le conseil d'Orlen a fermé le pont aujourd’hui.", "Le conseil d'Orlen a fermé le pont."),
    ])
    func frenchIsShortenedByItsOwnWords(sentence: String, told: String) {
        #expect(tell(title: told, sentence, language: "fr") == told)
    }

    @Test(arguments: [
        ("en", "“The harbour plan of Orlen was approved. It is a great day,” said the mayor Ana Lee on Friday."),
        ("en", "‘The harbour plan of Orlen was approved. It is a great day,’ said the mayor Ana Lee on Friday."),
        ("en", "The mayor Ana Lee said: “The harbour plan of Orlen was approved. It is a great day.”"),
        ("es", "«El plan del puerto de Orlen se aprobó. Es un gran día», dijo la alcaldesa Ana Lee el viernes."),
    ])
    func aQuotationIsToldToItsEnd(language: String, lead: String) {
        let title = language == "en" ? "Harbour plan of Orlen approved" : "El plan del puerto de Orlen se aprobó"
        #expect(tell(title: title, lead + " ", language: language) == lead)
    }

    @Test func ofAFrenchQuotationNoPieceIsTold() {
        let news = "Le conseil d'Orlen a voté lundi la fermeture de la bibliothèque du quai."
        let text = "« Nous étions prêts hier. Nous le restons. » " + news
        #expect(tell(title: "Orlen ferme la bibliothèque du quai", text, language: "fr") == news)
    }

    @Test func ofALongSentenceALastClauseIsLeftOutThatHoldsNothingOfTheTitle() {
        let head =
            "The council of Orlen voted on Tuesday to rebuild the old stone bridge over the river Dask for 12 million euros"
        let whole = """
            \(head), which had been closed since the flood of last spring washed away one of its five piers and most \
            of the road.
            """
        #expect(tell(title: "Council of Orlen votes to rebuild bridge", whole) == head + " …")
        #expect(tell(title: "Orlen bridge, closed since flood washed away piers, to be rebuilt", whole) == whole)
    }

    @Test(
        arguments: [
            (.short, "Tamsin dam opened in the night", nil),
            (.normal, nil, nil), (.long, nil, "Nobody was hurt, the region said."),
        ] as [(StoryLength, String?, String?)])
    func aStoryIsAsLongAsItIsWanted(length: StoryLength, first: String?, second: String?) {
        let lead =
            "Engineers opened two gates of the Tamsin dam before dawn and emptied the valley, after 212 "
            + "millimetres of rain in 36 hours, with more to come."
        let reading = Readings.make(
            "a", title: "Tamsin dam opened in the night",
            content: lead + " Nobody was hurt, the region said. It was cold.", language: "en")
        let entry = StorySelection(from: StoryCandidates([reading]), limit: 9, length: length)
            .digestSections().first?.entries.first
        #expect(entry?.sentences.map(\.text) == [first ?? lead] + (second.map { [$0] } ?? []))
    }

    /// Who said it is a part of what was said.
    @Test(arguments: ["police said", "according to the region's police"])
    func whoSaidItIsNotLeftOut(attribution: String) {
        let lead =
            "Engineers at the Tamsin dam opened two of its five gates before dawn on Monday and 14,000 people "
            + "were told to leave the Arrel valley below, which is flooded every few years, \(attribution)."
        #expect(tell(lead) == lead)
    }

    @Test func aDayStaysWhereItIsStillTrue() throws {
        let content = "Trams were stopped by ice in Marrowick today, police said."
        let reading = Readings.make(
            "a", title: "Ice stops trams", content: content, language: "en", publishedDaysAgo: 1)
        let published = try #require(reading.article.publishedAt)
        func told(secondsBefore: Double) -> String? {
            let day = DateInterval(start: published - secondsBefore, duration: 86_400)
            let sections = StorySelection(from: [reading], limit: 9, day: day).digestSections()
            return sections.first?.entries.first?.sentences.first?.plain
        }
        #expect(told(secondsBefore: 3600) == content)
        #expect(told(secondsBefore: -3600) == "Trams were stopped by ice in Marrowick …, police said.")
    }

    @Test func itIsSaidWhetherWordsWereLeftOut() {
        #expect(entry(Self.lead)?.sentences.first?.origin == .copied)
        #expect(entry("TAMSIN - " + Self.lead)?.sentences.first?.origin == .shortened)
    }

    @Test(arguments: [
        ("Police found a .38 revolver ... and 4 shells in a house of Tamsin on Monday, they said.", "en"),
        ("iPhone-Nutzer in Tamsin zahlen ab Montag 12 Euro mehr, sagte der Anbieter der Stadt.", "de"),
    ])
    func aSentenceWithoutASurplusIsVerbatim(sentence: String, language: String) {
        let told = entry(title: "In Tamsin on Monday", sentence, language: language)
        #expect(told?.sentences.map(\.text) == [sentence] && told?.sentences.first?.origin == .copied)
    }

    /// Where and when an agency wrote it, as those of each language set it.
    @Test(arguments: [
        "TAMSIN, Arrel (AP) — ", "Tamsin, 23 nov (EFE).- ", "Tamsin (Arrel), 23 nov (EFE).- ", "México.- ",
        "Tamsin, 23 nov 2026 (Lusa) – ", "Tamsin, 23 de novembro de 2026 - ", "PARIS, 23 nov 2026 (AFP) - ",
        "TAMSIN, Arrel, Nov 23 (Arrel News) - ", "Nov 23 (Reuters) - ", "(CNN) ", "(Bloomberg) -- ",
        "Nov. 23 (UPI) -- ",
        "TAMSIN, Nov. 23 (Xinhua) -- ", "New Tamsin, Nov 23 (PTI) ", "New Tamsin [Arrel], November 23 (ANI): ",
        "TAMSIN, Nov 23 (Kyodo) _ ", "TAMSIN, Arrel--(BUSINESS WIRE)--", "TAMSIN, Nov. 23, 2026 /PRNewswire/ -- ",
        "TAMSIN, 23 Nov. (EUROPA PRESS) - ", "TAMSIN, 23 (EUROPA PRESS) ", "Tamsin, 23 nov. (EFE).- ", "TAMSIN | ",
        "TAMSIN, 23 nov. (APS) - ", "REDACCIÓN. Tamsin | ", "TAMSIN (Reuters) -", "TAMSIN: ", "NEW TAMSIN: ",
        "Tamsin/Arrel (dpa) - ", "TAMSIN | 23 November 2026 — ", "(HealthDay) -- ", "TAMSIN, 23 févr. (AFP) - ",
        "TAMSIN, Arrel, Nov. 23, 2026 (GLOBE NEWSWIRE) -- ", "TAMSIN, ARREL, November 23, 2026 /EINPresswire.com/ -- ",
    ])
    func aDatelineIsLeftOut(dateline: String) { #expect(tell(dateline + Self.lead) == Self.lead) }

    @Test(arguments: [
        "Nov 23 was the day on which the Tamsin dam in the Arrel valley opened two gates.",
        "Ana Lima (CNN): The Tamsin dam in the Arrel valley opened two of its gates.",
        "The agency (Reuters) said that the Tamsin dam in the Arrel valley opened two gates.",
        "Tamsin (Reuters) reported that the dam in the Arrel valley opened two gates.",
        "TDO: The Tamsin dam in the Arrel valley opened two of its gates.",
        "LULANA: We open two gates of the Tamsin dam in the Arrel valley on Monday.",
    ])
    func whatIsNoDatelineStays(sentence: String) { #expect(tell(sentence)?.hasSuffix(sentence) == true) }

    @Test func aMatchIsNoDateline() {
        let sentence = "Tamsin – Orlen ended on Saturday with three goals for the guests, who lead by two points."
        #expect(tell(title: "Tamsin-Orlen: three goals, and the lead", sentence) == sentence)
        #expect(tell(title: "Three goals for Orlen in Tamsin", sentence)?.hasPrefix("Orlen ended") == true)
    }

    // MARK: - A summary

    @Test func aSummaryIsTwoSentencesInTheirOrder() {
        let two = Self.lead + " The lake rose by 60 centimetres in a day."
        let text = "File photo: the dam.\n\n\(two) Rain is forecast."
        #expect(Article(id: "a", title: Self.title, content: text, language: "en").ownSummary.joinedText == two)
        #expect(Article(id: "b", title: "Nothing").ownSummary.isEmpty)
    }

    // MARK: - Bad input

    /// One text sent a thousand times is one story, and no more work than a dozen of them.
    @Test func aStoryOfAThousandReportsIsTold() {
        let reports = (0..<1000).map {
            Readings.make("a\($0)", title: Self.title, content: Self.lead, source: "S\($0)", language: "en")
        }
        let entry = StorySelection(from: reports, limit: 9).digestSections().first?.entries.first
        #expect(entry?.story.weight == 1000)
        #expect(entry?.sentences.map(\.text) == [Self.lead])
    }

    @Test(arguments: [
        String(repeating: "1.2.", count: 700_000), String(repeating: "A & B ", count: 500_000),
        String(repeating: "Mr. ", count: 700_000), String(repeating: "\u{301}", count: 900_000),
        String(repeating: "\"(", count: 900_000), String(repeating: ", which is", count: 300_000) + ".",
    ])
    func aTextOfMegabytesIsReadNoFurtherThanItCanBeUsed(text: String) {
        #expect(entry(title: String(text.prefix(300)), text) != nil)
    }
}
