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

    /// `Your digest, 20 November: 18 articles, 5 topics. Council votes to rebuild the bridge`
    private static func subject(of digest: Digest, in timeZone: TimeZone) -> String {
        let phrases = Phrases(digest.language)
        let subject = DocumentPhrases(digest.language).subject(
            DateText.dayAndMonth(digest.date, in: timeZone, digest.language), phrases.article(digest.readings.count),
            phrases.topic(digest.sections.count))
        // What most of the sources told leads the day.
        let stories = digest.sections.flatMap(\.stories)
        let most = stories.map(\.readings.count).max()
        guard let lead = stories.first(where: { $0.readings.count == most }) else { return subject }
        return subject + ". " + headline(DigestOutline.Source(lead.lead).title)
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
