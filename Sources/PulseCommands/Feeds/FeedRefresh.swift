import Foundation
import PulseCore
import PulsePlatform
import PulseRendering
import PulseSources
import PulseStore
import PulseText

/// Asks feeds for what is new, and stores it as it comes.
struct FeedRefresh {
    let context: Context
    /// Who answers for which addresses.
    let services: [any FeedService]

    init(context: Context, services: [any FeedService]? = nil) {
        self.context = context
        self.services = services ?? context.feedServices
    }

    /// What a run did.
    struct Report {
        var tally: RefreshTally
        var asked = 0
        /// Those that need not be asked yet.
        var notDue = 0
        /// When the first of them may be.
        var dueAt: Date?
        /// Those whose server was too slow to come to them.
        var left = 0
        var new = 0
        /// Entries that nobody read for so long that they were deleted.
        var expired = 0
    }

    /// - Parameter feeds: Those that are asked, where they are due; nil: all of them.
    func run(_ feeds: [Feed]? = nil) async throws(PulseError) -> Report {
        guard let lock = try context.state().lock("feeds.lock") else {
            throw PulseError(
                .tryAgain, "Busy: another pulse-digest is refreshing the feeds.", hint: "Try again later.")
        }
        return try await lock.hold { () async throws(PulseError) in
            let store = try context.store(.readWrite)
            // As they are now: another refresh may have asked them since they were named.
            let named = feeds.map { Set($0.map(\.id)) }
            let all = try store.feeds().map(\.feed).filter { named?.contains($0.id) ?? true }
            // Who names a feed wants it, even where it has said that it is gone.
            var due = all.filter {
                context.settings.isForced
                    ? feeds != nil || !$0.refresh.isRetired || $0.refresh.isDue(at: context.now)
                    : $0.refresh.isDue(at: context.now)
            }
            if context.settings.isForced {
                for index in due.indices { due[index].refresh.forgetValidators() }
            }
            var report = Report(tally: RefreshTally(now: context.now))
            let asked = Set(due.map(\.id))
            let later = all.filter { !$0.refresh.isRetired && !asked.contains($0.id) }
            report.notDue = later.count
            report.dueAt = later.compactMap { $0.refresh.askedAgain(at: context.now) }.min()
            try await ask(due, storing: store, &report)
            report.expired = try store.expireEntries(
                fetchedBefore: context.now.addingTimeInterval(-86_400 * Double(context.settings.keepUnreadDays)),
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
        let status = context.statusLine()
        defer { status.clear() }
        var batch: [FeedUpdate] = []
        var size = 0
        var result: PulseError?
        do throws(PulseError) {
            let left = try await FeedRefresher(services: services, now: context.now).ask(feeds) {
                feed, answer throws(PulseError) in
                report.asked += 1
                if let (feed, contents) = report.tally.take(feed, answer) {
                    batch.append(FeedUpdate(feed: feed, contents: contents))
                    size += contents?.entries.reduce(0) { $0 + $1.content.utf8.count + $1.summary.utf8.count } ?? 0
                }
                if batch.count >= Self.batch || size >= Self.batchSize {
                    report.new += try store.record(batch, at: context.now)
                    (batch, size) = ([], 0)
                }
                status.show(
                    "\(report.asked) of \(Counted.text(feeds.count, "feed", "feeds")), "
                        + "\(Counted.text(report.new, "new entry", "new entries"))")
            }
            report.left = left.count
        } catch {
            result = error
        }
        // What came before an interruption is stored.
        batch += report.tally.rest().map { FeedUpdate(feed: $0) }
        report.new += try store.record(batch, at: context.now)
        if let result { throw result }
    }

    // MARK: - Telling

    /// `feeds refresh`: the failures, each with the feed's name, and a line that sums up.
    func tell(_ report: Report) throws(PulseError) {
        let tally = report.tally
        if tally.isOffline, let first = tally.failures.first {
            throw PulseError(
                .tryAgain, "No feed could be reached. \(Self.line(first.feed, first.error))",
                hint: "Check the connection to the internet. No feed is blamed for it.")
        }
        for failure in tally.failures.prefix(Self.mostShown) {
            context.console.say(Self.line(failure.feed, failure.error))
        }
        // What is to be set up is said once; what to do about a server, where it is the only one.
        var hints: [Message] = []
        let isClosed = tally.failures.contains { $0.error.isOfPrivateAddress && !$0.feed.isNamed }
        if isClosed { hints.append(Self.privateHint) }
        for error in tally.failures.map(\.error)
        where error.code == .configuration || tally.failures.count == 1 && !isClosed {
            if let hint = error.hint, !hints.contains(hint) { hints.append(hint) }
        }
        for hint in hints { context.note(hint) }
        if tally.failures.count > Self.mostShown {
            context.console.say("\(tally.failures.count - Self.mostShown) more failed: pulse-digest feeds list")
        }
        for feed in tally.retired {
            context.note(
                "\(PlainText.line(feed.title)): it says that it is gone for good (410), and is asked once a month.")
        }
        for (feed, _) in tally.moved {
            context.note("\(PlainText.line(feed.title)) has moved to \(PlainText.line(feed.address)).")
        }
        for (feed, note) in tally.notes { context.note("\(PlainText.line(feed.title)): \(note)") }
        if !context.settings.isQuiet {
            var parts = [Counted.text(report.new, "new entry", "new entries")]
            if !tally.failures.isEmpty { parts.append("\(tally.failures.count) failed") }
            if report.left > 0 { parts.append("\(report.left) left for the next time, of servers that are too slow") }
            if report.notDue > 0 { parts.append("\(report.notDue) not asked again yet") }
            let asked = Counted.text(report.asked, "feed asked", "feeds asked")
            try context.console.tell("\(asked): \(parts.joined(separator: ", ")).\n")
            if report.asked == 0, let dueAt = report.dueAt {
                context.note(
                    "The next is asked from \(DateText.compact(dueAt, in: context.timeZone)) on. To ask all of them now: "
                        + "pulse-digest feeds refresh --force")
            }
            if report.expired > 0 {
                let (count, days) = (Counted.text(report.expired), context.settings.keepUnreadDays)
                let limit = Counted.text(days, "day", "days")
                try context.console.tell(
                    report.expired == 1
                        ? "\(count) entry that nobody read in \(limit) deleted.\n"
                        : "\(count) entries that nobody read in \(limit) deleted.\n")
            }
        }
        // One feed of many that fails is a usual day; where none answers, something is wrong.
        if report.asked > 0, tally.answered == 0, tally.retired.isEmpty, let first = tally.failures.first {
            throw PulseError(first.error.code, "")
        }
    }

    private static let mostShown = 20

    /// What to do about feeds of a list that are in one's own network.
    static let privateHint: Message =
        "To have feeds of your own network asked, import their list with --private (pulse-digest feeds import-opml FILE "
        + "--private), or type their addresses: pulse-digest feeds add URL"

    /// `The Gazette (https://…): There is no such page (404).`
    static func line(_ feed: Feed, _ error: PulseError) -> Message {
        let title = PlainText.line(feed.title, limit: 100)
        let name = feed.title == feed.address ? title : "\(title) (\(PlainText.line(feed.address, limit: 300)))"
        return "\(name): \(error.message)"
    }

    // MARK: - At night

    /// A refresh that nobody watches.
    /// - Returns: What is worth telling: that no feed can be reached, or which ones have failed for some nights.
    func atNight() async throws(PulseError) -> PulseError? {
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
        let lasting = tally.failures.filter { $0.feed.refresh.failures >= Complaints.patience }
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
}

extension Context {
    /// Whoever answers for feeds.
    var feedServices: [any FeedService] { newsServices() + [WebFeed(client: CurlClient(WebFeed.policy))] }
}
