import Foundation
import PulseCore
import PulseStore
import PulseTestSupport
import Testing

@testable import PulseApp

/// Whatever a person calls an article by: its number in the last digest, its id, its address, a link of the app's.
@Suite(.timeLimit(.minutes(20))) struct ReferenceResolverTests {
    private let home: TemporaryFolder
    /// 2026-11-21T02:46:40Z
    private let now = Date(timeIntervalSince1970: 1_795_229_200)
    private let readings: [Reading]

    init() throws {
        home = try TemporaryFolder()
        let now = now
        readings = (1...6).map { number in
            Reading(
                article: Article(id: "world/\(number)", url: "https://a.example/\(number)", title: "Title \(number)"),
                readAt: now.addingTimeInterval(Double(-60 * number)), origin: "test")
        }
        _ = try app.history.open(.readWrite).record(readings)
    }

    private var app: AppEnvironment { AppEnvironment(home: home, now: now) }

    private func find(_ reference: String) throws -> String {
        try ReferenceResolver(in: app, reporter: .silent).find(reference).article.id
    }

    private func digest(_ sections: [([Story], [Story])], at date: Date) -> Digest {
        Digest(
            date: date, period: Period(hours: 48, endingAt: date), language: .english,
            sections: sections.map { told, titled in
                Digest.Section(
                    heading: .more, entries: told.map { Digest.Entry(story: $0, sentences: []) }, titled: titled)
            })
    }

    /// Keeps a digest that was printed so many seconds ago.
    private func keep(_ sections: [([Story], [Story])], secondsAgo: Double = 0) throws {
        try app.history.open(.readWrite).keep(digest(sections, at: now - secondsAgo), calendar: app.calendar)
    }

    /// The number that is printed in front of a story, told or titled, whatever section it stands in.
    @Test func aNumberIsAStoryOfTheLastDigest() throws {
        let story = { (numbers: Int...) in Story(numbers.map { readings[$0 - 1] }) }
        try keep([([story(6)], [])], secondsAgo: 3600)
        // The second story has two articles, of which the first gives it its title.
        try keep([([story(3), story(5, 1)], [story(2)]), ([story(4)], [])])
        #expect(try ["1", "2", "3", "4"].map(find) == ["world/3", "world/5", "world/2", "world/4"])
        for reference in ["0", "5", "999", "-1"] {
            try fails(.noInput, "stories 1 to 4") { try find(reference) }
        }
    }

    /// Whatever was mailed since, `3` is on the screen and `m3` in the mail; who reads mails only needs no `m`.
    @Test func aMailHasNumbersOfItsOwn() throws {
        let (app, calendar) = (app, app.calendar)
        try fails(.noInput, "no email was sent") { try find("m1") }
        let store = try app.history.open(.readWrite)
        let mail = digest([([Story([readings[4]])], [])], at: now)
        try store.keep(mail, as: .mailed, for: "ana@example.org", calendar: calendar)
        #expect(try ["1", "m1"].map(find) == ["world/5", "world/5"])
        try keep([([Story([readings[2]])], [])], secondsAgo: 60)
        #expect(try ["1", "m1", "[M1]"].map(find) == ["world/3", "world/5", "world/5"])
        try fails(.noInput, "no story 2") { try find("m2") }
    }

    @Test func aStoryThatWasRemovedIsNotShownAgain() throws {
        let (app, calendar) = (app, app.calendar)
        let store = try app.history.open(.readWrite)
        try store.keep(digest([([Story([readings[2]]), Story([readings[3]])], [])], at: now), calendar: calendar)
        _ = try store.remove(readings[2].article.id, at: now)
        try fails(.noInput, "was removed from the history") { try find("1") }
        #expect(try find("2") == "world/4")
        let again = Reading(
            article: readings[2].article, readAt: now.addingTimeInterval(60), origin: "test")
        _ = try store.record([again])
        #expect(try find("1") == "world/3")
    }

    /// They do not take over the digest's.
    @Test func aSourceOfTheLastAnswerHasANameOfItsOwn() throws {
        try fails(.noInput, "none yet") { try find("a1") }
        let (app, calendar) = (app, app.calendar)
        let store = try app.history.open(.readWrite)
        try store.keep(digest([([Story([readings[2]])], [])], at: now.addingTimeInterval(-60)), calendar: calendar)
        try store.keepSources([readings[4], readings[5]], language: .english, at: now, calendar: calendar)
        #expect(try ["1", "a1", "[a2]", "A2"].map(find) == ["world/3", "world/5", "world/6", "world/6"])
        for reference in ["a0", "a3", "a99"] {
            try fails(.noInput, "sources a1 to a2") { try find(reference) }
        }
    }

    @Test func withoutADigestANumberSaysWhereItComesFrom() throws {
        try fails(.noInput, "pulse-digest today") { try find("3") }
    }

    /// Digits enough to be the beginning of an id are that.
    @Test func longerNumbersAreIds() throws {
        let article = Article(id: "20261121-5", title: "By number")
        let store = try app.history.open(.readWrite)
        _ = try store.record([Reading(article: article, readAt: now, origin: "test")])
        #expect(try find("2026") == article.id)
        #expect(try find(article.id) == article.id)
    }

    @Test func anythingElseIsFoundByWhatItIsCalled() throws {
        let article = readings[3].article
        for reference in ["world/4", "https://a.example/4", article.key, "pulse://article?id=world/4"] {
            #expect(try find(reference) == article.id)
        }
        try fails(.noInput) { try find("nothing") }
        let failure = try fails(.noInput) { try find("worl") }
        #expect(failure.description.contains(article.key))
    }

    @Test(arguments: [
        ("harbour", "history search harbour"), ("harbour fire", "history search 'harbour fire'"),
        ("deadbeef", "history list"), ("https://a.example/none", "history list"), ("abc", "4 characters or more"),
    ])
    func whatIsNotFoundSaysHowToLook(reference: String, hint: String) {
        #expect {
            try find(reference)
        } throws: { ($0 as? PulseError)?.hint?.description.contains(hint) == true }
    }

    /// Nobody remembers which digest was the last one, some days later.
    @Test func aNumberOfAnEarlierDaySaysWhichDigestItIsOf() throws {
        let said = Said()
        try keep([([Story([readings[2]])], [])], secondsAgo: 30 * 3600)
        #expect(try ReferenceResolver(in: app, reporter: said.reporter).find("1").article.id == "world/3")
        #expect(said.all == ["Story 1 of the last digest, made on 2026-11-19 20:46:"])
    }
}
