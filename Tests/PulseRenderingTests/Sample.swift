import Foundation
import PulseCore

/// A digest with everything that is hard to print in it.
enum Sample {
    static let utc = TimeZone(identifier: "UTC") ?? .gmt
    static let lisbon = TimeZone(identifier: "Europe/Lisbon") ?? .gmt
    /// 2026-11-21 02:46:40 UTC
    static let now = Date(timeIntervalSince1970: 1_795_229_200)

    static let articles = [
        Article(
            id: "world/2026/nov/20/bridge", url: "https://www.herald.example/bridge?a=1&b=2",
            title: "Council votes to rebuild the bridge", content: "The council of Orlen voted to rebuild the bridge.",
            source: "The Herald", category: Category("world"), publishedAt: now.addingTimeInterval(-90_000)),
        Article(
            id: "2", title: "A title\u{1b}[31m\nwith <b>evil</b> \u{202e}parts", source: "", category: Category("world")
        ),
        Article(
            id: "3", title: "東京で新しい橋が完成、市長が祝辞を述べる — 三年の工事の末 🎉", source: "Ásia Hoje",
            category: Category("technology")),
        Article(id: "4", title: "Council votes for bridge", source: "Post \u{1b}[1mOrlen", category: Category("world")),
    ]

    static let readings = articles.enumerated().map {
        Reading(article: $1, readAt: now.addingTimeInterval(Double(-3600 * ($0 + 1))), origin: "test", isExact: $0 != 1)
    }

    static let digest = Digest(
        date: now, period: Period(hours: 48, endingAt: now), language: .english,
        model: ModelIdentity(name: "pulse-nano", sha256: String(repeating: "ab", count: 32)),
        sections: [
            Digest.Section(
                category: Category("world"),
                text:
                    "The council of Orlen voted to rebuild the bridge. It is \"old\" & tired, at 3.5 percent; nobody knows \u{1b}[2Jwhy a word such as Donaudampfschifffahrtsgesellschaftskapitän is in here.",
                sentences: [
                    Sentence(
                        text: "The council of Orlen voted to rebuild the bridge.",
                        sources: ["world/2026/nov/20/bridge"],
                        isGrounded: true),
                    Sentence(
                        text:
                            "It is \"old\" & tired, at 3.5 percent; nobody knows \u{1b}[2Jwhy a word such as Donaudampfschifffahrtsgesellschaftskapitän is in here.",
                        sources: [], isGrounded: false),
                ],
                stories: [Story([readings[0], readings[3]]), Story([readings[1]])], omitted: 3, shortened: 1,
                corrections: Corrections(replaced: 1, dropped: 1)),
            Digest.Section(
                category: Category("technology"), text: "", sentences: [], stories: [Story([readings[2]])], omitted: 0,
                shortened: 0),
        ],
        readings: [readings[0], readings[3], readings[1], readings[2]],
        timing: Timing(
            load: .milliseconds(12), promptTokens: 1234, prompt: .seconds(1.5), outputTokens: 77,
            output: .microseconds(999_600)))

    static let summary = Summary(
        article: articles[0], text: "The council voted. Work starts in May.",
        sentences: [
            Sentence(text: "The council voted.", sources: [articles[0].id], isGrounded: true, origin: .copied),
            Sentence(text: "Work starts in May.", sources: [articles[0].id], isGrounded: true, origin: .publisher),
        ],
        isShortened: true,
        language: .english, model: ModelIdentity(name: "pulse-nano", sha256: nil), timing: Timing())
}
