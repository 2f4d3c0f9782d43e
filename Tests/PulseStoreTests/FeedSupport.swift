import Foundation
import PulseCore
import Testing

@testable import PulseStore

func entry(
    _ id: String, title: String? = nil, url: String? = nil, published: Date? = nil, content: String = "Text."
) -> Article {
    Article(
        id: id, url: url, title: title ?? "Title of \(id)", content: content, source: "The Gazette",
        publishedAt: published)
}

extension Store {
    func follow(_ address: String, folder: String? = nil) throws -> Feed {
        let feed = Feed(address: address, title: "Feed of \(address)", folder: folder, addedAt: noon)
        return try #require(try add([feed]).first)
    }

    @discardableResult func bring(_ entries: [Article], from feed: Feed, at now: Date = noon) throws -> Int {
        try record([FetchedFeed(feed: feed, contents: FeedContents(entries: entries))], at: now)
    }

    func waitingIDs() throws -> [String] {
        try waiting(in: Period(from: .distantPast, to: .distantFuture)).map(\.article.id).sorted()
    }
}
