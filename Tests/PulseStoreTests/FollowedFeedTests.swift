import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseStore

/// The feeds that are followed, and what becomes of what they brought.
@Suite(.timeLimit(.minutes(20))) final class FollowedFeedTests: StoreSuite {
    @Test func aFeedIsFollowedOnceHoweverItIsSpelled() throws {
        let feed = try store.follow("https://a.example/feed")
        for same in ["http://a.example/feed", "https://A.example/feed/", "https://a.example:443/feed?utm_source=x#y"] {
            #expect(try store.add([Feed(address: same, addedAt: noon)]).isEmpty, "\(same)")
            #expect(try store.feed(at: same)?.id == feed.id)
        }
        #expect(try store.add([Feed(address: "https://a.example/feed?page=2", addedAt: noon)]).count == 1)
        #expect(try store.add([Feed(address: "guardian:world", addedAt: noon)]).count == 1)
        #expect(try store.feed(at: "guardian:world") != nil)
    }

    /// Titles that many feeds have, and servers that have many feeds: each is looked up by an index.
    @Test(arguments: ["one title", "one server", "neither"]) func thousandsAreAdded(_ what: String) throws {
        let growth = GrowthCase.of("feeds of \(what)", to: 1 << 15) { size in
            (0..<size).map { number in
                let host = what == "one server" ? "a" : "a\(number)"
                let title = what == "one title" ? "News" : "News \(number)"
                return Feed(address: "https://\(host).example/\(number)", title: title, addedAt: noon)
            }
        } _: { feeds in
            let scratch = try Scratch()
            #expect(try scratch.open().add(feeds).count == feeds.count)
        }
        try growth.check()
    }

    /// A feed that gives every entry one title, or one page, over and over.
    @Test(arguments: ["title", "page"]) func thousandsOfEntriesAreAlike(_ what: String) throws {
        let growth = GrowthCase.of("entries of one \(what)", to: 1 << 13) { size in
            (0..<size).map {
                Article(
                    id: "\($0)", url: "https://a.example/\(what == "page" ? 1 : $0)",
                    title: what == "title" ? "News" : "News \($0)",
                    content: String(repeating: "x", count: 500) + "\($0)")
            }
        } _: { entries in
            let scratch = try Scratch()
            let store = try scratch.open()
            let feed = try store.follow("https://a.example/feed")
            #expect(try store.bring(entries, from: feed) == entries.count)
        }
        try growth.check()
    }

    @Test func aPasswordOfAnEarlierReleaseIsNotShown() throws {
        let address = "https://ana:secret@a.example/feed"
        let feed = try #require(try store.add([Feed(address: address, title: address, addedAt: noon)]).first)
        let read = try #require(try store.feed(at: "https://a.example/feed"))
        #expect(read.address == "https://a.example/feed" && read.title == read.address)
        #expect(read.id == feed.id)
    }

    @Test func whatIsRememberedOfARefreshIsReadBack() throws {
        var feed = try store.follow("https://a.example/feed")
        feed.refresh.triedAt = noon
        feed.refresh.entityTag = "\"x\""
        feed.refresh.failures = 3
        feed.refresh.lastError = "No."
        feed.site = "https://a.example/"
        _ = try store.record([FetchedFeed(feed: feed)], at: noon)
        #expect(try store.feeds().map(\.feed) == [feed])
    }

    @Test func aFeedThatMovedOntoAnotherStaysWhereItWas() throws {
        var first = try store.follow("https://a.example/feed")
        _ = try store.follow("https://b.example/feed")
        first.address = "http://b.example/feed"
        _ = try store.record([FetchedFeed(feed: first)], at: noon)
        #expect(try store.feeds().map(\.feed.address) == ["https://a.example/feed", "https://b.example/feed"])
        first.address = "https://c.example/feed"
        _ = try store.record([FetchedFeed(feed: first)], at: noon)
        #expect(try store.feed(at: "https://c.example/feed")?.id == first.id)
    }

    @Test func aFeedThatMovedOntoAnotherKeepsItsTitle() throws {
        let feeds = ["a", "b"].map { Feed(address: "https://\($0).example/feed", title: "The Gazette", addedAt: noon) }
        var first = try #require(try store.add(feeds).first)
        #expect(try store.feeds().map(\.feed.title) == ["The Gazette", "The Gazette (b.example)"])
        first.address = "https://b.example/feed"
        try store.bring([entry("a")], from: first)
        #expect(try store.unread().map(\.article.source) == ["The Gazette"])
    }

    @Test func aRevisionWithANumberedIdIsTheSameEntry() throws {
        let feed = try store.follow("https://a.example/feed")
        func revision(_ number: Int, _ title: String, of story: String = "c1") -> Article {
            let page = "https://a.example/news/\(story)"
            return article(
                "\(page)#\(number)", title: title, url: page + "?at_medium=RSS", content: "\(title) on Friday.")
        }
        try store.bring([revision(0, "The council is to vote on the harbour")], from: feed)
        try store.bring([revision(1, "The harbour: how the council voted")], from: feed)
        try store.bring([revision(2, "The council voted for the harbour")], from: feed)
        #expect(try store.unread().map(\.article.title) == ["The council voted for the harbour"])
        try store.bring([revision(1, "Storm closes all schools")], from: feed)
        #expect(try store.unread().count == 2)
        // A live page's posts come together.
        let posts = [revision(3, "One", of: "c2"), revision(4, "Two", of: "c2")]
        try store.bring(posts, from: feed)
        #expect(try store.unread().count == 4)
    }

    /// A refresh takes minutes, and nothing keeps its reader from removing and adding feeds meanwhile.
    @Test func aFeedThatWasRemovedMeanwhileIsNotWritten() throws {
        let first = try store.follow("https://a.example/feed")
        var last = try store.follow("https://b.example/feed")
        #expect(try store.removeFeed(last.id))
        last.address = "https://b.example/moved"
        let updates = [
            FetchedFeed(feed: last, contents: FeedContents(entries: [entry("b")])),
            FetchedFeed(feed: first, contents: FeedContents(entries: [entry("a")])),
        ]
        #expect(try store.record(updates, at: noon) == 1)
        #expect(try store.feeds().map(\.feed.address) == ["https://a.example/feed"])
        // Another has its id now.
        let other = Feed(address: "https://c.example/feed", title: "C", addedAt: noon.addingTimeInterval(0.001))
        #expect(try store.add([other]).map(\.id) == [last.id])
        #expect(try store.record(updates, at: noon) == 0)
        #expect(try store.feeds().map(\.feed.address) == ["https://a.example/feed", "https://c.example/feed"])
        #expect(try store.waitingIDs() == ["a"])
    }

    @Test func removingAFeedRemovesWhatWaitsInItAndNothingElse() throws {
        let feed = try store.follow("https://a.example/feed")
        let other = try store.follow("https://b.example/feed")
        try store.bring([entry("a"), entry("b")], from: feed)
        try store.bring([entry("c")], from: other)
        _ = try store.record([reading(article("a"))])
        #expect(try store.removeFeed(feed.id))
        #expect(try !store.removeFeed(feed.id))
        #expect(try store.waitingIDs() == ["c"])
        #expect(try store.list(limit: 9).map(\.article.id) == ["a"])
    }

    // MARK: - Retention

    @Test func whatNobodyReadGoesAndStaysAway() throws {
        let feed = try store.follow("https://a.example/feed")
        let day = 86_400.0
        let page = "https://a.example/read"
        try store.bring([entry("a"), entry("read", url: page)], from: feed)
        _ = try store.record([reading("read")])
        func expire(after days: Double) throws -> Int {
            let now = noon.addingTimeInterval(days * day)
            return try store.expireEntries(fetchedBefore: now.addingTimeInterval(-30 * day), memory: 30 * day)
        }
        #expect(try expire(after: 30) == 0)
        #expect(try expire(after: 31) == 1)
        #expect(try expire(after: 31) == 0)
        #expect(try store.waitingIDs().isEmpty && store.unread().isEmpty)
        // What was read is in the history, and no second time here.
        #expect(try store.findEntry("a") == .none && store.findEntry("read") == .none)
        #expect(try store.connection.integer("SELECT count(*) FROM entries WHERE content <> ''") == 0)
        #expect(try store.list(limit: 9).count == 1)
        // While its feed still has it, it does not come back; nor where another feed brings it.
        #expect(try store.bring([entry("a")], from: feed, at: noon.addingTimeInterval(32 * day)) == 0)
        #expect(try store.bring([entry("x", title: "Title of read", url: page)], from: feed) == 0)
        let other = try store.follow("https://a.example/world")
        #expect(try store.bring([entry("a")], from: other, at: noon.addingTimeInterval(32 * day)) == 0)
        #expect(try store.waitingIDs().isEmpty)
        // It is forgotten a month after the feed dropped it.
        try store.bring([entry("b")], from: feed, at: noon.addingTimeInterval(62 * day))
        _ = try expire(after: 62)
        #expect(try store.connection.integer("SELECT count(*) FROM entries WHERE state = 'gone' AND feed = 1") == 1)
        try store.bring([entry("b")], from: feed, at: noon.addingTimeInterval(63 * day))
        _ = try expire(after: 63)
        #expect(try store.connection.integer("SELECT count(*) FROM entries WHERE state = 'gone' AND feed = 1") == 0)
    }

    @Test func whatIsRemovedFromTheHistoryIsRemovedFromItsFeeds() throws {
        let feeds = try ["a", "b", "c"].map { try store.follow("https://\($0).example/feed") }
        let page = "https://a.example/story"
        let read = reading(article("1", url: page + "?utm_source=x"), at: hoursAgo(5))
        func isGone() throws -> Bool {
            try ["1", "2", "3", page].allSatisfy { try store.findEntry($0) == .none } && store.waitingIDs() == ["other"]
        }
        try store.bring([entry("1", url: page), entry("other", url: page + "/other")], from: feeds[0])
        try store.bring([entry("2", url: page)], from: feeds[1])
        _ = try store.record([read])
        #expect(try store.remove("1", at: noon))
        #expect(try isGone())
        // No import brings it back, nor a feed.
        #expect(try store.record([read]).removed == 1)
        #expect(try isGone())
        for (feed, id) in zip(feeds, ["1", "2", "3"]) {
            #expect(try store.bring([entry(id, url: page)], from: feed) == 0)
        }
        #expect(try isGone())
        // Read once more, it is in the history alone.
        _ = try store.record([reading(read.article, at: noon.addingTimeInterval(60))])
        #expect(try store.list(limit: 9).map(\.article.id) == ["1"] && isGone())
    }

    /// Be it under another id, after it was forgotten, or in a feed that is followed only now.
    @Test func noFeedBringsBackWhatWasRemoved() throws {
        let feeds = try ["a", "b"].map { try store.follow("https://\($0).example/feed") }
        let page = "https://a.example/story"
        let day = 86_400.0
        func fetch(_ id: String, _ title: String, after days: Double = 0, from feed: Feed) throws -> Int {
            try store.bring(
                [entry(id, title: title, url: page)], from: feed, at: noon.addingTimeInterval(days * day))
        }
        #expect(try fetch("1", "T", from: feeds[0]) == 1)
        _ = try store.record([reading(article("1", title: "T", url: page))])
        #expect(try store.remove("1", at: noon))
        #expect(try fetch("2", "T", from: feeds[0]) == 0)
        #expect(try store.connection.integer("SELECT count(*) FROM entries WHERE page IS NOT NULL") == 1)
        // It is forgotten a month after the feed dropped it.
        try store.bring([entry("b")], from: feeds[0], at: noon.addingTimeInterval(31 * day))
        _ = try store.expireEntries(fetchedBefore: noon, memory: 30 * day)
        #expect(try store.connection.integer("SELECT count(*) FROM entries") == 1)
        #expect(try fetch("1", "T", after: 32, from: feeds[0]) == 0)
        #expect(try store.removeFeed(feeds[0].id))
        for id in ["1", "3"] { #expect(try fetch(id, "T", after: 33, from: feeds[1]) == 0) }
        #expect(try store.waitingIDs().isEmpty && store.unread().isEmpty)
        #expect(try store.connection.integer("SELECT count(*) FROM entries WHERE title <> ''") == 0)
        // Another article of that page is another article.
        #expect(try fetch("4", "Another", after: 33, from: feeds[1]) == 1)
    }

    @Test func clearingForgetsFeedsToo() throws {
        let feed = try store.follow("https://a.example/feed")
        try store.bring([entry("a")], from: feed)
        _ = try store.clear()
        #expect(try store.feeds().isEmpty && store.unread().isEmpty)
        #expect(try store.follow("https://a.example/feed").id == 1)
    }
}
