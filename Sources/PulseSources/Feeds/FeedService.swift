public import PulseCore

public import struct Foundation.Date

/// Whoever answers for a kind of feed address: the web for feeds as such, a news service, Bluesky.
public protocol FeedService: Sendable {
    /// Whether an address is this service's.
    func serves(_ address: String) -> Bool

    /// Asks once for what the feed holds now, by what is remembered of the last time.
    ///
    /// Errors: `.tryAgain` where trying later may help, `.noInput` where there is no such feed, `.badData` where the
    /// answer is no feed, `.configuration` where a key is missing. Each names the feed, and never a key.
    func fetch(_ feed: Feed, now: Date) async throws(PulseError) -> FeedAnswer
}
