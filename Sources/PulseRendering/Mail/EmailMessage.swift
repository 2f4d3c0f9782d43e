public import Foundation
public import PulseCore
import PulseText

/// A message (RFC 5322) with two equivalent parts, plain text and HTML. Lines end with a line feed, as `sendmail -t
/// -oi` expects.
public struct EmailMessage: Sendable, Hashable {
    /// One line, unencoded.
    let subject: String
    let plain: String
    let html: String
    /// The Message-ID, by which mail programs recognise copies: the same for equal contents and recipients, and
    /// different for all else, since servers drop what they take for a copy:
    /// `<pulse-digest.2026-11-21.0123456789abcdef@example.org>`.
    let id: String
    /// The whole message.
    public let text: String

    /// - Parameters:
    ///   - from: its domain is a part of the Message-ID.
    ///   - to: at least one address.
    ///   - timeZone: the recipient's, for the date header and the day of the message.
    ///   - repeats: how many of the day's messages it repeats at the user's request; servers must not drop it as a
    ///     copy.
    init(
        from: MailAddress, to: [MailAddress], subject: String, date: Date, timeZone: TimeZone, language: Language,
        plain: String, html: String, repeats: Int = 0
    ) {
        self.subject = PlainText.line(subject)
        self.plain = plain
        self.html = html
        let contents = to.map(\.key).sorted() + ["\(repeats)", self.subject, plain, html]
        let mark = ShortHash.of(contents.joined(separator: "\n"))
        id = "<pulse-digest.\(Day(date, in: timeZone).text).\(mark)@\(from.domain)>"
        // "=_" cannot occur in a quoted-printable body (RFC 2045, section 6.7), so neither can this.
        let boundary = "=_pulse-digest_\(ShortHash.of(plain + html))"
        // The plain part first: "the best or preferred type should be the last" (RFC 2046, section 5.1.4).
        let parts = [("plain", plain), ("html", html)].map { subtype, text in
            """
            --\(boundary)
            Content-Type: text/\(subtype); charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            \(QuotedPrintable.encode(text))

            """
        }
        text =
            HeaderField.common(from: from, to: to, subject: self.subject, date: date, timeZone: timeZone, id: id)
            + [
                // RFC 2919: for the recipient's mail filters.
                HeaderField.token("List-Id", "pulse-digest <pulse-digest.\(from.domain)>"),
                // RFC 3834: prevents automatic replies.
                HeaderField.token("Auto-Submitted", "auto-generated"),
                HeaderField.token("Content-Language", language.rawValue),
                "Content-Type: multipart/alternative;\n boundary=\"\(boundary)\"\n\n",
            ].joined() + parts.joined() + "--\(boundary)--\n"
    }
}

extension EmailMessage {
    /// A digest as a message.
    public init(_ digest: Digest, from: MailAddress, to: [MailAddress], timeZone: TimeZone, repeats: Int = 0) {
        let outline = DigestOutline(digest, timeZone: timeZone, isMailed: true)
        self.init(
            from: from, to: to, subject: EmailMessage.subject(of: digest, outline, in: timeZone), date: digest.date,
            timeZone: timeZone, language: digest.language, plain: DigestLetter.render(outline),
            html: DigestHTML.render(outline), repeats: repeats)
    }

    /// The digest as a message, cut to a size that mail programs show whole and servers accept. What does not fit is
    /// counted, with the command that lists it.
    ///
    /// - Returns: the message, and the digest as it was cut.
    public static func fitting(
        _ digest: Digest, from: MailAddress, to: [MailAddress], timeZone: TimeZone, repeats: Int = 0
    ) -> (message: EmailMessage, digest: Digest) {
        func message(_ digest: Digest) -> (message: EmailMessage, digest: Digest) {
            (EmailMessage(digest, from: from, to: to, timeZone: timeZone, repeats: repeats), digest)
        }
        func fits(_ candidate: (message: EmailMessage, digest: Digest)) -> Bool {
            candidate.message.text.utf8.count <= longest
        }
        let whole = message(digest)
        if fits(whole) { return whole }
        let most = max(0, digest.stories.count - 1)
        // Cut first are long links, then the longest stories, then their other publications.
        for readings in [Int.max, 1] {
            func cut(_ stories: Int) -> (message: EmailMessage, digest: Digest) {
                message(digest.cut(largest: stories, mostReadings: readings, longestLink: longestLink))
            }
            guard fits(cut(most)) else { continue }
            var (least, enough) = (0, most)
            while least < enough {
                let middle = (least + enough) / 2
                if fits(cut(middle)) { enough = middle } else { least = middle + 1 }
            }
            return cut(least)
        }
        return message(digest.cut(largest: most, mostReadings: 1, longestLink: longestLink))
    }

    /// In bytes.
    private static let longest = 200_000
    private static let longestLink = 500

    /// `Your digest, 20 November: 18 stories. Council votes to rebuild the bridge`
    private static func subject(of digest: Digest, _ outline: DigestOutline, in timeZone: TimeZone) -> String {
        let phrases = digest.language.phrases
        let stories = phrases.story(digest.stories.count)
        let subject =
            digest.isWeek
            ? outline.title + phrases.colon + " " + stories
            : phrases.subject(DateText.dayAndMonth(digest.date, in: timeZone, digest.language), stories)
        // The digest's first story.
        guard let first = digest.stories.first else { return subject }
        return subject + ". " + headline(DigestOutline.Source(first.lead).title)
    }

    /// A title, or the first words of a long one.
    private static func headline(_ title: String) -> String {
        let longest = 70
        guard DisplayWidth.of(title) > longest else { return title }
        let cut = DisplayWidth.clip(title, to: longest)
        // Cut at a space in the second half, if there is one; some scripts have no spaces.
        guard let space = cut.lastIndex(of: " "), DisplayWidth.of(cut[..<space]) > longest / 2 else { return cut }
        return cut[..<space].trimmingCharacters(in: .whitespaces.union(.punctuationCharacters)) + "…"
    }
}

/// A plain-text message (RFC 5322) about an error, such as why there is no digest.
public enum EmailNotice {
    /// The whole message, with line feeds as line endings. Its Message-ID differs from the digest's, which may still be
    /// sent.
    public static func text(
        from: MailAddress, to: [MailAddress], subject: String, date: Date, timeZone: TimeZone, body: String
    ) -> String {
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

/// The digest as a mail's plain text. Each paragraph is one line, which mail programs wrap; sources have their URLs.
enum DigestLetter {
    static func render(_ outline: DigestOutline) -> String {
        let phrases = outline.language.phrases
        var blocks = [([outline.title] + outline.opening).joined(separator: "\n")]
        for section in outline.sections {
            blocks.append(heading(section.heading))
            blocks += section.entries.map { entry($0, phrases) }
            if !section.titled.isEmpty {
                let titles = section.titled.map { entry($0, phrases) }
                blocks.append(([phrases.also] + titles).joined(separator: "\n"))
            }
            if let omitted = section.omitted { blocks.append(omitted.text) }
        }
        blocks.append(heading(outline.numbersHeading))
        blocks.append(
            (outline.topics.map { "\($0.name)\(phrases.colon) \($0.count)" }
                + [outline.readingTimes?.sentence(phrases)].compactMap(\.self)).joined(separator: "\n"))
        blocks.append(outline.closing.joined(separator: "\n"))
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private static func heading(_ text: String) -> String {
        text + "\n" + String(repeating: "-", count: min(72, max(3, DisplayWidth.of(text))))
    }

    private static func entry(_ entry: DigestOutline.Entry, _ phrases: Phrases) -> String {
        let margin = "\n" + String(repeating: " ", count: "\(entry.number). ".count)
        let sources = entry.sources.map { source in
            margin + (source.preface.map { $0 + " " } ?? "") + source.name
                + (source.link.map { phrases.colon + " " + $0.address } ?? "")
        }
        let label = entry.label.map { $0 + " " } ?? ""
        let lines = entry.lines.map { margin + $0.label + " " + $0.wording.marked }
        return "\(entry.number). \(label)\(entry.wording.marked)" + lines.joined() + sources.joined()
    }
}
