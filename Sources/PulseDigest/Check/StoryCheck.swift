public import PulseCore
import PulseText

/// Checks whether a sentence that a model wrote about a story says what one of its reports says. It compares words and
/// understands nothing: a sentence that is not one of a report, whole or shortened, is refused.
public struct StoryCheck: Sendable {
    /// Why a sentence is not to be shown.
    public enum Refusal: String, Sendable, CaseIterable {
        /// It repeats the prompt.
        case echo
        /// It is about the text, or about the task.
        case about
        /// Somebody's words, without the quotation marks or without the speaker.
        case quotation
        /// Not the words of a report's sentence, or too few of them.
        case words
        /// Only words of a title.
        case title
    }

    public enum Verdict: Sendable, Hashable {
        /// Word for word a sentence of these reports.
        case quoted(sources: [String])
        /// Said by a sentence of these reports, in their order.
        case supported(sources: [String])
        case refused(Refusal)
    }

    private let reports: [Report]
    /// Models sometimes put a publication's name in front of a sentence.
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
            return Report(read)
        }
        publications = Set(reports.map { Words.folded(String($0.source.prefix(100))) }).subtracting([""])
    }

    public func verdict(on sentence: String) -> Verdict {
        guard sentence.prefix(StoryCheck.longestSentence + 1).count <= StoryCheck.longestSentence else {
            return .refused(.words)
        }
        // Each report's language decides which words count.
        let readings = reports.map { (report: $0, claim: Line(sentence, $0.lexicon).words) }
        var quoting: [String] = []
        for (report, claim) in readings {
            guard let said = report.sentence(copiedBy: sentence) else { continue }
            guard report.keepsQuotes(of: said[...], in: claim) else { return .refused(.quotation) }
            quoting.append(report.id)
        }
        let isFirstPerson = readings.contains { $0.report.isFirstPerson($0.claim) }
        if !quoting.isEmpty { return isFirstPerson ? .refused(.quotation) : .quoted(sources: quoting) }
        if let reading = readings.first(where: { $0.report.isOfTitle($0.claim) }) {
            return .refused(reading.claim.isEmpty ? .words : .title)
        }
        if isEcho(sentence) { return .refused(.echo) }
        if !readings.isEmpty, readings.allSatisfy({ $0.report.isAboutText($0.claim) }) { return .refused(.about) }
        if isFirstPerson { return .refused(.quotation) }
        let telling = readings.filter { $0.report.says($0.claim) }.map(\.report.id)
        return telling.isEmpty || !StoryCheck.isWhole(sentence) ? .refused(.words) : .supported(sources: telling)
    }

    /// False: no sentence that begins with these words will pass, whatever follows.
    ///
    /// - Parameter front: Whole words, without the mark that ends a sentence.
    public func mayPass(beginning front: String) -> Bool {
        // Without small letters it is not known yet which words are acronyms.
        guard front.contains(where: \.isLowercase) else { return true }
        return reports.contains { $0.holds(Line(front, $0.lexicon).words, front) }
    }

    /// “Source: …”, “Title: …”, “The Daily Mail: …”.
    private func isEcho(_ sentence: String) -> Bool {
        guard let colon = sentence.firstIndex(of: ":") else { return false }
        let label = Words.folded(sentence[..<colon].split(whereSeparator: \.isWhitespace).joined(separator: " "))
        return publications.contains(label) || reports.contains { $0.lexicon.labels.contains(label) }
    }

    /// Whether it ends like a sentence; an answer that was cut off does not.
    private static func isWhole(_ sentence: String) -> Bool {
        let end = sentence.last { !$0.isWhitespace && !"\"”’»)]".contains($0) }
        return end.map { ".!?…。！？".contains($0) } ?? false
    }
}
