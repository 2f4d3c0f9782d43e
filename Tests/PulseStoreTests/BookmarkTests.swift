import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseStore

/// What is kept for later, and what the reader takes away.
@Suite(.timeLimit(.minutes(20))) final class BookmarkTests: StoreSuite {
    private func bookmark(_ id: String, at date: Date? = noon, url: String? = nil, content: String = "") -> Bookmark {
        Bookmark(article: article(id, url: url, content: content), savedAt: date)
    }

    @Test func whatWasNotReadIsInNoListOfWhatWas() throws {
        _ = try store.record([reading("read")])
        #expect(try store.keep([bookmark("later")], origin: "freshrss", at: noon) == 1)
        #expect(try store.statistics().articles == 1)
        #expect(try store.list(limit: 9).map(\.article.id) == ["read"])
        #expect(try store.found("title", limit: 9).map(\.article.id) == ["read"])
        #expect(try store.find("later") == .none)
        #expect(try store.readings(in: Period(hours: 48, endingAt: noon)).count == 1)
    }

    @Test func oneOfSeveralSourcesIsOneAndComesBackWhole() throws {
        var whole = article("a", url: "https://x.example/a", summary: "Teaser.", content: "Long text.")
        whole.author = "Ana"
        whole.language = "pt"
        whole.publishedAt = hoursAgo(9)
        #expect(try store.keep([Bookmark(article: whole, savedAt: nil)], origin: "one", at: noon) == 1)
        #expect(try store.bookmarks() == [Bookmark(article: whole, savedAt: nil)])
        #expect(try store.keep([bookmark("b", at: hoursAgo(2), url: whole.url)], origin: "two", at: noon) == 0)
        #expect(try store.keep([Bookmark(article: whole, savedAt: hoursAgo(1))], origin: "one", at: noon) == 0)
        #expect(try store.bookmarks() == [Bookmark(article: whole, savedAt: hoursAgo(2))])
    }

    @Test func theLatestIsFirst() throws {
        let bookmarks = [bookmark("old", at: hoursAgo(50)), bookmark("new", at: hoursAgo(1)), bookmark("no", at: nil)]
        _ = try store.keep(bookmarks, origin: "x", at: hoursAgo(10))
        #expect(try store.bookmarks().map(\.article.id) == ["new", "no", "old"])
    }

    @Test func whatWasRemovedComesBackOnlyWhenItIsWanted() throws {
        _ = try store.keep([bookmark("a")], origin: "x", at: noon)
        #expect(try store.removeBookmarks(["a", "none"], at: noon) == 1)
        #expect(try store.keep([bookmark("a"), bookmark("b")], origin: "x", at: noon) == 1)
        #expect(try store.bookmarks().map(\.article.id) == ["b"])
        #expect(try store.keep([bookmark("a")], origin: "x", at: noon, isWanted: true) == 1)
        #expect(try store.keep([bookmark("a")], origin: "x", at: noon) == 0)
        #expect(try store.bookmarks().count == 2)
    }

    // MARK: - Removing from the history

    @Test func nothingOfARemovedArticleIsLeftInTheFiles() throws {
        let secret = "xyzzysecret"
        let text = String(repeating: "\(secret) and more. ", count: 500)
        _ = try store.record((0..<30).map { reading(article("id-\($0)", content: "some text for \($0)")) })
        _ = try store.record([
            reading(article(secret, title: secret, url: "https://x.example/\(secret)", content: text)),
            reading(article("other-\(secret)", title: secret, url: "https://x.example/\(secret)"), origin: "two"),
        ])
        try store.keep(CachedAnswer(text: secret, isCut: false), for: CachedAnswerTests.key(), at: noon)
        // Its title was printed, its text was not.
        let shown = reading(article("shown", title: "A title", content: text))
        _ = try store.record([shown])
        let digest = Digest(
            date: noon, period: Period(hours: 24, endingAt: noon), language: .english,
            sections: [Digest.Section(heading: .more, entries: [Digest.Entry(story: Story([shown]), sentences: [])])])
        try store.keep(digest, calendar: .gregorian(in: .gmt))
        #expect(try store.remove("shown", at: noon) && store.isRemoved(shown.article))
        #expect(try store.latestPrinted()?.stories.map(\.lead.title) == ["A title"])
        _ = try store.connection.integer("PRAGMA wal_checkpoint(TRUNCATE)")
        #expect(try store.remove("other-" + secret, at: noon))
        #expect(try !store.remove(secret, at: noon))
        #expect(try store.statistics().articles == 30)
        #expect(try store.found(secret, limit: 9).isEmpty && store.found("text", limit: 99).count == 30)
        #expect(try store.answer(for: CachedAnswerTests.key()) == nil && store.indexIsSound())
        #expect(try !scratch.holds(secret))
    }

    @Test func aRemovedArticleStaysAwayUntilItIsReadAgain() throws {
        let read = reading(article("a", url: "https://x.example/a/?utm_source=rss"), at: hoursAgo(5))
        _ = try store.record([read])
        #expect(try store.remove("a", at: noon))
        #expect(try store.record([read]) == ImportCounts(removed: 1))
        // Another source knows it by another id, and another address of the same page.
        let elsewhere = article("b", title: read.article.title, url: "http://x.example/a#top")
        #expect(try store.record([reading(elsewhere, at: hoursAgo(5))]) == ImportCounts(removed: 1))
        let frontPage = article("c", title: "Another", url: "https://x.example/a")
        #expect(try store.record([reading(frontPage, at: hoursAgo(5))]) == ImportCounts(added: 1))
        #expect(try store.record([reading(read.article, at: noon.addingTimeInterval(60), isExact: false)]).removed == 1)
        #expect(try store.record([reading(read.article, at: noon.addingTimeInterval(60))]).total == 1)
    }

    // MARK: - Addresses

    @Test(arguments: [
        "https://x.example/a", "http://x.example/a", "https://x.example/a/", "https://X.example:443/a#part",
        "https://x.example/a?utm_source=feed&utm_medium=rss", "http://x.example:80/a?fbclid=1",
    ])
    func aPageIsFoundByAnyOfItsAddresses(stored: String) throws {
        let other = reading(article("other", url: "https://x.example/a/b"), at: hoursAgo(1))
        _ = try store.record([reading(article("one", url: stored)), other])
        for asked in [stored, "https://x.example/a", "HTTP://x.example/a/?utm_campaign=2#x"] where !stored.contains("X")
        {
            #expect(try store.find(asked).reading?.article.id == "one", "\(asked) of \(stored)")
        }
        #expect(try store.find("https://x.example/a?page=2") == .none)
    }
}
