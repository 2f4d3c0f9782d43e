public import PulseCore
import PulseHTTP

public import struct Foundation.Date

/// Asks feeds for what is new: several at a time, but one server never twice at once.
public struct FeedRefresher: Sendable {
    private let services: [any FeedService]
    private let now: Date
    private let most: Int

    /// - Parameter most: how many are asked at a time.
    public init(services: [any FeedService], now: Date, most: Int = 8) {
        self.services = services
        self.now = now
        self.most = most
    }

    /// Asks one feed. Errors: as `FeedService.fetch`; `.configuration` where nobody serves such an address.
    public func ask(_ feed: Feed) async throws(PulseError) -> FeedAnswer {
        guard let service = services.first(where: { $0.serves(feed.address) }) else {
            throw PulseError(.badData, "\(feed.address) is not the address of a feed.")
        }
        return try await service.fetch(feed, now: now)
    }

    /// Asks all of them, and hands over what came of each as it comes, on the caller's task.
    ///
    /// What `hear` throws ends the work, and so does the cancellation of the task, with `.interrupted`.
    public func ask(
        _ feeds: [Feed], hear: (Feed, Result<FeedAnswer, PulseError>) throws(PulseError) -> Void
    ) async throws(PulseError) {
        var lanes: [[Feed]] = []
        var places: [String: Int] = [:]
        for feed in feeds {
            let host = WebAddress(feed.address)?.host ?? String(feed.address.prefix { $0 != ":" })
            if let place = places[host] {
                lanes[place].append(feed)
            } else {
                places[host] = lanes.count
                lanes.append([feed])
            }
        }
        // The longest lane decides when all are done, so it starts first.
        lanes.sort { $0.count > $1.count }
        var fault: PulseError?
        await withTaskGroup(of: (lane: Int, Feed, Result<FeedAnswer, PulseError>).self) { group in
            var started = 0
            var asked = lanes.map { _ in 0 }
            func start(_ lane: Int) {
                let feed = lanes[lane][asked[lane]]
                asked[lane] += 1
                group.addTask {
                    do throws(PulseError) {
                        return (lane, feed, .success(try await ask(feed)))
                    } catch {
                        return (lane, feed, .failure(error))
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
                } else if asked[lane] < lanes[lane].count {
                    start(lane)
                } else if started < lanes.count {
                    start(started)
                    started += 1
                }
            }
        }
        if let fault { throw fault }
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
            // What a server said is no sign that there is no network.
            if ![.unavailable, .tryAgain].contains(error.code) { hasServed = true }
            return nil
        case .success(let answer):
            // An older answer that was kept is no sign of a network either.
            if let refusal = answer.refusal, refusal.code == .unavailable {
                failures.append((feed, Self.told(refusal, answer)))
                return nil
            }
            hasServed = true
            let before = feed.address
            feed.refresh = feed.refresh.after(.answered(answer), at: now)
            if answer.isGone {
                retired.append(feed)
            } else if let refusal = answer.refusal {
                failures.append((feed, Self.told(refusal, answer)))
            } else {
                if let note = answer.note { notes.append((feed, note)) }
                answered += 1
                if answer.contents == nil { unchanged += 1 }
                feed.take(answer)
                if feed.address != before { moved.append((feed, before)) }
            }
            return (feed, answer.contents)
        }
    }

    /// The note of an older answer begins with why there is no new one.
    private static func told(_ refusal: PulseError, _ answer: FeedAnswer) -> PulseError {
        PulseError(refusal.code, answer.note ?? refusal.message, hint: refusal.hint)
    }

    /// Whether nobody answered at all: then it is the network, and no feed is blamed.
    public var isOffline: Bool { !hasServed && !failures.isEmpty && answered == 0 && retired.isEmpty }

    /// The feeds that failed without an answer, as they are remembered; to be asked for once, when all were asked.
    public mutating func rest() -> [Feed] {
        var rest: [Feed] = []
        let isOffline = isOffline
        for index in failures.indices where failures[index].feed.refresh.triedAt != now {
            let error = failures[index].error
            let outcome: RefreshOutcome = isOffline ? .offline : .failed(error)
            failures[index].feed.refresh = failures[index].feed.refresh.after(outcome, at: now)
            rest.append(failures[index].feed)
        }
        return rest
    }
}

extension Feed {
    /// Takes over what an answer says of the feed itself. A move counts once the feed was found where it leads.
    public mutating func take(_ answer: FeedAnswer) {
        if let contents = answer.contents {
            if title == address, let found = contents.title, !found.isEmpty { title = found }
            site = contents.site ?? site
        }
        guard answer.refusal == nil, !answer.isGone, let target = answer.movedTo, target != address else { return }
        // Its owner's word for the old server is none for the new one.
        isNamed = isNamed && WebAddress.isSameHost(target, address)
        if title == address { title = target }
        address = target
    }
}
