public import PulseCore
import PulseText

public import struct Foundation.Date

/// A feed as it is listed.
public struct FeedRow: Sendable, Hashable {
    /// How commands name it.
    public var number: Int64
    public var feed: Feed
    /// `web`, or the service it is of.
    public var kind: String
    public var new: Int
    public var unread: Int
    public var entries: Int
    /// As `Feed.Refresh.State` has it.
    public var state: String
    /// When a refresh asks it again; nil: with the next.
    public var askedAgain: Date?

    public init(
        feed: Feed, kind: String, new: Int, unread: Int, entries: Int, state: String, askedAgain: Date? = nil
    ) {
        number = feed.id
        self.feed = feed
        self.kind = kind
        self.new = new
        self.unread = unread
        self.entries = entries
        self.state = state
        self.askedAgain = askedAgain
    }
}

/// Feeds that are followed, as lines.
public enum FeedText {
    /// Two lines for each feed: its number, its title and how much there is; where it is, and when it last answered. A
    /// third says why it failed.
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
                // What was noted in English may be known as it stands.
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
        let site, folder, error, refreshedAt: String?
        let new, unread, entries, failures: Int

        private enum CodingKeys: String, CodingKey {
            case number, title, address, kind, state, site, folder, error, new, unread, entries, failures
            case refreshedAt = "refreshed_at"
        }

        init(_ row: FeedRow) {
            number = row.number
            title = row.feed.title
            address = row.feed.address
            kind = row.kind
            state = row.state
            site = row.feed.site
            folder = row.feed.folder
            error = row.feed.refresh.lastError
            refreshedAt = row.feed.refresh.succeededAt.map(JSONText.date)
            new = row.new
            unread = row.unread
            entries = row.entries
            failures = row.feed.refresh.failures
        }
    }
}
