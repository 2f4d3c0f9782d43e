import Foundation
import PulseCore
import Testing

@testable import PulseStore

/// A suite about feeds and their entries.
protocol FeedSuite {}

extension FeedSuite {
    static var everything: Period { Period(from: .distantPast, to: .distantFuture) }

    func follow(_ address: String, in store: borrowing Store, folder: String? = nil) throws -> Feed {
        let feed = Feed(address: address, title: "Feed of \(address)", folder: folder, addedAt: noon)
        return try #require(try store.add([feed]).first)
    }

    func entry(
        _ id: String, title: String? = nil, url: String? = nil, published: Date? = nil, content: String = "Text."
    ) -> Article {
        Article(
            id: id, url: url, title: title ?? "Title of \(id)", content: content, source: "The Gazette",
            publishedAt: published)
    }

    @discardableResult func bring(
        _ entries: [Article], from feed: Feed, to store: borrowing Store, at now: Date = noon
    ) throws -> Int {
        try store.record([FetchedFeed(feed: feed, contents: FeedContents(entries: entries))], at: now)
    }

    func waiting(_ store: borrowing Store) throws -> [String] {
        try store.waiting(in: Self.everything).map(\.article.id).sorted()
    }
}
