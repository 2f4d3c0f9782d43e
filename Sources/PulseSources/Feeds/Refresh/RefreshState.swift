public import PulseCore

public import struct Foundation.Date

/// What came of asking a feed once.
public enum RefreshOutcome: Sendable, Hashable {
    case answered(FeedAnswer)
    case failed(PulseError)
    /// This machine has no network: that is no fault of the feed's.
    case offline
}

extension Feed.Refresh {
    /// How a feed stands, and whether it is asked.
    public enum State: String, Sendable, CaseIterable {
        /// It answered so recently that it is not asked again yet.
        case fresh
        /// It is asked with the next refresh; its last answer is there.
        case stale
        /// It failed, and is asked again with the next refresh.
        case failed
        /// It failed, and is left alone for a while.
        case backedOff
        /// It failed ten times in a row, and is asked once a day.
        case broken
        /// It said that it is gone for good, and is asked once a month.
        case retired
    }

    public func state(at now: Date) -> State {
        if isRetired { return .retired }
        if failures >= Self.mostFailures { return .broken }
        if failures > 0 { return isWaiting(at: now) ? .backedOff : .failed }
        return isWaiting(at: now) ? .fresh : .stale
    }

    /// Whether a refresh of all feeds asks it now.
    public func isDue(at now: Date) -> Bool { askedAgain(at: now) == nil }

    /// From when on a refresh of all feeds asks it; nil: now.
    public func askedAgain(at now: Date) -> Date? {
        guard isRetired else { return isWaiting(at: now) ? notBefore : nil }
        guard let triedAt, now >= triedAt else { return nil }
        let next = triedAt.addingTimeInterval(Self.month)
        return next > now ? next : nil
    }

    /// A clock that was set back must not silence a feed: nothing keeps one from being asked for longer than a day.
    private func isWaiting(at now: Date) -> Bool {
        notBefore.map { now < $0 && $0.timeIntervalSince(now) <= Self.day } ?? false
    }

    /// Whether it is asked for no more than what has changed. What failed is asked for everything, since validators may
    /// be why; and so is each once a week, since a server may say of anything that nothing has changed.
    ///
    /// - Parameter id: The feed's: not all have the same day.
    func isConditional(at now: Date, id: Int64) -> Bool {
        guard failures == 0, let triedAt else { return failures == 0 }
        func week(_ date: Date) -> Double {
            ((date.timeIntervalSince1970 + Double(id % 7) * 86_400) / Self.week).rounded(.down)
        }
        return week(triedAt) == week(now)
    }

    /// From now on it is asked for everything.
    public mutating func forgetValidators() { (entityTag, lastModified) = (nil, nil) }

    /// What is remembered after a feed was asked.
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

    /// Seconds for which it was to be left alone after its last answer: what a feed asks for stands in the feed, and an
    /// answer that nothing has changed comes without it.
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

    /// Seconds for which a feed is left alone after it answered: ten minutes. After failures, twice as long each time.
    public static let leastAge: Double = 600
    /// Half a day.
    static let longestPause: Double = 12 * 3600
    /// What is refreshed once a day, a little earlier or later, is asked each time.
    static let day: Double = 23 * 3600
    public static let mostFailures = 10
    static let month: Double = 30 * 86_400
    private static let week: Double = 7 * 86_400
    /// After as many failures at an address to which it moved, a feed is looked for where it was before.
    static let mostFailuresAfterMove = 3
}
