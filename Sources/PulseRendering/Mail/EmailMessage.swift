public import Foundation
public import PulseCore
import PulseText

/// A message (RFC 5322) with two equivalent parts, plain text and HTML. Lines end with a line feed, as `sendmail -t
/// -oi` expects.
public struct EmailMessage: Sendable, Hashable {
    public let from: MailAddress
    /// At least one.
    public let to: [MailAddress]
    /// One line, unencoded.
    public let subject: String
    public let date: Date
    /// The recipient's time zone, for the date header and the day of the message.
    public let timeZone: TimeZone
    public let language: Language
    public let plain: String
    public let html: String

    /// - Parameters:
    ///   - from: its domain is a part of the Message-ID.
    ///   - to: at least one address.
    public init(
        from: MailAddress, to: [MailAddress], subject: String, date: Date, timeZone: TimeZone, language: Language,
        plain: String, html: String
    ) {
        precondition(!to.isEmpty, "a message to nobody")
        self.from = from
        self.to = to
        self.subject = PlainText.line(subject)
        self.date = date
        self.timeZone = timeZone
        self.language = language
        self.plain = plain
        self.html = html
    }

    /// The day of the message in the recipient's time zone: `2026-11-21`.
    public var day: String { Day(date, in: timeZone).text }

    /// The Message-ID. It depends only on the day and the recipients, so that mail programs recognise a second copy:
    /// `<pulse-digest.2026-11-21.0123456789abcdef@example.org>`.
    public var id: String {
        let recipients = to.map(\.key).sorted().joined(separator: ",")
        return "<pulse-digest.\(day).\(ShortHash.of(recipients))@\(from.domain)>"
    }

    /// The whole message.
    public var text: String { header + "\n" + body }

    // MARK: - Its two halves

    private var header: String {
        HeaderField.common(from: from, to: to, subject: subject, date: date, timeZone: timeZone, id: id)
            + [
                // RFC 2919: for the recipient's mail filters.
                HeaderField.token("List-Id", "pulse-digest <pulse-digest.\(from.domain)>"),
                // RFC 3834: prevents automatic replies.
                HeaderField.token("Auto-Submitted", "auto-generated"),
                HeaderField.token("Content-Language", language.rawValue),
                "Content-Type: multipart/alternative;\n boundary=\"\(boundary)\"\n",
            ].joined()
    }

    /// "=_" cannot occur in a quoted-printable body (RFC 2045, section 6.7), so neither can this.
    private var boundary: String { "=_pulse-digest_\(ShortHash.of(plain + html))" }

    /// The plain part first: "the best or preferred type should be the last" (RFC 2046, section 5.1.4).
    private var body: String {
        part("plain", plain) + part("html", html) + "--\(boundary)--\n"
    }

    private func part(_ subtype: String, _ text: String) -> String {
        """
        --\(boundary)
        Content-Type: text/\(subtype); charset=utf-8
        Content-Transfer-Encoding: quoted-printable

        \(QuotedPrintable.encode(text))

        """
    }
}

/// A plain-text message (RFC 5322) that says why there is no digest.
public struct EmailNotice: Sendable, Hashable {
    public let from: MailAddress
    /// At least one.
    public let to: [MailAddress]
    public let subject: String
    public let date: Date
    public let timeZone: TimeZone
    public let body: String

    public init(
        from: MailAddress, to: [MailAddress], subject: String, date: Date, timeZone: TimeZone, body: String
    ) {
        precondition(!to.isEmpty, "a message to nobody")
        self.from = from
        self.to = to
        self.subject = subject
        self.date = date
        self.timeZone = timeZone
        self.body = body
    }

    /// The whole message, with line feeds as line endings. Its Message-ID differs from the digest's, which may still be
    /// sent.
    public var text: String {
        let mark = ShortHash.of(to.map(\.key).sorted().joined(separator: ",") + body)
        let id = "<pulse-digest.notice.\(Day(date, in: timeZone).text).\(mark)@\(from.domain)>"
        return HeaderField.common(from: from, to: to, subject: subject, date: date, timeZone: timeZone, id: id)
            + [
                HeaderField.token("Auto-Submitted", "auto-generated"),
                "Content-Type: text/plain; charset=utf-8\n",
                "Content-Transfer-Encoding: quoted-printable\n\n",
                QuotedPrintable.encode(PlainText.printable(body)), "\n",
            ].joined()
    }
}

/// A date of a header field (RFC 5322, section 3.3), with English names in every language.
struct MailDate {
    private let parts: DateComponents
    private let offset: Int

    init(_ date: Date, in zone: TimeZone) {
        let calendar = Calendar.gregorian(in: zone)
        parts = calendar.dateComponents([.year, .month, .day, .weekday, .hour, .minute, .second], from: date)
        offset = zone.secondsFromGMT(for: date) / 60
    }

    /// `Sat, 21 Nov 2026 02:46:40 +0000`
    var text: String {
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let date = "\(weekdays[(parts.weekday ?? 1) - 1]), \(parts.day ?? 1) \(months[(parts.month ?? 1) - 1])"
        let time = "\(two(parts.hour)):\(two(parts.minute)):\(two(parts.second))"
        let zone = (offset < 0 ? "-" : "+") + two(abs(offset) / 60) + two(abs(offset) % 60)
        return "\(date) \(year) \(time) \(zone)"
    }

    /// Four digits at least.
    private var year: String { padded(parts.year, to: 4) }

    private func two(_ number: Int?) -> String { padded(number, to: 2) }

    private func padded(_ number: Int?, to digits: Int) -> String {
        let text = "\(number ?? 0)"
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
