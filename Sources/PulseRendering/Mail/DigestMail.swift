public import Foundation
public import PulseCore

extension EmailMessage {
    /// A digest as a message with two equivalent parts.
    ///
    /// - Parameter to: at least one address.
    public init(_ digest: Digest, from: MailAddress, to: [MailAddress], timeZone: TimeZone) {
        let outline = DigestOutline(digest, timeZone: timeZone)
        self.init(
            from: from, to: to, subject: EmailMessage.subject(of: digest, in: timeZone), date: digest.date,
            timeZone: timeZone, language: digest.language, plain: DigestLetter.render(outline),
            html: DigestHTML.render(digest, timeZone: timeZone))
    }

    /// `Your digest, 20 November: 18 stories. Council votes to rebuild the bridge`
    private static func subject(of digest: Digest, in timeZone: TimeZone) -> String {
        let phrases = digest.language.phrases
        let stories = phrases.story(digest.stories.count)
        let subject =
            digest.isWeek
            ? DigestOutline(digest, timeZone: timeZone).title + phrases.colon + " " + stories
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
            (outline.topics.map { "\($0.name)\(phrases.colon) \($0.articles)" }
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
        let course = entry.course.map { margin + $0.label + " " + $0.wording.marked }
        return "\(entry.number). \(label)\(entry.wording.marked)" + course.joined() + sources.joined()
    }

}
