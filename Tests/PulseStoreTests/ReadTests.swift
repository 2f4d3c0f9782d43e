import Foundation
import PulseCore
import PulseSQL
import Testing

@testable import PulseStore

@Suite struct ReadTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func aPeriodHoldsItsEndsAndComesNewestFirst() throws {
        let store = try scratch.open()
        _ = try store.record([
            reading("too old", at: hoursAgo(48.001)), reading("first instant", at: hoursAgo(48)),
            reading("b", at: hoursAgo(5)), reading("a", at: hoursAgo(5)), reading("last instant", at: noon),
            reading("too new", at: hoursAgo(-0.001)),
        ])
        let window = try store.readings(in: Period(hours: 48, endingAt: noon))
        #expect(window.map(\.article.id) == ["last instant", "a", "b", "first instant"])
    }

    @Test func anEmptyHistoryIsEmpty() throws {
        let store = try scratch.open()
        #expect(try store.readings(in: Period(hours: 48, endingAt: noon)).isEmpty)
        #expect(try store.list(limit: 10).isEmpty)
        #expect(try store.find("abcd") == .none)
        #expect(try store.clear() == 0)
    }

    @Test func pagesFollowOneAnotherWithoutGapOrRepeat() throws {
        let store = try scratch.open()
        // Three share each instant, so that pages end in the middle of ties.
        _ = try store.record((0..<25).map { reading("id-\($0)", at: hoursAgo(Double($0 / 3))) })
        let whole = try store.list(limit: 100)
        #expect(whole.count == 25)
        var pages: [Reading] = []
        var last: Reading?
        repeat {
            let page = try store.list(limit: 4, after: last)
            pages += page
            last = page.last
        } while last != nil
        #expect(pages == whole)
        #expect(try store.list(limit: 0).isEmpty)
        #expect(try store.list(limit: -1).isEmpty)
    }

    @Test func anArticleIsFoundByIdKeyPrefixAndURL() throws {
        let store = try scratch.open()
        let wanted = reading(article("world/2026/a", url: "https://example.org/a"))
        _ = try store.record([wanted, reading("other")])
        let key = wanted.article.key
        for reference in [
            wanted.article.id, "https://example.org/a", key, key.uppercased(), String(key.prefix(7)),
            String(key.prefix(4)), "world/2026", "worl",
        ] {
            #expect(try store.find(reference) == .one(wanted), "\(reference)")
        }
        for reference in [
            "", "nothing", String(key.prefix(3)), key + "0", "wor", "world/2027", "World", "%", "https://example.org/",
        ] {
            #expect(try store.find(reference) == .none, "\(reference)")
        }
    }

    @Test func aPrefixOfSeveralKeysListsThem() throws {
        let store = try scratch.open()
        _ = try store.record([reading("a", at: hoursAgo(1)), reading("b", at: hoursAgo(2)), reading("c")])
        try store.connection.execute("UPDATE articles SET key = 'abcd0000000000' || id")
        try store.connection.execute("UPDATE articles SET key = 'ffff000000000000' WHERE identifier = 'c'")
        #expect(try store.find("abcd") == .ambiguous([reading("a", at: hoursAgo(1)), reading("b", at: hoursAgo(2))]))
        #expect(try store.find("ffff") == .one(reading("c")))
    }

    @Test func anIdWinsOverAKeyThatLooksLikeIt() throws {
        let store = try scratch.open()
        let other = reading("some article")
        let named = reading(article(String(other.article.key.prefix(8))))
        _ = try store.record([other, named])
        #expect(try store.find(named.article.id) == .one(named))
    }

    @Test func ambiguityIsListedUpToALimit() throws {
        let store = try scratch.open()
        _ = try store.record((0..<50).map { reading("id-\($0)") })
        try store.connection.execute("UPDATE articles SET key = 'abcd'")
        guard case .ambiguous(let candidates) = try store.find("abcd") else {
            Issue.record("not ambiguous")
            return
        }
        #expect(candidates.count == Store.mostCandidates)
    }
}
