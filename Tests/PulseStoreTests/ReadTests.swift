import Foundation
import PulseCore
import PulsePlatform
import Testing

@testable import PulseStore

@Suite(.timeLimit(.minutes(20))) final class ReadTests: StoreSuite {
    @Test func aPeriodHoldsItsEndsAndComesNewestFirst() throws {
        _ = try store.record([
            reading("too old", at: hoursAgo(48.001)), reading("first instant", at: hoursAgo(48)),
            reading("b", at: hoursAgo(5)), reading("a", at: hoursAgo(5)), reading("last instant", at: noon),
            reading("too new", at: hoursAgo(-0.001)),
        ])
        let window = try store.readings(in: Period(hours: 48, endingAt: noon))
        #expect(window.map(\.article.id) == ["last instant", "a", "b", "first instant"])
    }

    @Test func anEmptyHistoryIsEmpty() throws {
        #expect(try store.readings(in: Period(hours: 48, endingAt: noon)).isEmpty)
        #expect(try store.list(limit: 10).isEmpty)
        #expect(try store.find("abcd") == .none)
        #expect(try store.clear() == 0)
    }

    @Test func aListIsTheNewestOfWhatIsAskedFor() throws {
        _ = try store.record(
            (0..<6).map { number in
                var reading = reading("id-\(number)", at: hoursAgo(Double(number)))
                reading.article.category = Category(number.isMultiple(of: 2) ? "world" : "sports")
                reading.article.source = number < 3 ? "The Herald" : "Post"
                return reading
            })
        func ids(_ limit: Int, _ since: Date? = nil, _ category: String? = nil, _ source: String? = nil) throws
            -> String
        {
            try store.list(limit: limit, since: since, category: category.map { Category($0) }, source: source)
                .map { String($0.article.id.suffix(1)) }.joined()
        }
        #expect(try ids(9) == "012345")
        #expect(try ids(2) == "01")
        #expect(try ids(0).isEmpty && ids(-1).isEmpty)
        #expect(try ids(9, hoursAgo(3)) == "0123")
        #expect(try ids(9, nil, "World") == "024")
        #expect(try ids(9, hoursAgo(3), "world", "The Herald") == "02")
        #expect(try ids(9, nil, nil, "Nobody").isEmpty)
    }

    @Test func anArticleIsFoundByIdKeyPrefixAndURL() throws {
        let wanted = reading(article("world/2026/a", url: "https://example.org/a"))
        _ = try store.record([wanted, reading("other")])
        let key = wanted.article.key
        for reference in [
            wanted.article.id, "https://example.org/a", key, key.uppercased(), String(key.prefix(7)),
            String(key.prefix(4)), "world/2026", "worl",
        ] { #expect(try store.find(reference) == .one(wanted), "\(reference)") }
        for reference in [
            "", "nothing", String(key.prefix(3)), key + "0", "wor", "world/2027", "World", "%", "https://example.org/",
        ] { #expect(try store.find(reference) == .none, "\(reference)") }
    }

    @Test func aPrefixOfSeveralKeysListsThem() throws {
        _ = try store.record([reading("a", at: hoursAgo(1)), reading("b", at: hoursAgo(2)), reading("c")])
        try store.connection.execute("UPDATE articles SET key = 'abcd0000000000' || id")
        try store.connection.execute("UPDATE articles SET key = 'ffff000000000000' WHERE identifier = 'c'")
        #expect(try store.find("abcd") == .ambiguous([reading("a", at: hoursAgo(1)), reading("b", at: hoursAgo(2))]))
        #expect(try store.find("ffff") == .one(reading("c")))
    }

    @Test func anIdWinsOverAKeyThatLooksLikeIt() throws {
        let other = reading("some article")
        let named = reading(article(String(other.article.key.prefix(8))))
        _ = try store.record([other, named])
        #expect(try store.find(named.article.id) == .one(named))
    }

    @Test func ambiguityIsListedUpToALimit() throws {
        _ = try store.record((0..<50).map { reading("id-\($0)") })
        try store.connection.execute("UPDATE articles SET key = 'abcd'")
        guard case .ambiguous(let candidates) = try store.find("abcd") else {
            Issue.record("not ambiguous")
            return
        }
        #expect(candidates.count == Store.mostCandidates)
    }
}
