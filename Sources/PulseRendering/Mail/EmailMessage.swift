public import PulseCore
import PulseText

public import struct Foundation.Date
public import struct Foundation.TimeZone

/// A message of RFC 5322 that says the same twice: as plain text, and as HTML for those who have it. It is whole, with
/// line feeds as line ends, as `sendmail -t -oi` takes it.
public struct EmailMessage: Sendable, Hashable {
    public let from: MailAddress
    /// At least one.
    public let to: [MailAddress]
    /// One line, not yet encoded.
    public let subject: String
    public let date: Date
    /// The reader's: the date is told in it, and the day that the message is of is a day there.
    public let timeZone: TimeZone
    public let language: Language
    public let plain: String
    public let html: String

    /// - Parameters:
    ///   - from: Whose domain the message's identity is made in.
    ///   - to: At least one.
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

    /// The day the message is of, in the reader's time zone: `2026-11-21`.
    public var day: String { Day(date, in: timeZone).text }

    /// The same for the same day and recipients, whatever the message says, so that a second copy of it is known for
    /// one: `<pulse-digest.2026-11-21.0123456789abcdef@example.org>`.
    public var id: String {
        let recipients = to.map(\.key).sorted().joined(separator: ",")
        return "<pulse-digest.\(day).\(ArticleKey.make(from: recipients))@\(from.domain)>"
    }

    /// The whole message.
    public var text: String { header + "\n" + body }

    // MARK: - Its two halves

    private var header: String {
        [
            HeaderField.token("Date", MailDate(date, in: timeZone).text),
            HeaderField.addresses("From", [from]),
            HeaderField.addresses("To", to),
            HeaderField.text("Subject", subject),
            HeaderField.token("Message-ID", id),
            HeaderField.token("MIME-Version", "1.0"),
            // RFC 2919: what a reader's filter can go by.
            HeaderField.token("List-Id", "pulse-digest <pulse-digest.\(from.domain)>"),
            // RFC 3834: nobody's holiday notice answers it.
            HeaderField.token("Auto-Submitted", "auto-generated"),
            HeaderField.token("Content-Language", language.rawValue),
            "Content-Type: multipart/alternative;\n boundary=\"\(boundary)\"\n",
        ].joined()
    }

    /// "=_" cannot occur in a quoted-printable body (RFC 2045, section 6.7), so neither can this.
    private var boundary: String { "=_pulse-digest_\(ArticleKey.make(from: plain + html))" }

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
