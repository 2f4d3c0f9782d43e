import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseStore

/// What an import brings costs what there is of it, whatever the articles have in common.
@Suite(.timeLimit(.minutes(20))) struct GrowthTests {
    private static func article(_ number: Int, url: String?, title: String) -> Article {
        Article(id: "a\(number)", url: url, title: title, content: "It rained on day \(number).")
    }

    private static func articles(
        _ name: String, _ make: @escaping @Sendable (Int) -> Article,
        run: @escaping @Sendable (borrowing Store, [Article]) throws -> Void
    ) -> GrowthCase {
        .of(
            name, to: 1 << 13, limit: 60, { count in (0..<count).map(make) },
            { articles in
                let scratch = try Scratch()
                try run(try scratch.open(), articles)
            })
    }

    private static func record(_ store: borrowing Store, _ articles: [Article]) throws {
        _ = try store.record(articles.map { reading($0) })
        // Another source has all of them under other ids.
        _ = try store.record(
            articles.map { article in
                var article = article
                article.id = "b" + article.id
                return reading(article, origin: "other")
            })
    }

    static let cases: [GrowthCase] = [
        articles("articles on one page", { article($0, url: "https://a.example/", title: "Day \($0)") }, run: record),
        articles(
            "articles on one page with one title", { article($0, url: "https://a.example/", title: "Day") }, run: record
        ),
        articles("articles", { article($0, url: "https://a.example/\($0)", title: "Day \($0)") }, run: record),
        articles("articles without a URL", { article($0, url: nil, title: "Day") }, run: record),
        articles("bookmarks of one page", { article($0, url: "https://a.example/", title: "Day \($0)") }) {
            store, articles in
            _ = try store.keep(articles.map { Bookmark(article: $0, savedAt: noon) }, origin: "test", at: noon)
        },
        articles("a digest of all", { article($0, url: nil, title: "Day \($0)") }) { store, articles in
            let section = Digest.Section(heading: .more, entries: [], titled: [Story(articles.map { reading($0) })])
            let moment = Period(from: noon, to: noon)
            let digest = Digest(date: noon, period: moment, language: .english, sections: [section])
            try store.keep(digest, calendar: Calendar(identifier: .gregorian))
            _ = try store.latestPrinted()
        },
        GrowthCase("a search of marks", { String(repeating: "“", count: $0) }, { _ = Store.match($0) }),
        GrowthCase("a search of words", { String(repeating: "\"a “b ", count: $0) }, { _ = Store.match($0) }),
    ]

    @Test(arguments: cases) func costGrowsWithTheInput(shape: GrowthCase) throws { try shape.check() }
}
