import Foundation
import PulseCore
import PulseRendering

/// The same day for three readers: what is in their language, and something that is not. The text of each section is
/// what a model might have written, word for word.
struct LanguageSample {
    let language: Language
    let digest: Digest

    private struct Item {
        let title: String
        let source: String
        let url: String?
    }

    init(_ language: Language) {
        self.language = language
        let items: [(category: String, foreign: String?, text: String, items: [Item], omitted: Int)] =
            switch language {
            case .english:
                [
                    (
                        "world", nil, "The council of Orlen voted on Tuesday to rebuild the bridge.",
                        [Item(title: "Council votes for the bridge", source: "The Herald", url: "https://a.example/1")],
                        0
                    ),
                    (
                        "world", "pt", "A câmara não aprovou a reconstrução da ponte.",
                        [Item(title: "Ponte fica para depois", source: "Diário da Foz", url: "https://b.example/ção")],
                        2
                    ),
                    (
                        "sports", nil, "Rovers won by two goals to one.",
                        [Item(title: "Rovers win", source: "", url: nil)], 0
                    ),
                ]
            case .portuguese:
                [
                    (
                        "world", nil, "A câmara não aprovou a reconstrução da ponte.",
                        [Item(title: "Ponte fica para depois", source: "Diário da Foz", url: "https://b.example/ção")],
                        0
                    ),
                    (
                        "world", "en", "The council of Orlen voted on Tuesday to rebuild the bridge.",
                        [Item(title: "Council votes for the bridge", source: "The Herald", url: "https://a.example/1")],
                        2
                    ),
                    (
                        "sports", nil, "O time da casa venceu por 2 a 1.",
                        [Item(title: "Time da casa vence", source: "", url: nil)], 0
                    ),
                ]
            case .spanish:
                [
                    (
                        "world", nil, "El ayuntamiento aprobó el martes la reconstrucción del puente.",
                        [Item(title: "Aprobado el puente", source: "El Correo", url: "https://c.example/año")], 0
                    ),
                    (
                        "world", "und-Cyrl", "Городской совет проголосовал за мост.",
                        [Item(title: "Совет проголосовал", source: "Вести", url: "javascript:alert(1)")], 2
                    ),
                    (
                        "sports", nil, "El equipo local ganó por 2 a 1.",
                        [Item(title: "Gana el equipo local", source: "", url: nil)], 0
                    ),
                ]
            }
        var number = 0
        let sections = items.map { section in
            let stories = section.items.map { item in
                number += 1
                let article = Article(
                    id: "\(language.rawValue)-\(number)", url: item.url, title: item.title, content: section.text,
                    source: item.source, category: Category(section.category))
                return Story([Reading(article: article, readAt: Sample.now, origin: "test")])
            }
            return Digest.Section(
                category: Category(section.category), text: section.text,
                sentences: [Sentence(text: section.text, sources: stories.map(\.lead.id), isGrounded: true)],
                stories: stories, omitted: section.omitted, shortened: section.omitted,
                foreignLanguage: section.foreign)
        }
        digest = Digest(
            date: Sample.now, period: Period(hours: 48, endingAt: Sample.now), language: language,
            model: ModelIdentity(name: "scripted", sha256: nil), sections: sections,
            readings: sections.flatMap { $0.stories.flatMap(\.readings) }, daysInARow: 5, muted: 3, timing: Timing())
    }

    /// The digest as it is printed while the model writes it, a sentence at a time.
    func streamed(style: TextStyle) -> String {
        var text = DigestText(style: style, language: language)
        var printed = text.heading(DigestOverview(digest))
        for section in digest.sections {
            printed += text.sectionHeading(
                section.category, foreignLanguage: section.foreignLanguage, stories: section.stories)
            for sentence in section.sentences { printed += text.sentence(sentence) }
            printed += text.sectionEnd(omitted: section.omitted)
        }
        return printed + text.closing(digest)
    }
}
