import Foundation
import PulseCore
import PulsePlatform
import PulseTestSupport
import Testing

@testable import PulseStore

/// What an encoder made of articles, kept beside them.
@Suite(.timeLimit(.minutes(5))) final class VectorTests: StoreSuite {
    private func vectors(in scope: SearchFilter = SearchFilter(), form: Int = 1) throws -> [String: [UInt8]] {
        var found: [Int64: [UInt8]] = [:]
        try store.eachVector(form: form, in: scope) { found[$0] = Array($1) }
        let readings = try store.readings(inRows: found.keys.sorted())
        return Dictionary(
            uniqueKeysWithValues: zip(readings.map(\.article.id), found.sorted { $0.key < $1.key }.map(\.value)))
    }

    private func makeAll() throws {
        let all = try store.withoutVectors(form: 1, limit: 100)
        try store.keepVectors(all.map { ($0.row, $0.article, Array($0.article.id.utf8)) }, form: 1)
    }

    @Test func theNewestComeFirst() throws {
        _ = try store.record([reading("old", at: hoursAgo(5)), reading("new"), reading("mid", at: hoursAgo(2))])
        #expect(try store.countWithoutVectors(form: 1) == 3)
        #expect(try store.withoutVectors(form: 1, limit: 2).map(\.article.id) == ["new", "mid"])
        try makeAll()
        #expect(try store.countWithoutVectors(form: 1) == 0)
        #expect(try vectors() == ["old": Array("old".utf8), "new": Array("new".utf8), "mid": Array("mid".utf8)])
        // Of another form they are none.
        #expect(try store.countWithoutVectors(form: 2) == 3)
        #expect(try vectors(form: 2).isEmpty)
    }

    @Test func theyGoWithTheText() throws {
        _ = try store.record([reading(article("a", content: "Short.")), reading("b"), reading("c")])
        let before = try store.withoutVectors(form: 1, limit: 10)
        try makeAll()
        _ = try store.record([reading(article("a", content: "It is a longer text now."))])
        _ = try store.remove("b", at: noon)
        #expect(try vectors().keys.sorted() == ["c"])
        // What was made of the old text is not kept any more, nor of what is gone.
        try store.keepVectors(before.map { ($0.row, $0.article, [1]) }, form: 1)
        #expect(try vectors().keys.sorted() == ["c"])
        _ = try store.clear()
        #expect(try vectors().isEmpty)
        #expect(try store.countWithoutVectors(form: 1) == 0)
    }

    @Test func aScopeLimits() throws {
        _ = try store.record([
            reading(article("a", source: "Público"), at: hoursAgo(1)),
            reading(article("b", category: Category("science")), at: hoursAgo(50)), reading("c", at: hoursAgo(2)),
        ])
        try makeAll()
        func ids(_ scope: SearchFilter) throws -> [String] { try vectors(in: scope).keys.sorted() }
        #expect(try ids(SearchFilter(sources: ["publico"])) == ["a"])
        #expect(try ids(SearchFilter(category: Category("science"))) == ["b"])
        #expect(try ids(SearchFilter(period: Period(hours: 10, endingAt: noon))) == ["a", "c"])
        #expect(try ids(SearchFilter(period: Period(hours: 10, endingAt: noon), sources: ["Público"])) == ["a"])
    }

    @Test func theRarestWordsMatchBest() throws {
        _ = try store.record([
            reading(article("a", title: "Ferry strike", content: "The ferries of Calder stay in the harbour.")),
            reading(article("b", title: "Budget", content: "The harbour costs money.")),
            reading(article("c", title: "Weather", content: "Rain.")),
        ])
        try store.index()
        func shares(_ words: [String], _ scope: SearchFilter = SearchFilter()) throws -> [String: Double] {
            let shares = try store.shares(of: words, in: scope).sorted { $0.key < $1.key }
            return Dictionary(
                uniqueKeysWithValues: zip(
                    try store.readings(inRows: shares.map(\.key)).map(\.article.id), shares.map(\.value)))
        }
        let found = try shares(["ferr", "harbour"])
        #expect(found.keys.sorted() == ["a", "b"] && found["a"] == 1)
        #expect(found["b"].map { $0 > 0 && $0 < 0.5 } == true)
        #expect(try shares(["ferr", "glacier"])["a"].map { $0 < 0.5 } == true)
        #expect(try shares([]).isEmpty && shares(["'"]).isEmpty)
        #expect(try shares(["\"rain\"", "'"]) == ["c": 1])
        #expect(try shares(["harbour"], SearchFilter(sources: ["nobody"])).isEmpty)
        #expect(try store.rows(withAll: ["the harbour costs"], in: SearchFilter()).count == 1)
        #expect(try store.rows(withAll: ["harbour the"], in: SearchFilter()).isEmpty)
        #expect(try store.rows(withAll: ["harbour", "Calder"], in: SearchFilter()).count == 1)
    }

    @Test func matchesAreCounted() throws {
        let ferry = article("a", title: "Ferry strike", content: "The ferries of Calder stay in the harbour.")
        let budget = article("b", title: "Budget", content: "The harbour costs money.", source: "Público")
        _ = try store.record([reading(ferry), reading(budget, at: hoursAgo(50))])
        try store.index()
        func count(_ words: [String], _ scope: SearchFilter = SearchFilter(), upTo limit: Int = 9) throws -> Int {
            try store.countMatches(words, in: scope, upTo: limit)
        }
        #expect(try count(["harb"]) == 2 && count(["harbour"], upTo: 1) == 1)
        #expect(try count(["harbour", "ferry"]) == 1 && count(["budget", "ferry"]) == 0)
        #expect(try count([]) == 0 && count(["'"]) == 0 && count(["harbour", "'"]) == 0)
        #expect(try count(["harbour"], SearchFilter(sources: ["publico"])) == 1)
        #expect(try count(["ferry"], SearchFilter(sources: ["publico"])) == 0)
        #expect(try count(["harbour"], SearchFilter(period: Period(hours: 10, endingAt: noon))) == 1)
        #expect(try store.hasMatch("ferr", in: ferry) && !store.hasMatch("ferr", in: budget))
        #expect(try !store.hasMatch("'", in: ferry) && !store.hasMatch("ferry", in: article("unknown")))
    }

    @Test func theVectorsOfOneArticle() throws {
        _ = try store.record([reading("a"), reading("b")])
        #expect(try store.vectors(of: article("a"), form: 1) == nil)
        try makeAll()
        #expect(try store.vectors(of: article("a"), form: 1) == Array("a".utf8))
        #expect(try store.vectors(of: article("a"), form: 2) == nil)
    }

    /// The sources of an answer: one list, and no digest.
    @Test func theSourcesOfTheLastAnswerAreKept() throws {
        try store.keep(.sample(), calendar: .gregorian(in: .gmt))
        #expect(try store.latestSources() == nil)
        for (hours, id) in [(1.0, "a"), (2.0, "b")] {
            let later = hoursAgo(-hours)
            try store.keepSources([reading(id)], language: .english, at: later, calendar: .gregorian(in: .gmt))
        }
        #expect(try store.latestSources()?.readings.map(\.article.id) == ["b"])
        #expect(try store.latestPrinted() == .sample())
        #expect(try store.connection.integer("SELECT count(*) FROM digests") == 2)
        #expect(try store.statistics().digests == 1)
        // A digest does not take them away either.
        try store.keep(.sample(date: hoursAgo(-9)), calendar: .gregorian(in: .gmt))
        #expect(try store.latestSources()?.readings.map(\.article.id) == ["b"])
    }

    @Test func aListThatCannotBeKeptLeavesTheLast() throws {
        let days = Calendar.gregorian(in: .gmt)
        try store.keepSources([reading("a")], language: .english, at: noon, calendar: days)
        let full: @Sendable (String) -> Int32? = { $0 == "COMMIT" ? ENOSPC : nil }
        do {
            try WriteFault.$number.withValue(full) {
                try store.keepSources([reading("b")], language: .english, at: noon, calendar: days)
            }
            Issue.record("It was kept.")
        } catch {
            #expect(error.asPulseError.says(.cannotWrite, "is full"))
        }
        #expect(try store.latestSources()?.readings.map(\.article.id) == ["a"])
    }

    /// Of some passages only: found, and still to be completed, by which they are never replaced again.
    @Test func whatIsBegunIsCompleted() throws {
        _ = try store.record([reading("a"), reading("b", at: hoursAgo(1))])
        func keep(_ bytes: [UInt8], form: Int) throws {
            let all = try store.withoutVectors(form: 7, limit: 1)
            try store.keepVectors(all.map { ($0.row, $0.article, bytes) }, form: form)
        }
        try keep([1], form: -1)
        #expect(try vectors() == ["a": [1]])
        #expect(try !store.hasNoVectors(form: 1))
        #expect(try store.countWithoutVectors(form: 1) == 2)
        #expect(try store.countWithoutVectors(form: 1, countsPartial: false) == 1)
        #expect(try store.withoutVectors(form: 1, limit: 9).map(\.article.id) == ["a", "b"])
        #expect(
            try store.titlesWithoutVectors(form: 1, in: SearchFilter(), limit: 9).map(\.title)
                == [reading("b").article.title])
        try keep([2], form: 1)
        try keep([3], form: -1)
        #expect(try vectors() == ["a": [2]])
        #expect(try store.countWithoutVectors(form: 1) == 1)
    }
}
