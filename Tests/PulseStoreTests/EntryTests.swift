import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseStore

/// What feeds brought.
@Suite(.timeLimit(.minutes(20))) final class EntryTests: StoreSuite {
    @Test func anEntryIsNewOnce() throws {
        let feed = try store.follow("https://a.example/feed", folder: "News/World")
        #expect(try store.bring([entry("a"), entry("b")], from: feed) == 2)
        #expect(try store.bring([entry("a"), entry("b"), entry("c")], from: feed) == 1)
        let readings = try store.waiting(in: everything)
        #expect(readings.map(\.article.id) == ["a", "b", "c"])
        #expect(readings.allSatisfy { $0.basis == .unread && $0.article.category == Category("world") })
        #expect(try store.list(limit: 9).isEmpty, "what came in was not read")
        #expect(try store.feeds().map { [$0.new, $0.unread, $0.entries] } == [[3, 3, 3]])
    }

    @Test func aTextThatChangesIsTheSameEntry() throws {
        let feed = try store.follow("https://a.example/feed")
        try store.bring([entry("a", content: "Long text.")], from: feed)
        try store.markDelivered(["a"], entriesTo: EntryRecipient(), at: noon)
        #expect(try store.bring([entry("a", title: "Corrected", content: "Short.")], from: feed) == 0)
        #expect(try store.waitingIDs().isEmpty)
        #expect(try store.unread().map { [$0.article.title, $0.article.content] } == [["Corrected", "Short."]])
    }

    /// Some programs give their entries new ids, and some feeds link every entry to one page.
    @Test func anArticleIsKnownByItsPageAndItsTitle() throws {
        let feed = try store.follow("https://a.example/feed")
        let page = "https://a.example/story"
        #expect(try store.bring([entry("1", title: "T", url: page)], from: feed) == 1)
        #expect(try store.bring([entry("2", title: "T", url: page + "?utm_source=rss")], from: feed) == 0)
        #expect(try store.bring([entry("3", title: "Another", url: page)], from: feed) == 1)
        #expect(try store.waitingIDs() == ["1", "3"])
        // Now the page names none of them, nor what comes later, be it at once or with other refreshes.
        let later = ["4", "5"].map { entry($0, title: "Title \($0)", url: page + "#\($0)") }
        #expect(try store.bring(later, from: feed) == 2)
        #expect(try store.bring([entry("6", title: "Title 6", url: page)], from: feed) == 1)
        #expect(try store.bring([entry("7", title: "Title 6", url: page)], from: feed) == 0)
        _ = try store.record([reading(article("x", title: "Another", url: page))])
        #expect(try store.waitingIDs() == ["1", "3", "4", "5", "6"])
        #expect(try store.list(limit: 9).map(\.article.content) == [""])
    }

    @Test func anArticleOfTwoFeedsOfAServerIsOne() throws {
        let first = try store.follow("https://a.example/feed")
        let second = try store.follow("https://a.example/world")
        let page = "https://www.a.example/x"
        #expect(try store.bring([entry("1", title: "T", url: page, content: "Teaser")], from: first) == 1)
        let longer = entry("2", title: "T", url: "http://www.a.example/x/", content: "The whole text")
        #expect(try store.bring([longer], from: second) == 0)
        let waits = try store.waiting(in: everything)
        #expect(waits.map(\.article.id) == ["1"] && waits.map(\.article.content) == ["The whole text"])
        try store.markDelivered(["1"], entriesTo: EntryRecipient(), at: noon)
        #expect(try store.waitingIDs().isEmpty)
        #expect(try store.feeds().map(\.new) == [0, 0])
        // What a third feed brings later was told already.
        let third = try store.follow("https://a.example/sport")
        #expect(try store.bring([entry("3", title: "T", url: page)], from: third) == 0)
        #expect(try store.waitingIDs().isEmpty)
        // Seen in one, it is seen in all.
        #expect(try store.mark(.new, feeds: nil) == 3)
        #expect(try store.mark(.seen, feeds: [first.id]) == 1)
        #expect(try store.waitingIDs().isEmpty)
    }

    /// Two feeds have it under one id, the second at another address, by which the third knows it.
    @Test func whatConnectsTwoEntriesConnectsAThird() throws {
        let feeds = try ["feed", "world", "sport"].map { try store.follow("https://a.example/\($0)") }
        let other = entry("other", url: "https://a.example/other")
        try store.bring([entry("1", title: "T", url: "https://a.example/x"), other], from: feeds[0])
        let moved = "https://a.example/y"
        #expect(try store.bring([entry("1", title: "T", url: moved)], from: feeds[1]) == 0)
        let longest = entry("3", title: "T", url: moved, content: "The whole text")
        #expect(try store.bring([longest], from: feeds[2]) == 0)
        let waits = try store.waiting(in: everything).sorted { $0.article.id < $1.article.id }
        #expect(waits.map(\.article.id) == ["1", "other"] && waits.map(\.article.title) == ["T", "Title of other"])
        #expect(waits.map(\.article.content) == ["The whole text", "Text."])
    }

    /// Another server may link to its pages and use its ids, with its titles or others, and be told of before it.
    @Test(arguments: ["T", "Another"], ["1", "2"])
    func whatAnotherServerClaimsIsItsOwn(title: String, id: String) throws {
        let evil = try store.follow("https://evil.example/feed")
        let honest = try store.follow("https://a.example/feed")
        let page = "https://a.example/x"
        #expect(try store.bring([entry(id, title: title, url: page, content: "Long lies.")], from: evil) == 1)
        try store.markDelivered([id], entriesTo: EntryRecipient(), at: noon)
        _ = try store.mark(.seen, feeds: [evil.id])
        let own = entry("1", title: "T", url: page, content: "True.")
        #expect(try store.bring([own], from: honest) == 1)
        #expect(try store.bring([own], from: honest) == 0, "it is known again")
        let waits = try store.waiting(in: everything)
        #expect(waits.map(\.article.content) == ["True."])
        try store.markDelivered(Set(waits.map(\.article.id)), entriesTo: EntryRecipient(), at: noon)
        #expect(try store.waitingIDs().isEmpty)
        _ = try store.mark(.new, feeds: [evil.id])
        #expect(try store.waiting(in: everything).map(\.article.content) == ["Long lies."])
        // Whoever reads the page has read it.
        _ = try store.record([reading(article("x", title: "T", url: page))])
        #expect(try store.unread().isEmpty)
        let texts = try store.list(limit: 9).map(\.article.content)
        #expect(texts == ["True."] || title == "T", "\(texts)")
    }

    /// Some feeds give all that they have a new id and a new link each time.
    @Test func anEntryIsKnownByItsTitleAndItsText() throws {
        let feed = try store.follow("https://a.example/feed")
        func fetch(_ number: Int) throws -> Int {
            let long = entry("\(number)-a", title: "A", url: "https://a.example/\(number)/a")
            let empty = entry("\(number)-b", title: "B", url: "https://a.example/\(number)/b", content: "")
            return try store.bring([long, empty], from: feed)
        }
        #expect(try fetch(1) == 2 && fetch(2) == 0 && fetch(3) == 0)
        #expect(try store.connection.integer("SELECT count(*) FROM entries") == 2)
        #expect(try store.bring([entry("4", title: "A", content: "Another text.")], from: feed) == 1)
        let other = try store.follow("https://b.example/feed")
        #expect(try store.bring([entry("5", title: "A")], from: other) == 1)
    }

    @Test func ofANewFeedWhatIsOldCountsAsSeen() throws {
        let feed = try store.follow("https://a.example/feed")
        let entries = [
            entry("old", published: hoursAgo(24 * 8)), entry("late", published: hoursAgo(24 * 6)), entry("undated"),
        ]
        #expect(try store.bring(entries, from: feed) == 2)
        #expect(try store.waitingIDs() == ["late", "undated"])
        // Later, whatever comes is new.
        #expect(try store.bring([entry("older", published: hoursAgo(24 * 99))], from: feed) == 1)
        #expect(try store.waitingIDs() == ["late", "older", "undated"])
    }

    // MARK: - Told, read, seen

    @Test func whatWasReadWaitsNoMore() throws {
        let feed = try store.follow("https://a.example/feed")
        let entries = [
            entry("by-id"), entry("by-url", url: "https://a.example/1?utm_source=feed", content: "A long text."),
            entry("front", url: "https://a.example/"), entry("stays"),
        ]
        try store.bring(entries, from: feed)
        _ = try store.record([
            reading(article("by-id")), reading(article("other", url: "http://a.example/1/", summary: "S")),
            reading(article("home", url: "https://a.example/")),
        ])
        #expect(try store.waitingIDs() == ["front", "stays"])
        // One row: it has the feed's text and both ids.
        let found = try #require(try store.find("by-url").reading?.article)
        #expect(found.id == "other" && found.content == "A long text.")
        #expect(try store.feeds().map { [$0.new, $0.unread, $0.entries] } == [[2, 2, 4]])
    }

    @Test func whatWasReadBeforeItCameDoesNotWait() throws {
        let feed = try store.follow("https://a.example/feed")
        _ = try store.record([reading("a"), reading(article("b", url: "https://a.example/b"))])
        #expect(
            try store.bring([entry("a"), entry("x", url: "http://a.example/b#top"), entry("c")], from: feed) == 1)
        #expect(try store.waitingIDs() == ["c"])
    }

    /// Some sites have one path for all that they publish, and tell the articles apart by what follows it.
    @Test(arguments: ["https://a.example/?p=", "https://a.example/item?id="])
    func aPageIsFoundAmongManyOfItsPath(path: String) throws {
        let feed = try store.follow("https://a.example/feed")
        _ = try store.record((1...1100).map { reading(article("read\($0)", url: "\(path)\($0)")) })
        let found = try store.find("http://a.example\(path.dropFirst(17))999#x")
        #expect(found.reading?.article.id == "read999")
        try store.bring([entry("x", url: "https://a.example/item?id=999")], from: feed)
        #expect(try store.waitingIDs().isEmpty == path.contains("item"))
    }

    @Test func aDigestThatIsMadeOnceMoreHasTheSame() throws {
        let feed = try store.follow("https://a.example/feed")
        try store.bring([entry("a"), entry("b")], from: feed, at: hoursAgo(5))
        try store.markDelivered(["a"], entriesTo: EntryRecipient(), at: hoursAgo(1))
        #expect(try store.waitingIDs() == ["b"])
        #expect(
            try store.waiting(in: everything, repeating: hoursAgo(2)).map(\.article.id).sorted() == ["a", "b"])
        #expect(try store.waiting(in: everything, repeating: noon).map(\.article.id) == ["b"])
        #expect(try store.waiting(in: Period(hours: 1, endingAt: noon)).isEmpty)
    }

    /// What was told to one reader waits for all others; to be done with it, or to begin anew, is for all.
    @Test func eachReaderIsToldOnce() throws {
        let first = try store.follow("https://a.example/feed")
        let second = try store.follow("https://a.example/world")
        try store.bring([entry("a", url: "https://a.example/a"), entry("b"), entry("c")], from: first)
        func waiting(_ profile: String, _ recipient: String? = nil) throws -> [String] {
            try store.waiting(in: everything, for: EntryRecipient(profile: profile, recipient: recipient))
                .map(\.article.id).sorted()
        }
        let ana = EntryRecipient(profile: "ana", recipient: "ana@example.org")
        try store.markDelivered(["a", "b"], entriesTo: ana, at: noon)
        try store.markDelivered(["b", "c"], entriesTo: EntryRecipient(), at: noon)
        #expect(try waiting("ana", "ana@example.org") == ["c"] && waiting("", "ana@example.org") == ["c"])
        #expect(try waiting("") == ["a"])
        // What is printed is taken from no mail, nor one's mail from what is printed, nor from another's.
        for reader in ["ana", "ben", "an"] { #expect(try waiting(reader) == ["a", "b", "c"]) }
        #expect(try waiting("", "you@example.org") == ["a", "b", "c"])
        #expect(try waiting("ana", "anna@example.org") == ["a", "b", "c"])
        #expect(try store.feeds().map { [$0.new, $0.unread] } == [[0, 3], [0, 0]])
        // Another feed brings one of them under another name: Ana was told of it.
        try store.bring([entry("x", title: "Title of a", url: "https://a.example/a")], from: second)
        #expect(try waiting("ana", "ana@example.org") == ["c"])
        // Her mail never arrived.
        try store.unmarkDelivered(["a"], entriesFrom: ana)
        #expect(try waiting("ana", "ana@example.org") == ["a", "c"] && waiting("") == ["a"])
        _ = try store.mark(.seen, feeds: [first.id])
        #expect(try waiting("ben") == [])
        #expect(try store.mark(.new, feeds: nil) == 4)
        #expect(try waiting("ana") == ["a", "b", "c"] && waiting("") == ["a", "b", "c"])
        _ = try store.record([reading("b")])
        #expect(try waiting("ana") == ["a", "c"])
    }

    @Test func markingIsForSomeFeedsOrForAllAndCanBeUndone() throws {
        let first = try store.follow("https://a.example/feed")
        let second = try store.follow("https://b.example/feed")
        try store.bring([entry("a"), entry("read")], from: first)
        try store.bring([entry("b")], from: second)
        _ = try store.record([reading("read")])
        #expect(try store.mark(.seen, feeds: [first.id]) == 1)
        #expect(try store.waitingIDs() == ["b"])
        try store.markDelivered(["b"], entriesTo: EntryRecipient(), at: noon)
        #expect(try store.mark(.new, feeds: nil) == 2)
        #expect(try store.waitingIDs() == ["a", "b"], "what was read stays read")
        #expect(try store.mark(.seen, feeds: nil) == 2)
        #expect(try store.unread().isEmpty)
    }

    @Test func anEntryIsFoundByWhatPeopleCallIt() throws {
        let feed = try store.follow("https://a.example/feed")
        try store.bring([entry("tag:a.example,2026:1", url: "https://a.example/x")], from: feed)
        let key = ArticleKey.make(from: "tag:a.example,2026:1")
        for name in ["tag:a.example,2026:1", "http://a.example/x?fbclid=1", String(key.prefix(7)), "tag:a.e"] {
            let found = try #require(try store.findEntry(name).reading, "\(name)")
            #expect(found.article.id == "tag:a.example,2026:1" && found.basis == .unread)
        }
        #expect(try store.findEntry("tag:b") == .none && store.findEntry("tag") == .none)
    }
}
