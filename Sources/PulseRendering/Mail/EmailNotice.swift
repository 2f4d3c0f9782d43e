import PulseCore
import PulseText

public import struct Foundation.Date
public import struct Foundation.TimeZone

/// A message of RFC 5322 that tells in plain text why there is no digest.
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

    /// The whole message, with line feeds as line ends. Its identity is not that of the day's digest, which may still
    /// come.
    public var text: String {
        let mark = ArticleKey.make(from: to.map(\.key).sorted().joined(separator: ",") + body)
        return [
            HeaderField.token("Date", MailDate(date, in: timeZone).text),
            HeaderField.addresses("From", [from]),
            HeaderField.addresses("To", to),
            HeaderField.text("Subject", subject),
            HeaderField.token(
                "Message-ID", "<pulse-digest.notice.\(Day(date, in: timeZone).text).\(mark)@\(from.domain)>"),
            HeaderField.token("MIME-Version", "1.0"),
            HeaderField.token("Auto-Submitted", "auto-generated"),
            "Content-Type: text/plain; charset=utf-8\n",
            "Content-Transfer-Encoding: quoted-printable\n\n",
            QuotedPrintable.encode(PlainText.printable(body)), "\n",
        ].joined()
    }
}
