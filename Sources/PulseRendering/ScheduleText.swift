public import PulseCore
import PulseText

public import struct Foundation.Date

/// An installed schedule.
public struct ScheduleRow: Sendable, Hashable {
    public let scheduler: String
    /// The entry itself, or the path of its file.
    public let entry: String
    /// The time of day with its time zone; nil if unknown.
    public let time: String?
    public let next: Date?
    /// The entry that prepares the digest, or the path of its file; nil: none.
    public let preparation: String?
    /// Why the scheduler does not start it; nil: it does.
    public let idle: Message?

    public init(
        scheduler: String, entry: String, time: String?, next: Date?, preparation: String? = nil, idle: Message? = nil
    ) {
        self.scheduler = scheduler
        self.entry = entry
        self.time = time
        self.next = next
        self.preparation = preparation
        self.idle = idle
    }
}

/// The result of a run.
public struct RunRow: Codable, Sendable, Hashable {
    public let time: Date
    /// `sent`, `empty`, `repeated`, `failed` or `interrupted`.
    public let outcome: String
    /// The exit status.
    public let exit: Int
    public let articles: Int
    public let messages: Int
    public let seconds: Double
    /// The error; empty: none.
    public let message: String

    public init(
        time: Date, outcome: String, exit: Int, articles: Int, messages: Int, seconds: Double, message: String
    ) {
        self.time = time
        self.outcome = outcome
        self.exit = exit
        self.articles = articles
        self.messages = messages
        self.seconds = seconds
        self.message = message
    }
}

/// The schedule and its runs as lines, and the runs as JSON.
public enum ScheduleText {
    /// - Parameters:
    ///   - imported: the time of the last import; nil: never.
    ///   - kept: the number of messages that wait to be sent.
    ///   - amiss: known problems, each with its subject.
    public static func show(
        _ rows: [ScheduleRow], last: RunRow?, imported: Date?, kept: Int, amiss: [(Message, Message)] = [],
        style: TextStyle
    ) -> String {
        var facts: [(Message, Message)] = []
        for row in rows {
            facts.append(
                ("\(row.scheduler)", row.time.map { "every day at \($0)" } ?? "changed by hand; see the entry"))
            facts.append(("entry", "\(PlainText.line(row.entry))"))
            if let preparation = row.preparation { facts.append(("prepare", "\(PlainText.line(preparation))")) }
            if let idle = row.idle { facts.append(("not started", idle)) }
            if let next = row.next { facts.append(("next run", "\(DateText.compact(next, in: style.timeZone))")) }
        }
        if rows.isEmpty {
            facts.append(("nothing is scheduled", ""))
            facts.append(
                ("to install", Message(verbatim: "pulse-digest schedule install --at 22:00 --to you@example.org")))
        }
        if let last { facts.append(("last run", "\(line(last, style: style))")) }
        if let imported { facts.append(("imported", "\(DateText.compact(imported, in: style.timeZone))")) }
        if kept > 0 {
            facts.append(
                ("not sent", Counted.text(kept, "message waits for the next run", "messages wait for the next run")))
        }
        return style.facts(facts + amiss)
    }

    /// One line for each run, the newest last.
    public static func log(_ rows: [RunRow], style: TextStyle) -> String {
        rows.map { line($0, style: style) + "\n" }.joined()
    }

    public static func json(_ rows: [RunRow]) -> String { JSONText.render(rows) }

    private static func line(_ row: RunRow, style: TextStyle) -> String {
        let seconds = row.seconds < 10 ? "\((row.seconds * 10).rounded() / 10)" : "\(Int(row.seconds.rounded()))"
        let outcome = outcome(row.outcome)
        var facts: [Message] = [row.exit == 0 ? outcome : "\(outcome) (\(row.exit))"]
        if row.articles > 0 { facts.append(Counted.text(row.articles, "article", "articles")) }
        if row.messages > 0 { facts.append(Counted.text(row.messages, "message", "messages")) }
        facts.append(Message(verbatim: "\(seconds) s"))
        let message = row.message.isEmpty ? "" : ": " + PlainText.line(row.message)
        return DateText.compact(row.time, in: style.timeZone) + "  " + style.text(facts.joined(separator: ", "))
            + message
    }

    private static func outcome(_ word: String) -> Message {
        switch word {
        case "repeated": "skipped: already sent today"
        case "sent": "handed to sendmail"
        case "empty": "empty"
        case "failed": "failed"
        case "interrupted": "interrupted"
        default: Message(verbatim: word)
        }
    }
}
