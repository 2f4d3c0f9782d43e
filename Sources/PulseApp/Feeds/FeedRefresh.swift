package import Foundation
package import PulseCore
import PulsePlatform
package import PulseSources
import PulseStore
import PulseText

/// Asks feeds for what is new, and stores it as it comes.
package struct FeedRefresh: Sendable {
    private let app: AppEnvironment
    private let services: [any FeedService]
    /// Days after which the texts of unread entries are deleted.
    private let keepUnreadDays: Int
    private let reporter: Reporter

    package init(in app: AppEnvironment, services: [any FeedService], keepUnreadDays: Int, reporter: Reporter) {
        (self.app, self.services, self.keepUnreadDays, self.reporter) = (app, services, keepUnreadDays, reporter)
    }

    package static let noFeeds: Message = "You follow no feeds yet. To follow one: pulse-digest feeds add URL"

    package struct Report: Sendable {
        package var tally: FetchTally
        package var asked = 0
        /// Feeds that are not due yet.
        package var notDue = 0
        /// When the first of them is due.
        package var dueAt: Date?
        /// Feeds that another run has claimed.
        package var busy = 0
        /// Feeds that were skipped because their server was too slow.
        package var left = 0
        package var new = 0
        /// Unread entries that were deleted because of their age.
        package var expired = 0

        fileprivate mutating func leaveOut(_ feed: Feed, at now: Date) {
            guard !feed.refresh.isRetired else { return }
            notDue += 1
            dueAt = [dueAt, feed.refresh.nextFetch(at: now)].compactMap(\.self).min()
        }
    }

    /// Several may run at once: each claims the feeds of a server before it asks for them, and leaves out those that
    /// another has claimed.
    ///
    /// - Parameters:
    ///   - feeds: The feeds to fetch if they are due; nil: all of them.
    ///   - isForced: Whether feeds are fetched before they are due.
    package func run(_ feeds: [Feed]? = nil, isForced: Bool = false) async throws -> Report {
        let claims = try app.state().recordLocks("feeds.lock")
        let store = try app.history.open(.readWrite)
        let named = feeds.map { Set($0.map(\.id)) }
        var report = Report(tally: FetchTally(now: app.now))
        var due: [Feed] = []
        // As they are now: another refresh may have asked them since they were named.
        for feed in try store.feeds().map(\.feed) where named?.contains(feed.id) ?? true {
            // If forced, a named feed is fetched even if it has said that it is gone.
            let isWanted = isForced && (feeds != nil || !feed.refresh.isRetired)
            if isWanted || feed.refresh.isDue(at: app.now) {
                due.append(feed)
            } else {
                report.leaveOut(feed, at: app.now)
            }
        }
        try await ask(due, isForced: isForced, claiming: claims, storing: store, &report)
        report.expired = try store.expireEntries(
            fetchedBefore: app.now.addingTimeInterval(-86_400 * Double(keepUnreadDays)),
            memory: Self.memory)
        return report
    }

    /// Seconds that an entry is remembered after its feed has dropped it: a feed may show an old one again.
    private static let memory: Double = 30 * 86_400

    /// Answers that are written in one transaction: few enough to hold in memory.
    private struct Batch {
        private(set) var feeds: [FetchedFeed] = []
        /// Bytes of their texts.
        private var size = 0

        var isFull: Bool { feeds.count >= 20 || size >= 4 << 20 }

        mutating func add(_ fetched: FetchedFeed) {
            feeds.append(fetched)
            size += fetched.contents?.entries.reduce(0) { $0 + $1.content.utf8.count + $1.summary.utf8.count } ?? 0
        }
    }

    private func ask(
        _ feeds: [Feed], isForced: Bool, claiming claims: borrowing RecordLocks, storing store: borrowing Store,
        _ report: inout Report
    ) async throws {
        defer { reporter.clear() }
        var batch = Batch()
        var result: PulseError?
        do {
            try await FeedFetcher(services: services, now: app.now).ask(feeds) { lane in
                var claimed = try claim(lane, by: claims, in: store, &report)
                if isForced {
                    for index in claimed.indices { claimed[index].refresh.forgetValidators() }
                }
                return claimed
            } onEvent: { event in
                switch event {
                case .left(let feeds):
                    report.left += feeds.count
                    for feed in feeds { claims.release(feed.id) }
                case .tick: try record(&batch, releasing: claims, in: store, &report)
                case .fetched(let feed, let answer):
                    report.asked += 1
                    if let fetched = report.tally.take(feed, answer) { batch.add(fetched) }
                    if batch.isFull { try record(&batch, releasing: claims, in: store, &report) }
                    reporter.show(
                        "\(report.asked) of \(Counted.text(feeds.count, "feed", "feeds")), "
                            + "\(Counted.text(report.new, "new entry", "new entries"))")
                }
            }
        } catch {
            result = error.asPulseError
        }
        // What came before an interruption is stored.
        try record(&batch, isLast: true, releasing: claims, in: store, &report)
        if let result { throw result }
    }

    /// Claims the feeds that no other run has, and returns them as they are now. Those that another has asked since
    /// they were chosen, or that are no longer followed, are released.
    private func claim(
        _ feeds: [Feed], by claims: borrowing RecordLocks, in store: borrowing Store, _ report: inout Report
    ) throws -> [Feed] {
        var claimed: [Feed] = []
        for chosen in feeds {
            guard try claims.take(chosen.id) else {
                report.busy += 1
                continue
            }
            let feed = try store.feed(chosen.id).flatMap { $0.addedAt == chosen.addedAt ? $0 : nil }
            if let feed, feed.refresh.triedAt == chosen.refresh.triedAt {
                claimed.append(feed)
            } else {
                claims.release(chosen.id)
                if let feed { report.leaveOut(feed, at: app.now) }
            }
        }
        return claimed
    }

    /// Stores the answers, and then releases their feeds.
    private func record(
        _ batch: inout Batch, isLast: Bool = false, releasing claims: borrowing RecordLocks,
        in store: borrowing Store, _ report: inout Report
    ) throws {
        if isLast || report.tally.hasServed {
            for feed in report.tally.rest() { batch.add(FetchedFeed(feed: feed)) }
        }
        guard !batch.feeds.isEmpty else { return }
        report.new += try store.record(batch.feeds, at: app.now)
        for fetched in batch.feeds { claims.release(fetched.feed.id) }
        batch = Batch()
    }

    // MARK: - At night

    /// A refresh that nobody watches.
    /// - Returns: The fault to report: that no feed can be reached, or which ones have failed for some nights.
    package func atNight() async throws -> PulseError? {
        let report: Report
        do {
            report = try await run()
        } catch let error as PulseError where error.code != .interrupted {
            return PulseError(
                error.code, "The feeds were not refreshed: \(error.message)", hint: error.hint,
                cause: "feeds: \(error.reason)")
        }
        let tally = report.tally
        if tally.isOffline, let first = tally.failures.first {
            return PulseError(
                .tryAgain, "No feed could be reached. \(Self.line(first.feed, first.error))", cause: "feeds offline")
        }
        let lasting = tally.failures.filter { $0.feed.refresh.failures >= AlertThrottle.patience }
        let gone = tally.retired.map {
            ($0, PulseError(.noInput, $0.refresh.lastError.map(Message.init(stringLiteral:)) ?? "It is gone."))
        }
        let all = lasting.map { ($0.feed, $0.error) } + gone
        guard !all.isEmpty else { return nil }
        let lines = all.prefix(5).map { Self.line($0.0, $0.1) }
        let more: [Message] = all.count > 5 ? ["\(all.count - 5) more"] : []
        return PulseError(
            .unavailable, "Feeds that do not answer:\n\((lines + more).joined(separator: "\n"))",
            hint: "To see all: pulse-digest feeds list. To stop following one: pulse-digest feeds remove NUMBER",
            cause: "feeds: " + all.map(\.0.address).sorted().joined(separator: " "))
    }

    /// `The Gazette (https://…): There is no such page (404).`
    package static func line(_ feed: Feed, _ error: PulseError) -> Message {
        let title = PlainText.line(feed.title, limit: 100)
        let name = feed.title == feed.address ? title : "\(title) (\(PlainText.line(feed.address, limit: 300)))"
        return "\(name): \(error.message)"
    }
}

package struct FeedServiceSettings: Sendable {
    /// The file or the command that gives a service's key; both nil: there is none.
    package struct Key: Sendable {
        package var file: String?
        package var command: String?
    }

    /// The address of Pulse's backend; nil: it is not used.
    package var pulseURL: String?
    package var pulseKey = Key()
    package var guardianKey = Key()

    package init() {}

    /// All services that fetch feeds. The web comes last, because it would take a Bluesky profile for a page.
    package func services(in app: AppEnvironment) -> [any FeedService] {
        let client = CurlClient(NewsFeeds.policy)
        let folder = CacheFolder(app.locations.cache + "/services", now: app.now)
        return [
            NewsFeeds(
                pulse: pulseURL.map { ServiceAccess(address: $0, key: pulseKey.reading(app.variables)) },
                guardian: guardianKey.reading(app.variables).map {
                    ServiceAccess(address: NewsFeeds.guardianAddress, key: $0)
                }, client: client, cacheFolder: folder),
            BlueskyFeeds(client: client, cacheFolder: folder),
            WebFeed(client: CurlClient(WebFeed.policy)),
        ]
    }
}

extension FeedServiceSettings.Key {
    fileprivate func reading(_ environment: [String: String]) -> (@Sendable () async throws -> Secret)? {
        if let file { return { try Secret.fromFile(file) } }
        guard let command else { return nil }
        return { try await Secret.fromCommand(command, environment: environment) }
    }
}
