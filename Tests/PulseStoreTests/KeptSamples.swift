import Foundation
import PulseCore

@testable import PulseStore

extension Digest {
    /// Two stories, one of them of two sources, with what is hard to keep: every kind of character, and times that are
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
            date: date, period: Period(hours: 47.3, endingAt: date), language: .english,
            model: ModelIdentity(name: "pulse-nano", sha256: nil),
            sections: [
                Section(
                    category: Category("world"), text: text,
                    sentences: [
                        Sentence(text: "One.", sources: ["a", "b"], isGrounded: true),
                        Sentence(text: "Two.", sources: [], isGrounded: false),
                    ],
                    stories: [Story([readings[0], readings[1]])], omitted: 3, shortened: 1),
                Section(
                    category: Category("gardening"), text: "", sentences: [], stories: [Story([readings[2]])],
                    omitted: 0, shortened: 0, foreignLanguage: "pt"),
            ],
            readings: readings, daysInARow: 7, muted: 5,
            timing: Timing(
                load: .nanoseconds(12_345_678), promptTokens: 1, prompt: .seconds(1.5), outputTokens: 2,
                output: .microseconds(999_600)))
    }
}

extension DigestInputs {
    static func sample(
        readings: [Reading] = Digest.sample().readings, limit: Int = 9, prompt: String = "prompt",
        language: Language = .english, model: String = "model", settings: [String: String] = ["window": "48"]
    ) -> DigestInputs {
        DigestInputs(
            selection: Selection(from: readings, limit: limit), prompt: prompt, language: language, model: model,
            settings: settings)
    }
}

extension KeptSummary {
    static let sample = KeptSummary(
        text: "It rained. \"Much\" \u{1b} 東京.",
        sentences: [Sentence(text: "It rained.", sources: ["a"], isGrounded: true)], isShortened: true,
        model: ModelIdentity(name: "pulse-nano", sha256: "ab"), timing: Timing(load: .milliseconds(3), promptTokens: 7))
}
