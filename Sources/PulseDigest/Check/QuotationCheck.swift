public import PulseCore
import PulseText

/// Checks whether a model's sentence is a quotation: a sentence of one of the story's articles, whole or shortened at
/// its ends. It only compares words. A paraphrase is refused.
public struct QuotationCheck: Sendable {
    /// Why a sentence is not shown.
    public enum Refusal: String, Sendable, CaseIterable {
        /// It repeats the prompt.
        case echo
        /// It is about the text or the task.
        case about
        /// It repeats somebody's words without the quotation marks or the speaker.
        case quotation
        /// Its words are not those of a sentence of an article, or too few of them.
        case words
        /// It is a part of a sentence of an article, and may say less or something else than the whole.
        case cut
        /// All its words are in a title.
        case title
    }

    public enum Verdict: Sendable, Hashable {
        /// It is a sentence of these articles.
        case quoted(sources: [String])
        /// It is a part of a sentence of these articles. If it is not verbatim, it has other function words, and must
        /// not be shown between quotation marks.
        case supported(sources: [String], isVerbatim: Bool)
        case refused(Refusal)
    }

    private let reports: [SourceText]
    /// Models sometimes begin a sentence with the publication's name.
    private let publications: Set<String>

    /// In characters: how much of an article's text is compared, and how much of a title. A longer sentence is refused.
    private static let (longestText, longestSentence) = (20_000, 600)

    /// - Parameter reports: Of one story.
    public init(_ reports: [Article]) {
        self.reports = reports.map { article in
            var read = article
            read.title = String(article.title.prefix(QuotationCheck.longestSentence))
            read.summary = String(article.summary.prefix(QuotationCheck.longestText))
            read.content = String(article.content.prefix(QuotationCheck.longestText))
            return SourceText(read)
        }
        publications = Set(reports.map { Words.folded(String($0.source.prefix(100))) }).subtracting([""])
    }

    public func verdict(on sentence: String) -> Verdict {
        guard sentence.prefix(QuotationCheck.longestSentence + 1).count <= QuotationCheck.longestSentence else {
            return .refused(.words)
        }
        // Which words are compared depends on the article's language.
        let readings = reports.map { (report: $0, claim: SentenceWords(sentence, $0.lexicon).words) }
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
        let telling = readings.map { (id: $0.report.id, sentences: $0.report.sentences(saying: $0.claim)) }
            .filter { !$0.sentences.isEmpty }
        guard !telling.isEmpty, Sentences.isClosed(sentence) else {
            return .refused(readings.contains { $0.report.holds($0.claim, sentence) } ? .cut : .words)
        }
        let letters = SourceText.letters(sentence)
        let isVerbatim = telling.flatMap(\.sentences).contains { SourceText.letters($0).contains(letters) }
        return .supported(sources: telling.map(\.id), isVerbatim: isVerbatim)
    }

    /// Whether no sentence of the articles ends with these words.
    func isCut(_ quotation: String) -> Bool { !reports.contains { $0.hasSentence(endingIn: quotation) } }

    /// Whether a sentence that begins with these words may pass.
    ///
    /// - Parameter front: Whole words, without the mark that ends a sentence.
    public func mayPass(beginning front: String) -> Bool {
        // Without lower-case letters, acronyms cannot be recognised yet.
        guard front.contains(where: \.isLowercase) else { return true }
        return reports.contains { $0.holds(SentenceWords(front, $0.lexicon).words, front) }
    }

    /// Whether the sentence begins like the prompt: “Source: …”, “Title: …”, “The Daily Mail: …”.
    private func isEcho(_ sentence: String) -> Bool {
        guard let colon = sentence.firstIndex(of: ":") else { return false }
        let label = Words.folded(sentence[..<colon].split(whereSeparator: \.isWhitespace).joined(separator: " "))
        return publications.contains(label) || reports.contains { $0.lexicon.labels.contains(label) }
    }
}
