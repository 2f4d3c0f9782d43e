import Foundation
import PulseCore
import PulseSources
import PulseTestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct FeedListTests {
    private func list() throws -> FeedList {
        try FeedList.parse(Fixture.data("subscriptions.opml"), name: "list", now: Fixture.now) {
            $0.hasPrefix("guardian:")
        }
    }

    @Test func feedsAndTheirFolders() throws {
        let feeds = try list().feeds
        #expect(
            feeds.map(\.address) == [
                "https://herald.example/feed", "http://port.example/rss", "http://nameless.example/rss",
                "https://parent.example/rss", "https://child.example/rss", "https://reader.example/rss",
                "guardian:world",
            ])
        #expect(
            feeds.map(\.title) == [
                "The Herald", "Le Port", "Nameless folder", "Parent", "Child", "Reader", "World news",
            ])
        #expect(
            feeds.map(\.folder) == ["All/World & politics", "All/World & politics/Europe", nil, nil, nil, nil, nil])
        #expect(feeds[0].site == "https://herald.example/")
    }

    @Test func programsAndFilesAreRefused() throws {
        let refused = try list().refused
        #expect(refused.count == 8)
        #expect(refused.prefix(4).allSatisfy { $0.reason.contains("program") })
        #expect(refused[4].reason.contains("file"))
        #expect(refused.last?.reason == "is not an address on the web")
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let feeds =
            try list().feeds + [
                Feed(
                    address: "https://q.example/?a=1&b=\"<2>\"", title: "A \"<b>\" & c\n d", folder: "All",
                    addedAt: Fixture.now)
            ]
        let opml = FeedList.opml(feeds, title: "Mine & yours", now: Fixture.now)
        let again = try FeedList.parse(Data(opml.utf8), name: "x", now: Fixture.now) { $0.hasPrefix("guardian:") }
        #expect(again.refused.isEmpty)
        #expect(Set(again.feeds.map(\.title)) == Set(feeds.map { $0.title.replacing("\n ", with: " ") }))
        #expect(Set(again.feeds.map(\.folder)) == Set(feeds.map(\.folder)))
        #expect(opml.contains("<dateCreated>Sat, 21 Nov 2026 12:00:00 GMT</dateCreated>"))
        #expect(
            FeedList.opml(again.feeds, title: "Mine & yours", now: Fixture.now).split(separator: "\n").count
                == opml.split(separator: "\n").count)
    }

    /// A list that hides its feeds is not an empty one.
    @Test func whatNestsTooDeeplyIsSaid() throws {
        let deep = "<opml><body>" + String(repeating: "<outline text='x'>", count: 100_000)
        let feed = "<outline xmlUrl='https://a.example/feed'/>"
        try fails(.badData, "nests folders so deeply") {
            try FeedList.parse(Data((deep + feed).utf8), name: "feeds.opml", now: Fixture.now)
        }
        let list = try FeedList.parse(Data(("<opml><body>" + feed + deep).utf8), name: "feeds.opml", now: Fixture.now)
        #expect(list.feeds.count == 1 && !list.isWhole)
    }

    @Test(arguments: ["", "hello", "<rss/>", "<html><opml/></html>", "{}"])
    func whatIsNoListIsSaid(text: String) throws {
        let error = try fails(.badData) { try FeedList.parse(Data(text.utf8), name: "feeds.opml", now: Fixture.now) }
        #expect(error.message == "feeds.opml is not a list of feeds (OPML).")
    }

    @Test func aFeedWithoutATitleIsKnownByItsAddress() {
        let feed = Feed(address: "https://news.example/rss", addedAt: .distantPast)
        #expect(feed.title == "https://news.example/rss")
        #expect(Feed(address: "guardian:world", title: "World news", addedAt: .distantPast).title == "World news")
    }
}
