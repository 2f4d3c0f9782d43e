import Foundation
import PulseCore
import PulseSources
import Testing

/// How a feed stands after whatever may come of asking it. The table holds every state against every outcome: what is
/// not written here does not happen.
@Suite(.timeLimit(.minutes(20))) struct RefreshStateTests {
    private static let now = Date(timeIntervalSince1970: 1_795_291_200)
    private static let trouble = PulseError(.unavailable, "No.")

    private static func minutes(_ count: Double) -> Date { now.addingTimeInterval(60 * count) }

    typealias State = Feed.FetchState.State

    /// One feed of each state.
    private static func feed(_ state: State) -> Feed.FetchState {
        var refresh = Feed.FetchState()
        refresh.triedAt = minutes(-30)
        refresh.entityTag = "old"
        refresh.lastModified = "yesterday"
        switch state {
        case .fresh: refresh.notBefore = minutes(5)
        case .stale: refresh.notBefore = minutes(-5)
        case .failed: (refresh.failures, refresh.notBefore) = (2, minutes(-5))
        case .backedOff: (refresh.failures, refresh.notBefore) = (2, minutes(5))
        case .broken: (refresh.failures, refresh.notBefore) = (10, minutes(-5))
        case .retired: refresh.isRetired = true
        }
        if refresh.failures > 0 { refresh.lastError = "Before." } else { refresh.succeededAt = minutes(-30) }
        return refresh
    }

    private static let outcomes: [(name: String, outcome: FetchOutcome)] = [
        ("news", .answered(FeedResponse(contents: FeedContents(), entityTag: "new"))),
        ("unchanged", .answered(FeedResponse())),
        ("asks for an hour", .answered(FeedResponse(contents: FeedContents(), notBefore: minutes(60)))),
        ("asks for a year", .answered(FeedResponse(contents: FeedContents(), notBefore: minutes(525_600)))),
        ("refused", .answered(FeedResponse(refusal: trouble))),
        ("refused for an hour", .answered(FeedResponse(notBefore: minutes(60), refusal: trouble))),
        ("failed", .failed(trouble)), ("offline", .offline), ("gone", .answered(FeedResponse(isGone: true))),
    ]

    /// The state right after, the failures in a row, minutes until it is asked again, and the validator.
    private static let table: [State: [String]] = [
        .fresh: [
            "fresh 0 10 new", "fresh 0 35 old", "fresh 0 60 -", "fresh 0 1380 -", "backedOff 1 10 old",
            "backedOff 1 60 old", "backedOff 1 10 old", "fresh 0 5 old", "retired 0 - old",
        ],
        .stale: [
            "fresh 0 10 new", "fresh 0 25 old", "fresh 0 60 -", "fresh 0 1380 -", "backedOff 1 10 old",
            "backedOff 1 60 old", "backedOff 1 10 old", "stale 0 -5 old", "retired 0 - old",
        ],
        .failed: [
            "fresh 0 10 new", "fresh 0 10 old", "fresh 0 60 -", "fresh 0 1380 -", "backedOff 3 40 old",
            "backedOff 3 60 old", "backedOff 3 40 old", "failed 2 -5 old", "retired 2 - old",
        ],
        .backedOff: [
            "fresh 0 10 new", "fresh 0 10 old", "fresh 0 60 -", "fresh 0 1380 -", "backedOff 3 40 old",
            "backedOff 3 60 old", "backedOff 3 40 old", "backedOff 2 5 old", "retired 2 - old",
        ],
        .broken: [
            "fresh 0 10 new", "fresh 0 10 old", "fresh 0 60 -", "fresh 0 1380 -", "broken 11 1380 old",
            "broken 11 1380 old", "broken 11 1380 old", "broken 10 -5 old", "retired 10 - old",
        ],
        // One that is named with --force may have come back.
        .retired: [
            "fresh 0 10 new", "fresh 0 10 old", "fresh 0 60 -", "fresh 0 1380 -", "retired 1 10 old",
            "retired 1 60 old", "retired 1 10 old", "retired 0 - old", "retired 0 - old",
        ],
    ]

    @Test(arguments: State.allCases)
    func everyStateTakesEveryOutcome(state: State) throws {
        let before = Self.feed(state)
        #expect(before.state(at: Self.now) == state)
        #expect(before.isDue(at: Self.now) == [.stale, .failed, .broken].contains(state))
        let expected = try #require(Self.table[state])
        #expect(expected.count == Self.outcomes.count)
        for ((name, outcome), line) in zip(Self.outcomes, expected) {
            let after = before.after(outcome, at: Self.now)
            let wait = after.notBefore.map { "\(Int($0.timeIntervalSince(Self.now) / 60))" } ?? "-"
            #expect(
                "\(after.state(at: Self.now)) \(after.failures) \(wait) \(after.entityTag ?? "-")" == line,
                "\(state), \(name)")
            #expect(after.triedAt == Self.now)
            if case .answered(let answer) = outcome, answer.refusal == nil, !answer.isGone {
                #expect(after.succeededAt == Self.now && after.lastError == nil)
            } else {
                #expect(after.succeededAt == before.succeededAt)
            }
        }
    }

    /// How often a feed wants to be asked stands in the feed, and most answers come without it.
    @Test func whatAFeedAskedForHoldsUntilItHasNews() {
        let news = FeedResponse(contents: FeedContents(), notBefore: Self.minutes(120))
        var refresh = Feed.FetchState().after(.answered(news), at: Self.now)
        refresh = refresh.after(.answered(FeedResponse(notBefore: Self.minutes(125))), at: Self.minutes(120))
        #expect(refresh.notBefore == Self.minutes(240))
        refresh = refresh.after(.answered(FeedResponse()), at: Self.minutes(240))
        #expect(refresh.notBefore == Self.minutes(360))
        // The pause after a failure is none that the feed asked for.
        refresh = refresh.after(.failed(Self.trouble), at: Self.minutes(360))
        refresh = refresh.after(.answered(FeedResponse()), at: Self.minutes(370))
        #expect(refresh.notBefore == Self.minutes(380))
    }

    @Test func eachFailureDoublesThePauseUpToHalfADayAndTheTenthBreaksTheCircuit() {
        var refresh = Feed.FetchState()
        var pauses: [Int] = []
        for _ in 0..<12 {
            refresh = refresh.after(.failed(Self.trouble), at: Self.now)
            pauses.append(Int((refresh.notBefore ?? Self.now).timeIntervalSince(Self.now) / 60))
        }
        #expect(pauses == [10, 20, 40, 80, 160, 320, 640, 720, 720, 1380, 1380, 1380])
        #expect(refresh.state(at: Self.now) == .broken)
        // It is asked once a day, and a success mends it.
        #expect(!refresh.isDue(at: Self.minutes(22 * 60)) && refresh.isDue(at: Self.minutes(23 * 60)))
        #expect(refresh.after(.answered(FeedResponse()), at: Self.now).state(at: Self.now) == .fresh)
    }

    @Test func aClockThatWasSetBackSilencesNoFeed() {
        var refresh = Feed.FetchState()
        refresh.notBefore = Self.minutes(23 * 60)
        #expect(!refresh.isDue(at: Self.now))
        refresh.notBefore = Self.minutes(24 * 60)
        #expect(refresh.isDue(at: Self.now))
    }

    // MARK: - A run

    private func tally(_ results: [(String, Result<FeedResponse, PulseError>)]) -> (FetchTally, [Feed]) {
        var tally = FetchTally(now: Self.now)
        var feeds: [Feed] = []
        for (address, result) in results {
            if let fetched = tally.take(Feed(address: address, addedAt: Self.now), result) {
                feeds.append(fetched.feed)
            }
        }
        return (tally, feeds)
    }

    /// Offline is what this machine says of its network, not what becomes of a feed.
    @Test func withoutANetworkNoFeedIsBlamed() {
        var offline = PulseError(.unavailable, "The host a.example was not found.")
        offline.isOffline = true
        var (tally, _) = tally([
            ("https://a.example/", .failure(offline)), ("https://b.example/", .failure(offline)),
        ])
        #expect(tally.isOffline)
        #expect(tally.rest().allSatisfy { $0.refresh.failures == 0 && $0.refresh.triedAt == Self.now })
        #expect(tally.rest().isEmpty)
        for failure in [Self.trouble, PulseError(.tryAgain, "Busy."), PulseError(.noInput, "404")] {
            (tally, _) = self.tally([
                ("https://a.example/", .failure(offline)), ("https://b.example/", .failure(failure)),
            ])
            #expect(!tally.isOffline)
            #expect(tally.rest().map(\.refresh.failures) == [1, 1])
        }
        // One that was kept from an earlier day shows no network.
        let kept = FeedResponse(contents: FeedContents(), refusal: offline, note: "Nobody. It is old.")
        (tally, _) = self.tally([
            ("https://a.example/", .failure(offline)), ("guardian:all", .success(kept)),
        ])
        #expect(tally.isOffline && tally.rest().map(\.refresh.failures) == [0, 0])
        #expect(tally.failures.last?.error.message == "Nobody. It is old.")
    }

    /// Nothing is for ever: a month later it is asked whether it is gone still.
    @Test func whatIsGoneIsAskedOnceAMonth() {
        let gone = Feed.FetchState().after(.answered(FeedResponse(isGone: true)), at: Self.now)
        #expect(gone.state(at: Self.now) == .retired)
        #expect(!gone.isDue(at: Self.minutes(29 * 1440)) && gone.isDue(at: Self.minutes(30 * 1440)))
        #expect(gone.isDue(at: Self.minutes(-1)), "the clock was set back")
        let back = gone.after(.answered(FeedResponse(contents: FeedContents())), at: Self.minutes(30 * 1440))
        #expect(back.state(at: Self.minutes(30 * 1440)) == .fresh)
    }

    /// Whoever sends a feed away cannot take it away.
    @Test func aFeedComesBackFromWhereItIsNot() throws {
        for isGone in [true, false] {
            var feed = Feed(address: "https://a.example/feed", addedAt: Self.now, isNamed: true)
            var answer = FeedResponse(contents: FeedContents(title: "T"), movedTo: "https://b.example/feed")
            for day in 0..<5 {
                var tally = FetchTally(now: Self.minutes(Double(day) * 1440))
                let taken = tally.take(feed, .success(answer))
                feed = try #require(taken?.feed)
                #expect((feed.address == "https://a.example/feed") == (day == (isGone ? 1 : 3)))
                if feed.address == "https://a.example/feed", day > 0 {
                    #expect(feed.isNamed && feed.refresh.isDue(at: Self.minutes(Double(day) * 1440)))
                    #expect(tally.notes.first?.note.contains("earlier address is used again") == true)
                    break
                }
                #expect(day < 4, "it stays away")
                #expect(feed.address == "https://b.example/feed" && !feed.isNamed)
                answer = isGone ? FeedResponse(isGone: true) : FeedResponse(refusal: PulseError(.tryAgain, "Busy."))
            }
        }
    }

    @Test func whatAnAnswerHasToBeKnownOfIsHandedOn() {
        let (tally, _) = tally([
            ("pulse:en", .success(FeedResponse(contents: FeedContents(), note: "The Guardian stands in."))),
            ("https://a.example/", .success(FeedResponse(contents: FeedContents()))),
        ])
        #expect(tally.notes.map(\.note) == ["The Guardian stands in."] && tally.answered == 2)
    }

    @Test func aMoveIsRememberedOnlyWithAFeedBehindIt() {
        let moved = "https://b.example/feed"
        let (tally, feeds) = tally([
            ("https://a.example/feed", .success(FeedResponse(contents: FeedContents(), movedTo: moved))),
            (
                "https://c.example/feed",
                .success(FeedResponse(movedTo: "https://d.example/feed", refusal: PulseError(.tryAgain, "Busy.")))
            ),
        ])
        #expect(feeds.map(\.address) == [moved, "https://c.example/feed"])
        #expect(tally.moved.map(\.from) == ["https://a.example/feed"])
    }

    @Test func aMoveToAnotherServerIsNotTheReadersWord() {
        var feed = Feed(address: "http://a.example/feed", addedAt: Self.now, isNamed: true)
        feed.take(FeedResponse(contents: FeedContents(), movedTo: "https://a.example/feed"), at: Self.now)
        #expect(feed.isNamed && feed.address == "https://a.example/feed")
        let answer = FeedResponse(contents: FeedContents(title: "T"), movedTo: "https://b.example/feed")
        feed.take(answer, at: Self.now)
        #expect(!feed.isNamed && feed.title == "T")
    }
}
