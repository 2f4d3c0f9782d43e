public import PulseCore

/// Whether a sentence that a model wrote about a story says what one of the story's reports says. It compares words and
/// understands nothing: what is not nearly a sentence of the report, shortened, is refused.
public struct StoryCheck: Sendable {
    /// Why a sentence is not to be shown.
    public enum Refusal: String, Sendable, CaseIterable {
        /// It repeats the prompt.
        case echo
        /// It is about the text, or about the task.
        case about
        /// Somebody's words, without the quotation marks or without the speaker.
        case quotation
        /// A number, a day or a name that the nearest sentence of the report lacks.
        case number, day, name
        /// Other words than the report's, or too few of them.
        case words
    }

    public enum Verdict: Sendable, Hashable {
        /// Word for word a sentence of these reports, or their title.
        case quoted(sources: [String])
        /// Told by a sentence of these reports; the first report comes first.
        case supported(sources: [String])
        case refused(Refusal)
    }

    private let reports: [Report]
    /// The publications' names, which a model takes for the front of a sentence.
    private let publications: Set<String>

    /// In characters.
    private static let (longestText, longestSentence) = (20_000, 600)

    /// - Parameter reports: Of one story.
    public init(_ reports: [Article]) {
        self.reports = reports.map { article in
            var read = article
            read.title = String(article.title.prefix(StoryCheck.longestSentence))
            read.summary = String(article.summary.prefix(StoryCheck.longestText))
            read.content = String(article.content.prefix(StoryCheck.longestText))
            return Report(read, lexicon: .of(read.writtenLanguage.flatMap(Language.init) ?? .english))
        }
        publications = Set(reports.map { Token.fold(String($0.source.prefix(100))) }).subtracting([""])
    }

    public func verdict(on sentence: String) -> Verdict {
        guard sentence.prefix(StoryCheck.longestSentence + 1).count <= StoryCheck.longestSentence else {
            return .refused(.words)
        }
        let claims = reports.map { (report: $0, claim: Claim(sentence, $0)) }
        let bare = Report.bare(sentence)
        var quoting: [String] = []
        for (report, claim) in claims {
            guard let line = report.lines.first(where: { $0.bare == bare }), !bare.isEmpty else { continue }
            if claim.isUnquoted(copied: line) { return .refused(.quotation) }
            quoting.append(report.id)
        }
        if !quoting.isEmpty { return .quoted(sources: quoting) }
        if isEcho(sentence) { return .refused(.echo) }
        if !claims.isEmpty, claims.allSatisfy({ $0.claim.isAboutItself }) { return .refused(.about) }
        if claims.contains(where: { $0.claim.isUnquoted() }) { return .refused(.quotation) }
        guard StoryCheck.isWhole(sentence) else { return .refused(.words) }
        let refusals = claims.map { $0.claim.refusal() }
        let telling = zip(reports, refusals).filter { $0.1 == nil }.map(\.0.id)
        return telling.isEmpty ? .refused(refusals.first.flatMap { $0 } ?? .words) : .supported(sources: telling)
    }

    /// “Source: …”, “Title: …”, “The Daily Mail: …”.
    private func isEcho(_ sentence: String) -> Bool {
        guard let colon = sentence.firstIndex(of: ":") else { return false }
        let label = Token.fold(String(sentence[..<colon]))
        return publications.contains(label) || reports.contains { $0.lexicon.labels.contains(label) }
    }

    /// Whether it ends with a mark; an answer that was cut off does not.
    private static func isWhole(_ sentence: String) -> Bool {
        let end = sentence.last { !$0.isWhitespace && !"\"”’»)]".contains($0) }
        return end.map { ".!?…。！？".contains($0) } ?? false
    }
}
