import PulseCore
import PulseRendering

/// The same day for readers of each language: what is in theirs, and something that is not.
struct LanguageSample {
    let language: Language
    let digest: Digest

    private struct Item {
        var title: String
        var text: String
        var source = ""
        var url: String?
    }

    private static let english = Item(
        title: "Council votes for the bridge", text: "The council of Orlen voted on Tuesday to rebuild the bridge.",
        source: "The Herald", url: "https://a.example/1")
    private static let portuguese = Item(
        title: "Ponte fica para depois", text: "A câmara não aprovou a reconstrução da ponte.", source: "Diário da Foz",
        url: "https://b.example/ção")
    private static let spanish = Item(
        title: "Aprobado el puente", text: "El ayuntamiento aprobó el martes la reconstrucción del puente.",
        source: "El Correo", url: "https://c.example/año")
    private static let russian = Item(
        title: "Совет проголосовал", text: "Городской совет проголосовал за мост.", source: "Вести",
        url: "javascript:alert(1)")
    private static let french = Item(
        title: "Le pont sera reconstruit", text: "Le conseil municipal a voté mardi la reconstruction du pont.",
        source: "Le Courrier", url: "https://d.example/été")

    /// Two stories of the world and one of sports, by the language's tag.
    private static let items: [String: (world: [Item], sports: Item)] = [
        "en": ([english, portuguese], Item(title: "Rovers win", text: "Rovers won by two goals to one.")),
        "pt": ([portuguese, english], Item(title: "Time da casa vence", text: "O time da casa venceu por 2 a 1.")),
        "pt-PT": (
            [portuguese, english], Item(title: "Equipa da casa vence", text: "A equipa da casa venceu por 2–1.")
        ),
        "es": ([spanish, russian], Item(title: "Gana el equipo local", text: "El equipo local ganó por 2 a 1.")),
        "fr": ([french, english], Item(title: "Les Rovers gagnent", text: "Les Rovers ont gagné par 2 à 1.")),
    ]

    /// A language without stories of its own is given the English ones.
    init(_ language: Language, isWritten: Bool = false) {
        self.language = language
        let (world, sports) = Self.items[language.rawValue] ?? ([Self.english, Self.portuguese], Self.french)
        func story(_ item: Item, _ category: String) -> Story {
            let article = Article(
                id: "\(language.rawValue)/\(item.title)", url: item.url, title: item.title, content: item.text,
                source: item.source, category: Category(category))
            return Story([Reading(article: article, readAt: Sample.now, origin: "test")])
        }
        func entry(_ item: Item, _ category: String) -> Digest.Entry {
            Sample.entry(story(item, category), [(item.text, isWritten ? .written : .copied)])
        }
        digest = Digest(
            date: Sample.now, period: Period(hours: 48, endingAt: Sample.now), language: language,
            model: isWritten ? ModelIdentity(name: "scripted", sha256: nil) : nil,
            sections: [
                Digest.Section(
                    heading: .category(Category("world")), entries: world.map { entry($0, "world") }, omitted: 2),
                Digest.Section(heading: .category(Category("sports")), entries: [entry(sports, "sports")]),
                Digest.Section(heading: .more, entries: [], titled: [story(world[0], "general")], omitted: 1),
            ], daysInARow: 5, muted: 3, refused: isWritten ? 2 : 0)
    }

    /// The digest as it is printed while a model writes it, a story at a time.
    static func streamed(_ digest: Digest, style: TextStyle) -> String {
        var begun = digest
        for section in begun.sections.indices {
            begun.sections[section].entries = digest.sections[section].entries.map {
                Digest.Entry(story: $0.story, sentences: [])
            }
        }
        begun.model = nil
        begun.refused = 0
        let text = DigestText(begun, style: style)
        var printed = text.heading
        for (section, told) in digest.sections.enumerated() {
            printed += text.heading(of: section)
            for (index, entry) in told.entries.enumerated() { printed += text.entry(entry, index, of: section) }
            printed += text.end(of: section)
        }
        return printed + text.closing(digest)
    }
}
