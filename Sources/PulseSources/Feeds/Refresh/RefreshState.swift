public import PulseCore

public import struct Foundation.Date

/// The result of fetching a feed once.
public enum RefreshOutcome: Sendable, Hashable {
    case answered(FeedAnswer)
    case failed(PulseError)
    /// This machine has no network, so the feed is not to blame.
    case offline
}

extension Feed.Refresh {
    /// A feed's state, which decides whether it is fetched.
    public enum State: String, Sendable, CaseIterable {
        /// It responded recently and is not fetched yet.
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
    public func isDue(at now: Date) -> Bool { askedAgain(at: now) == nil }

    /// When a refresh of all feeds fetches it again; nil: now.
    public func askedAgain(at now: Date) -> Date? {
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
    /// - Parameter id: the feed's. Feeds differ in the day of their unconditional request.
    func isConditional(at now: Date, id: Int64) -> Bool {
        guard failures == 0, let triedAt else { return failures == 0 }
        func week(_ date: Date) -> Double {
            ((date.timeIntervalSince1970 + Double(id % 7) * 86_400) / Self.week).rounded(.down)
        }
        return week(triedAt) == week(now)
    }

    /// Makes the next request unconditional.
    public mutating func forgetValidators() { (entityTag, lastModified) = (nil, nil) }

    /// The state after a feed was fetched.
    public func after(_ outcome: RefreshOutcome, at now: Date) -> Feed.Refresh {
        var next = self
        next.triedAt = now
        switch outcome {
        case .offline: break
        case .failed(let error): next.fail(error, at: now, asked: nil)
        case .answered(let answer):
            if answer.isGone {
                next.isRetired = true
                next.notBefore = nil
                next.lastError = "It says that it is gone for good (410), and is asked once a month."
            } else if let refusal = answer.refusal {
                next.fail(refusal, at: now, asked: answer.notBefore)
            } else {
                next = Feed.Refresh()
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

    /// The seconds that its last response asked us to wait. The feed itself contains that wish, so a 304 has none.
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
    /// Half a day.
    static let longestPause: Double = 12 * 3600
    /// Less than 24 hours, so that a daily refresh that comes a little earlier still fetches every feed.
    static let day: Double = 23 * 3600
    public static let mostFailures = 10
    static let month: Double = 30 * 86_400
    private static let week: Double = 7 * 86_400
    /// After as many failures at a new address, the previous address is tried.
    static let mostFailuresAfterMove = 3
}
