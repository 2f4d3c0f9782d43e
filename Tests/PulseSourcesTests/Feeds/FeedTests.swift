import Foundation
import PulseCore
import Testing

@Suite(.timeLimit(.minutes(20))) struct FeedTests {
    @Test func aFeedWithoutATitleIsKnownByItsAddress() {
        let feed = Feed(address: "https://news.example/rss", addedAt: .distantPast)
        #expect(feed.title == "https://news.example/rss")
        #expect(Feed(address: "guardian:world", title: "World news", addedAt: .distantPast).title == "World news")
    }
}
