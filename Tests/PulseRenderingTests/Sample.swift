import Foundation
import PulseCore

/// Two digests with everything that is hard to print in them: one in the publications' own words, and one that a model
/// wrote.
enum Sample {
    static let utc = TimeZone(identifier: "UTC") ?? .gmt
    static let lisbon = TimeZone(identifier: "Europe/Lisbon") ?? .gmt
    /// 2026-11-21 02:46:40 UTC
    static let now = Date(timeIntervalSince1970: 1_795_229_200)

    static let bridge = Article(
        id: "world/2026/nov/20/bridge", url: "https://www.herald.example/bridge?a=1&b=2",
        title: "Council votes to rebuild the bridge",
        content: "The council of Orlen voted on Tuesday to rebuild the bridge.", source: "The Herald",
        category: Category("world"), publishedAt: now.addingTimeInterval(-90_000))

    private static let world = [
        bridge,
        Article(
            id: "post", url: "https://post.example/orlen/bridge", title: "Council votes for bridge",
            source: "Post \u{1b}[1mOrlen", category: Category("world")),
        Article(
            id: "pt", url: "https://diario.example/ponte_(2026)", title: "Câmara aprova a reconstrução da ponte",
            content: "A câmara aprovou na terça-feira a reconstrução da ponte.", source: "Diário da Foz",
            category: Category("world"), language: "pt-PT"),
        Article(
            id: "2", title: "A title\u{1b}[31m\nwith <b>evil</b> \u{202e}parts", source: "", category: Category("world")
        ),
        Article(
            id: "porto", url: "https://diario.example/porto",
            title: "Porto de Leixões encerrado ao tráfego durante a noite",
            content: "O porto de Leixões não aceitou navios durante a noite.",
            source: "Diário da Foz", category: Category("world"), language: "pt"),
        Article(
            id: "elections", url: "https://post.example/elections", title: "Date set for elections in the north",
            source: "Post Orlen", category: Category("world")),
    ]
    private static let technology = [
        Article(
            id: "tokyo", url: "https://asia.example/橋", title: "東京で新しい橋が完成、市長が祝辞を述べる — 三年の工事の末 🎉",
            content: "東京で新しい橋が完成した。市長が祝辞を述べた。", source: "Ásia Hoje", category: Category("technology")),
        Article(
            id: "ship", url: "https://wire.example/" + String(repeating: "long/", count: 20),
            title: "It sails without a crew", content: "It left the harbour at 3.5 knots & came \"home\".",
            source: "The Long Wire of the United Coastal Provinces", category: Category("technology")),
    ]
    private static let register = (1...8).map { number in
        Article(
            id: "register-\(number)", url: "https://register.example/\(number)",
            title: "Update \(number) of the library is out", content: "Update \(number) mends a fault.",
            source: "The Register & Sons")
    }
    private static let rest = [
        Article(id: "lone", url: "http://lone.example/a", title: "A lone report", content: "It stands by itself here."),
        Article(id: "bare", title: "Nobody knows whose title this is"),
    ]

    private static func read(_ articles: [Article], from hour: Int) -> [Reading] {
        articles.enumerated().map {
            Reading(
                article: $1, readAt: now.addingTimeInterval(Double(-3600 * (hour + $0))), origin: "test",
                isExact: $1.id != "2")
        }
    }

    static func entry(_ story: Story, _ sentences: [(String, Sentence.Origin)] = []) -> Digest.Entry {
        Digest.Entry(
            story: story,
            sentences: sentences.map { Sentence(text: $0.0, sources: story.articles.map(\.id), origin: $0.1) })
    }

    /// In the publications' own words.
    static let digest: Digest = {
        let (world, technology) = (read(Sample.world, from: 1), read(Sample.technology, from: 9))
        let (register, rest) = (read(Sample.register, from: 20), read(Sample.rest, from: 30))
        return Digest(
            date: now, period: Period(hours: 48, endingAt: now), language: .english,
            sections: [
                Digest.Section(
                    heading: .category(Category("world")),
                    entries: [
                        entry(
                            Story(Array(world[0...2])),
                            [("The council of Orlen voted on Tuesday to rebuild the bridge.", .copied)]),
                        entry(Story([world[4]]), [("O porto de Leixões não aceitou navios durante a noite.", .copied)]),
                        entry(Story([world[3]])),
                    ], titled: [Story([world[5]])], omitted: 3),
                Digest.Section(
                    heading: .category(Category("technology")),
                    entries: [
                        entry(
                            Story([technology[0]]), [("東京で新しい橋が完成した。", .copied), ("市長が祝辞を述べた。", .copied)]),
                        entry(
                            Story([technology[1]]),
                            [
                                (
                                    "It sails without a crew — It left the \u{1b}[2Jharbour at 3.5 knots & came "
                                        + "\"home\" with a Donaudampfschifffahrtsgesellschaftskapitän.",
                                    .copied
                                )
                            ]),
                    ]),
                Digest.Section(
                    heading: .source("The Register & Sons"),
                    entries: register[..<2].map { entry(Story([$0]), [($0.article.content, .shortened)]) },
                    titled: register[2...].map { Story([$0]) }, omitted: 12),
                Digest.Section(
                    heading: .more,
                    entries: [
                        entry(Story([rest[0]]), [("It stands by itself here.", .copied)]), entry(Story([rest[1]])),
                    ], omitted: 1),
            ], daysInARow: 5, muted: 4)
    }()

    /// Two stories that were told before, the second in another language than the digest.
    static let updates: Digest = {
        var digest = Sample.digest
        digest.sections = [
            Digest.Section(
                heading: digest.sections[0].heading,
                entries: digest.sections[0].entries.prefix(2).enumerated().map { index, entry in
                    Digest.Entry(
                        story: entry.story, sentences: entry.sentences,
                        update: Digest.Update(day: Sample.day(index + 1), number: index + 3), isComment: index == 1)
                })
        ]
        return digest
    }()

    /// A story of three days, one of one day, and one of which nothing was told.
    static let week: Digest = {
        var digest = updates
        digest.isWeek = true
        digest.period = Period(hours: 6 * 24, endingAt: now)
        let section = digest.sections[0]
        let texts = [
            "The council of Orlen began to talk about the *bridge*.", "The council <b>quarrelled</b>.",
            "The council of Orlen voted on Tuesday to rebuild the bridge.",
        ]
        let days = texts.enumerated().map { index, text in
            Digest.DayReport(
                day: Sample.day(4 - 2 * index), sentences: [Sentence(text: text, sources: [bridge.id], origin: .copied)]
            )
        }
        let (long, short) = (section.entries[0].story, section.entries[1])
        digest.sections = [
            Digest.Section(
                heading: section.heading,
                entries: [
                    Digest.Entry(story: long, sentences: days[2].sentences, days: days),
                    Digest.Entry(
                        story: short.story, sentences: short.sentences,
                        days: [Digest.DayReport(day: Sample.day(1), sentences: short.sentences)]),
                    entry(Story([Sample.digest.sections[0].readings[3]])),
                ], omitted: 2)
        ]
        return digest
    }()

    private static func day(_ daysAgo: Int) -> Day { Day(now.addingTimeInterval(Double(-86_400 * daysAgo)), in: utc) }

    static func inLanguage(_ language: Language, of digest: Digest) -> Digest {
        Digest(
            date: digest.date, period: digest.period, isWeek: digest.isWeek, language: language,
            sections: digest.sections)
    }

    /// What a model wrote, and what took the place of what its story does not support.
    static let written: Digest = {
        var digest = Sample.digest
        digest.model = ModelIdentity(name: "pulse-nano", sha256: String(repeating: "ab", count: 32))
        digest.sections[0].entries[0] = entry(
            digest.sections[0].entries[0].story,
            [("Orlen gets its bridge back.", .written), ("The council voted for it on Tuesday.", .written)])
        digest.sections[0].entries[1] = entry(
            digest.sections[0].entries[1].story,
            [("O porto de Leixões não aceitou navios durante a noite.", .replaced)])
        digest.refused = 2
        digest.timing.load = .milliseconds(12)
        (digest.timing.promptTokens, digest.timing.prompt) = (1234, .seconds(1.5))
        (digest.timing.outputTokens, digest.timing.output) = (77, .microseconds(999_600))
        return digest
    }()

    /// Four readings, each with something that a list has to bear.
    static let readings = [0, 3, 4].map { digest.sections[0].readings[$0] } + [digest.sections[1].readings[0]]

    static let summary = Summary(
        article: bridge,
        sentences: [
            Sentence(text: "The council voted.", sources: [bridge.id], origin: .copied),
            Sentence(text: "Work starts in May.", sources: [bridge.id], origin: .shortened),
        ], language: .english)

    static let writtenSummary = Summary(
        article: bridge,
        sentences: [
            Sentence(text: "The council voted.", sources: [bridge.id], origin: .written),
            Sentence(text: "Work starts in May.", sources: [bridge.id], origin: .replaced),
        ], language: .english, model: ModelIdentity(name: "pulse-nano", sha256: nil), refused: 1, isShortened: true)
}
