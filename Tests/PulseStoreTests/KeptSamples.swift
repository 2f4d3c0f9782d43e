import Foundation
import PulseCore

@testable import PulseStore

extension Digest {
    /// Three stories, one of them of two sources, with what is hard to keep: every kind of character, and times that are
    /// no whole milliseconds.
    static func sample(date: Date = noon.addingTimeInterval(0.123_456_7), text: String = "One \u{1b}[1m “two” 東京.\n")
        -> Digest
    {
        let readings = [
            reading(
                article("a", url: "https://x.example/a?b=1&c", content: "Long text of a."), at: hoursAgo(1.000_000_1)),
            reading(article("b", title: "\u{0}\u{202e}B", summary: "Short."), at: hoursAgo(2), isExact: false),
            reading(article("c", category: Category("gardening")), at: hoursAgo(3)),
        ]
        return Digest(
            date: date, period: Period(hours: 47.3, endingAt: date), language: .europeanPortuguese,
            model: ModelIdentity(name: "pulse-nano", sha256: nil),
            sections: [
                Section(
                    heading: .category(Category("world")),
                    entries: [
                        Entry(
                            story: Story([readings[0], readings[1]]),
                            sentences: [
                                Sentence(text: text, sources: ["a", "b"], origin: .written),
                                Sentence(text: "Two.", sources: [], origin: .replaced),
                            ])
                    ], titled: [Story([readings[1]])], omitted: 3),
                Section(heading: .source("The Herald"), entries: [Entry(story: Story([readings[2]]), sentences: [])]),
                Section(heading: .more, entries: []),
            ],
            daysInARow: 7, muted: 5, refused: 2,
            timing: Timing(
                load: .nanoseconds(12_345_678), promptTokens: 1, prompt: .seconds(1.5), outputTokens: 2,
                output: .microseconds(999_600)))
    }

    /// The first sentence, which tells one sample from another.
    var told: String? { sentences.first?.text }
}
