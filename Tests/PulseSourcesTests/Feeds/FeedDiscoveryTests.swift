import Foundation
import PulseSources
import Testing

@Suite(.timeLimit(.minutes(20))) struct FeedDiscoveryTests {
    @Test func theFeedsThatAPageNames() throws {
        let feeds = FeedDiscovery.feeds(in: try Fixture.data("page.html"), address: "https://harnby.example/about/us")
        #expect(
            feeds.map(\.address) == [
                "https://harnby.example/blog/feed.xml", "https://cdn.example/atom.xml",
                "https://harnby.example/feed.json",
            ])
        #expect(feeds.map(\.title) == ["Harnby & more", nil, nil])
    }

    @Test func aPageOfLinksWithoutEnd() {
        let page = (0..<5_000).map { "<link rel=alternate type=application/rss+xml href=/\($0)>" }.joined()
        #expect(FeedDiscovery.feeds(in: Data(page.utf8), address: "https://a.example/").count == 20)
        let nested = String(repeating: "<b><div>", count: 30_000)
        #expect(FeedDiscovery.feeds(in: Data(nested.utf8), address: "https://a.example/").isEmpty)
    }

    @Test func usualPlacesAreNearThePageAndAtTheRoot() {
        let places = FeedDiscovery.usualPlaces(near: "https://a.example/blog/post?x=1")
        #expect(places.first == "https://a.example/blog/feed/")
        #expect(places.contains("https://a.example/feed.xml"))
        #expect(FeedDiscovery.usualPlaces(near: "https://a.example/").count == 9)
    }
}
