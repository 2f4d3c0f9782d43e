package import Foundation
package import PulseCore
import PulsePlatform
package import PulseSources
import PulseStore
import PulseText

/// Asks feeds for what is new, and stores it as it comes.
package struct FeedRefresh: Sendable {
    private let app: AppEnvironment
    /// Who answers for which addresses.
    private let services: [any FeedService]
    /// Days after which the texts of what nobody read are deleted.
    private let keepUnreadDays: Int
    private let reporter: Reporter

    package init(
        in app: AppEnvironment, services: [any FeedService], keepUnreadDays: Int, reporter: Reporter
    ) {
        self.app = app
        self.services = services
        self.keepUnreadDays = keepUnreadDays
        self.reporter = reporter
    }

    /// What a run did.
    package struct Report: Sendable {
        package var tally: FetchTally
        package var asked = 0
        /// Those that need not be asked yet.
        package var notDue = 0
        /// When the first of them may be.
        package var dueAt: Date?
        /// Those whose server was too slow to come to them.
        package var left = 0
        package var new = 0
        /// Entries that nobody read for so long that they were deleted.
        package var expired = 0
    }

    /// - Parameters:
    ///   - feeds: Those that are asked, where they are due; nil: all of them.
    ///   - isForced: Whether those are asked too that need not be asked yet.
    package func run(_ feeds: [Feed]? = nil, isForced: Bool = false) async throws(PulseError) -> Report {
        guard let lock = try app.state().lock("feeds.lock") else {
            throw PulseError(
                .tryAgain, "Busy: another pulse-digest is refreshing the feeds.", hint: "Try again later.")
        }
        return try await lock.hold { () async throws(PulseError) in
            let store = try app.history.open(.readWrite)
            // As they are now: another refresh may have asked them since they were named.
            let named = feeds.map { Set($0.map(\.id)) }
            let all = try store.feeds().map(\.feed).filter { named?.contains($0.id) ?? true }
            // Who names a feed wants it, even where it has said that it is gone.
            var due = all.filter {
                isForced
                    ? feeds != nil || !$0.refresh.isRetired || $0.refresh.isDue(at: app.now)
                    : $0.refresh.isDue(at: app.now)
            }
            if isForced {
                for index in due.indices { due[index].refresh.forgetValidators() }
            }
            var report = Report(tally: FetchTally(now: app.now))
            let asked = Set(due.map(\.id))
            let later = all.filter { !$0.refresh.isRetired && !asked.contains($0.id) }
            report.notDue = later.count
            report.dueAt = later.compactMap { $0.refresh.askedAgain(at: app.now) }.min()
            try await ask(due, storing: store, &report)
            report.expired = try store.expireEntries(
                fetchedBefore: app.now.addingTimeInterval(-86_400 * Double(keepUnreadDays)),
                memory: Self.memory)
            return report
        }
    }

    /// Feeds whose answers are written in one transaction, and bytes of their texts: few enough to hold in memory.
    private static let batch = 20
    private static let batchSize = 4 << 20
    /// Seconds that an entry is remembered after its feed has dropped it: a feed may show an old one again.
    private static let memory: Double = 30 * 86_400

    private func ask(
        _ feeds: [Feed], storing store: borrowing Store, _ report: inout Report
    ) async throws(PulseError) {
        defer { reporter.clear() }
        var batch: [FetchedFeed] = []
        var size = 0
        var result: PulseError?
        do throws(PulseError) {
            let left = try await FeedFetcher(services: services, now: app.now).ask(feeds) {
                feed, answer throws(PulseError) in
                report.asked += 1
                if let fetched = report.tally.take(feed, answer) {
                    batch.append(fetched)
                    size +=
                        fetched.contents?.entries.reduce(0) { $0 + $1.content.utf8.count + $1.summary.utf8.count } ?? 0
                }
                if batch.count >= Self.batch || size >= Self.batchSize {
                    report.new += try store.record(batch, at: app.now)
                    (batch, size) = ([], 0)
                }
                reporter.show(
                    "\(report.asked) of \(Counted.text(feeds.count, "feed", "feeds")), "
                        + "\(Counted.text(report.new, "new entry", "new entries"))")
            }
            report.left = left.count
        } catch {
            result = error
        }
        // What came before an interruption is stored.
        batch += report.tally.rest().map { FetchedFeed(feed: $0) }
        report.new += try store.record(batch, at: app.now)
        if let result { throw result }
    }

    // MARK: - At night

    /// A refresh that nobody watches.
    /// - Returns: What is worth telling: that no feed can be reached, or which ones have failed for some nights.
    package func atNight() async throws(PulseError) -> PulseError? {
        let report: Report
        do throws(PulseError) {
            report = try await run()
        } catch {
            if error.code == .interrupted { throw error }
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

/// How the news services are reached.
package struct FeedServiceSettings: Sendable {
    /// Where a service's key is; nil in both: it needs none.
    package struct Key: Sendable {
        package var file: String?
        package var command: String?
    }

    /// Where Pulse's backend is; nil: it is not used.
    package var pulseURL: String?
    package var pulseKey = Key()
    package var guardianKey = Key()

    package init() {}

    /// Whoever answers for feeds. The services come before the web, which would take the address of a profile for that
    /// of a page.
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
    fileprivate func reading(
        _ environment: [String: String]
    ) -> (@Sendable () async throws(PulseError) -> Secret)? {
        if let file { return { () async throws(PulseError) in try Secret.fromFile(file) } }
        guard let command else { return nil }
        return { () async throws(PulseError) in try await Secret.fromCommand(command, environment: environment) }
    }
}
