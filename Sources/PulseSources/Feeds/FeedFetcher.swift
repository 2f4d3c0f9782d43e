public import PulseCore
import PulsePlatform
import PulseText

public import struct Foundation.Date

/// Fetches the feeds of one kind of address: web feeds, a news service, or Bluesky.
public protocol FeedService: Sendable {
    func serves(_ address: String) -> Bool

    /// Fetches a feed once, with a conditional request if `feed.refresh` allows one.
    ///
    /// Errors: `.tryAgain` if trying later may help, `.noInput` if there is no such feed, `.badData` if the response is
    /// not a feed, `.configuration` if a key is missing. Messages name the feed, and never a key.
    func fetch(_ feed: Feed, now: Date) async throws -> FeedResponse
}

/// Fetches feeds: several at a time, but one at a time from each server, with a time limit for each server.
public struct FeedFetcher: Sendable {
    private let services: [any FeedService]
    private let now: Date
    private let most: Int
    private let patience: Duration

    /// The time that all feeds of one server may take together.
    public static let patience: Duration = .seconds(30)
    /// The time for each feed of a server that has more than sixty.
    private static let share: Duration = .milliseconds(500)
    /// With less time left, no request is made: a timeout would not be the feed's fault.
    private static let least: Duration = .milliseconds(500)

    /// - Parameters:
    ///   - most: the number of concurrent requests.
    ///   - patience: see `FeedFetcher.patience`.
    public init(services: [any FeedService], now: Date, most: Int = 8, patience: Duration = FeedFetcher.patience) {
        self.services = services
        self.now = now
        self.most = most
        self.patience = patience
    }

    /// Fetches one feed. Errors: those of `FeedService.fetch`, and `.badData` if no service serves its address.
    public func ask(_ feed: Feed) async throws -> FeedResponse {
        guard let service = services.first(where: { $0.serves(feed.address) }) else {
            throw PulseError(.badData, "\(WebURL.withoutUser(feed.address)) is not the address of a feed.")
        }
        return try await service.fetch(feed, now: now)
    }

    private static func host(_ feed: Feed) -> String {
        WebAddress(feed.address)?.host ?? String(feed.address.prefix { $0 != ":" })
    }

    /// The feeds of one server, the least recently fetched first.
    private struct Lane {
        var feeds: [Feed]
        var asked = 0
        let budget: HTTPBudget

        init(_ feeds: [Feed], patience: Duration) {
            self.feeds = feeds.sorted {
                ($0.refresh.triedAt ?? .distantPast, $0.id) < ($1.refresh.triedAt ?? .distantPast, $1.id)
            }
            budget = HTTPBudget(max(patience, FeedFetcher.share * feeds.count))
        }
    }

    public enum Event: Sendable {
        case fetched(Feed, Result<FeedResponse, PulseError>)
        /// These were not fetched because their server's time was up. They come first the next time.
        case left([Feed])
        /// Sent once a second.
        case tick
    }

    /// Fetches all feeds, and reports events as they happen, on the caller's task.
    ///
    /// An error that `claim` or `onEvent` throws ends the work. Cancelling the task ends it with `.interrupted`.
    /// - Parameter claim: called with a server's feeds before the first is fetched; returns those to fetch, in their
    ///   current state.
    public func ask(
        _ feeds: [Feed], claim: ([Feed]) throws -> [Feed] = { $0 },
        onEvent: (Event) throws -> Void
    ) async throws {
        // The longest lane starts first, because it determines when all are done.
        var lanes = Dictionary(grouping: feeds, by: Self.host).values.map { Lane($0, patience: patience) }
            .sorted { ($1.feeds.count, $0.feeds[0].id) < ($0.feeds.count, $1.feeds[0].id) }
        try await withThrowingTaskGroup(of: (lane: Int, Feed, Result<FeedResponse, PulseError>)?.self) { group in
            var (started, running) = (0, 0)
            func ask(_ lane: Int) {
                let (feed, budget) = (lanes[lane].feeds[lanes[lane].asked], lanes[lane].budget)
                lanes[lane].asked += 1
                running += 1
                group.addTask {
                    await HTTPBudget.$current.withValue(budget) {
                        do {
                            return (lane, feed, .success(try await self.ask(feed)))
                        } catch {
                            return (lane, feed, .failure(error.asPulseError))
                        }
                    }
                }
            }
            func startLanes() throws {
                while running < most, started < lanes.count {
                    lanes[started].feeds = try claim(lanes[started].feeds)
                    if !lanes[started].feeds.isEmpty { ask(started) }
                    started += 1
                }
            }
            func tick() {
                group.addTask {
                    try? await Task.sleep(for: .seconds(1))
                    return nil
                }
            }
            try startLanes()
            tick()
            while running > 0, let result = try await group.next() {
                if Task.isCancelled { throw PulseError.interrupted }
                guard let (lane, feed, answer) = result else {
                    tick()
                    try onEvent(.tick)
                    continue
                }
                running -= 1
                try onEvent(.fetched(feed, answer))
                if lanes[lane].asked < lanes[lane].feeds.count {
                    if lanes[lane].budget.left > Self.least {
                        ask(lane)
                        continue
                    }
                    try onEvent(.left(Array(lanes[lane].feeds[lanes[lane].asked...])))
                }
                try startLanes()
            }
            group.cancelAll()
        }
    }
}

/// The results of a refresh of several feeds.
public struct FetchTally: Sendable {
    public private(set) var answered = 0
    public private(set) var unchanged = 0
    /// With the feed's new state.
    public private(set) var failures: [(feed: Feed, error: PulseError)] = []
    public private(set) var retired: [Feed] = []
    public private(set) var moved: [(feed: Feed, from: String)] = []
    /// Notes on successful responses: see `FeedResponse.note`.
    public private(set) var notes: [(feed: Feed, note: Message)] = []
    /// Whether any server has answered, so that there is a network.
    public private(set) var hasServed = false
    /// Number of failures whose state is updated.
    private var settled = 0
    private let now: Date

    public init(now: Date) { self.now = now }

    /// Adds the result of fetching a feed.
    /// - Returns: the feed's new state and its contents; nil if the state may be known only later: see `rest`.
    public mutating func take(_ feed: Feed, _ result: Result<FeedResponse, PulseError>) -> FetchedFeed? {
        var feed = feed
        switch result {
        case .failure(let error):
            failures.append((feed, error))
            if !error.isOffline { hasServed = true }
            return nil
        case .success(let answer):
            // A cached response does not prove that there is a network.
            if let refusal = answer.refusal, refusal.isOffline {
                failures.append((feed, Self.described(refusal, answer)))
                return nil
            }
            hasServed = true
            let before = feed.address
            feed.refresh = feed.refresh.after(.answered(answer), at: now)
            if answer.isGone {
                if restoreEarlierAddress(&feed) { return FetchedFeed(feed: feed) }
                retired.append(feed)
            } else if let refusal = answer.refusal {
                failures.append((feed, Self.described(refusal, answer)))
                _ = restoreEarlierAddress(&feed)
            } else {
                if let note = answer.note { notes.append((feed, note)) }
                answered += 1
                if answer.contents == nil { unchanged += 1 }
                feed.take(answer, at: now)
                if feed.address != before { moved.append((feed, before)) }
            }
            return FetchedFeed(feed: feed, contents: answer.contents)
        }
    }

    /// Restores the previous address of a feed that has moved, if the new one does not work.
    private mutating func restoreEarlierAddress(_ feed: inout Feed) -> Bool {
        let refresh = feed.refresh
        guard let earlier = refresh.earlier,
            refresh.isRetired || refresh.failures >= Feed.FetchState.mostFailuresAfterMove
        else { return false }
        let moved = PlainText.line(feed.address, limit: 300)
        if feed.title == feed.address { feed.title = earlier.address }
        (feed.address, feed.isNamed) = (earlier.address, earlier.isNamed)
        // The state belongs to the other address.
        feed.refresh = Feed.FetchState()
        feed.refresh.succeededAt = refresh.succeededAt
        notes.append((feed, "It moved to \(moved), but is not there: its earlier address is used again."))
        return true
    }

    /// The note of a cached response begins with the reason for using it.
    private static func described(_ refusal: PulseError, _ answer: FeedResponse) -> PulseError {
        PulseError(refusal.code, answer.note ?? refusal.message, hint: refusal.hint)
    }

    /// Whether all requests failed for lack of a network. Then no feed is to blame.
    public var isOffline: Bool { !hasServed && !failures.isEmpty }

    /// The new states of feeds that failed without a response since the last call. Call it once a server has answered
    /// or all feeds were fetched: without a network, no feed is to blame.
    public mutating func rest() -> [Feed] {
        var rest: [Feed] = []
        let isOffline = isOffline
        defer { settled = failures.count }
        for index in settled..<failures.count where failures[index].feed.refresh.triedAt != now {
            let outcome: FetchOutcome = isOffline ? .offline : .failed(failures[index].error)
            failures[index].feed.refresh = failures[index].feed.refresh.after(outcome, at: now)
            var feed = failures[index].feed
            _ = restoreEarlierAddress(&feed)
            rest.append(feed)
        }
        return rest
    }
}

extension Feed {
    /// Applies a response to the feed itself. A move counts only after the feed was found at its new address.
    public mutating func take(_ answer: FeedResponse, at now: Date) {
        if let contents = answer.contents {
            if title == address, let found = contents.title, !found.isEmpty { title = found }
            site = contents.site ?? site
        }
        guard answer.refusal == nil, !answer.isGone, let target = answer.movedTo, target != address else { return }
        refresh.earlier = refresh.earlier ?? Earlier(address: address, isNamed: isNamed, movedAt: now)
        // The user named the old server, not the new one.
        isNamed = isNamed && WebAddress.isSameHost(target, address)
        if title == address { title = target }
        address = target
        if refresh.earlier?.address == target { refresh.earlier = nil }
    }
}

public enum FetchOutcome: Sendable, Hashable {
    case answered(FeedResponse)
    case failed(PulseError)
    /// This machine has no network, so the feed is not to blame.
    case offline
}

extension Feed.FetchState {
    /// A feed's state, which decides whether it is fetched.
    public enum State: String, Sendable, CaseIterable {
        /// It responded recently, and is not due yet.
        case fresh
        /// Its last response succeeded; it is fetched by the next refresh.
        case stale
        /// It failed, and is fetched by the next refresh.
        case failed
        /// It failed, and is not fetched for a while.
        case backedOff
        /// It failed ten times in a row, and is fetched once a day.
        case broken
        /// It is gone (410), and is fetched once a month.
        case retired
    }

    public func state(at now: Date) -> State {
        if isRetired { return .retired }
        if failures >= Self.mostFailures { return .broken }
        if failures > 0 { return isWaiting(at: now) ? .backedOff : .failed }
        return isWaiting(at: now) ? .fresh : .stale
    }

    /// Whether a refresh of all feeds fetches it now.
    public func isDue(at now: Date) -> Bool { nextFetch(at: now) == nil }

    /// When a refresh of all feeds fetches it again; nil: now.
    public func nextFetch(at now: Date) -> Date? {
        guard isRetired else { return isWaiting(at: now) ? notBefore : nil }
        guard let triedAt, now >= triedAt else { return nil }
        let next = triedAt.addingTimeInterval(Self.month)
        return next > now ? next : nil
    }

    /// No feed waits for longer than a day, in case the clock was set back.
    private func isWaiting(at now: Date) -> Bool {
        notBefore.map { now < $0 && $0.timeIntervalSince(now) <= Self.day } ?? false
    }

    /// Whether to make a conditional request. After a failure the request is unconditional, because the validators may
    /// be the reason; and so is one request a week, because a server may wrongly answer that nothing has changed.
    ///
    /// - Parameter id: the feed's id. It decides the day of the unconditional request.
    func isConditional(at now: Date, id: Int64) -> Bool {
        guard failures == 0, let triedAt else { return failures == 0 }
        func week(_ date: Date) -> Double {
            ((date.timeIntervalSince1970 + Double(id % 7) * 86_400) / Self.week).rounded(.down)
        }
        return week(triedAt) == week(now)
    }

    /// Makes the next request unconditional.
    public mutating func forgetValidators() { (entityTag, lastModified) = (nil, nil) }

    public func after(_ outcome: FetchOutcome, at now: Date) -> Feed.FetchState {
        var next = self
        next.triedAt = now
        switch outcome {
        case .offline: break
        case .failed(let error): next.fail(error, at: now, asked: error.notBefore)
        case .answered(let answer):
            if answer.isGone {
                next.isRetired = true
                next.notBefore = nil
                next.lastError = "It says that it is gone for good (410), and is refreshed once a month."
            } else if let refusal = answer.refusal {
                next.fail(refusal, at: now, asked: answer.notBefore)
            } else {
                next = Feed.FetchState()
                next.triedAt = now
                next.succeededAt = now
                next.earlier = earlier.flatMap { now.timeIntervalSince($0.movedAt) < Self.month ? $0 : nil }
                next.entityTag = answer.entityTag ?? (answer.contents == nil ? entityTag : nil)
                next.lastModified = answer.lastModified ?? (answer.contents == nil ? lastModified : nil)
                let least = answer.contents == nil ? max(Self.leastAge, interval ?? 0) : Self.leastAge
                next.notBefore = Self.bounded(answer.notBefore, atLeast: least, from: now)
            }
        }
        return next
    }

    /// The wait in seconds that the last response asked for. The feed's body states it, which a 304 lacks.
    private var interval: Double? {
        guard failures == 0, let notBefore, let succeededAt else { return nil }
        return notBefore.timeIntervalSince(succeededAt)
    }

    private mutating func fail(_ error: PulseError, at now: Date, asked: Date?) {
        failures += 1
        lastError = error.message.description
        let pause =
            failures >= Self.mostFailures
            ? Self.day : min(Self.leastAge * Double(1 << (failures - 1)), Self.longestPause)
        notBefore = Self.bounded(asked, atLeast: pause, from: now)
    }

    private static func bounded(_ date: Date?, atLeast seconds: Double, from now: Date) -> Date {
        now.addingTimeInterval(min(max(seconds, date?.timeIntervalSince(now) ?? 0), day))
    }

    /// Seconds between a response and the next request: ten minutes. Doubled with each failure.
    public static let leastAge: Double = 600
    static let longestPause: Double = 12 * 3600
    /// Less than 24 hours, so that a daily refresh that comes a little earlier still fetches every feed.
    static let day: Double = 23 * 3600
    public static let mostFailures = 10
    static let month: Double = 30 * 86_400
    private static let week: Double = 7 * 86_400
    /// After this many failures at a new address, the previous address is tried.
    static let mostFailuresAfterMove = 3
}
