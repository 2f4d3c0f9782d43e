public import PulseCore
import PulseText

public import struct Foundation.Date

/// A row of the list of feeds.
public struct FeedRow: Sendable, Hashable {
    /// How commands name it.
    public var number: Int64 { feed.id }
    public var feed: Feed
    /// `web`, or the name of a service.
    public var kind: String
    public var new: Int
    public var unread: Int
    public var entries: Int
    /// A raw value of `Feed.Refresh.State`.
    public var state: String
    /// When it is fetched again; nil: by the next refresh.
    public var askedAgain: Date?

    public init(
        feed: Feed, kind: String, new: Int, unread: Int, entries: Int, state: String, askedAgain: Date? = nil
    ) {
        self.feed = feed
        self.kind = kind
        self.new = new
        self.unread = unread
        self.entries = entries
        self.state = state
        self.askedAgain = askedAgain
    }
}

/// Followed feeds as text and as JSON.
public enum FeedText {
    /// Two lines for each feed: its number, title and counts; then its address and its last success. After a failure, a
    /// third line with the reason.
    public static func list(_ rows: [FeedRow], style: TextStyle) -> String {
        let digits = rows.map { "\($0.number)".count }.max() ?? 1
        let margin = String(repeating: " ", count: digits + 2)
        return rows.map { row in
            let number = "\(row.number)".padding(to: digits, atFront: true)
            let title = DisplayWidth.clip(PlainText.line(row.feed.title), to: 60)
            let refreshed =
                style.text(
                    row.feed.refresh.succeededAt.map { "refreshed \(DateText.compact($0, in: style.timeZone))" }
                        ?? "never refreshed")
            let facts = [
                PlainText.line(row.feed.address), row.kind, row.feed.folder.map { PlainText.line($0) }, refreshed,
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
                let since: Message = row.state == "broken" ? ", so it is asked once a day" : ""
                // The error was stored in English, and may be in the catalogue.
                let what = Message(stringLiteral: PlainText.line(error))
                let again = row.askedAgain.map { DateText.compact($0, in: style.timeZone) }
                let next: Message = again.map { " It is asked again from \($0) on." } ?? ""
                lines += style.aside(
                    style.text(row.state == "retired" ? "\(what)\(next)" : "\(times)\(since): \(what)\(next)"),
                    indent: margin.count)
            }
            return lines
        }.joined()
    }

    /// An object with the key `feeds`.
    public static func json(_ rows: [FeedRow]) -> String { JSONText.render(["feeds": rows.map(Row.init)]) }

    private struct Row: Encodable {
        let number: Int64
        let title, address, kind, state: String
        let site, folder, error: String?
        let refreshedAt: Date?
        let new, unread, entries, failures: Int

        init(_ row: FeedRow) {
            number = row.number
            title = row.feed.title
            address = row.feed.address
            kind = row.kind
            state = row.state
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
