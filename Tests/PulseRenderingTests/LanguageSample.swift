import Foundation
import PulseCore
import PulseRendering

/// The same day for four readers: what is in their language, and something that is not.
struct LanguageSample {
    let language: Language
    let digest: Digest

    private struct Item {
        let title: String
        let text: String
        let source: String
        let url: String?
    }

    private static let english = Item(
        title: "Council votes for the bridge", text: "The council of Orlen voted on Tuesday to rebuild the bridge.",
        source: "The Herald", url: "https://a.example/1")
    private static let portuguese = Item(
        title: "Ponte fica para depois", text: "A câmara não aprovou a reconstrução da ponte.", source: "Diário da Foz",
        url: "https://b.example/ção")

    init(_ language: Language, isWritten: Bool = false) {
        self.language = language
        let world: [Item]
        let sports: Item
        switch language {
        case .english:
            world = [Self.english, Self.portuguese]
            sports = Item(title: "Rovers win", text: "Rovers won by two goals to one.", source: "", url: nil)
        case .portuguese:
            world = [Self.portuguese, Self.english]
            sports = Item(title: "Time da casa vence", text: "O time da casa venceu por 2 a 1.", source: "", url: nil)
        case .europeanPortuguese:
            world = [Self.portuguese, Self.english]
            sports = Item(
                title: "Equipa da casa vence", text: "A equipa da casa venceu por 2–1.", source: "", url: nil)
        case .spanish:
            world = [
                Item(
                    title: "Aprobado el puente",
                    text: "El ayuntamiento aprobó el martes la reconstrucción del puente.",
                    source: "El Correo", url: "https://c.example/año"),
                Item(
                    title: "Совет проголосовал", text: "Городской совет проголосовал за мост.", source: "Вести",
                    url: "javascript:alert(1)"),
            ]
            sports = Item(
                title: "Gana el equipo local", text: "El equipo local ganó por 2 a 1.", source: "", url: nil)
        }
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
