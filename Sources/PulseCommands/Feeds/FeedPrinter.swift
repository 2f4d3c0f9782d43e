import PulseApp
import PulseCore
import PulsePlatform
import PulseRendering
import PulseSources
import PulseStore
import PulseText

import struct Foundation.Date

/// Output of `feeds refresh`, `feeds add` and `feeds preview`.
extension CommandContext {
    /// `feeds refresh`: the failures, each with the feed's name, and a summary line.
    func tell(_ report: FeedRefresh.Report, keepUnreadDays: Int) throws {
        let tally = report.tally
        let mostShown = 20
        if tally.isOffline, let first = tally.failures.first {
            throw PulseError(
                .tryAgain, "No feed could be reached. \(FeedRefresh.line(first.feed, first.error))",
                hint: "Check the connection to the internet. No feed counts as failed.")
        }
        if report.busy > 0, report.asked == 0 {
            throw PulseError(
                .tryAgain, "Busy: another pulse-digest is refreshing the feeds.", hint: "Try again later.")
        }
        for failure in tally.failures.prefix(mostShown) {
            console.say(FeedRefresh.line(failure.feed, failure.error))
        }
        // A hint about settings is printed once; one about a server only if no other feed failed.
        var hints: [Message] = []
        let isClosed = tally.failures.contains { $0.error.isOfPrivateAddress && !$0.feed.isNamed }
        if isClosed { hints.append(FeedRefresh.privateHint()) }
        for error in tally.failures.map(\.error)
        where error.code == .configuration || tally.failures.count == 1 && !isClosed {
            if let hint = error.hint, !hints.contains(hint) { hints.append(hint) }
        }
        for hint in hints { note(hint) }
        if tally.failures.count > mostShown {
            console.say("\(tally.failures.count - mostShown) more failed. To see all: pulse-digest feeds list")
        }
        for feed in tally.retired {
            note(
                "\(PlainText.line(feed.title)): it says that it is gone for good (410), and is refreshed once a month.")
        }
        for (feed, _) in tally.moved {
            note("\(PlainText.line(feed.title)) has moved to \(PlainText.line(feed.address)).")
        }
        for (feed, text) in tally.notes { note("\(PlainText.line(feed.title)): \(text)") }
        if !isQuiet {
            var parts = [Counted.text(report.new, "new entry", "new entries")]
            if !tally.failures.isEmpty { parts.append("\(tally.failures.count) failed") }
            if report.busy > 0 {
                parts.append(
                    Counted.text(
                        report.busy, "feed is being refreshed by another pulse-digest",
                        "feeds are being refreshed by another pulse-digest"))
            }
            if report.left > 0 {
                parts.append("\(report.left) left for the next time, because their servers are too slow")
            }
            if report.notDue > 0 { parts.append("\(report.notDue) not due yet") }
            let asked = Counted.text(report.asked - tally.failures.count, "feed refreshed", "feeds refreshed")
            try console.tell("\(asked): \(parts.joined(separator: ", ")).\n")
            if report.asked == 0, let dueAt = report.dueAt {
                let named = operands.map { " " + ShellWord.quoted($0) }.joined()
                note(
                    "None of these feeds is due before \(DateText.compact(dueAt, in: timeZone)). To refresh "
                        + "anyway: pulse-digest feeds refresh\(named) --force")
            }
            if report.expired > 0 {
                let count = Counted.text(report.expired)
                let limit = Counted.text(keepUnreadDays, "day", "days")
                try console.tell(
                    report.expired == 1
                        ? "\(count) entry that nobody read in \(limit) deleted.\n"
                        : "\(count) entries that nobody read in \(limit) deleted.\n")
            }
        }
        // If one feed of many fails, that is normal; if none answers, something is wrong.
        if report.asked > 0, tally.answered == 0, tally.retired.isEmpty, let first = tally.failures.first {
            throw PulseError(first.error.code, "")
        }
    }

    func tell(_ added: (feed: Feed, answer: FeedResponse, new: Int)) throws {
        let entries = added.answer.contents?.entries.count ?? 0
        if !isQuiet {
            try console.tell(
                "\(PlainText.line(added.feed.title)) (\(PlainText.line(added.feed.address))): "
                    + "\(Counted.text(entries, "entry", "entries")), \(added.new) new\n")
        }
        if added.new == 0, entries > 0 {
            note(
                "None is new: entries older than a week, or already read, count as seen. To mark them as new: "
                    + "pulse-digest feeds mark \(added.feed.id) --as new")
        }
        tellNote(of: added.answer)
    }

    /// Notes that an answer is old or from another service, and how many entries are left out.
    private func tellNote(of answer: FeedResponse) {
        if let text = answer.note { note(text) }
        if let skipped = answer.contents?.skipped, skipped > 0 {
            note(
                Counted.text(
                    skipped, "entry has nothing to read, and is left out.",
                    "entries have nothing to read, and are left out."))
        }
    }

    func show(_ feed: Feed, _ answer: FeedResponse, as list: ListArguments) throws {
        tellNote(of: answer)
        let entries = answer.contents?.entries ?? []
        let shown = entries.prefix(list.limit).map { article in
            Reading(
                article: article, readAt: article.publishedAt ?? now, origin: "feeds", isExact: false, basis: .unread)
        }
        if list.isJSON { return try console.write(HistoryJSON.list(shown)) }
        let facts = [feed.address, answer.contents?.site].compactMap { $0.map { PlainText.line($0) + "\n" } }
        let count = style.text(Counted.text(entries.count, "entry", "entries"))
        let head = PlainText.line(feed.title) + "\n" + facts.joined() + count + "\n"
        try console.write(head + HistoryText.list(shown, style: style))
    }
}

extension FeedRefresh {
    /// The hint for feeds of a list that are in the user's own network.
    static func privateHint(_ list: Message = "FILE") -> Message {
        "To follow feeds on your own network: pulse-digest feeds import-opml \(list) --private. Or type their addresses: "
            + "pulse-digest feeds add URL"
    }
}

enum FeedText {
    /// Each feed's number, title and counts; then its address and last success; after a failure, the reason.
    static func list(_ feeds: [FollowedFeed], now: Date, style: TextStyle) -> String {
        let digits = feeds.map { "\($0.feed.id)".count }.max() ?? 1
        let margin = String(repeating: " ", count: digits + 2)
        return feeds.map { row in
            let state = row.feed.refresh.state(at: now)
            let number = "\(row.feed.id)".padding(to: digits, atFront: true)
            let title = DisplayWidth.clip(PlainText.line(row.feed.title), to: 60)
            let refreshed =
                style.text(
                    row.feed.refresh.succeededAt.map { "refreshed \(DateText.compact($0, in: style.timeZone))" }
                        ?? "never refreshed")
            let facts = [
                PlainText.line(row.feed.address), FeedAddition.kind(of: row.feed.address),
                row.feed.folder.map { PlainText.line($0) }, refreshed,
            ].compactMap(\.self)
            var lines =
                style.dim(number) + "  " + style.bold(title) + " — "
                + style.text(
                    row.new > 0
                        ? "\(row.unread) unread of \(row.entries), \(row.new) new"
                        : "\(row.unread) unread of \(row.entries)") + "\n"
            lines += style.aside(facts.joined(separator: " · "), indent: margin.count)
            if let error = row.feed.refresh.lastError {
                let failures = row.feed.refresh.failures
                let times: Message = failures > 1 ? "Failed \(failures) times" : "Failed"
                let since: Message = state == .broken ? ", so it is refreshed once a day" : ""
                // The error was stored in English, and may have a translation.
                let what = Message(stringLiteral: PlainText.line(error))
                let again = row.feed.refresh.nextFetch(at: now).map { DateText.compact($0, in: style.timeZone) }
                let next: Message = again.map { " Next refresh: \($0) or later." } ?? ""
                lines += style.aside(
                    style.text(state == .retired ? "\(what)\(next)" : "\(times)\(since): \(what)\(next)"),
                    indent: margin.count)
            }
            return lines
        }.joined()
    }

    /// An object with the key `feeds`.
    static func json(_ feeds: [FollowedFeed], now: Date) -> String {
        JSONText.render(["feeds": feeds.map { Row($0, now: now) }])
    }

    private struct Row: Encodable {
        let number: Int64
        let title, address, kind, state: String
        let site, folder, error: String?
        let refreshedAt: Date?
        let new, unread, entries, failures: Int

        init(_ row: FollowedFeed, now: Date) {
            number = row.feed.id
            title = row.feed.title
            address = row.feed.address
            kind = FeedAddition.kind(of: row.feed.address)
            state = row.feed.refresh.state(at: now).rawValue
            site = row.feed.site
            folder = row.feed.folder
            error = row.feed.refresh.lastError
            refreshedAt = row.feed.refresh.succeededAt
            new = row.new
            unread = row.unread
            entries = row.entries
            failures = row.feed.refresh.failures
        }
    }
}
