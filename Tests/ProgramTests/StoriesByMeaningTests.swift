import Foundation
import PulseTestSupport
import Testing

/// Reports that tell one event in other words, and those that only look alike, through the installed program.
@Suite(.timeLimit(.minutes(10))) struct StoriesByMeaningTests {
    private let sandbox: Sandbox
    private let program: String

    init() throws {
        sandbox = try Sandbox()
        sandbox.environment["PULSE_DIGEST_STORE"] = sandbox.store
        program = try sandbox.install(models: [sandbox.entry("nano", layers: 1, writes: false)], default: "nano")
        for name in ["pulse-meaning.gguf", "pulse-story.map"] { try sandbox.installModel(name) }
    }

    private func run(_ words: [String]) throws -> Outcome { try sandbox.start(words, program: program).finish() }

    private func resource(_ name: String) -> String { sandbox.folder.file("share/pulse-digest/models/\(name)") }

    private struct Report {
        let id, source, title, content: String
        var hoursAgo = 8.0
        var language = "en"
    }

    private static let wire = Report(
        id: "wire", source: "Meridian Wire", title: "Glass roof of Orsa station comes down, eleven hurt",
        content: """
            Eleven travellers were taken to hospital on Tuesday when part of the glass roof of Orsa central station fell \
            onto platform four, the Norrland rescue service said. The station was closed and trains were turned back at \
            Mora. Snow had been lying on the roof since Sunday.
            """, hoursAgo: 9)
    private static let local = Report(
        id: "local", source: "Siljan Tidende", title: "“First a crack, then everything was white”",
        content: """
            Kerstin Hallgren was holding a paper cup when the panes above her gave way. She pulled a boy under a bench. \
            By evening the concourse of Orsa's railway station lay under snow and broken glass, and rescue workers went \
            from carriage to carriage counting the injured.
            """, hoursAgo: 6)
    private static let french = Report(
        id: "french", source: "Le Quotidien du Nord", title: "Suède : la verrière d'une gare s'effondre, onze blessés",
        content: """
            Une partie de la verrière de la gare centrale d'Orsa, dans le Norrland, s'est effondrée mardi sur un quai. \
            Onze voyageurs ont été blessés, selon les secours. La neige s'accumulait sur le toit depuis dimanche, et les \
            trains ne vont plus au-delà de Mora.
            """, hoursAgo: 5, language: "fr")
    private static let hall = Report(
        id: "hall", source: "Meridian Wire", title: "Roof of sports hall in Tampere gives way, nobody hurt",
        content: """
            The roof of an empty sports hall in Tampere fell in under wet snow on Wednesday morning, Finnish police said. \
            A caretaker had locked the building an hour before. The city closed four other halls of the same maker.
            """, hoursAgo: 2)
    private static let bank = Report(
        id: "bank", source: "Capital Brief", title: "Kestrian central bank leaves rate at 4.5 percent",
        content: """
            The central bank of Kestria left its main rate at 4.5 percent on Wednesday. Governor Ana Roth said that prices \
            for food would fall in spring. The crown lost 0.3 percent against the euro.
            """, hoursAgo: 4)
    private static let match = Report(
        id: "match", source: "Touchline", title: "Dask United beat Orlen 2-1 with a late header",
        content: """
            Ilja Marek headed the winner in the 88th minute as Dask United beat Orlen 2-1 on Tuesday night. Orlen had led \
            through a penalty by Tomas Bren. Dask are third in the league.
            """, hoursAgo: 7)
    private static let roundUp = Report(
        id: "roundup", source: "Morning Ledger", title: "What to know this morning",
        content: """
            Eleven people were hurt when the glass roof of Orsa station in Sweden fell. The central bank of Kestria kept \
            its rate at 4.5 percent; Governor Ana Roth sees food getting cheaper. Dask United beat Orlen 2-1 by Ilja \
            Marek's header. And in Tampere the roof of a sports hall gave way under snow.
            """, hoursAgo: 1)

    private func add(_ reports: [Report]) throws {
        let articles = reports.map { report in
            let time = "-PT\(Int(report.hoursAgo * 60))M"
            return [
                "id": report.id, "url": "https://\(report.id).example/a", "title": report.title,
                "source": report.source, "content": report.content, "category": "world",
                "language": report.language, "published_at": time, "read_at": time,
            ]
        }
        try sandbox.read(articles, program: program)
    }

    private func stories(_ reports: [Report], _ window: [String] = []) throws -> Set<Set<String>> {
        try add(reports)
        let digest = try run(["today", "--model", "none", "--max-stories", "50", "--format", "json"] + window)
            .succeeded().object()
        let articles = try #require(digest["articles"] as? [[String: Any]])
        let names = Dictionary(
            articles.map { ($0["id"] as? String ?? "", $0["source_id"] as? String ?? "") }, uniquingKeysWith: { $1 })
        return Set(digest.stories.map { Set(($0["articles"] as? [String] ?? []).map { names[$0] ?? $0 }) })
    }

    private static let evening = [wire, local, hall, bank, match]

    /// Two reports each of two fires in one town on one night.
    private static let fires = [
        Report(
            id: "warehouse", source: "Transline News", title: "Warehouse on Canal Road burns in Tarnholm",
            content: """
                A paper warehouse on Canal Road in Tarnholm burned down in the night to Thursday. The alarm came at 23:40; \
                120 firefighters kept the flames from a neighbouring fuel depot. Nobody was hurt, and damage is put at 7 \
                million.
                """, hoursAgo: 9),
        Report(
            id: "paper", source: "Eastmoor Gazette",
            title: "Paper store lost, fuel depot saved: Tarnholm's long night",
            content: """
                Burning paper floated over the canal like lanterns. When the first engine reached Canal Road in Tarnholm \
                at ten to twelve on Wednesday night, the roof of the Lindqvist paper warehouse had already fallen in. Fire \
                chief Maren Holt sent most of her 120 people to the other side of the yard, where a fuel depot stands 30 \
                metres away. No one was injured. Owner Per Lindqvist estimates the loss at 7 million.
                """, hoursAgo: 5),
        Report(
            id: "flats", source: "Kestrel News Agency", title: "Two die in Tarnholm apartment fire",
            content: """
                A couple in their eighties died and nine people were injured when fire broke out in a five-storey block of \
                flats on Linden Street in Tarnholm early on Thursday. It began at about 2:30 in a kitchen on the second \
                floor, police said. Firefighters brought 26 residents down on ladders. The brigade was short of people \
                because most crews were at another blaze across town, fire chief Maren Holt said.
                """, hoursAgo: 8),
        Report(
            id: "stairwell", source: "The Daily Lantern",
            title: "Smoke in stairwell trapped residents on Linden Street",
            content: """
                Two elderly people were killed and nine hurt by a fire in a block of flats on Linden Street, Tarnholm, in \
                the small hours of Thursday. It started in a second-floor kitchen. Twenty-six neighbours were rescued by \
                ladder.
                """, hoursAgo: 4),
    ]

    /// Single reports of the two are near one another.
    @Test func severalReportsOfEachEventAreTwoStories() throws {
        let told = try stories(Self.fires + Self.evening)
        #expect(told.contains(["warehouse", "paper"]) && told.contains(["flats", "stairwell"]), "\(told)")
    }

    /// Two teasers of one event, and one of another event of the same people: a title, and below it the text.
    private static let teasers = [
        "es": """
        Arde un almacén de neumáticos en Gandía
        Un incendio en un almacén de neumáticos de Gandía obligó el lunes a confinar a dos mil vecinos. \
        Los bomberos trabajan con doce dotaciones.

        Columna de humo negro sobre La Safor
        Vecinos de Gandía con las ventanas cerradas: el fuego en la nave de ruedas usadas sigue activo \
        tras la noche y doce camiones de bomberos continúan en la zona.

        Gandía amplía su biblioteca central
        El Ayuntamiento de Gandía invertirá tres millones en ampliar la biblioteca central, que abrirá \
        una planta infantil en otoño.
        """,
        "pt": """
        Comboio descarrila perto de Pombal
        Um comboio regional descarrilou esta segunda-feira perto de Pombal. Nove passageiros ficaram \
        feridos e a Linha do Norte está cortada.

        Nove pessoas no hospital após acidente ferroviário
        Uma composição saiu dos carris à entrada de Pombal, informou a Proteção Civil; os feridos foram \
        levados para Leiria e Coimbra e não há circulação na Linha do Norte.

        Pombal recebe festival de teatro
        O festival de teatro de Pombal abre na sexta-feira com uma companhia de Braga e dez espetáculos \
        para escolas.
        """,
        "de": """
        Trinkwasser in Lindau verunreinigt
        Nach einem Rohrbruch müssen 8.000 Haushalte in Lindau ihr Trinkwasser abkochen. Im Netz wurden \
        Keime gefunden, teilten die Stadtwerke mit.

        Abkochen, bitte: Keime im Netz der Stadtwerke
        Wer in Lindau Wasser aus dem Hahn trinkt, soll es vorher erhitzen. Grund ist eine geborstene \
        Leitung; betroffen sind rund 8.000 Haushalte.

        Theater in Lindau eröffnet mit Schiller
        Das Stadttheater von Lindau beginnt die Spielzeit mit Schillers Räubern. Regie führt Anna Brandl, \
        Karten gibt es von Samstag an.
        """,
    ]

    @Test(arguments: ["es", "pt", "de"]) func oneEventIsOneStoryInAnyLanguage(language: String) throws {
        let reports = Self.matters(try #require(Self.teasers[language])).enumerated().map { place, matter in
            Report(
                id: ["one", "other", "apart"][place], source: ["A", "B", "C"][place], title: matter.title,
                content: matter.text, hoursAgo: Double(9 - 2 * place), language: language)
        }
        #expect(try stories(reports) == [["one", "other"], ["apart"]])
    }

    /// The titles and texts of what stands between empty lines.
    private static func matters(_ text: String) -> [(title: String, text: String)] {
        text.components(separatedBy: "\n\n").map { matter in
            let lines = matter.split(separator: "\n", maxSplits: 1).map(String.init)
            return (lines[0], lines[1])
        }
    }

    /// A text too short to tell its language is not in another one, in which less would have to agree.
    @Test func twoEventsOfOneFirmAreTwoStories() throws {
        let opening = Report(
            id: "opening", source: "Capital Brief", title: "Nimbora opens data centre in Madrid",
            content: "Cloud provider Nimbora opened a data centre in Madrid on Monday.", language: "")
        let lobbyist = Report(
            id: "lobbyist", source: "Meridian Wire", title: "Nimbora hires former minister as lobbyist",
            content: "Nimbora has hired former digital minister Karl Weiss as its chief lobbyist.", language: "")
        let told = try stories([opening, lobbyist, Self.bank, Self.match])
        #expect(told.contains(["opening"]) && told.contains(["lobbyist"]), "\(told)")
    }

    @Test func oneEventIsOneStoryInTwoLanguages() throws {
        let told = try stories([Self.wire, Self.french, Self.hall, Self.bank, Self.match])
        #expect(told.contains(["wire", "french"]) && told.count == 4, "\(told)")
    }

    /// Little speaks for a course of two texts that read like columns, even of an article and its copy.
    @Test func whatWasToldIsKnownTheNextDay() throws {
        let essay = Report(
            id: "essay", source: "Daily Diary",
            title: "Doctor's diary: the patient who only came to talk about his roof",
            content: """
                Ten minutes is what I have, and he used nine of them on snow. Part of the roof had come down, and my \
                patient was sure that it was his heart. We listened to both. I wrote a prescription for a ladder, and he \
                laughed for the first time since his wife died.
                """)
        #expect(try stories([Self.wire, Self.hall, essay]).contains(["essay"]))
        sandbox.environment["PULSE_DIGEST_NOW"] = Sandbox.now.addingTimeInterval(86_400).formatted(.iso8601)
        let next = try stories([Self.bank])
        #expect(next == [["bank"]], "\(next)")
    }

    /// It says much the same as the reports. Somebody who was there tells figures.
    @Test(arguments: [
        ("I walked under that roof as a child, and nobody told me to be afraid.", false),
        ("I stood on platform four at 8:15, and the boy beside me was one of eleven.", true),
    ])
    func aColumnIsNoReport(sentence: String, isReport: Bool) throws {
        let other = Report(
            id: "other", source: "The Long Sunday", title: "What the glass roof of Orsa station asks of us",
            content: """
                Panes came down on travellers in Orsa, after days of snow, and we are all surprised. \(sentence) Those \
                who were hurt were carried from the concourse, and nobody can say when trains will stop there again.
                """, hoursAgo: 3)
        let told = try stories([Self.wire, other, Self.hall, Self.bank, Self.match])
        #expect(told.contains(isReport ? ["wire", "other"] : ["other"]), "\(told)")
    }

    /// Nor does a week's page, which joins what goes on where another report ended.
    @Test(arguments: [[], ["--week"]]) func aRoundUpJoinsNone(window: [String]) throws {
        let told = try stories(Self.evening + [Self.roundUp], window)
        #expect(told.contains(["roundup"]) && told.contains(["bank"]) && told.contains(["match"]), "\(told)")
    }

    /// Whatever the words, one event is one story. The next morning's briefing tells several of the evening's, and is
    /// news of none.
    @Test func aRoundUpOfTheDayBeforeIsNoUpdate() throws {
        #expect(try stories(Self.evening) == [["wire", "local"], ["hall"], ["bank"], ["match"]])
        sandbox.environment["PULSE_DIGEST_NOW"] = Sandbox.now.addingTimeInterval(86_400).formatted(.iso8601)
        let briefing = Report(
            id: "briefing", source: "Morning Ledger", title: "What to know this morning",
            content: """
                Football: Ilja Marek headed Dask United to victory over Orlen.

                Money: the crown is weaker after Kestria's bank kept its rate. Ana Roth speaks again at nine.

                Finland: halls in Tampere are being inspected after the roof of one came down under wet snow on Wednesday; \
                Finnish police are looking for the plans, and schools are told to keep children out of gyms.
                """, hoursAgo: 1)
        let told = try stories([briefing], ["--since-last"])
        #expect(told == [["briefing"]], "\(told)")
        let page = try run(["today", "--model", "none"]).output
        #expect(page.contains("What to know this morning") && !page.contains("Update since"), "\(page)")
    }

    /// What happens in one town is not one course because it is that town's.
    @Test func aTownIsNoCourse() throws {
        let strike = Report(
            id: "strike", source: "The Daily Signal", title: "Nurses at Marrow hospital vote to strike",
            content: """
                Nurses at the hospital of Marrow voted by 81 percent to strike in December over night shifts, their union \
                said on Tuesday. The hospital has a third fewer nurses than it had in 2019. Its director said that \
                operations would be put off and emergencies treated.
                """, hoursAgo: 60)
        let offer = Report(
            id: "offer", source: "The Daily Signal", title: "Marrow hospital offers nurses shorter nights",
            content: """
                The hospital of Marrow offered its nurses night shifts of nine hours instead of twelve on Thursday, a week \
                before their strike. The union called it a first step and kept the date of the strike. Talks go on on \
                Saturday.
                """, hoursAgo: 12)
        let fees = Report(
            id: "fees", source: "Harbour Times", title: "Marrow council raises parking fees",
            content: """
                The council of Marrow raised the fees for parking at the harbour to four an hour on Wednesday. Shops in the \
                old town had asked for an hour free of charge. The money goes to buses.
                """, hoursAgo: 34)
        #expect(try stories([strike, offer, fees], ["--week"]) == [["strike", "offer"], ["fees"]])
    }

    /// Who is in the news every day has many stories, and a publication on one product another one each day.
    @Test func namesAloneMakeNoStory() throws {
        let matters = Self.matters(
            """
            Sen. Dale Orrick announces $160,000 for Tamber fire departments
            Sen. Dale Orrick announced grants for the volunteer fire departments of Tamber and Wicksburg. They will \
            buy radios, hoses and a tanker, and train crews in the hills, where wells run dry in August.

            Sen. Orrick seeks to speed approval of insulin pumps
            New insulin pumps would be examined within ninety days under a bill that Sen. Dale Orrick has written. \
            Diabetics wait two years for what their doctors already know, the American Endocrine League said.

            Quillfish 15.3 reaches beta
            Testers can download images of Quillfish 15.3, whose installer was rewritten. Have a lot of fun.

            Perl and LibreOffice are new in Quillfish Rolling
            Snapshots of Quillfish Rolling brought Perl 5.42 and LibreOffice 26.2 this week. Have a lot of fun.

            Talks on Quillfish at the Prague summit
            The Quillfish board asks for talks for the summit in Prague, which is in a brewery. Have a lot of fun.
            """)
        let reports = matters.enumerated().map { place, matter in
            let source = matter.text.contains("Orrick") ? "Paper \(place)" : "Quillfish News"
            return Report(
                id: "matter\(place)", source: source, title: matter.title, content: matter.text,
                hoursAgo: Double(3 + place))
        }
        let told = try stories(reports)
        #expect(told.count == reports.count, "\(told)")
    }

    /// A feed that uses an event's names for everything does not take it apart.
    @Test func copiedNamesPartNoStory() throws {
        let matters = [
            "a recipe for cardamom buns", "cheap loans for used cars", "ten exercises for a sore back",
            "a horoscope for the week", "football boots at half the price", "how to clean a copper kettle",
        ]
        let copies = matters.enumerated().map { place, matter in
            Report(
                id: "copy\(place)", source: "Everything Daily", title: "Orsa, Mora, Norrland: \(matter)",
                content: "Here is \(matter) for Orsa, Mora and Norrland, by Kerstin Hallgren. Order it today.",
                hoursAgo: Double(place + 1))
        }
        let told = try stories(Self.evening + copies)
        #expect(told.contains { $0.isSuperset(of: ["wire", "local"]) }, "\(told)")
    }

    /// The story of a report with its days, and what a digest told of it.
    @Test func aStoryHasItsDays() throws {
        let next = Report(
            id: "next", source: "Siljan Tidende", title: "Orsa station roof: inspectors had warned of snow",
            content: """
                Inspectors warned the owner of Orsa central station in autumn that its glass roof could not bear wet snow, \
                a report shows that the Norrland rescue service published after eleven travellers were hurt.
                """, hoursAgo: 1)
        var reports = Self.evening
        for place in reports.indices { reports[place].hoursAgo += 30 }
        sandbox.environment["PULSE_DIGEST_NOW"] = "2026-03-04T20:00:00Z"
        sandbox.environment["TZ"] = "UTC"
        try add(reports)
        sandbox.environment["PULSE_DIGEST_NOW"] = "2026-03-03T20:00:00Z"
        try run(["today", "--model", "none", "--since-last"]).succeeded()
        sandbox.environment["PULSE_DIGEST_NOW"] = "2026-03-04T20:00:00Z"
        try add([next])
        let told = try run(["story", "https://next.example/a"])
        let lines = told.output.split(separator: "\n").map(String.init)
        #expect(lines.contains("Tuesday, 3 March 2026 (told in your digest)"), "\(told.output)\(told.errors)")
        #expect(lines.contains("Wednesday, 4 March 2026"))
        #expect(told.output.contains("Eleven travellers") && told.output.contains("Inspectors warned"))
        #expect(!told.output.contains("Kestria"))
        let object = try run(["story", "https://next.example/a", "--format", "json"]).object()
        let course = try #require(object["course"] as? [[String: Any]])
        #expect(course.map { $0["date"] as? String } == ["2026-03-03", "2026-03-04"])
        #expect(course.map { $0["told"] as? Bool } == [true, false])
    }

    /// What two reports are to one another does not depend on what else was read.
    @Test func theWindowDoesNotDecide() throws {
        #expect(try stories([Self.wire, Self.local]) == [["wire", "local"]])
    }

    @Test(arguments: [("pulse-meaning.gguf", "missing"), ("pulse-story.map", "cut"), ("pulse-meaning.gguf", "foreign")])
    func withoutASoundFileWordsDecide(file: String, damage: String) throws {
        try FileManager.default.removeItem(atPath: resource(file))
        let sound = try Data(contentsOf: Repository.root.appendingPathComponent("models/\(file)"))
        if damage != "missing" {
            let bytes = damage == "cut" ? sound.dropLast(1000) : Data("neither of the two".utf8)
            try bytes.write(to: URL(fileURLWithPath: resource(file)))
        }
        let copy = Report(
            id: "copy", source: "Harbour Post", title: Self.wire.title + " on Tuesday", content: Self.wire.content)
        #expect(try stories([Self.wire, Self.local, copy]) == [["wire", "copy"], ["local"]])
    }

    @Test(arguments: ["🎈🎈🎈", "", String(repeating: "word ", count: 2_000_000)])
    func anyTextIsCompared(text: String) throws {
        let odd = Report(id: "odd", source: "Odd", title: "A title about nothing much", content: text)
        #expect(try stories([Self.wire, Self.local, odd]) == [["wire", "local"], ["odd"]])
    }
}
