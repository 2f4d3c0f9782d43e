public import Foundation
public import PulseCore

extension EmailMessage {
    /// A digest as a message, whose two parts say the same.
    ///
    /// - Parameter to: At least one.
    public init(_ digest: Digest, from: MailAddress, to: [MailAddress], timeZone: TimeZone) {
        let outline = DigestOutline(digest, timeZone: timeZone)
        self.init(
            from: from, to: to, subject: EmailMessage.subject(of: digest, in: timeZone), date: digest.date,
            timeZone: timeZone, language: digest.language, plain: DigestLetter.render(outline),
            html: DigestHTML.render(digest, timeZone: timeZone))
    }

    /// `Your digest, 20 November: 18 stories. Council votes to rebuild the bridge`
    private static func subject(of digest: Digest, in timeZone: TimeZone) -> String {
        let phrases = Phrases(digest.language)
        let subject = phrases.subject(
            DateText.dayAndMonth(digest.date, in: timeZone, digest.language), phrases.story(digest.stories.count))
        // The day's first story, as the digest orders them.
        guard let first = digest.stories.first else { return subject }
        return subject + ". " + headline(DigestOutline.Source(first.lead).title)
    }

    /// A title, or its first words where it is long.
    private static func headline(_ title: String) -> String {
        let longest = 70
        guard DisplayWidth.of(title) > longest else { return title }
        let cut = DisplayWidth.clip(title, to: longest)
        // At a space, where there is one in the latter half; scripts without spaces are cut where they are.
        guard let space = cut.lastIndex(of: " "), DisplayWidth.of(cut[..<space]) > longest / 2 else { return cut }
        return cut[..<space].trimmingCharacters(in: .whitespaces.union(.punctuationCharacters)) + "…"
    }
}
