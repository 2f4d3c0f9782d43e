public import PulseCore
import PulsePlatform
import PulseText

public import struct Foundation.Date

/// Asks feeds for what is new: several at a time, but one server never twice at once, and none for long.
public struct FeedRefresher: Sendable {
    private let services: [any FeedService]
    private let now: Date
    private let most: Int
    private let patience: Duration

    /// How long a server may take for all its feeds together.
    public static let patience: Duration = .seconds(30)
    /// Who has more than sixty feeds of one server gives it half a second for each.
    private static let share: Duration = .milliseconds(500)
    /// With less, nobody is asked: it would be no fault of the feed's.
    private static let least: Duration = .milliseconds(500)

    /// - Parameters:
    ///   - most: how many are asked at a time.
    ///   - patience: see `FeedRefresher.patience`.
    public init(
        services: [any FeedService], now: Date, most: Int = 8, patience: Duration = FeedRefresher.patience
    ) {
        self.services = services
        self.now = now
        self.most = most
        self.patience = patience
    }

    /// Asks one feed. Errors: as `FeedService.fetch`; `.configuration` where nobody serves such an address.
    public func ask(_ feed: Feed) async throws(PulseError) -> FeedAnswer {
        guard let service = services.first(where: { $0.serves(feed.address) }) else {
            throw PulseError(.badData, "\(feed.address) is not the address of a feed.")
        }
        return try await service.fetch(feed, now: now)
    }

    private typealias Answer = Result<FeedAnswer, PulseError>

    private static func host(_ feed: Feed) -> String {
        WebAddress(feed.address)?.host ?? String(feed.address.prefix { $0 != ":" })
    }

    /// The feeds of one server, those first that were not asked for longest.
    private struct Lane {
        var feeds: [Feed]
        var asked = 0
        let budget: HTTPBudget

        init(_ feeds: [Feed], patience: Duration) {
            self.feeds = feeds.sorted {
                ($0.refresh.triedAt ?? .distantPast, $0.id) < ($1.refresh.triedAt ?? .distantPast, $1.id)
            }
            budget = HTTPBudget(max(patience, FeedRefresher.share * feeds.count))
        }
    }

    /// Asks all of them, and hands over what came of each as it comes, on the caller's task.
    ///
    /// What `hear` throws ends the work, and so does the cancellation of the task, with `.interrupted`.
    /// - Returns: the feeds that were not asked, since their server had its time: they come first the next time.
    @discardableResult public func ask(
        _ feeds: [Feed], hear: (Feed, Result<FeedAnswer, PulseError>) throws(PulseError) -> Void
    ) async throws(PulseError) -> [Feed] {
        // The longest lane decides when all are done, so it starts first.
        var lanes = Dictionary(grouping: feeds, by: Self.host).values.map { Lane($0, patience: patience) }
            .sorted { ($1.feeds.count, $0.feeds[0].id) < ($0.feeds.count, $1.feeds[0].id) }
        var fault: PulseError?
        await withTaskGroup(of: (lane: Int, Feed, Answer).self) { group in
            var started = 0
            func start(_ lane: Int) {
                let (feed, budget) = (lanes[lane].feeds[lanes[lane].asked], lanes[lane].budget)
                lanes[lane].asked += 1
                group.addTask {
                    await HTTPBudget.$current.withValue(budget) {
                        do throws(PulseError) {
                            return (lane, feed, .success(try await ask(feed)))
                        } catch {
                            return (lane, feed, .failure(error))
                        }
                    }
                }
            }
            while started < min(most, lanes.count) {
                start(started)
                started += 1
            }
            while let (lane, feed, result) = await group.next() {
                if Task.isCancelled { fault = fault ?? .interrupted }
                if fault == nil {
                    do throws(PulseError) { try hear(feed, result) } catch { fault = error }
                }
                if fault != nil {
                    group.cancelAll()
                } else if lanes[lane].asked < lanes[lane].feeds.count, lanes[lane].budget.left > Self.least {
                    start(lane)
                } else if started < lanes.count {
                    start(started)
                    started += 1
                }
            }
        }
        if let fault { throw fault }
        return lanes.flatMap { $0.feeds[$0.asked...] }
    }
}

/// What a refresh of several feeds found out, for whoever stores and tells it.
public struct RefreshTally: Sendable {
    public private(set) var answered = 0
    public private(set) var unchanged = 0
    /// Each with the feed as it is remembered after this.
    public private(set) var failures: [(feed: Feed, error: PulseError)] = []
    public private(set) var retired: [Feed] = []
    public private(set) var moved: [(feed: Feed, from: String)] = []
    /// What to know of answers that came: see `FeedAnswer.note`.
    public private(set) var notes: [(feed: Feed, note: Message)] = []
    private var hasServed = false
    private let now: Date

    public init(now: Date) { self.now = now }

    /// Takes what came of asking a feed.
    /// - Returns: The feed as it is remembered from now on, with what it brought; nil where that is known only at the
    ///   end: see `rest`.
    public mutating func take(
        _ feed: Feed, _ result: Result<FeedAnswer, PulseError>
    ) -> (feed: Feed, contents: FeedContents?)? {
        var feed = feed
        switch result {
        case .failure(let error):
            failures.append((feed, error))
            if !error.isOffline { hasServed = true }
            return nil
        case .success(let answer):
            // An older answer that was kept is no sign of a network either.
            if let refusal = answer.refusal, refusal.isOffline {
                failures.append((feed, Self.told(refusal, answer)))
                return nil
            }
            hasServed = true
            let before = feed.address
            feed.refresh = feed.refresh.after(.answered(answer), at: now)
            if answer.isGone {
                if comeBack(&feed) { return (feed, nil) }
                retired.append(feed)
            } else if let refusal = answer.refusal {
                failures.append((feed, Self.told(refusal, answer)))
                _ = comeBack(&feed)
            } else {
                if let note = answer.note { notes.append((feed, note)) }
                answered += 1
                if answer.contents == nil { unchanged += 1 }
                feed.take(answer, at: now)
                if feed.address != before { moved.append((feed, before)) }
            }
            return (feed, answer.contents)
        }
    }

    /// Looks for a feed where it was before, where it is not to be had at the address to which it moved.
    private mutating func comeBack(_ feed: inout Feed) -> Bool {
        let refresh = feed.refresh
        guard let earlier = refresh.earlier,
            refresh.isRetired || refresh.failures >= Feed.Refresh.mostFailuresAfterMove
        else { return false }
        let moved = PlainText.line(feed.address, limit: 300)
        if feed.title == feed.address { feed.title = earlier.address }
        (feed.address, feed.isNamed) = (earlier.address, earlier.isNamed)
        // There it was not tried yet.
        feed.refresh = Feed.Refresh()
        feed.refresh.succeededAt = refresh.succeededAt
        notes.append(
            (feed, "It had moved to \(moved), and is not there: it is asked at its earlier address again."))
        return true
    }

    /// The note of an older answer begins with why there is no new one.
    private static func told(_ refusal: PulseError, _ answer: FeedAnswer) -> PulseError {
        PulseError(refusal.code, answer.note ?? refusal.message, hint: refusal.hint)
    }

    /// Whether this machine's network failed, and nobody answered: then no feed is blamed.
    public var isOffline: Bool { !hasServed && !failures.isEmpty && answered == 0 && retired.isEmpty }

    /// The feeds that failed without an answer, as they are remembered; to be asked for once, when all were asked.
    public mutating func rest() -> [Feed] {
        var rest: [Feed] = []
        let isOffline = isOffline
        for index in failures.indices where failures[index].feed.refresh.triedAt != now {
            let error = failures[index].error
            let outcome: RefreshOutcome = isOffline ? .offline : .failed(error)
            failures[index].feed.refresh = failures[index].feed.refresh.after(outcome, at: now)
            var feed = failures[index].feed
            _ = comeBack(&feed)
            rest.append(feed)
        }
        return rest
    }
}

extension Feed {
    /// Takes over what an answer says of the feed itself. A move counts once the feed was found where it leads.
    public mutating func take(_ answer: FeedAnswer, at now: Date) {
        if let contents = answer.contents {
            if title == address, let found = contents.title, !found.isEmpty { title = found }
            site = contents.site ?? site
        }
        guard answer.refusal == nil, !answer.isGone, let target = answer.movedTo, target != address else { return }
        refresh.earlier = refresh.earlier ?? Earlier(address: address, isNamed: isNamed, movedAt: now)
        // Its owner's word for the old server is none for the new one.
        isNamed = isNamed && WebAddress.isSameHost(target, address)
        if title == address { title = target }
        address = target
        if refresh.earlier?.address == target { refresh.earlier = nil }
    }
}
