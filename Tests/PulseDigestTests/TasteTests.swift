import Foundation
import PulseCore
import PulseTestSupport
import Testing

@testable import PulseDigest

@Suite(.timeLimit(.minutes(5))) struct TasteTests {
    private static let topics = [
        "orchestra": "The orchestra of Orlen played a symphony in the concert hall",
        "harbour": "The harbour of Orlen took in a freighter with timber",
        "budget": "The council of Orlen debated the budget for schools",
    ]

    /// Numbered reports, which share no rare word but their topic's.
    private static func reports(_ topic: String, _ count: Int, source: String = "", feed: Int64? = nil) -> [Reading] {
        (0..<count).map { number in
            Readings.make(
                "\(topic)\(number)\(source)", "world", title: "\(topics[topic] ?? topic) \(number * 7 + 100)",
                source: source, minutesAgo: Double(number * 60 + 1), feed: feed)
        }
    }

    private static func taste(forgotten: [String] = []) -> Taste {
        let others = ["orchestra", "harbour", "budget"].flatMap { reports($0, 20, source: "Wire", feed: 1) }
        return Taste(
            read: reports("orchestra", 8, source: "Marquee") + reports("budget", 1), others: others.map(\.article),
            forgotten: forgotten, now: Readings.now)
    }

    @Test func whatIsLikeWhatWasReadIsLiked() throws {
        let taste = Self.taste()
        let likings = ["orchestra", "budget", "harbour"].map { topic in
            taste.liking(of: Readings.make("new", title: "\(Self.topics[topic] ?? "") once more").article)
        }
        #expect(likings[0] > 1 && likings[1] < 0.5 && likings[2] < likings[1], "\(likings)")
        #expect(taste.liking(of: Readings.make("x", title: "Nothing known", source: "Marquee").article) > 0.5)
        let names = taste.likings.map(\.name)
        #expect(names.contains("orchestra") && names.contains("Marquee") && !names.contains("harbour"))
        #expect(try #require(taste.likings.first { $0.name == "orchestra" }).articles == 8)
    }

    @Test func whatIsForgottenDoesNotCount() {
        let taste = Self.taste(forgotten: ["Orchestra", "marquee"])
        let names = taste.likings.map(\.name)
        #expect(!names.contains("orchestra") && !names.contains("Marquee") && names.contains("symphony"))
    }

    @Test(arguments: ["December", "Thursday", "dezembro", "jueves", "août"]) func aDateIsNoInterest(date: String) {
        let read = (0..<8).map { Readings.make("\($0)", title: "\(date) \($0 + 40)", source: "Marquee") }
        let taste = Taste(read: read, others: Self.reports("budget", 20).map(\.article), now: Readings.now)
        #expect(taste.likings.map(\.name) == ["Marquee"])
    }

    /// Neither the publication's own name, nor an agency's, nor what was read three times.
    @Test func onlyWhatIsWellSupportedIsAnInterest() {
        let read = (0..<8).map {
            Readings.make(
                "\($0)", "news", title: "Lanterns \($0 + 40)", content: "ORLEN (Reuters) - Marquee saw the town hall.",
                source: "Marquee")
        }
        let few = (0..<3).map { Readings.make("few\($0)", "news", title: "Zeppelin \($0 + 40)", source: "Marquee") }
        let taste = Taste(read: read + few, others: Self.reports("budget", 20).map(\.article), now: Readings.now)
        #expect(
            Set(taste.likings.map { "\($0.kind) \($0.name)" }) == ["publication Marquee", "word Lanterns"])
        #expect(taste.reasons(for: few[0].article) == ["Marquee"])
    }

    @Test func whoReadNothingLikesNothing() {
        let taste = Taste(read: [], others: Self.reports("budget", 9).map(\.article), now: Readings.now)
        #expect(taste.likings.isEmpty)
        #expect(abs(taste.liking(of: Self.reports("budget", 1)[0].article)) < 0.01)
    }

    // MARK: - On a page

    private static func told(_ readings: [Reading], limit: Int, _ taste: Taste?) -> [String] {
        StorySelection(from: StoryCandidates(readings), limit: limit, taste: taste)
            .sections.flatMap(\.entries).map(\.story.lead.id)
    }

    @Test func whatWaitsIsOrderedByIt() {
        let waiting = Self.reports("harbour", 12, feed: 1) + Self.reports("orchestra", 6, feed: 1)
        let plain = Self.told(waiting, limit: 6, nil)
        let liked = Self.told(waiting, limit: 6, Self.taste())
        func concerts(_ ids: [String]) -> Int { ids.count { $0.hasPrefix("orchestra") } }
        #expect(concerts(liked) > concerts(plain), "\(plain) \(liked)")
        #expect(liked.first?.hasPrefix("orchestra") == true)
    }

    /// A day's largest story stays, whoever likes what.
    @Test func whatManyPublicationsTellStaysInFront() {
        let large = (1...3).map { feed in
            Readings.make(
                "large\(feed)", title: "Dam at Tamsin gives way above Arrel",
                content: "The dam at Tamsin gave way on Tuesday and Arrel was left by 14,000 people.",
                source: "Paper \(feed)", feed: Int64(feed))
        }
        let told = Self.told(large + Self.reports("orchestra", 20, feed: 9), limit: 5, Self.taste())
        #expect(told.first?.hasPrefix("large") == true, "\(told)")
    }

    /// What the reader chose is in no need of a guess.
    @Test func whatWasReadStaysAsItIs() {
        let read = Self.reports("harbour", 3) + Self.reports("orchestra", 3)
        #expect(Self.told(read, limit: 6, Self.taste()) == Self.told(read, limit: 6, nil))
    }
}
