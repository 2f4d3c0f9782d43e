import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseDigest

/// What feeds, models and readers write: rules over many articles and over long texts cost what there is of them.
@Suite(.timeLimit(.minutes(20))) struct GrowthTests {
    private static let text = """
        The harbour board of Calder voted on Monday to sell the old ferry terminal to a local cooperative for four \
        million pounds over ten years.
        """
    private static let now = Date(timeIntervalSince1970: 1_795_000_000)

    private static func reading(
        _ number: Int, _ title: String, _ content: String, publishedAt: Date? = nil, feed: Int64? = nil
    ) -> Reading {
        Reading(
            article: Article(
                id: "a\(number)", title: title, content: content, source: "Gazette", publishedAt: publishedAt),
            readAt: now.addingTimeInterval(-Double(number)), origin: "test", basis: feed == nil ? .read : .unread,
            feed: feed)
    }

    private static func select(_ readings: [Reading]) { _ = StorySelection(from: readings, limit: 25) }

    private static func articles(_ name: String, make: @escaping @Sendable (Int) -> Reading) -> GrowthCase {
        .of(name, to: 1 << 14, limit: 60, { count in (0..<count).map(make) }, select)
    }

    /// Articles that have much in common, with what one may cost cut down, so that a few hundred reach it.
    private static func merging(
        _ name: String, isWeek: Bool = false, make: @escaping @Sendable (Int) -> Reading
    ) -> GrowthCase {
        .of(name, from: 256, to: 1 << 14, limit: 60, { count in (0..<count).map(make) }) { (readings: [Reading]) in
            let articles = readings.map(\.article)
            let (weights, words) = Weights.reading(articles)
            var merger = StoryMerger(articles, words: words, weights: weights, mostShared: 1024)
            _ = isWeek ? merger.threads() : merger.groups()
        }
    }

    /// A text of one piece over and over.
    private static func text(
        _ name: String, _ piece: String, front: String = "", from start: Int = 64, to largest: Int = 1 << 18,
        run: @escaping @Sendable (String) throws -> Void
    ) -> GrowthCase {
        GrowthCase(name, from: start, to: largest, limit: 30, { front + repeated(piece, $0) }, run)
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private static func article(_ content: String) -> Article {
        Article(id: "a", title: "Harbour terminal sold in Calder", content: content, language: "en")
    }

    private static func days(_ number: Int) -> Date { now.addingTimeInterval(-Double(number) * 864_000) }

    private static let ofArticles: [GrowthCase] = [
        merging("one article, days apart") {
            reading($0, "Harbour terminal sold in Calder", text, publishedAt: days($0))
        },
        articles("one article") { reading($0, "Harbour terminal sold in Calder", text + " \($0)") },
        merging("titles with other numbers") { reading($0, "Harbour terminal sale number \($0) in Calder", text) },
        merging("one text with other names") {
            reading(
                $0, "harbour terminal sale goes to Xq\($0)",
                "old ferry terminal harbour board sale cooperative pounds years roof spring goes to Xq\($0) today.")
        },
        articles("nothing in common") {
            reading($0, "w\($0) x\($0 * 7) y\($0 * 11) opens", "The w\($0) of z\($0 * 13) opened a v\($0 * 17).")
        },
        articles("one feed") { reading($0, "w\($0) x\($0 * 7) y\($0 * 11)", "The w\($0) z\($0 * 13).", feed: 1) },
        articles("a feed for each") { reading($0, "w\($0) opens", "The w\($0) opened.", feed: Int64($0)) },
        merging("a week of one article, days apart", isWeek: true) {
            reading($0, "Harbour terminal sold in Calder", text, publishedAt: days($0))
        },
        .of(
            "words to follow, and articles", from: 16, to: 1 << 11,
            { count in
                (
                    Interests(
                        follow: (0..<count).map { "word\($0) of\($0)" }, mute: (0..<count).map { "wort\($0)" }),
                    (0..<64).map { reading($0, "Harbour number \($0)", text) }
                )
            }, { interests, readings in _ = StorySelection(from: readings, interests: interests, limit: 25) }),
        .of(
            "words without spaces to follow", from: 16, to: 1 << 12,
            { count in Interests(follow: (0..<count).map { "東京\($0)" }) },
            { interests in
                _ = StorySelection(from: [reading(0, "東京の港", repeated("東京の港。", 400))], interests: interests, limit: 25)
            }),
    ]

    private static let ofTexts: [GrowthCase] = [
        ("one word", "word "), ("one word without spaces", "word"), ("commas", "and, and, "), ("stops", ". "),
        ("negations", "not the "), ("quotations", "“"), ("dates", "today, today, "), ("marks", "…?!"),
        ("capitals", "A B "), ("sentences", "Ok. "), ("spaces", "a  "), ("brackets", "(left) ["), ("hyphens", "-'"),
    ].flatMap { name, piece -> [GrowthCase] in
        [
            text("an article of \(name)", piece) { content in
                let article = article(content)
                _ = article.ownSummary
                select([Reading(article: article, readAt: now, origin: "test")])
            },
            text("a check against an article of \(name)", piece) { content in
                let check = SentenceCheck([article(content)], writer: .strong, model: nil)
                _ = try check.verdict("The harbour board not sold “the terminal” on Monday, and, and.")
                _ = check.mayPass(beginning: String(content.prefix(400)) + " b")
            },
            text("rules of claims in \(name)", piece) { claim in
                _ = (ParaphraseWords.denied(in: claim), ParaphraseWords.speakers(in: claim))
                _ = (ParaphraseWords.isFragment(claim), TokenizedSentence(claim), claim.cutShort)
            },
        ]
    }

    private static let ofAnswers: [GrowthCase] = [
        text("an answer of marks", "<|channel|>final<|message|>") { answer in
            var filter = MarkerFilter()
            _ = filter.add(answer)
        },
        text("an answer of spaces", " ") { answer in
            var cleaner = AnswerCleaner()
            for _ in answer.utf8 { _ = cleaner.add(" ") }
        },
        GrowthCase(
            "an answer of sentences", to: 1 << 18, limit: 30,
            { count in (0..<count).map { "Harbour \($0) opened w\($0 * 3) x\($0 * 5). " }.joined() }
        ) { answer in
            var cleaner = AnswerCleaner()
            for piece in answer.split(separator: ".", omittingEmptySubsequences: false) {
                _ = cleaner.add(piece + ".")
            }
            _ = cleaner.finish()
        },
        text("a prompt file of lines", "{{category}} {{", front: "# system\n", run: readPrompt),
        text("a prompt file of placeholders", "{{category}} ", front: "# system\n", run: readPrompt),
    ]

    private static func readPrompt(_ file: String) {
        _ = try? PromptTemplate(job: .digest, parsing: file, from: "digest.md")
    }

    private static let ofLongSentences: [GrowthCase] = ["word", "Ok."].flatMap { piece -> [GrowthCase] in
        [
            // Longer than any sentence that is read to its end.
            text("an answer of “\(piece)”, by words", piece + " ", from: 1 << 10, to: 1 << 14) { answer in
                var reader = CheckedAnswer([article(text)], most: 6, mode: .mark)
                for token in answer.split(separator: " ") {
                    _ = reader.add(" " + token)
                    _ = (reader.unfinished, reader.isSettled)
                }
                _ = reader.finish()
            },
            text("passages of an article of “\(piece)”", piece + " ", from: 1 << 10) { content in
                let article = article(content)
                for passage in Passages.of(article) {
                    _ = Passages.excerpt(of: passage, for: "What of the word and the board?")
                    _ = Passages.excerpt(of: passage, for: "What of the word?", tokens: 60) { $0.utf8.count / 4 }
                }
            },
        ]
    }

    static let cases = ofArticles + ofTexts + ofAnswers + ofLongSentences

    @Test(arguments: cases) func costGrowsWithTheInput(shape: GrowthCase) throws { try shape.check() }
}
